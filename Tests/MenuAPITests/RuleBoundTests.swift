import CEL
import JSONText
import MicroHTTP
import Testing

/// Rules that clients register are held to the configured bounds: what is too big is refused with its
/// place, what is too costly is `ruleError` when it is evaluated.
struct RuleBoundTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService(
      ruleLimits: ProgramLimits(
        maximumSourceLength: 60, maximumNesting: 4, maximumNodes: 20, maximumSteps: 60,
        maximumStringLength: 8, maximumElements: 5))
  }

  /// Rules that are refused, each with the message and the offset of its fault.
  static let tooBig: [(rule: String, message: String, offset: Int)] = [
    (
      String(repeating: " ", count: 61), "the source is longer than 60 bytes (maximumSourceLength)",
      60
    ),
    ("((((true))))", "the program is nested more than 4 levels deep (maximumNesting)", 4),
    ("1+1+1+1+1+1+1+1+1+1+1 > 0", "the program has more than 20 parts (maximumNodes)", 0),
    ("'aaaaaaaa' + 'b' == ''", "the string has more than 8 bytes (maximumStringLength)", 0),
    ("[1,2,3] + [4,5,6] == []", "the list or map has more than 5 elements (maximumElements)", 0),
    (
      "[1,2,3,4].map(a,[1,2,3,4].map(b,a+b)) == []",
      "evaluating this takes at least 73 steps, more than 60 (maximumSteps)", 0
    ),
  ]

  /// Rules that fail when they are evaluated, each with its message.
  static let tooCostly: [(rule: String, message: String)] = [
    ("state.text + state.text == ''", "the string has more than 8 bytes (maximumStringLength)"),
    (
      "(state.list + state.list).size() > 0",
      "the list or map has more than 5 elements (maximumElements)"
    ),
    (
      "state.list.all(a, state.list.all(b, a + b > 0))",
      "the evaluation takes more than 60 steps (maximumSteps)"
    ),
  ]

  @Test(arguments: tooBig)
  func `what is registered too big is refused with pointer, offset and bound`(
    rule: String, message: String, offset: Int
  ) throws {
    let text = JSON.string(rule).text()
    let requests = [
      (
        MicroHTTP.Method.put, "/sessions/demo/responders/photoGrid/handlers/copy:",
        #"{"validate":{"enabled":\#(text)}}"#, "/validate/enabled"
      ),
      (
        .put, "/sessions/demo/responders/photoGrid/handlers/copy:", #"{"canPerform":\#(text)}"#,
        "/canPerform"
      ),
      (
        .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
        #"{"perform":[{"op":"add","path":"/x","value":\#(text)}]}"#, "/perform/0/value"
      ),
      (
        .put, "/sessions/demo/responders/extra",
        #"{"kind":"view","canBecomeFirstResponder":\#(text)}"#, "/canBecomeFirstResponder"
      ),
      (
        .post, "/sessions",
        #"{"responders":{"v":{"kind":"view","handlers":{"a:":"#
          + #"{"canPerform":\#(text)}}}}}"#, "/responders/v/handlers/a:/canPerform"
      ),
      (
        .post, "/sessions/demo/mutations",
        #"{"mutations":[{"op":"putHandler","responder":"photoGrid","selector":"a:","handler":"#
          + #"{"canPerform":\#(text)}}]}"#, "/mutations/0/handler/canPerform"
      ),
    ]
    for (method, target, body, pointer) in requests {
      let response = try sample.send(method, target, body)
      #expect(response.status.rawValue == 422, "\(target): \(response.text)")
      #expect(try response.value("/pointer") == .string(pointer))
      #expect(try response.value("/rule/message") == .string(message))
      #expect(try response.value("/rule/offset") == .int(Int64(offset)))
    }
  }

  @Test(arguments: tooBig)
  func `a rule that is tried is held to the same bounds`(
    rule: String, message: String, offset: Int
  ) throws {
    for asked in ["", #","options":{"limits":{"maximumSourceLength":4096,"maximumSteps":9999}}"#] {
      let response = try sample.send(
        .post, "/rules/check", #"{"rule":\#(JSON.string(rule).text())\#(asked)}"#)
      #expect(response.status == .ok)
      #expect(try response.value("/fault/message") == .string(message))
      #expect(try response.value("/fault/offset") == .int(Int64(offset)))
    }
  }

  @Test(arguments: tooCostly)
  func `what is evaluated too costly is ruleError, with message and position`(
    rule: String, message: String
  ) throws {
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"text":"aaaaa","list":[1,2,3,4]}"#,
      type: "application/merge-patch+json")
    let place = "/sessions/demo/responders/photoGrid/handlers/print:"
    let registered = try sample.send(
      .put, place, #"{"validate":{"enabled":\#(JSON.string(rule).text())}}"#)
    #expect(registered.status.rawValue < 300, "\(registered.text)")
    _ = try sample.send(.put, "/commands/print:", #"{"title":"Print","action":"print:"}"#)
    let answer = try sample.send(
      .post, "/commands/validate",
      #"{"session":"demo","commands":["print:"],"from":"photoGrid"}"#)
    #expect(try answer.value("/items/0/enabled") == false)
    #expect(try answer.value("/items/0/reason") == "ruleError")
    #expect(try answer.value("/items/0/error/message") == .string(message))
    #expect(try answer.value("/items/0/error/place") == "validate/enabled")
    #expect(try answer.value("/items/0/error/line") == 1)
    #expect(try answer.value("/items/0/error/offset") != nil)
    let performed = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","command":"print:","from":"photoGrid"}"#)
    #expect(performed.status.rawValue == 409)
    #expect(try performed.value("/reason") == "ruleError")
  }

  @Test func `an effect that is too costly changes nothing`() throws {
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"text":"aaaaa"}"#, type: "application/merge-patch+json")
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/print:",
      #"{"perform":[{"op":"add","path":"/x","value":"state.text + state.text"}]}"#)
    let before = try sample.send(.get, "/sessions/demo").text
    let performed = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"print:","from":"photoGrid"}"#)
    #expect(performed.status.rawValue == 409)
    #expect(
      try performed.value("/error/message")
        == "the string has more than 8 bytes (maximumStringLength)")
    #expect(try sample.send(.get, "/sessions/demo").text == before)
  }
}
