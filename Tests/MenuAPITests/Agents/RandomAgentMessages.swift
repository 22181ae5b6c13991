import JSONText
import MicroHTTP
import Randomness
import Testing

@testable import MenuAPI

/// A request of an agent, and what it must be answered with.
struct RandomAgentMessage: CustomStringConvertible {
  let path: String
  let headers: [(String, String)]
  let body: String
  let expectation: AgentExpectation

  var description: String { "\(path) \(headers) \(body)" }
}

/// The answer that a message must get.
enum AgentExpectation {
  case accepted
  case error(Int, id: JSON, status: Int = 400)
  /// A result, or an error of the method's own.
  case answer(id: JSON, isStateless: Bool, types: [JSON] = ["complete"])

  /// Expects that a response is that answer.
  func check(_ response: Response, _ comment: Comment) throws {
    if case .accepted = self {
      #expect(response.status == .accepted && response.body.isEmpty, comment)
      return
    }
    if response.headers["content-type"] == "text/event-stream" {
      #expect(response.status == .ok, comment)
      return
    }
    #expect(response.headers["content-type"] == "application/json", comment)
    let json = try response.json
    #expect(try response.value("/jsonrpc") == "2.0", comment)
    let (result, code) = (try response.value("/result"), try response.errorCode)
    #expect((result == nil) != (code == nil), comment)
    switch self {
    case .accepted: break
    case .error(let expected, let id, let status):
      #expect(code == .int(Int64(expected)), comment)
      #expect(try response.value("/id") == id, comment)
      #expect(response.status.rawValue == status, comment)
    case .answer(let id, let isStateless, let types):
      #expect(try response.value("/id") == id, comment)
      if let code {
        #expect([-32602, -32002].contains(code), comment)
        #expect(code == -32602 || !isStateless, comment)
        #expect(response.status == (isStateless ? .badRequest : .ok), comment)
        #expect(try response.value("/error/message") != nil, comment)
      } else {
        #expect(response.status == .ok, comment)
        let type = try response.value("/result/resultType")
        if let type { #expect(types.contains(type), comment) }
        #expect((type != nil) == isStateless, comment)
      }
    }
    #expect(json.text() == response.text, comment)
  }
}

/// Random messages of both eras, by a seed.
struct RandomAgentMessages {
  private var generator: SeededGenerator

  /// The messages of that seed.
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Limits by which no message is refused for the time that others took.
  var limits: ServiceLimits {
    var limits = ServiceLimits()
    limits.processorTime = .zero
    return limits
  }

  /// The next one.
  mutating func next() -> RandomAgentMessage {
    let path = pick(["/sessions/demo/mcp", "/sessions/demo/mcp?tools=all", "/mcp"])
    let method = method()
    var message: JSONObject = ["jsonrpc": "2.0", "id": id(), "method": .string(method)]
    var params = params(of: method)
    let version = pick(Self.versions)
    let isStateless = version == "2026-07-28" || chance(10)
    if isStateless, !chance(8) {
      params["_meta"] = [
        "io.modelcontextprotocol/protocolVersion": .string(
          chance(12) ? pick(Self.versions) : "2026-07-28"),
        "io.modelcontextprotocol/clientCapabilities": chance(15)
          ? json(2) : pick(Self.capabilities),
      ]
    }
    message["params"] = .object(params)
    if chance(5) { change(&message) }
    var headers: [(String, String)] = []
    if !version.isEmpty { headers.append(("MCP-Protocol-Version", version)) }
    if isStateless { headers += fields(of: method, params) }
    if chance(4) { headers.append(("Mcp-Session-Id", pick(["client", "other", "client~form"]))) }
    var body = chance(12) ? json(3).text() : JSON.object(message).text()
    if chance(10) { body = damaged(body) }
    return RandomAgentMessage(
      path: path, headers: headers, body: body,
      expectation: AgentOracle(path: path, headers: headers).expectation(of: body))
  }

  private static let capabilities: [JSON] = [
    [:], ["elicitation": [:]], ["extensions": ["io.modelcontextprotocol/tasks": [:]]],
    ["elicitation": ["form": [:]], "extensions": ["io.modelcontextprotocol/tasks": [:]]],
  ]

  private static let versions = [
    "", "2025-06-18", "2025-11-25", "2026-07-28", "2026-07-28", "2024-11-05", "é",
  ]

