import CEL
import JSONText
import MicroHTTP

/// The header fields of an agent's request, which state its revision and repeat parts of its body.
struct AgentHeaders {
  private let headers: Headers

  init(_ request: Request) { headers = request.headers }

  /// The name of the member of `_meta` with the revision.
  static let versionKey = "io.modelcontextprotocol/protocolVersion"
  static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

  /// Returns the revision of a message that is not a request: its header field alone states it.
  func revision() throws(JSONRPCError) -> AgentRevision {
    guard let name = try value(of: "MCP-Protocol-Version") else { return .assumed }
    guard let revision = AgentRevision(named: name) else { throw .unsupported(name) }
    return revision
  }

  /// Returns the revision of a request, after checking its fields against its body.
  func revision(of request: JSONRPCRequest) throws(JSONRPCError) -> AgentRevision {
    let field = try value(of: "MCP-Protocol-Version")
    var claim: JSON?
    if case .object(let meta)? = request.params["_meta"] { claim = meta[Self.versionKey] }
    if let claim { return try revision(claimedBy: claim, field, request) }
    if let field, AgentRevision(named: field)?.isStateless == true {
      try checkMeta(of: request)
    }
    // A handshake states the revision in its parameters, and overrides the field.
    guard let field, !request.method.hasSameBytes(as: AgentMethod.initialize.rawValue) else {
      return .assumed
    }
    guard let revision = AgentRevision(named: field) else { throw .unsupported(field) }
    return revision
  }

  /// Returns the revision that a request states in its `_meta`.
  private func revision(
    claimedBy claim: JSON, _ field: String?, _ request: JSONRPCRequest
  ) throws(JSONRPCError) -> AgentRevision {
    if case .string(let name) = claim, let field, field.hasSameBytes(as: name),
      let revision = AgentRevision(named: name), !revision.isStateless
    {
      return revision
    }
    try checkMeta(of: request)
    guard case .string(let name) = claim else {
      throw .invalidParams("The member '\(Self.versionKey)' of '_meta' is a string.")
    }
    try check("MCP-Protocol-Version", field, is: name)
    try check("Mcp-Method", try value(of: "Mcp-Method"), is: request.method)
    if let parameter = AgentMethod.nameParameter(of: request.method),
      case .string(let text)? = request.params[parameter]
    {
      // Intermediaries need the name of a task. It is not required from clients without intermediaries.
      let isThere = try value(of: "Mcp-Name") != nil
      if isThere || !parameter.hasSameBytes(as: "taskId") { try checkName(is: text) }
    }
    guard let revision = AgentRevision(named: name) else { throw .unsupported(name) }
    return revision
  }

  /// Refuses a request without the required members of `_meta`.
  private func checkMeta(of request: JSONRPCRequest) throws(JSONRPCError) {
    guard case .object(let meta)? = request.params["_meta"] else {
      throw .invalidParams(
        "The member '_meta' of 'params' is missing, an object with '\(Self.versionKey)' and "
          + "'\(Self.capabilitiesKey)'.")
    }
    for key in [Self.versionKey, Self.capabilitiesKey] where meta[key] == nil {
      throw .invalidParams("The member '\(key)' of '_meta' is missing.")
    }
    guard case .object? = meta[Self.capabilitiesKey] else {
      throw .invalidParams("The member '\(Self.capabilitiesKey)' of '_meta' is an object.")
    }
  }

  private func checkName(is text: String) throws(JSONRPCError) {
    let field = try value(of: "Mcp-Name")
    guard let field, let decoded = Self.decoded(field) else {
      try check("Mcp-Name", nil, is: text)
      return
    }
    try check("Mcp-Name", decoded, is: text)
  }

  private func check(
    _ name: String, _ value: String?, is expected: String
  ) throws(JSONRPCError) {
    guard let value else {
      throw JSONRPCError(
        .headerMismatch, "The field '\(name)' is missing or malformed; it is \(quoted(expected)).")
    }
    guard value.hasSameBytes(as: expected) else {
      throw JSONRPCError(
        .headerMismatch,
        "The field '\(name)' is \(quoted(value)), but the body says \(quoted(expected)).")
    }
  }

