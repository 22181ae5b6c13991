import JSONText
import MenuEngine

/// A resource of a session that clients can subscribe to.
enum SessionResource: String, CaseIterable {
  case document
  case menu
  case diagnostics
  case deliveries

  /// The resource that a topic is about; nil for the list of tools.
  init?(_ topic: AgentTopics) {
    guard let found = Self.allCases.first(where: { $0.topic == topic }) else { return nil }
    self = found
  }

  /// The resource of a session with this URI; nil if there is none.
  init?(uri: String, in session: SessionID) {
    guard case .resource(let resource)? = SessionPlace(uri: uri, in: session) else { return nil }
    self = resource
  }

  var topic: AgentTopics {
    switch self {
    case .document: .document
    case .menu: .menu
    case .diagnostics: .diagnostics
    case .deliveries: .deliveries
    }
  }

  /// The path behind that of the session, as in the API.
  var path: String {
    switch self {
    case .document: ""
    case .menu: "/menu"
    case .diagnostics: "/diagnostics"
    case .deliveries: "/deliveries"
    }
  }

  /// The URI of a session's resource.
  func uri(in session: SessionID) -> String { Self.root(session) + path }

  /// The URI of a session.
  static func root(_ session: SessionID) -> String { "menud://sessions/\(session)" }

  private var title: String {
    switch self {
    case .document: "Session"
    case .menu: "Menu"
    case .diagnostics: "Diagnostics"
    case .deliveries: "Deliveries"
    }
  }

  private var about: String {
    switch self {
    case .document: "The session: its state, responders, focus and what can be undone."
    case .menu: "The whole menu with every item as it is now, enabled or not, and why."
    case .diagnostics: "The diagnostics of the session."
    case .deliveries: "The work that was handed to the application, with its states and results."
    }
  }

  /// The description in the list of resources.
  func description(in session: SessionID) -> JSON {
    [
      "uri": .string(uri(in: session)), "name": .string(rawValue), "title": .string(title),
      "description": .string(about), "mimeType": "application/json",
    ]
  }
}
