import JSONText
import MenuEngine

/// The parts of a session that agents are notified of.
struct AgentTopics: OptionSet, Hashable, Sendable {
  let rawValue: Int

  /// The list of tools.
  static let tools = AgentTopics(rawValue: 1)
  /// The session's document.
  static let document = AgentTopics(rawValue: 2)
  /// The main menu with all items.
  static let menu = AgentTopics(rawValue: 4)
  static let diagnostics = AgentTopics(rawValue: 8)
  static let deliveries = AgentTopics(rawValue: 16)

  /// All topics, in the order of their notifications.
  static let each: [AgentTopics] = [.tools, .document, .menu, .diagnostics, .deliveries]
  /// Those that are resources.
  static let resources: AgentTopics = [.document, .menu, .diagnostics, .deliveries]
}

extension AgentTopics {
  /// The message that one of them changed.
  ///
  /// - Parameter subscription: The id of the request that asked for it; nil if it was none.
  func notification(about session: SessionID, in subscription: JSON?) -> JSON {
    var params = JSONObject()
    if let subscription { params["_meta"] = [Self.subscriptionKey: subscription] }
    if let resource = SessionResource(self) { params["uri"] = .string(resource.uri(in: session)) }
    let method = self == .tools ? "tools/list_changed" : "resources/updated"
    var message: JSONObject = [
      "jsonrpc": "2.0", "method": .string("notifications/\(method)"),
    ]
    if !params.isEmpty { message["params"] = .object(params) }
    return .object(message)
  }

  /// The name of the member of `_meta` that tells a subscription.
  static let subscriptionKey = "io.modelcontextprotocol/subscriptionId"
}
