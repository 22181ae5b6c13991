import JSONText
import MicroHTTP
import Testing

struct CommandRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `commands are listed in the order of their declaration`() throws {
    let response = try sample.send(.get, "/commands")
    #expect(try response.value("/catalogRevision") == 0)
    #expect(try response.value("/commands/0/id") == "copy:")
    #expect(try response.value("/commands/5/id") == "sortByDate")
  }

  @Test func `a command is answered with its defaults`() throws {
    let response = try sample.send(.get, "/commands/sortByDate")
    #expect(
      response.text == #"""
        {"id":"sortByDate","title":"Date","action":"sort:","propertyList":"date",\#
        "attributes":[],"state":"off","wantsPriorityOverSystemBehavior":false,\#
        "allowsAutomaticLocalization":true,"allowsAutomaticMirroring":true}
        """#)
  }

  @Test func `a new command is created, the same again is not`() throws {
    let body = #"{"title":"Duplicate","action":"duplicate:"}"#
    let first = try sample.send(.put, "/commands/duplicate:", body)
    #expect(first.status == .created)
    #expect(first.headers["location"] == "/commands/duplicate:")
    let second = try sample.send(.put, "/commands/duplicate:", body)
    #expect(second.status == .ok)
    #expect(second.headers["location"] == nil)
    #expect(second.text == first.text)
    #expect(try sample.send(.get, "/commands").value("/catalogRevision") == 1)
  }

  @Test func `what a command is declared as is what it is answered as`() throws {
    let text = try sample.send(.get, "/commands/copy:").text
    #expect(try sample.send(.put, "/commands/copy:", text).status == .ok)
  }

  @Test func `a refused declaration comes with the one that was there first`() throws {
    let body = #"{"title":"Copy It","action":"copy:"}"#
    let response = try sample.send(.put, "/commands/copy:", body)
    #expect(try response.value("/existing/title") == "Copy")
  }

  @Test func `all faults are listed with their places`() throws {
    let body = #"{"action":"9lives","key":{"modifiers":["comand"]},"tilte":"Clone"}"#
    let response = try sample.send(.put, "/commands/clone:", body)
    let pointers = try (0..<5).map { try response.value("/errors/\($0)/pointer") }
    // That the title is missing is no fault of its own: 'tilte' is what was meant by it.
    #expect(pointers == ["/action", "/key", "/key/modifiers/0", "/tilte", nil])
  }

  @Test func `a command that stands in no menu is removed`() throws {
    let response = try sample.send(.delete, "/commands/separate")
    #expect(response.status == .noContent)
    #expect(response.body.isEmpty)
    #expect(try sample.send(.get, "/commands/separate").status == .notFound)
  }
}
