import JSONText
import MicroHTTP
import Testing

struct HandlerRoutesTests {
  let sample: SampleService
  private let path = "/sessions/demo/responders/photoGrid/handlers"

  init() throws { sample = try SampleService() }

  @Test func `a responder's own handlers are listed`() throws {
    let response = try sample.send(.get, path)
    #expect(
      response.text == #"""
        {"session":"demo","revision":0,"responder":"photoGrid","handlers":\#
        {"copy:":{"validate":{"title":"'Copy Photo'"},"perform":[]}}}
        """#)
  }

  @Test func `a handler is answered by its selector, encoded or not`() throws {
    let response = try sample.send(.get, "\(path)/copy:")
    #expect(try response.value("/selector") == "copy:")
    #expect(try response.value("/handler/validate/title") == "'Copy Photo'")
    #expect(try sample.send(.get, "\(path)/copy%3A").text == response.text)
  }

  @Test func `a new handler is created, another in its place is not`() throws {
    let first = try sample.send(.put, "\(path)/print:", #"{"canPerform":true}"#)
    #expect(first.status == .created)
    #expect(first.headers["location"] == "\(path)/print:")
    #expect(try sample.send(.put, "\(path)/print:", "{}").status == .ok)
    #expect(try sample.send(.get, "\(path)/print:").value("/handler/canPerform") == nil)
  }

  @Test func `a handler that is removed leaves that of the class`() throws {
    let response = try sample.send(.delete, "\(path)/copy:")
    #expect(
      response.text == #"""
        {"session":"demo","revision":1,"changes":[\#
        {"change":"handlerRemoved","responder":"photoGrid","selector":"copy:"}]}
        """#)
  }

  @Test func `a rule that does not compile is shown with a caret`() throws {
    let body = #"{"validate":{"enabled":"state.rating = 5"}}"#
    let response = try sample.send(.put, "\(path)/print:", body)
    #expect(
      try response.value("/rule")
        == .object([
          "message": "unexpected character '='", "offset": 13, "line": 1, "column": 14,
          "hint": "did you mean '=='?", "excerpt": "state.rating = 5\n             ^",
        ]))
  }
}
