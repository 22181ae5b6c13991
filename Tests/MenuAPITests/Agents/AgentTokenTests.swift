import JSONText
import Locks
import MenuEngine
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Questions and tasks belong to the token of the call (T1 to T3, T7).
struct AgentTokenTests {
  private let tokens: TokenSample
  private let agent: TokenSample.Fields
  private let other: TokenSample.Fields

  init() throws {
    tokens = try TokenSample()
    let effects = [
      "purge:": #"{"op":"add","path":"/did","value":"'purge'"}"#,
      "turn:": #"{"op":"add","path":"/did","value":"parameters.by"}"#,
      "export:": #"{"op":"deliver","value":"1"}"#,
    ]
    let schema = #"{"type":"object","properties":{"by":{"type":"integer"}},"required":["by"]}"#
    for (action, more) in [
      ("purge:", #","confirmation":{"title":"Purge?"},"agents":"plan""#),
      ("turn:", #","parameters":\#(schema)"#), ("export:", ""),
    ] {
      let declared = try tokens.sample.send(
        .put, "/commands/\(action)", #"{"title":"T","action":"\#(action)"\#(more)}"#,
        headers: SampleService.administrator)
      try #require(declared.status == .created, "\(declared.text)")
      let handled = try tokens.sample.send(
        .put, "/sessions/own/responders/photoGrid/handlers/\(action)",
        #"{"perform":[\#(effects[action] ?? "")]}"#, headers: tokens.own)
      try #require(handled.status == .created, "\(handled.text)")
    }
    agent = try tokens.make(kind: "agent").fields
    other = try tokens.make(kind: "agent", label: "y").fields
  }

  private func send(
    _ method: String, _ params: String, name: String, by fields: TokenSample.Fields
  ) throws -> Response {
    let meta =
      #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}"#
    return try tokens.sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params),\#(meta)}}"#,
      to: "/sessions/own/mcp", revision: "2026-07-28",
      headers: fields + [("Mcp-Method", method), ("Mcp-Name", name)])
  }

  private func call(
    _ tool: String, state: JSON? = nil, answer: String = "{}", by fields: TokenSample.Fields
  ) throws -> Response {
    let more = state.map {
      #","requestState":\#($0.text()),"inputResponses":{"question":\#(answer)}"#
    }
    return try send(
      "tools/call", #""name":"\#(tool)","arguments":{}\#(more ?? "")"#, name: tool, by: fields)
  }

  private func did() throws -> JSON? {
    try tokens.sample.send(.get, "/sessions/own", headers: tokens.own).value("/state/did")
  }

  @Test(
    arguments: [
      ("purge-", #"{"action":"accept","content":{"confirm":true}}"#, JSON.string("purge")),
      ("turn-", #"{"action":"accept","content":{"by":3}}"#, .int(3)),
    ])
  func `T7: an agent's token performs what a person answered, and no other token does`(
    tool: String, answer: String, done: JSON
  ) throws {
    let asked = try call(tool, by: agent)
    let state = try asked.value("/result/requestState")
    // The token may not read what would change.
    #expect(
      try asked.value("/result/inputRequests/question/params/message")?.word?.contains("did")
        == false)
    let stolen = try call(tool, state: state, answer: answer, by: other)
    #expect(try stolen.errorCode == -32602)
    #expect(try did() == nil)
    let performed = try call(tool, state: state, answer: answer, by: agent)
    #expect(
      try performed.value("/result/structuredContent/performed") == true, "\(performed.text)")
    #expect(try did() == done)
    #expect(try call(tool, state: state, answer: answer, by: agent).errorCode == -32602)
  }

  @Test func `T1: a token that may not perform asks nobody`() throws {
    let viewer = try tokens.make([.items, .read]).fields
    for tool in ["purge-", "turn-"] {
      let refused = try call(tool, by: viewer)
      #expect(try refused.value("/result/resultType") != "input_required", "\(refused.text)")
    }
  }

  @Test func `T2: the question of a revoked token is of nobody`() throws {
    let asked = try call("purge-", by: agent)
    let state = try asked.value("/result/requestState")
    let gone = try tokens.make(kind: "agent")
    let others = try call("purge-", by: gone.fields).value("/result/requestState")
    let revoked = try tokens.sample.send(
      .delete, "/sessions/own/tokens/\(gone.number)", headers: tokens.own)
    try #require(revoked.status.rawValue < 300, "\(revoked.text)")
    let answer = #"{"action":"accept","content":{"confirm":true}}"#
    #expect(
      try call("purge-", state: others, answer: answer, by: gone.fields).status == .unauthorized)
    #expect(try did() == nil)
    let performed = try call("purge-", state: state, answer: answer, by: agent)
    #expect(try performed.value("/result/structuredContent/performed") == true)
  }

  @Test func `T2: a call that waits ends with its token, and says so`() throws {
    let token = try tokens.make(kind: "agent")
    var headers: Headers = [
      "Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25",
    ]
    for (name, value) in token.fields { headers.append(name, value) }
    let body =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"export-","_meta":{"progressToken":1}}}"#
    let request = try Request(
      .post, "/sessions/own/mcp", headers: headers, body: Array(body.utf8))
    let response = Lock<Response?>(nil)
    tokens.sample.replicas.answer(to: request).whenMade { made in
      response.withLock { $0 = made }
    }
    let reader = AgentReader(stream: try #require(response.withLock(\.self)?.stream))
    _ = reader.messages()
    let revoked = try tokens.sample.send(
      .delete, "/sessions/own/tokens/\(token.number)", headers: tokens.own)
    try #require(revoked.status == .ok, "\(revoked.text)")
    tokens.sample.replicas.settle()
    tokens.pass(1)
    let last = try #require(QuestionSample.messages(of: reader).last?.at("result"))
    #expect(last.at("isError") == true)
    #expect(
      last.firstText
        == "The application is not done, and may go on, but the token is no longer valid. Read 'menud://sessions/own/deliveries/1'."
    )
  }

  @Test func `T3: a task is of the token that called, which needs no right to read`() throws {
    let made = try call("export-", by: agent)
    let task = try #require(try made.value("/result/taskId")?.word, "\(made.text)")
    let params = #""taskId":"\#(task)""#
    let told = try send("tasks/get", params, name: task, by: agent)
    #expect(try told.value("/result/status") == "working")
    for method in ["tasks/get", "tasks/cancel", "tasks/update"] {
      for fields in [other, tokens.own] {
        #expect(try send(method, params, name: task, by: fields).errorCode == -32602)
      }
    }
    #expect(try send("tasks/cancel", params, name: task, by: agent).status == .ok)
    let last = try send("tasks/get", params, name: task, by: agent)
    #expect(try last.value("/result/status") == "cancelled")
  }
}