  private mutating func fields(
    of method: String, _ params: JSONObject
  ) -> [(String, String)] {
    var fields: [(String, String)] = []
    if !chance(15) { fields.append(("Mcp-Method", chance(15) ? self.method() : method)) }
    let parameter = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"][method]
    if let parameter, case .string(let text)? = params[parameter], !chance(15) {
      fields.append(("Mcp-Name", chance(15) ? "other" : text))
    }
    if chance(20) { fields += fields.prefix(1) }
    return fields
  }

  private mutating func method() -> String {
    chance(12)
      ? pick(["", "tools", "prompts/list", "tools/List", "initializes", "日本"])
      : pick(AgentMethod.allCases.map(\.rawValue))
  }

  private mutating func id() -> JSON {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: .string(pick(["", "a", "日本", "\u{0}"]))
    case 1: pick([JSON.int(.max), .int(.min), .int(0)])
    default: .int(Int64.random(in: 0..<1000, using: &generator))
    }
  }

  private mutating func params(of method: String) -> JSONObject {
    if chance(8), case .object(let object) = json(3) { return object }
    switch method {
    case "initialize": return ["protocolVersion": .string(pick(Self.versions))]
    case "tools/call":
      return
        chance(8)
        ? ["name": .string(pick(Self.tools)), "requestState": "a.b"]
        : ["name": .string(pick(Self.tools)), "arguments": chance(3) ? json(2) : [:]]
    case "resources/read", "resources/subscribe", "resources/unsubscribe":
      return ["uri": .string(pick(Self.uris))]
    case "tasks/get", "tasks/update", "tasks/cancel":
      return chance(4) ? [:] : ["taskId": .string(pick(["", "a.b", "日本"]))]
    case "tools/list", "resources/list": return chance(4) ? ["cursor": json(1)] : [:]
    case "completion/complete":
      let references: [JSON] = [
        ["type": "ref/prompt", "name": "copy-"],
        ["type": "ref/resource", "uri": .string(pick(Self.uris))], json(1),
      ]
      let arguments: [JSON] = [["name": "a", "value": ""], json(1)]
      return ["ref": pick(references), "argument": pick(arguments)]
    case "subscriptions/listen":
      let filters: [JSON] = [["toolsListChanged": true], [:], json(2)]
      return ["notifications": pick(filters)]
    default: return [:]
    }
  }

  private static let tools = [
    "ask-", "export-", "ask-", "export-", "copy-", "delete-", "applyFiveStarRating-", "sortByDate",
    "separate", "nobody", "", "-", "-._",
    "list_sessions", "open_session", "explain_item", "check_rule", "search_commands", "find_target",
  ]
  private static let uris = [
    "menud://sessions/demo", "menud://sessions/demo/menu", "menud://sessions/demo/diagnostics",
    "menud://sessions/demo/commands/copy:", "menud://sessions/demo/commands/{command}", "", "x:y",
  ]

  /// Removes, replaces or adds a member.
  private mutating func change(_ message: inout JSONObject) {
    let name = pick(["jsonrpc", "id", "method", "params", "result", "error"])
    message[name] = chance(2) ? nil : json(2)
  }

  /// Cuts a text, or changes a character.
  private mutating func damaged(_ text: String) -> String {
    var characters = Array(text)
    guard !characters.isEmpty else { return "{" }
    let place = Int.random(in: 0..<characters.count, using: &generator)
    if chance(2) { return String(characters[..<place]) }
    characters[place] = pick(["{", "}", "[", "\"", ",", "7", "e", "\\", "é", " "])
    return String(characters)
  }

  private mutating func json(_ depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(chance(2))
    case 2: return .int(Int64.random(in: -5...5, using: &generator))
    case 3: return .double(1.5)
    case 4, 5: return .string(pick(["", "2.0", "demo", "copy:", "tools/list", "日本"]))
    case 6:
      return .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in json(depth - 1) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        object[
          pick(["name", "uri", "ref", "_meta", "session", "command", "rule", "cursor", "id"])] =
          json(depth - 1)
      }
      return .object(object)
    }
  }

  private mutating func chance(_ one: Int) -> Bool {
    Int.random(in: 0..<one, using: &generator) == 0
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }
}

/// The rules of the protocol, written down once more.
struct AgentOracle {
  let path: String
  let headers: [(String, String)]

