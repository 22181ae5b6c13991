import JSONText
import MicroHTTP
import Testing

struct ResponderRoutesTests {
  let sample: SampleService
  private let path = "/sessions/demo/responders"

  init() throws { sample = try SampleService() }

  @Test func `all responders are listed by id`() throws {
    let response = try sample.send(.get, path)
    #expect(try response.value("/revision") == 0)
    #expect(try response.value("/responders/photoGrid/class") == "PhotoGrid")
  }

  @Test func `a responder is answered with its defaults`() throws {
    let response = try sample.send(.get, "\(path)/rootView")
    #expect(
      response.text == #"""
        {"session":"demo","revision":0,"id":"rootView","responder":\#
        {"kind":"view","class":"UIView","properties":{},"handlers":{}}}
        """#)
  }

  @Test func `a new responder is created, another in its place is not`() throws {
    let first = try sample.send(
      .put, "\(path)/caption", #"{"kind":"view","superview":"photoGrid"}"#)
    #expect(first.status == .created)
    #expect(first.headers["location"] == "\(path)/caption")
    #expect(
      first.text == #"""
        {"session":"demo","revision":1,"changes":[{"change":"responder","responder":"caption",\#
        "value":{"kind":"view","class":"UIView","superview":"photoGrid","properties":{},\#
        "handlers":{}}}]}
        """#)
    let second = try sample.send(.put, "\(path)/caption", #"{"kind":"view"}"#)
    #expect(second.status == .ok)
    #expect(second.headers["location"] == nil)
  }

  @Test func `with a responder go the links to it, and focus`() throws {
    let response = try sample.send(.delete, "\(path)/rootView")
    #expect(response.status == .ok)
    #expect(
      response.text == #"""
        {"session":"demo","revision":1,"changes":[{"change":"responderRemoved",\#
        "responder":"rootView"},{"change":"firstResponder","responder":null},\#
        {"change":"linkCleared","responder":"root","link":"view","destination":"rootView",\#
        "op":"remove","path":"/responders/root/view"},\#
        {"change":"linkCleared","responder":"photoGrid","link":"superview",\#
        "destination":"rootView","op":"remove","path":"/responders/photoGrid/superview"},\#
        {"change":"linkCleared","responder":"hostedView","link":"superview",\#
        "destination":"rootView","op":"remove","path":"/responders/hostedView/superview"}]}
        """#)
  }

  @Test func `E2: a link that changes is told once, by its name with the operation`() throws {
    _ = try sample.send(.put, "\(path)/panel", #"{"kind":"view","superview":"rootView"}"#)
    let response = try sample.send(
      .post, "/sessions/demo/mutations",
      #"{"mutations":[{"op":"setDelegate","responder":"panel","delegate":"root"}]}"#)
    #expect(
      try response.value("/outcomes/0/changes")?.text() == #"""
        [{"change":"link","responder":"panel","link":"delegate","destination":"root","op":"add",\#
        "path":"/responders/panel/delegate","value":"root","position":3}]
        """#)
  }
}