  /// Returns the value of a field that may occur once.
  private func value(of name: String) throws(JSONRPCError) -> String? {
    let values = headers.values(of: name)
    guard values.count <= 1 else {
      throw JSONRPCError(.headerMismatch, "The field '\(name)' is there more than once.")
    }
    return values.first
  }

  /// Returns the decoded text of a field that may occur once; nil if it is absent.
  func decodedValue(of name: String) throws(JSONRPCError) -> String? {
    guard let value = try value(of: name) else { return nil }
    if let decoded = Self.decoded(value) { return decoded }
    throw JSONRPCError(
      .headerMismatch, "The field '\(name)' is malformed: \(quoted(value)) is not Base64 of UTF-8.")
  }

  /// Returns the text of a value, decoded if it is `=?base64?…?=`; nil if the encoding is malformed.
  static func decoded(_ value: String) -> String? {
    let bytes = Array(value.utf8)
    let (start, end) = (Array("=?base64?".utf8), Array("?=".utf8))
    guard bytes.count >= start.count + end.count, bytes.starts(with: start),
      bytes.suffix(end.count).elementsEqual(end)
    else { return value }
    let text = String(decoding: bytes[start.count..<(bytes.count - end.count)], as: UTF8.self)
    return Base64.bytes(canonical: text).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

/// A supported revision of the Model Context Protocol, the latest first.
enum AgentRevision: String, CaseIterable {
  case july2026 = "2026-07-28"
  case november2025 = "2025-11-25"
  case june2025 = "2025-06-18"

  /// True if each request states its revision, and there is no handshake.
  var isStateless: Bool {
    switch self {
    case .july2026: true
    case .november2025, .june2025: false
    }
  }

  /// Creates the revision of this name; nil if it is not supported.
  init?(named name: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
      return nil
    }
    self = known
  }

  /// The latest revision with a handshake.
  static let latestHandshake = AgentRevision.november2025

  /// The revision of a request from a handshake client that does not state it.
  static let assumed = AgentRevision.june2025
}

/// A method that agents may call.
enum AgentMethod: String, CaseIterable {
  case initialize
  case ping
  case discover = "server/discover"
  case listen = "subscriptions/listen"
  case listTools = "tools/list"
  case callTool = "tools/call"
  case listResources = "resources/list"
  case listResourceTemplates = "resources/templates/list"
  case readResource = "resources/read"
  case subscribe = "resources/subscribe"
  case unsubscribe = "resources/unsubscribe"
  case listPrompts = "prompts/list"
  case getPrompt = "prompts/get"
  case complete = "completion/complete"
  case getTask = "tasks/get"
  case updateTask = "tasks/update"
  case cancelTask = "tasks/cancel"

  /// Creates the method of a name, if the revision has it.
  init?(named name: String, in revision: AgentRevision) {
    let known = Self.allCases.first { $0.rawValue.hasSameBytes(as: name) }
    guard let known, known.exists(in: revision) else { return nil }
    self = known
  }

  private func exists(in revision: AgentRevision) -> Bool {
    switch self {
    case .initialize, .ping, .subscribe, .unsubscribe: !revision.isStateless
    case .discover, .listen, .getTask, .updateTask, .cancelTask: revision.isStateless
    case .listTools, .callTool, .listResources, .listResourceTemplates, .readResource,
      .listPrompts, .getPrompt, .complete:
      true
    }
  }

  /// Returns the name of the parameter that the field `Mcp-Name` repeats; nil if there is none.
  static func nameParameter(of method: String) -> String? {
    switch method {
    case "tools/call", "prompts/get": "name"
    case "resources/read": "uri"
    case "tasks/get", "tasks/update", "tasks/cancel": "taskId"
    default: nil
    }
  }
}
