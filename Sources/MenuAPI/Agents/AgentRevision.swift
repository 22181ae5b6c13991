import JSONText

/// A revision of the Model Context Protocol that is spoken, the latest first.
enum AgentRevision: String, CaseIterable {
  case july2026 = "2026-07-28"
  case november2025 = "2025-11-25"
  case june2025 = "2025-06-18"

  /// True if each request tells its revision, and nothing is agreed on before.
  var isStateless: Bool {
    switch self {
    case .july2026: true
    case .november2025, .june2025: false
    }
  }

  /// The revision of this name; nil if it is not spoken.
  init?(named name: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
      return nil
    }
    self = known
  }

  /// The latest revision that begins with a handshake.
  static let latestHandshake = AgentRevision.november2025

  /// The revision of a request of a client that began with a handshake, and does not tell it.
  static let assumed = AgentRevision.june2025
}
