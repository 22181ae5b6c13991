import JSONText
import MenuEngine
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Calls that ask the person behind a client of 2026-07-28: for parameters (P4), and for agreement (W4, T7).
struct ToolQuestionTests {
  private let asks: QuestionSample

  init() throws { asks = try QuestionSample() }

  private static let agreed = #"{"action":"accept","content":{"confirm":true}}"#

  private static func given(_ value: String) -> String {
    #"{"action":"accept","content":{"by":\#(value)}}"#
  }

  // MARK: Parameters

  @Test func `P4: a missing parameter is asked for, and then it is performed`() throws {
    let first = try asks.result("turn-")
    #expect(first.at("resultType") == "input_required")
    #expect(first.at("inputRequests", "question", "method") == "elicitation/create")
    let (state, params) = first.asked
    #expect(
      params == [
        "message": "“Turn” needs: Degrees.", "mode": "form",
        "requestedSchema": [
          "type": "object",
          "properties": ["by": ["type": "integer", "minimum": 1, "title": "Degrees"]],
          "required": ["by"],
        ],
      ])
    #expect(try asks.number() == 1)
    let done = try asks.result("turn-", state: state, answer: Self.given("4"))
    #expect(done.at("resultType") == "complete")
    #expect(done.at("structuredContent", "performed") == true)
    #expect(try asks.number() == 5)
  }

  @Test func `P4: what was given stays, and what is not asked for is ignored`() throws {
    let (state, _) = try asks.result("turn-", #"{"speed":"fast"}"#).asked
    let answer = #"{"action":"accept","content":{"by":4,"speed":"slow","more":1}}"#
    let done = try asks.result("turn-", #"{"speed":"fast"}"#, state: state, answer: answer)
    #expect(done.at("structuredContent", "performed") == true, "\(done)")
    let history = try asks.sample.send(.get, "/sessions/demo/history?limit=1").text
    #expect(history.contains(#""parameters":{"speed":"fast","by":4}"#), "\(history)")
  }

  @Test func `P4: an answer that does not fit is asked for again, three times`() throws {
    var (state, params) = try asks.result("turn-").asked
    for _ in 0..<3 {
      let again = try asks.result("turn-", state: state, answer: Self.given("0"))
      #expect(again.at("resultType") == "input_required")
      (state, params) = again.asked
      #expect(
        params?.at("message")
          == "“Turn” needs other values.\nby: Expected a number that is at least 1, found the number 0."
      )
    }
    let last = try asks.result("turn-", state: state, answer: Self.given("0"))
    #expect(last.at("isError") == true)
    #expect(last.at("structuredContent", "reason") == "unfitAnswer")
    #expect(try asks.number() == 1)
  }

  @Test func `P4: the question is asked again if there is no answer to it`() throws {
    let (state, _) = try asks.result("turn-").asked
    for answer in [nil, #"{"action":"accept"}"#, #"{"action":"accept","content":{}}"#] {
      let again = try asks.result("turn-", state: state, answer: answer)
      #expect(again.at("resultType") == "input_required", "\(answer ?? "none")")
    }
  }

  @Test func `P4: nobody is asked about wrong arguments, or for what a form cannot hold`() throws {
    for (tool, arguments) in [
      ("turn-", #"{"speed":"never"}"#), ("turn-", #"{"by":0}"#), ("route-", "{}"),
    ] {
      let refused = try asks.result(tool, arguments)
      #expect(refused.at("isError") == true)
      #expect(refused.at("resultType") == "complete", "\(arguments)")
    }
  }

  @Test func `P4: nobody is asked for a command that cannot be performed`() throws {
    _ = try asks.sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/turn:",
      #"{"validate":{"enabled":"false"},"perform":[]}"#)
    #expect(try asks.result("turn-").at("isError") == true)
  }

  @Test func `P4: the tool for all commands asks too`() throws {
    let arguments = #"{"command":"turn:"}"#
    let (state, params) = try asks.result(
      "perform_command", arguments, query: "?tools=find"
    ).asked
    #expect(params?.at("message") == "“Turn” needs: Degrees.")
    let done = try asks.result(
      "perform_command", arguments, state: state, answer: Self.given("2"), query: "?tools=find")
    #expect(done.at("structuredContent", "performed") == true, "\(done)")
  }

  // MARK: Agreement

  @Test func `W4: a confirmation is asked for in its words, and then it is performed`() throws {
    let (state, params) = try asks.result("purge-").asked
    #expect(params?.at("message") == "Purge?\nFor good.")
    #expect(
      params?.at("requestedSchema", "properties", "confirm")
        == ["type": "boolean", "title": "Purge"])
    #expect(try asks.number() == 1)
    let done = try asks.result("purge-", state: state, answer: Self.agreed)
    #expect(done.at("structuredContent", "performed") == true)
    #expect(try asks.number() == 2)
  }

  @Test(
    arguments: [
      (#"{"action":"decline"}"#, "decline", "Nothing was done: the person declined."),
      (#"{"action":"cancel"}"#, "cancel", "Nothing was done: the person did not answer."),
      (
        #"{"action":"accept","content":{"confirm":false}}"#, "decline",
        "Nothing was done: the person declined."
      ),
    ])
  func `W4: nothing is done without agreement`(answer: String, reason: String, text: String) throws
  {
    let (state, _) = try asks.result("purge-").asked
    let done = try asks.result("purge-", state: state, answer: answer)
    #expect(done.firstText == text)
    #expect(done.at("isError") == nil)
    #expect(
      done.at("structuredContent") == [
        "performed": false, "reason": .string(reason), "command": "purge:", "tool": "purge-",
      ])
    #expect(try asks.number() == 1)
  }

  @Test func `T7: whoever agrees, agrees to what was tried; if that changed, it is asked again`()
    throws
  {
    let (state, _) = try asks.result("purge-").asked
    try asks.set(10)
    let changed = try asks.result("purge-", state: state, answer: Self.agreed)
    #expect(changed.at("resultType") == "input_required", "\(changed)")
    #expect(
      changed.asked.params?.at("message")
        == "It would do something else now, and nothing was done yet. Purge?\nFor good.")
    #expect(try asks.number() == 10)
    _ = try asks.result("purge-", state: changed.asked.state, answer: Self.agreed)
    #expect(try asks.number() == 11)
  }

  @Test func `T7: a command with a plan and a confirmation shows the changes, parameters first`()
    throws
  {
    let (first, _) = try asks.result("spin-").asked
    let (second, params) = try asks.result("spin-", state: first, answer: Self.given("4")).asked
    #expect(params?.at("message") == "Purge?\nFor good.\n/n: 5")
    let again = try asks.result("spin-", state: second)
    #expect(again.asked.params?.at("message") == "Purge?\nFor good.\n/n: 5")
    let done = try asks.result("spin-", state: again.asked.state, answer: Self.agreed)
    #expect(done.at("structuredContent", "performed") == true, "\(done)")
    #expect(try asks.number() == 5)
  }

  @Test func `T7: a command with a plan alone answers the plan, since no person is asked`() throws {
    let planned = try asks.result("plan-", #"{"by":2}"#)
    #expect(planned.at("structuredContent", "planned") == true)
    let (state, _) = try asks.result("plan-").asked
    let after = try asks.result("plan-", state: state, answer: Self.given("2"))
    #expect(after.at("structuredContent", "planned") == true, "\(after)")
    #expect(try asks.number() == 1)
  }

  @Test(
    arguments: [
      "{}", #"{"elicitation":{"url":{}}}"#, #"{"elicitation":true}"#, #"{"sampling":{}}"#,
    ])
  func `T7: clients that cannot be asked get a plan, or the faults`(capabilities: String) throws {
    let planned = try asks.result("purge-", capabilities: capabilities)
    #expect(planned.at("structuredContent", "planned") == true)
    #expect(try asks.result("turn-", capabilities: capabilities).at("isError") == true)
  }

  @Test(
    arguments: [
      #"{"elicitation":{"form":{}}}"#, #"{"elicitation":{"form":{},"url":{}}}"#,
      #"{"elicitation":{}}"#,
    ])
  func `clients that can be asked say so`(capabilities: String) throws {
    #expect(
      try asks.result("purge-", capabilities: capabilities).at("resultType") == "input_required")
  }

  // MARK: What is refused

  @Test func `a state that was altered, or is of another call, is refused`() throws {
    let (state, _) = try asks.result("turn-", #"{"speed":"fast"}"#).asked
    let text = try #require(state?.word)
    var altered = Array(text.utf8)
    altered[8] = altered[8] == 65 ? 66 : 65
    let plan = try asks.result("purge-", capabilities: "{}").at("structuredContent", "plan")
    let others: [(String, String, JSON?)] = [
      ("turn-", #"{"speed":"fast"}"#, .string(String(decoding: altered, as: UTF8.self))),
      ("turn-", #"{"speed":"fast"}"#, .string(String(text.dropLast(3)))),
      ("turn-", #"{"speed":"fast"}"#, ""), ("turn-", #"{"speed":"fast"}"#, 4),
      ("turn-", #"{"speed":"slow"}"#, state), ("turn-", "{}", state),
      ("plan-", #"{"speed":"fast"}"#, state), ("purge-", "{}", plan),
    ]
    for (tool, arguments, state) in others {
      let refused = try asks.call(tool, arguments, state: state, answer: Self.given("2"))
      #expect(refused.status == .badRequest, "\(refused.text)")
      #expect(try refused.errorCode == -32602)
    }
    #expect(try asks.number() == 1)
    // A state without capabilities is checked all the same.
    let bare = try asks.call("turn-", state: "x", capabilities: "{}")
    #expect(try bare.errorCode == -32602)
  }

  @Test(
    arguments: [
      ("turn-", #"{"action":"decline"}"#), ("purge-", #"{"action":"decline"}"#),
      ("purge-", #"{"action":"accept","content":{"confirm":false}}"#),
    ])
  func `what a person declined is not done by a later answer`(tool: String, refusal: String) throws
  {
    let (state, _) = try asks.result(tool).asked
    _ = try asks.result(tool, state: state, answer: refusal)
    let number = try asks.number()
    let yes = tool == "turn-" ? Self.given("4") : Self.agreed
    for (answer, key) in [(yes, nil), (yes, "k"), (refusal, nil)] {
      let repeated = try asks.call(tool, state: state, answer: answer, key: key)
      #expect(try repeated.errorCode == -32602, "\(repeated.text)")
    }
    #expect(try asks.number() == number)
  }

  @Test func `one answer counts of a question that is asked again`() throws {
    let (first, _) = try asks.result("turn-").asked
    let (second, _) = try asks.result("turn-", state: first, answer: Self.given("0")).asked
    let done = try asks.result("turn-", state: second, answer: Self.given("4"))
    #expect(done.at("structuredContent", "performed") == true)
    let number = try asks.number()
    #expect(try asks.call("turn-", state: first, answer: Self.given("4")).errorCode == -32602)
    #expect(try asks.number() == number)
  }

  @Test(arguments: ["turn-", "purge-"])
  func `an answer is good once`(tool: String) throws {
    let answer =
      tool == "turn-" ? Self.given("4") : Self.agreed
    let (state, _) = try asks.result(tool).asked
    _ = try asks.result(tool, state: state, answer: answer)
    let number = try asks.number()
    for answer in [answer, tool == "turn-" ? Self.given("7") : answer] {
      let repeated = try asks.call(tool, state: state, answer: answer)
      #expect(try repeated.errorCode == -32602)
      #expect(
        try repeated.value("/error/message")
          == "The question was answered before: what the first answer led to is not done again.")
    }
    #expect(try asks.number() == number)
  }

  @Test func `an answer that is repeated under its key gets the result that was lost`() throws {
    let (state, _) = try asks.result("turn-").asked
    func answer(_ value: String, key: String?) throws -> Response {
      try asks.call("turn-", state: state, answer: Self.given(value), key: key)
    }
    let first = try answer("4", key: "k")
    #expect(try first.value("/result/structuredContent/performed") == true)
    let again = try answer("4", key: "k")
    #expect(again.headers["idempotent-replayed"] == "true")
    #expect(try again.value("/result") == first.value("/result"))
    for (value, key) in [("4", nil), ("4", "l"), ("7", "k")] {
      #expect(try answer(value, key: key).errorCode == -32602, "\(value) \(key ?? "")")
    }
    #expect(try asks.number() == 5)
  }

  @Test(arguments: [nil, "k"])
  func `W4: agreement is repeated under its own key alone`(key: String?) throws {
    let (state, _) = try asks.result("purge-").asked
    func agree(under key: String?) throws -> Response {
      try asks.call("purge-", state: state, answer: Self.agreed, key: key)
    }
    let first = try agree(under: key)
    #expect(try first.value("/result/structuredContent/performed") == true)
    for other in [nil, "k", "l"] as [String?] {
      let again = try agree(under: other)
      guard other == key, key != nil else {
        #expect(try again.errorCode == -32602, "\(other ?? "none")")
        continue
      }
      #expect(try again.value("/result") == first.value("/result"))
    }
    #expect(try asks.number() == 2)
  }

  @Test func `W4: nothing is done, and no plan handed out, if a person never says yes or no`()
    throws
  {
    var result = try asks.result("purge-")
    for _ in 0..<3 {
      result = try asks.result("purge-", state: result.asked.state)
      #expect(result.at("resultType") == "input_required")
    }
    for changes in [false, true] {
      if changes { try asks.set(3) }
      let last = try asks.result(
        "purge-", state: result.asked.state, answer: changes ? Self.agreed : nil)
      #expect(last.at("structuredContent", "performed") == false, "\(last)")
      #expect(last.at("structuredContent", "reason") == "cancel")
      #expect(last.at("structuredContent", "plan") == nil)
    }
  }

  @Test func `W4: a long confirmation is cut, and says how many changes it does not show`() throws {
    let message = String(repeating: "For good. ", count: 300)
    let confirmation = #"{"title":"Purge?","message":"\#(message)"}"#
    let path = "/commands/purge:"
    let purge = #""title":"Purge","action":"purge:","confirmation":\#(confirmation)"#
    func declare(_ more: String = "") throws {
      _ = try asks.sample.send(.delete, path)
      let declared = try asks.sample.send(.put, path, "{\(purge)\(more)}")
      #expect(declared.status == .created, "\(declared.text)")
    }
    try declare()
    let told = try #require(try asks.result("purge-").asked.params?.at("message")?.word)
    #expect(told.hasPrefix("Purge?\nFor good. For good. ") && told.hasSuffix("…"))
    #expect(told.utf8.count <= ToolText.maximumSize)
    try declare(#","agents":"plan""#)
    let effects = (0..<40).map { number in
      #"{"op":"add","path":"/\#(String(repeating: "m", count: 40))\#(number)","value":"1"}"#
    }
    _ = try asks.sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/purge:",
      #"{"perform":[\#(effects.joined(separator: ","))]}"#)
    let planned = try #require(try asks.result("purge-").asked.params?.at("message")?.word)
    #expect(planned.hasPrefix("Purge?\nFor good. For good. ") && planned.contains("…\n/mmm"))
    #expect(planned.hasSuffix(" more changes are not shown."), "\(planned)")
    #expect(planned.utf8.count <= ToolText.maximumSize)
  }

  @Test func `a question expires`() throws {
    let clock = SteppingClock()
    let asks = try QuestionSample(now: { 0 }, nanoseconds: { clock.nanoseconds })
    let (state, _) = try asks.result("turn-").asked
    clock.nanoseconds = 300_001_000_000
    let late = try asks.call("turn-", state: state, answer: Self.given("4"))
    #expect(
      try late.value("/error/message")
        == "The question has expired, and nothing was done. Call the tool without 'requestState'.")
  }

  @Test(
    arguments: [
      #"{"action":"perhaps"}"#, "{}", #"{"action":"accept","content":[1]}"#,
      #"{"action":"accept","content":"yes"}"#,
    ])
  func `an answer that is none is an error`(answer: String) throws {
    let (state, _) = try asks.result("purge-").asked
    let refused = try asks.call("purge-", state: state, answer: answer)
    #expect(try refused.errorCode == -32602)
    #expect(try asks.number() == 1)
  }

  @Test func `a session that is opened anew knows no question of before`() throws {
    let (state, _) = try asks.result("purge-").asked
    _ = try asks.sample.send(.delete, "/sessions/demo")
    let opened = try asks.sample.send(.post, "/sessions", #"{"id":"demo"}"#)
    try #require(opened.status == .created, "\(opened.text)")
    #expect(try asks.call("purge-", state: state, answer: Self.agreed).errorCode == -32602)
  }
}
