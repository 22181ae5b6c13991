import JSONText
import MicroHTTP
import Testing

struct SessionRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a session is opened from the template under a new name`() throws {
    let response = try sample.send(.post, "/sessions")
    #expect(response.status == .created)
    #expect(response.headers["location"] == "/sessions/first")
    // Openings are numbered by the process that opens, without gaps.
    #expect(response.headers["etag"] == "\"run1.\(Replicas.count > 1 ? 1001 : 2).0\"")
    #expect(try response.value("/session") == "first")
    #expect(try response.value("/revision") == 0)
    #expect(try response.value("/firstResponder") == "photoGrid")
    #expect(try sample.send(.get, "/sessions/first").text == response.text)
  }

  @Test func `what is given replaces what the template has`() throws {
    let body = #"{"id":"tablet","state":{"rating":3},"firstResponder":"photoHost"}"#
    let response = try sample.send(.post, "/sessions", body)
    #expect(try response.value("/session") == "tablet")
    #expect(try response.value("/state") == .object(["rating": 3]))
    #expect(try response.value("/firstResponder") == "photoHost")
    #expect(try response.value("/keyWindow") == "window")
  }

  @Test func `without the template a session is empty`() throws {
    let response = try sample.send(.post, "/sessions", #"{"id":"bare","template":false}"#)
    #expect(
      response.text == #"""
        {"session":"bare","revision":0,"state":{},"firstResponder":null,"keyWindow":null,\#
        "mainWindow":null,"modalWindow":null,"search":"uikit","presenter":"receiver",\#
        "undoManager":{"levelsOfUndo":0},"responders":{},"registrations":{},\#
        "undo":{"session":{"levelsOfUndo":0,"canUndo":false,"undoMenuItemTitle":"Undo",\#
        "canRedo":false,"redoMenuItemTitle":"Redo","groupingLevel":0,\#
        "isUndoRegistrationEnabled":true,"preparedTarget":null,"undo":[],"redo":[]},\#
        "responders":{}},"messages":[],"deliveries":[]}
        """#)
  }

  @Test func `a session that is open already is joined as it is, and never with a token`() throws {
    let sample = try SampleService()
    let opening = #"{"id":"shared","join":true,"state":{"by":"first"}}"#
    let opened = try sample.send(.post, "/sessions", opening)
    #expect(opened.status == .created)
    let joined = try sample.send(
      .post, "/sessions", #"{"id":"shared","join":true,"state":{"by":"second"}}"#)
    #expect(joined.status == .ok)
    let present = try sample.send(.get, "/sessions/shared")
    #expect(joined.body == present.body)
    #expect(joined.headers["etag"] == present.headers["etag"])
    #expect(joined.headers["location"] == nil)
    let refused = try sample.send(.post, "/sessions", #"{"id":"shared","join":false}"#)
    #expect(try refused.value("/type") == "/problems/session-exists")
    // What it would be opened with is checked all the same.
    let wrong = try sample.send(
      .post, "/sessions", #"{"id":"shared","join":true,"firstResponder":7}"#)
    #expect(wrong.status == .unprocessableContent)
    let guarded = try SampleService(authorization: .closed)
    let own = try guarded.openWithToken("own")
    let again = try guarded.send(
      .post, "/sessions", #"{"id":"own","join":true}"#, headers: SampleService.administrator)
    #expect(again.status == .ok)
    #expect(try again.value("/token") == nil)
    let foreign = try guarded.send(.post, "/sessions", #"{"id":"own","join":true}"#, headers: own)
    #expect(foreign.status == .forbidden)
  }

  @Test func `a session that was closed is gone`() throws {
    let response = try sample.send(.delete, "/sessions/demo")
    #expect(response.status == .noContent)
    #expect(try sample.send(.get, "/sessions/demo").status == .notFound)
    #expect(try sample.send(.delete, "/sessions/demo").status == .notFound)
  }

  @Test func `what a session is answered as opens the same session`() throws {
    guard case .object(var members) = try sample.send(.get, "/sessions/demo").json else {
      Issue.record("'members' is not an object")
      return
    }
    members["session"] = nil
    members["revision"] = nil
    members["id"] = "copy"
    let copy = try sample.send(.post, "/sessions", JSON.object(members).text())
    #expect(copy.status == .created)
    members["id"] = nil
    guard case .object(var answer) = try copy.json else {
      Issue.record("'answer' is not an object")
      return
    }
    answer["session"] = nil
    answer["revision"] = nil
    #expect(answer == members)
  }
}
