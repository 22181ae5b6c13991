import JSONText
import MenuEngine
import MenuStore
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Tasks over deliveries (SEP-2663), for clients of 2026-07-28 that declare them.
struct AgentTaskTests {
  private let export: ExportSample
  private let clock = AgentClock()

  init() throws { export = try ExportSample(nanoseconds: { [clock] in clock.now }) }

  private static let following = #"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#

  /// The response to a request of 2026-07-28.
  private func send(
    _ method: String, _ params: String, name: String? = nil, capabilities: String = following,
    headers: [(String, String)] = [], path: String = "/sessions/demo/mcp"
  ) throws -> Response {
    let meta =
      #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":\#(capabilities)}"#
    let own = [("Mcp-Method", method)] + (name.map { [("Mcp-Name", $0)] } ?? [])
    return try export.sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params),\#(meta)}}"#, to: path,
      revision: "2026-07-28", headers: own + headers)
  }

  /// The name of a task that is made by a call.
  private func make(headers: [(String, String)] = []) throws -> String {
    let made = try send("tools/call", #""name":"export-""#, name: "export-", headers: headers)
    return try #require(try made.value("/result/taskId")?.word, "\(made.text)")
  }

  private func ask(_ method: String, _ task: String, _ more: String = "") throws -> JSON {
    let response = try send(method, #""taskId":"\#(task)"\#(more)"#, name: task)
    return try #require(try response.value("/result"), "\(response.text)")
  }

  @Test func `a call makes a task, which is asked for until it is completed`() throws {
    let made = try send("tools/call", #""name":"export-""#, name: "export-")
    let task = try #require(try made.value("/result/taskId")?.word)
    #expect(try made.value("/result/resultType") == "task")
    let first = try ask("tasks/get", task)
    #expect(first.at("resultType") == "complete")
    for member in ["taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs"] {
      #expect(first.at(member) == (try made.value("/result/\(member)")), "\(member)")
    }
    #expect(first.at("status") == "working" && first.at("ttlMs") == .null)
    #expect(first.at("statusMessage") == "Waiting for the application.")
    try export.settle("claim", #"{"by":"worker"}"#)
    #expect(try ask("tasks/get", task).at("statusMessage") == "'worker' works on it.")
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    let last = try ask("tasks/get", task)
    #expect(last.at("status") == "completed" && last.at("resultType") == "complete")
    #expect(last.at("ttlMs") == 3_600_000)
    #expect(last.at("result")?.firstText == "Exported.")
    #expect(
      last.at("result", "structuredContent", "deliveries") == [["id": 1, "state": "replied"]])
  }

  @Test func `a failed delivery is completed with isError, and a cancelled one cancelled`() throws {
    let failed = try make()
    try export.settle("claim", "{}")
    try export.settle("fail", #"{"claim":1,"problem":{"title":"The disk is full"}}"#)
    let told = try ask("tasks/get", failed)
    #expect(told.at("status") == "completed" && told.at("result", "isError") == true)
    #expect(told.at("result")?.firstText == "'export-' failed.\nThe disk is full.")
    let cancelled = try make()
    #expect(try ask("tasks/cancel", cancelled).at("resultType") == "complete")
    #expect(try export.state(2) == "cancelled")
    let last = try ask("tasks/get", cancelled)
    #expect(last.at("status") == "cancelled" && last.at("result") == nil)
    // A settled task stays as it is.
    for task in [failed, cancelled] { _ = try ask("tasks/cancel", task) }
    #expect(try ask("tasks/get", failed) == told)
  }

  @Test func `answers to what no task asks are acknowledged`() throws {
    let task = try make()
    let more = #","inputResponses":{"other":{"action":"accept"}}"#
    let result = try ask("tasks/update", task, more)
    #expect(result.at("resultType") == "complete")
    #expect(try ask("tasks/get", task).at("status") == "working")
    let wrong = try send("tasks/update", #""taskId":"\#(task)","inputResponses":[]"#, name: task)
    #expect(try wrong.errorCode == -32602)
  }

  @Test func `a client that does not declare tasks waits, and knows none`() throws {
    let task = try make()
    let reader = try export.call(id: 2, token: nil, isStateless: true)
    #expect(reader.messages() == [])
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
      let refused = try send(method, #""taskId":"\#(task)""#, name: task, capabilities: "{}")
      #expect(refused.status == .badRequest)
      #expect(try refused.errorCode == -32021)
      #expect(
        try refused.value("/error/data") == [
          "requiredCapabilities": ["extensions": ["io.modelcontextprotocol/tasks": [:]]]
        ])
    }
    let listened = try send(
      "subscriptions/listen", #""notifications":{"taskIds":["\#(task)"]}"#, capabilities: "{}")
    #expect(try listened.errorCode == -32021)
    #expect(try export.state() == "open")
  }

  @Test func `what is no task of the session and the token is unknown`() throws {
    let task = try make()
    var altered = Array(task.utf8)
    altered[4] = altered[4] == 65 ? 66 : 65
    for name in ["", "1", String(task.dropLast()), String(decoding: altered, as: UTF8.self)] {
      for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let refused = try send(method, #""taskId":"\#(name)""#, name: name)
        #expect(try refused.errorCode == -32602, "\(name)")
      }
    }
    _ = try export.sample.send(.post, "/sessions", #"{"id":"other"}"#)
    let other = try send(
      "tasks/get", #""taskId":"\#(task)""#, name: task, path: "/sessions/other/mcp")
    #expect(try other.errorCode == -32602)
    #expect(try send("tasks/get", #""taskId":4"#).errorCode == -32602)
    #expect(try send("tasks/get", #""x":4"#).errorCode == -32602)
    #expect(try send("tasks/get", #""taskId":"x""#, path: "/mcp").status == .notFound)
    #expect(try export.state() == "open")
  }

  @Test(.ofOneService) func `a task whose deliveries are not kept any more is unknown`() throws {
    let task = try make()
    try export.settle("claim", "{}")
    try export.settle("reply", #"{"claim":1}"#)
    #expect(try ask("tasks/get", task).at("status") == "completed")
    #expect(export.sample.service.store.tendDeliveries(at: 0, settledBefore: .max) == nil)
    let gone = try send("tasks/get", #""taskId":"\#(task)""#, name: task)
    #expect(try gone.errorCode == -32602)
  }

  private func mutate(_ mutation: String) throws -> Status {
    try export.sample.send(.post, "/sessions/demo/mutations", #"{"mutations":[\#(mutation)]}"#)
      .status
  }

  @Test(arguments: [Int64.min, -62_167_219_200_001, 253_402_300_800_000, .max])
  func `times of clients and rules are of the years 0 to 9999`(time: Int64) throws {
    let task = try make()
    for mutation in [
      #"{"op":"cancelDelivery","delivery":1,"at":\#(time)}"#,
      #"{"op":"claimDelivery","delivery":1,"until":\#(time)}"#,
      #"{"op":"pressKey","key":{"input":"a"},"when":\#(time)}"#,
    ] { #expect(try mutate(mutation) == .unprocessableContent, "\(mutation)") }
    let handler = #"{"perform":[{"op":"cancelDelivery","delivery":"1","at":"\#(time)"}]}"#
    let registered = try export.sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
      handler.replacing("-9223372036854775808", with: "-9223372036854775807 - 1"))
    #expect(registered.status == .ok, "\(registered.text)")
    let copied = try export.sample.send(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:"}"#)
    #expect(copied.status == .conflict && copied.text.contains("0 to 9999"), "\(copied.text)")
    #expect(try ask("tasks/get", task).at("status") == "working")
  }

  @Test(arguments: [Int64.min, .max])
  func `a stored time of any year is told`(time: Int64) throws {
    for change in [
      Mutation.claimDelivery(1, until: time), .cancelDelivery(3, at: time),
    ] {
      let task = try make()
      try export.sample.service.store.change("demo") { _ = try $0.apply([change]) }
      let told = try ask("tasks/get", task)
      let ttl = told.at("ttlMs")
      if case .int(let ttl)? = ttl { #expect(ttl >= 0) } else { #expect(ttl == .null) }
      _ = try make()
      #expect(try export.sample.send(.post, "/deliveries/claim", "{}").status == .ok)
    }
  }

  @Test func `the field repeats the name of a task, if it is there`() throws {
    let task = try make()
    let without = try send("tasks/get", #""taskId":"\#(task)""#)
    #expect(try without.value("/result/status") == "working")
    let wrong = try send("tasks/get", #""taskId":"\#(task)""#, name: "other")
    #expect(try wrong.errorCode == -32020)
  }

  @Test func `tasks are offered since 2026-07-28 only`() throws {
    let discovered = try export.sample.stateless("server/discover")
    #expect(
      try discovered.value("/result/capabilities/extensions")
        == ["io.modelcontextprotocol/tasks": [:]])
    let administrator = try export.sample.stateless("server/discover", to: "/mcp")
    #expect(try administrator.value("/result/capabilities/extensions") == nil)
    let handshake = try export.sample.result(
      of: "initialize", #"{"protocolVersion":"2025-11-25","capabilities":{"tasks":{}}}"#)
    for member in ["extensions", "tasks"] {
      #expect(handshake.at("capabilities", member) == nil)
    }
    let task = try make()
    for method in ["tasks/get", "tasks/cancel", "tasks/result", "tasks/list"] {
      let old = try export.sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"taskId":"\#(task)"}}"#)
      #expect(try old.errorCode == -32601)
    }
  }

  @Test func `a call that is repeated under its key is the same task`() throws {
    let first = try make(headers: [("Idempotency-Key", "k")])
    #expect(try make(headers: [("Idempotency-Key", "k")]) == first)
    #expect(try make() != first)
  }

  @Test func `a task of two deliveries stays while one of them is at work`() throws {
    let handler = #"{"perform":[{"op":"deliver","value":"1"},{"op":"deliver","value":"2"}]}"#
    _ = try export.sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/export:", handler)
    let task = try make()
    try export.settle("claim", "{}")
    #expect(try ask("tasks/get", task).at("ttlMs") == .null)
    try export.settle("reply", #"{"claim":1,"result":"One."}"#)
    let half = try ask("tasks/get", task)
    #expect(half.at("status") == "working" && half.at("ttlMs") == 3_600_000)
    #expect(export.sample.service.store.tendDeliveries(at: 0, settledBefore: .max) == nil)
    #expect(try ask("tasks/get", task).at("status") == "working")
    try export.settle("claim", "{}", 2)
    try export.settle("reply", #"{"claim":1,"result":"Two."}"#, 2)
    let told = try ask("tasks/get", task)
    #expect(told.at("status") == "completed")
    #expect(
      told.at("result", "structuredContent", "deliveries")
        == [["id": 1, "state": "forgotten"], ["id": 2, "state": "replied"]])
    #expect(told.at("result", "structuredContent", "result") == [.null, "Two."])
  }

  @Test func `the time of the last change never goes back`() throws {
    let task = try make()
    var times: [String] = []
    func note() throws {
      times.append(try #require(try ask("tasks/get", task).at("lastUpdatedAt")?.word))
    }
    try note()
    try export.sample.service.store.change("demo") {
      _ = try $0.apply([.claimDelivery(1, until: 1_795_250_900_000)])
    }
    try note()
    #expect(
      export.sample.service.store.tendDeliveries(at: 1_795_250_900_000, settledBefore: .min) == nil)
    try note()
    try export.settle("cancel", "")
    try note()
    #expect(times == times.sorted())
  }

  @Test func `T7: the result of a task names the command as the called tool does`() throws {
    let made = try send(
      "tools/call", #""name":"perform_command","arguments":{"command":"export:"}"#,
      name: "perform_command", path: "/sessions/demo/mcp?tools=find")
    let task = try #require(try made.value("/result/taskId")?.word, "\(made.text)")
    try export.settle("claim", "{}")
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    #expect(
      try ask("tasks/get", task).at("result", "structuredContent", "tool") == "export:")
  }

  @Test func `a call that is repeated under its key tells the task as it is now`() throws {
    let key = [("Idempotency-Key", "k")]
    let task = try make(headers: key)
    try export.settle("claim", "{}")
    try export.settle("reply", #"{"claim":1,"result":"Exported."}"#)
    let late = try send("tools/call", #""name":"export-""#, name: "export-", headers: key)
    #expect(try late.value("/result/taskId")?.word == task)
    #expect(try late.value("/result/status") == "completed")
    #expect(export.sample.service.store.tendDeliveries(at: 0, settledBefore: .max) == nil)
    let gone = try send("tools/call", #""name":"export-""#, name: "export-", headers: key)
    #expect(try gone.value("/result/taskId") == nil)
    #expect(try gone.value("/result/isError") == true)
    #expect(
      try gone.value("/result")?.firstText
        == "What was handed to the application is not kept any more, and its result neither.")
  }

  @Test func `a question comes first, and then the task`() throws {
    let asks = try QuestionSample()
    let both =
      #"{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#
    let asked = try asks.result("export-", capabilities: both)
    #expect(asked.at("resultType") == "input_required")
    let made = try asks.result(
      "export-", state: asked.asked.state,
      answer: #"{"action":"accept","content":{"confirm":true}}"#, capabilities: both)
    #expect(made.at("resultType") == "task", "\(made)")
  }

  // MARK: Following

  private func listen(_ tasks: [String]) throws -> AgentReader {
    let names = tasks.map { #""\#($0)""# }.joined(separator: ",")
    let meta =
      #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":\#(Self.following)}"#
    let body =
      #"{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"taskIds":[\#(names)]},\#(meta)}}"#
    let headers: Headers = [
      "Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "subscriptions/listen",
    ]
    let request = try Request(
      .post, "/sessions/demo/mcp", headers: headers, body: Array(body.utf8))
    guard case .response(let response) = export.sample.service.answer(to: request),
      let stream = response.stream
    else { throw Lost.stream }
    return AgentReader(stream: stream)
  }

  private enum Lost: Error { case stream }

  @Test(.inOneProcess("A stream tells what it is told."))
  func `tasks are followed: what they are like, and whatever changes`() throws {
    let task = try make()
    let other = try make()
    let reader = try listen([task, "none", task])
    let first = try QuestionSample.messages(of: reader)
    #expect(first.first?.at("params", "notifications") == ["taskIds": [.string(task)]])
    #expect(first.map { $0.at("method")?.word }.last == "notifications/tasks")
    #expect(first.last?.at("params", "status") == "working")
    #expect(
      first.last?.at("params", "_meta") == ["io.modelcontextprotocol/subscriptionId": "l"])
    #expect(try QuestionSample.messages(of: reader) == [])
    /// The tasks that are told once the pause is over.
    func told() throws -> [JSON?] {
      clock.pass(milliseconds: 1000)
      return try QuestionSample.messages(of: reader).map { $0.at("params", "statusMessage") }
    }
    _ = try ask("tasks/cancel", other)
    #expect(try told() == [])
    try export.settle("claim", #"{"by":"worker"}"#)
    #expect(try told() == ["'worker' works on it."])
    #expect(try told() == [])
    try export.settle("reply", #"{"claim":1}"#)
    #expect(try told() == ["The application is done."])
    export.sample.service.isDraining = true
    let last = try QuestionSample.messages(of: reader)
    #expect(last.count == 1 && last.first?.at("id") == "l")
  }
}
