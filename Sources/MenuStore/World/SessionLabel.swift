import MenuEngine

/// The data of an open session that a process has without loading it.
struct SessionLabel: Codable, Sendable {
  /// The number of its incarnation.
  let opening: Int
  /// The digest of its token; nil if it has none.
  let token: TokenDigest?

  /// Creates the label of a session opened by a store; nil if its incarnation has no number.
  init?(_ session: Session) {
    guard let opening = session.openingNumber else { return nil }
    self.opening = opening
    token = session.token
  }

  /// The label in the journal's encoding.
  var stored: [UInt8]? { try? StoredFormat.bytes(of: self) }
}

extension JournalRecord {
  /// The label of the session that it opens; nil if it opens none.
  var label: SessionLabel? {
    guard kind == .opened, case .session = subject else { return nil }
    return (try? StoredReader().session(from: payload)).flatMap(SessionLabel.init)
  }
}

/// An open session that is not in memory.
struct UnloadedSession: Sendable {
  let opening: Incarnation
  let token: TokenDigest?
  /// The fault of the last attempt to load it; nil, the default, if there was none.
  var damage: JournalFault?
}