  /// Returns the answer that a body must get.
  func expectation(of body: String) -> AgentExpectation {
    guard let json = try? JSON(parsing: body) else { return .error(-32700, id: .null) }
    guard case .object(let message) = json else { return .error(-32600, id: .null) }
    let id = message["id"]
    let hasID = id.map(Self.isID) ?? false
    let known = hasID ? id ?? .null : .null
    guard message["jsonrpc"] == "2.0" else { return .error(-32600, id: known) }
    guard let method = message["method"] else {
      guard hasID, message["result"] != nil || message["error"] != nil else {
        return .error(-32600, id: known)
      }
      return withoutAnswer(isAnswer: true)
    }
    guard case .string(let method) = method else { return .error(-32600, id: known) }
    var params = JSONObject()
    if let given = message["params"] {
      guard case .object(let object) = given else { return .error(-32600, id: known) }
      params = object
    }
    guard id != nil else { return withoutAnswer(isAnswer: false) }
    return hasID ? request(method, params, id: known) : .error(-32600, id: .null)
  }

  private static func isID(_ json: JSON) -> Bool {
    switch json {
    case .string, .int: true
    default: false
    }
  }

  private func values(_ name: String) -> [String] { headers.filter { $0.0 == name }.map(\.1) }

  private static let legacy = ["2025-06-18", "2025-11-25"]

  private func withoutAnswer(isAnswer: Bool) -> AgentExpectation {
    let versions = values("MCP-Protocol-Version")
    guard versions.count < 2 else { return .error(-32020, id: .null) }
    if let version = versions.first, version != "2026-07-28", !Self.legacy.contains(version) {
      return .error(-32022, id: .null)
    }
    // Nothing was asked.
    return isAnswer ? .error(-32600, id: .null) : .accepted
  }

  private func request(_ method: String, _ params: JSONObject, id: JSON) -> AgentExpectation {
    let versions = values("MCP-Protocol-Version")
    guard versions.count < 2 else { return .error(-32020, id: id) }
    let version = versions.first
    var meta: JSONObject?
    if case .object(let object)? = params["_meta"] { meta = object }
    let claim = meta?["io.modelcontextprotocol/protocolVersion"]
    if let claim, case .string(let name) = claim, name == version, Self.legacy.contains(name) {
      return answer(method, id: id, isStateless: false)
    }
    guard claim != nil || version == "2026-07-28" else {
      guard let version, method != "initialize", !Self.legacy.contains(version) else {
        return answer(method, id: id, isStateless: false)
      }
      return .error(-32022, id: id)
    }
    guard let claim,
      case .object(let capabilities)? = meta?["io.modelcontextprotocol/clientCapabilities"],
      case .string(let name) = claim
    else { return .error(-32602, id: id) }
    guard version == name, values("Mcp-Method") == [method] else { return .error(-32020, id: id) }
    let parameter = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"][method]
    if let parameter, case .string(let text)? = params[parameter], values("Mcp-Name") != [text] {
      return .error(-32020, id: id)
    }
    guard name == "2026-07-28" else { return .error(-32022, id: id) }
    return answer(method, id: id, isStateless: true, capabilities)
  }

  private func answer(
    _ method: String, id: JSON, isStateless: Bool, _ capabilities: JSONObject = [:]
  ) -> AgentExpectation {
    let common = ["tools/list", "tools/call"]
    let session = [
      "resources/list", "resources/templates/list", "resources/read", "completion/complete",
      "prompts/list", "prompts/get",
    ]
    let own =
      isStateless
      ? ["server/discover", "subscriptions/listen"]
      : ["initialize", "ping", "resources/subscribe", "resources/unsubscribe"]
    let ofAdministrator = common + (isStateless ? ["server/discover"] : ["initialize", "ping"])
    let known = path == "/mcp" ? ofAdministrator : common + session + own
    let ofTasks = ["tasks/get", "tasks/update", "tasks/cancel"]
    let (mayAsk, followsTasks) = (
      capabilities["elicitation"] != nil, capabilities["extensions"] != nil
    )
    if isStateless, path != "/mcp", ofTasks.contains(method) {
      return followsTasks ? .error(-32602, id: id) : .error(-32021, id: id)
    }
    var types: [JSON] = ["complete"]
    if method == "tools/call", mayAsk { types.append("input_required") }
    if method == "tools/call", followsTasks { types.append("task") }
    return known.contains(method)
      ? .answer(id: id, isStateless: isStateless, types: types)
      : .error(-32601, id: id, status: isStateless ? 404 : 200)
  }
}
