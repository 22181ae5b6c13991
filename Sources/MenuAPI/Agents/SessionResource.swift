import JSONText
import MenuEngine

/// A resource of a session that clients can subscribe to.
enum SessionResource: String, CaseIterable {
  case document
  case menu
  case diagnostics

  /// The resource that a topic is about; nil for the list of tools.
  init?(_ topic: AgentTopics) {
    guard let found = Self.allCases.first(where: { $0.topic == topic }) else { return nil }
    self = found
  }

  /// The resource of a session with this URI; nil if there is none.
  init?(uri: String, in session: SessionID) {
    guard let found = Self.allCases.first(where: { $0.uri(in: session).hasSameBytes(as: uri) })
    else { return nil }
    self = found
  }

  var topic: AgentTopics {
    switch self {
    case .document: .document
    case .menu: .menu
    case .diagnostics: .diagnostics
    }
  }

  /// The path behind that of the session, as in the API.
  var path: String {
    switch self {
    case .document: ""
    case .menu: "/menu"
    case .diagnostics: "/diagnostics"
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
    }
  }

  private var about: String {
    switch self {
    case .document: "The session: its state, responders, focus and what can be undone."
    case .menu: "The whole menu with every item as it is now, enabled or not, and why."
    case .diagnostics: "The diagnostics of the session."
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

/// A command of a session as a resource.
enum CommandResource {
  /// The template of the URIs.
  static func template(in session: SessionID) -> String { root(session) + "{command}" }

  /// The command that a URI names; nil if it is no such URI.
  static func command(of uri: String, in session: SessionID) -> CommandID? {
    let root = Array(root(session).utf8)
    guard uri.utf8.starts(with: root) else { return nil }
    return CommandID(String(Substring(uri.utf8.dropFirst(root.count))))
  }

  private static func root(_ session: SessionID) -> String {
    SessionResource.root(session) + "/commands/"
  }
}
