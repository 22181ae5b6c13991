import JSONText
import MicroHTTP
import Testing

struct PerformRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a performed command says who received what, and what changed`() throws {
    let response = try perform(#"{"session":"demo","command":"applyFiveStarRating:"}"#)
    #expect(response.status == .ok)
    #expect(response.headers["etag"] == "\"run1.1.1\"")
    guard case .object(var answer) = try response.json,
      case .object(var invocation)? = answer["invocation"]
    else {
      Issue.record("'invocation' is not an object")
      return
    }
    #expect(try response.value("/invocation/sender") == nil)
    #expect(try response.value("/invocation/arguments/0/id") == "applyFiveStarRating:")
    invocation["arguments"] = nil
    answer["invocation"] = .object(invocation)
    #expect(
      JSON.object(answer).text() == #"""
        {"session":"demo","revision":1,"performed":true,"reason":"enabled",\#
        "command":"applyFiveStarRating:","action":"applyFiveStarRating:","target":"photoGrid",\#
        "invocation":{"target":"photoGrid","selector":"applyFiveStarRating:",\#
        "originalSelector":"applyFiveStarRating:","command":"applyFiveStarRating:",\#
        "when":"2026-11-21T08:33:20.123Z"},"changes":[{"change":"state","op":"replace",\#
        "path":"/rating","value":5},{"change":"document","op":"replace",\#
        "path":"/undo/session/canUndo","value":true},{"change":"document","op":"replace",\#
        "path":"/undo/session/undoMenuItemTitle","value":"Undo ★★★★★"},{"change":"document",\#
        "op":"add","path":"/undo/session/undo/0","value":{"actionName":"★★★★★","actions":1}}],\#
        "events":[{"event":"willSendAction","command":"applyFiveStarRating:",\#
        "action":"applyFiveStarRating:","target":"photoGrid"},{"event":"didSendAction",\#
        "command":"applyFiveStarRating:","action":"applyFiveStarRating:","target":"photoGrid",\#
        "performed":true}]}
        """#)
  }

  @Test func `the check mark moves`() throws {
    let body = #"{"session":"demo","commands":["applyFiveStarRating:"]}"#
    #expect(try sample.send(.post, "/commands/validate", body).value("/items/0/state") == "off")
    _ = try perform(#"{"session":"demo","command":"applyFiveStarRating:"}"#)
    #expect(try sample.send(.post, "/commands/validate", body).value("/items/0/state") == "on")
  }

  @Test func `through the forwarder the trace lists each step`() throws {
    let response = try perform(
      #"{"session":"demo","command":"applyFiveStarRating:","from":"photoHost","explain":true}"#)
    guard case .array(let steps)? = try response.value("/trace") else {
      Issue.record("'steps' is not an array")
      return
    }
    let questions = try steps.map { try $0[JSONPointer(parsing: "/question")] }
    #expect(
      questions == [
        "redirect", "canPerformAction", "validate", "resolveInstanceMethod", "forwardingTarget",
        "methodSignature", "forwardInvocation", "invoke", "handler",
      ])
    #expect(try response.value("/invocation/selector") == "handleAction:")
    #expect(try response.value("/invocation/originalSelector") == "applyFiveStarRating:")
  }

  @Test func `an action is sent with the arguments given`() throws {
    let response = try perform(
      #"{"session":"demo","action":"applyFourStarRating:","arguments":[{"by":"hand"}]}"#)
    #expect(try response.value("/command") == nil)
    #expect(try response.value("/action") == "applyFourStarRating:")
    #expect(try response.value("/invocation/arguments") == [.object(["by": "hand"])])
    #expect(
      try response.value("/invocation/sender")
        == ["kind": "request", "action": "applyFourStarRating:"])
    #expect(try response.value("/events") == [])
  }

  @Test func `an action goes to a receiver without a search`() throws {
    let response = try perform(
      #"""
      {"session":"demo","action":"applyFiveStarRating:","to":"photoHost/forwarder",
       "sender":{"action":"applyFiveStarRating:"}}
      """#)
    #expect(try response.value("/target") == "photoHost/forwarder")
    #expect(try response.value("/performed") == true)
  }

  @Test func `a message without a handler any more arrives and does nothing`() throws {
    let response = try perform(
      #"""
      {"session":"demo","action":"applyFourStarRating:","to":"photoHost/forwarder",
       "sender":{"action":"applyFourStarRating:"}}
      """#)
    #expect(response.status == .ok)
    #expect(try response.value("/performed") == false)
    #expect(try response.value("/reason") == "noHandler")
  }

  @Test func `M7: menus tell of a command that nobody received, too`() throws {
    let response = try perform(
      #"{"session":"demo","command":"applyFourStarRating:","to":"photoHost/forwarder"}"#)
    #expect(
      try response.value("/events")?.text() == #"""
        [{"event":"willSendAction","command":"applyFourStarRating:",\#
        "action":"applyFourStarRating:","target":"photoHost/forwarder"},\#
        {"event":"didSendAction","command":"applyFourStarRating:",\#
        "action":"applyFourStarRating:","target":"photoHost/forwarder","performed":false}]
        """#)
    #expect(try response.value("/reason") == "noHandler")
  }

  @Test func `a command that is not performed comes with its item, and with explain a trace`()
    throws
  {
    let response = try perform(#"{"session":"demo","command":"delete:","explain":true}"#)
    #expect(response.status == .conflict)
    #expect(try response.value("/reason") == "ruleFalse")
    #expect(try response.value("/item/attributes") == ["disabled", "destructive"])
    #expect(try response.value("/trace/2/question") == "validate")
    let plain = try perform(#"{"session":"demo","command":"delete:"}"#)
    #expect(try plain.value("/trace") == nil)
  }

  @Test func `an effect that fails is named with its place`() throws {
    let response = try perform(#"{"session":"demo","command":"sortByDate"}"#)
    #expect(
      try response.value("/effect")
        == .object(["receiver": "photoGrid", "selector": "sort:", "place": "perform/1"]))
  }

  @Test func `a rule of an effect that fails is named with its place`() throws {
    let handler = #"{"perform":[{"op":"replace","path":"/rating","value":"state.missing"}]}"#
    _ = try sample.send(.put, "/sessions/demo/responders/photoGrid/handlers/copy:", handler)
    let response = try perform(#"{"session":"demo","command":"copy:"}"#)
    #expect(try response.value("/type") == "/problems/effect-failed")
    #expect(try response.value("/effect/place") == "perform/0/value")
    #expect(try response.value("/error/offset") == 0)
  }

  private func perform(_ body: String) throws -> Response {
    try sample.send(.post, "/commands/perform", body)
  }
}
