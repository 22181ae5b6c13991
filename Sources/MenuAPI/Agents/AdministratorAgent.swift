import JSONSchema
import JSONText
import MenuEngine
import MicroHTTP

/// The administrator's API as a server of the Model Context Protocol, for agents that help to build an
/// application.
///
/// Each tool is a request of the API.
struct AdministratorAgent: AgentServer {
  var capabilities: JSONObject { ["tools": [:]] }

  var extensions: JSONObject { JSONObject() }

  var opensStreams: Bool { false }

  var instructions: String {
    "These tools inspect and try the application that menud serves: its commands, its sessions, and the rules by "
      + "which items are enabled. The commands of one session are tools at /sessions/{session}/mcp."
  }

  func admit(_ call: Call) throws(Problem) {}

  func cancel(_ id: JSON, of call: Call) {}

  func accept(_ response: JSONRPCResponse, of call: Call) -> Bool { false }

  func result(
    of method: AgentMethod, _ request: AgentRequest
  ) throws(AgentFault) -> AgentResult? {
    switch method {
    case .listTools:
      try request.checkNoCursor()
      return .kept(["tools": .array(AdministratorTool.all.map(\.json))], milliseconds: 3_600_000)
    case .callTool: return try callTool(request)
    case .listResources, .listResourceTemplates, .readResource, .subscribe, .unsubscribe,
      .listPrompts, .getPrompt, .complete, .listen, .getTask, .updateTask, .cancelTask, .initialize,
      .ping, .discover:
      return nil
    }
  }

  private func callTool(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    guard let tool = AdministratorTool.all.first(where: { $0.name.hasSameBytes(as: name) }) else {
      let hint = suggestion(for: name, among: AdministratorTool.all.map(\.name)) ?? "."
      throw .invalidParams("Unknown tool: \(quoted(name))\(hint)")
    }
    do throws(Problem) {
      try tool.schema.check(arguments)
      let inner = tool.request(ToolArguments(arguments))
      let response = try inner.answer(request.call)
      return .members(ToolResult.answer(response, of: tool.name, rest: inner.rest))
    } catch {
      guard error.isForModels || error.type == .unknownSession else { throw .problem(error) }
      let problem = error.blamingArguments { arguments[$0] == nil ? nil : [$0] }
      return .members(RefusedTool(problem: problem, name: tool.name).result)
    }
  }
}

/// The arguments of a tool call, which are valid for the tool's schema.
struct ToolArguments {
  let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  /// Returns a string argument; empty if it is absent.
  func string(_ name: String) -> String {
    if case .string(let text)? = object[name] { text } else { "" }
  }

  /// Returns the arguments of these names, unchanged.
  func members(_ names: String...) -> JSONObject {
    var members = JSONObject()
    for name in names { members[name] = object[name] }
    return members
  }

  /// Returns a query string of these arguments; empty if all are absent.
  func query(_ names: String...) -> String {
    let items = names.compactMap { name -> String? in
      switch object[name] {
      case .string(let text)?: "\(name)=\(text.percentEncoded)"
      case .int(let number)?: "\(name)=\(number)"
      case .null?, .bool?, .double?, .array?, .object?, nil: nil
      }
    }
    return items.isEmpty ? "" : "?" + items.joined(separator: "&")
  }
}
