import JSONText
import Locks
import MenuEngine
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// A session with commands that ask: `turn:` for a parameter, `purge:` and `spin:` for agreement, `plan:` for a plan.
struct QuestionSample {
  let sample: SampleService

  init(
    limits: ServiceLimits = ServiceLimits(), now: @escaping @Sendable () -> Int64 = { 1_000 },
    nanoseconds: @escaping @Sendable () -> Int = { 0 }
  ) throws {
    sample = try SampleService(limits: limits, now: now, nanoseconds: nanoseconds)
    let schema =
      #"{"type":"object","properties":{"by":{"type":"integer","title":"Degrees","minimum":1},"speed":{"enum":["fast","slow"]},"path":{"type":"object"}},"required":["by"],"additionalProperties":false}"#
    let confirmation = #","confirmation":{"title":"Purge?","message":"For good.","button":"Purge"}"#
    for (action, more) in [
      ("turn:", #","parameters":\#(schema)"#), ("purge:", confirmation),
      ("spin:", #"\#(confirmation),"agents":"plan","parameters":\#(schema)"#),
      ("plan:", #","agents":"plan","parameters":\#(schema)"#),
      ("route:", #","parameters":{"type":"object","required":["path"]}"#),
      ("export:", #","confirmation":{"title":"Export?"}"#),
    ] {
      let value = action == "purge:" ? "state.n + 1" : "state.n + parameters.by"
      let effect =
        action == "export:"
        ? #"{"op":"deliver","value":"1"}"# : #"{"op":"add","path":"/n","value":"\#(value)"}"#
      try sample.declare(action, title: "Turn", more, handler: #"{"perform":[\#(effect)]}"#)
    }
    try set(1)
  }

  func set(_ value: Int) throws {
    let set = try sample.send(
      .patch, "/sessions/demo/state", #"{"n":\#(value)}"#, type: "application/merge-patch+json")
    try #require(set.status == .ok, "\(set.text)")
  }

  func number() throws -> JSON? { try sample.send(.get, "/sessions/demo").value("/state/n") }

  /// The capabilities of a client that asks people.
  static let asking = #"{"elicitation":{}}"#

  /// The response to a call of 2026-07-28.
  func call(
    _ tool: String, _ arguments: String = "{}", state: JSON? = nil, answer: String? = nil,
    capabilities: String = asking, query: String = "", key: String? = nil
  ) throws -> Response {
    let meta =
      #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":\#(capabilities)}"#
    var params = #""name":"\#(tool)","arguments":\#(arguments),\#(meta)"#
    if let state { params += #","requestState":\#(state.text())"# }
    if let answer { params += #","inputResponses":{"question":\#(answer)}"# }
    return try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{\#(params)}}"#,
      to: "/sessions/demo/mcp" + query, revision: "2026-07-28",
      headers: [("Mcp-Method", "tools/call"), ("Mcp-Name", tool)]
        + (key.map { [("Idempotency-Key", $0)] } ?? []))
  }

  /// The result of a call of 2026-07-28.
  func result(
    _ tool: String, _ arguments: String = "{}", state: JSON? = nil, answer: String? = nil,
    capabilities: String = asking, query: String = ""
  ) throws -> JSON {
    let response = try call(
      tool, arguments, state: state, answer: answer, capabilities: capabilities, query: query)
    return try #require(try response.value("/result"), "\(response.text)")
  }

  // MARK: Clients of a handshake

  private enum Failure: Error { case noStream }

  /// Calls a tool as a client that may ask, and returns what its answer is streamed by.
  func open(
    _ tool: String, _ arguments: String = "{}", id: Int = 1, client: String = "client~form",
    revision: String = "2025-11-25"
  ) throws -> AgentReader {
    let body =
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    let headers: Headers = [
      "Content-Type": "application/json", "MCP-Protocol-Version": revision,
      "Mcp-Session-Id": client,
    ]
    let request = try Request(
      .post, "/sessions/demo/mcp", headers: headers, body: Array(body.utf8))
    let found = Lock<Response?>(nil)
    sample.replicas.answer(to: request).whenMade { response in found.withLock { $0 = response } }
    let response = found.withLock(\.self)
    guard let stream = response?.stream else {
      Issue.record("\(response?.text ?? "")")
      throw Failure.noStream
    }
    return AgentReader(stream: stream)
  }

  /// The status of the answer to a question.
  func reply(
    _ id: JSON?, _ result: String, client: String = "client~form", revision: String = "2025-11-25"
  ) throws -> Status {
    try sample.post(
      #"{"jsonrpc":"2.0","id":\#((id ?? .null).text()),\#(result)}"#, revision: revision,
      headers: [("Mcp-Session-Id", client)]
    ).status
  }

  /// The messages that a reader has got, parsed.
  static func messages(of reader: AgentReader) throws -> [JSON] {
    try reader.messages().map { try JSON(parsing: $0) }
  }
}

extension JSON {
  /// The value at a pointer.
  func at(_ tokens: String...) -> JSON? { self[JSONPointer(tokens)] }

  /// The state of a question, and its parameters.
  var asked: (state: JSON?, params: JSON?) {
    (at("requestState"), at("inputRequests", "question", "params"))
  }
}

/// A clock that stands still until it is set.
final class SteppingClock: Sendable {
  private let time = Lock(0)

  var nanoseconds: Int {
    get { time.withLock(\.self) }
    set { time.withLock { $0 = newValue } }
  }
}
