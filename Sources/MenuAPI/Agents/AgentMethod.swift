import JSONText

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
  case complete = "completion/complete"

  /// The method of a name, if a revision has it.
  init?(named name: String, in revision: AgentRevision) {
    let known = Self.allCases.first { $0.rawValue.hasSameBytes(as: name) }
    guard let known, known.exists(in: revision) else { return nil }
    self = known
  }

  private func exists(in revision: AgentRevision) -> Bool {
    switch self {
    case .initialize, .ping, .subscribe, .unsubscribe: !revision.isStateless
    case .discover, .listen: revision.isStateless
    case .listTools, .callTool, .listResources, .listResourceTemplates, .readResource, .complete:
      true
    }
  }

  /// The parameter that the field `Mcp-Name` has too; nil if there is none.
  static func nameParameter(of method: String) -> String? {
    switch method {
    case "tools/call", "prompts/get": "name"
    case "resources/read": "uri"
    default: nil
    }
  }
}
