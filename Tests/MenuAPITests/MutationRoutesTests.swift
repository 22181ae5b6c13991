import JSONText
import MicroHTTP
import Testing

struct MutationRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `mutations are applied in order, each with its outcome`() throws {
    let body = #"""
      {"mutations":[
        {"op":"putResponder","responder":"caption","value":{"kind":"view","superview":"rootView"}},
        {"op":"becomeFirstResponder","responder":"caption"},
        {"op":"registerHandler","responder":"photoHost","selector":"share:","handler":{}},
        {"op":"perform","command":"applyFourStarRating:","from":"photoGrid"}
      ]}
      """#
    let response = try sample.send(.post, "/sessions/demo/mutations", body)
    let invocation = try #require(try response.value("/outcomes/3/invocation")).text()
    #expect(
      response.text == #"""
        {"session":"demo","revision":4,"outcomes":[{"changes":[{"change":"responder",\#
        "responder":"caption","value":{"kind":"view","class":"UIView","superview":"rootView",\#
        "properties":{},"handlers":{}}}]},{"changes":[{"change":"firstResponder",\#
        "responder":"caption"}]},{"token":2,"changes":[{"change":"registration",\#
        "responder":"photoHost","selector":"share:","token":2,"value":{"perform":[]}}]},\#
        {"performed":true,"reason":"enabled","command":"applyFourStarRating:",\#
        "action":"applyFourStarRating:","target":"photoGrid","invocation":\#(invocation),\#
        "changes":[{"change":"state","op":"replace","path":"/rating","value":4},\#
        {"change":"document","op":"replace","path":"/undo/session/canUndo","value":true},\#
        {"change":"document","op":"replace","path":"/undo/session/undoMenuItemTitle",\#
        "value":"Undo ★★★★"},{"change":"document","op":"add","path":"/undo/session/undo/0",\#
        "value":{"actionName":"★★★★","actions":1}}],"events":[{"event":"willSendAction",\#
        "command":"applyFourStarRating:","action":"applyFourStarRating:","target":"photoGrid"},\#
        {"event":"didSendAction","command":"applyFourStarRating:",\#
        "action":"applyFourStarRating:","target":"photoGrid","performed":true}]}]}
        """#)
  }

  @Test func `no mutations are no change`() throws {
    let response = try sample.send(.post, "/sessions/demo/mutations", #"{"mutations":[]}"#)
    #expect(response.text == #"{"session":"demo","revision":0,"outcomes":[]}"#)
  }

  @Test func `a message is sent again`() throws {
    let body = #"""
      {"mutations":[{"op":"invoke","invocation":{"target":"photoHost/forwarder",
        "selector":"handleAction:","originalSelector":"applyFiveStarRating:",
        "command":"applyFiveStarRating:"}}]}
      """#
    let response = try sample.send(.post, "/sessions/demo/mutations", body)
    #expect(try response.value("/outcomes/0/performed") == true)
    #expect(try response.value("/outcomes/0/changes/0/value") == 5)
  }
}
