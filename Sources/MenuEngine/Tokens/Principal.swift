package import JSONText

/// The actor of a change (T4): the kind and the label of a token.
///
/// The rules call it *actor*; the type has another name, since Swift and the actor chain (A) use that word.
package struct Principal: Hashable, Codable, Sendable {
  /// The kind of a token.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case person
    case agent
    case worker
    case panel
    case service

    /// Returns true if a token of another kind can grant tokens of this one: an agent cannot grant a person's token,
    /// because rules may distinguish them.
    func isGiven(by maker: Kind) -> Bool {
      switch maker {
      case .service: true
      case .person: self != .service
      case .agent, .worker, .panel: self == maker
      }
    }
  }

  package let kind: Kind
  /// The label for people: 1 to 128 bytes without control characters.
  package let label: String

  /// Nil if the label is empty, too long, or has control characters.
  package init?(_ kind: Kind, _ label: String) {
    guard (1...Self.longestLabel).contains(label.utf8.count),
      label.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    else { return nil }
    self.init(kind: kind, label: label)
  }

  private init(kind: Kind, label: String) { (self.kind, self.label) = (kind, label) }

  /// The maximum length of a label in bytes.
  package static let longestLabel = 128

  /// The actor of a change without a token.
  package static let local = Principal(kind: .service, label: "local")
  /// The actor of a change with an administrator's token.
  package static let administrator = Principal(kind: .service, label: "administrator")
  /// The actor of a change with a session's first token.
  package static let session = Principal(kind: .person, label: "session")

  /// The document, as in rules, events and answers.
  package var json: JSON { ["kind": .string(kind.rawValue), "label": .string(label)] }
}
