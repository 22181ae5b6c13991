import MenuEngine

/// The part of an open session that a process knows without having read it.
struct SessionLabel: Codable, Sendable {
  /// The number of its opening.
  let opening: Int
  /// The digest of its token; nil if it has none.
  let token: TokenDigest?

  /// The label of a session that a store has opened.
  ///
  /// Nil if none has: its opening has no number.
  init?(_ session: Session) {
    guard let opening = session.openingNumber else { return nil }
    self.opening = opening
    token = session.token
  }

  /// The label as a journal keeps it.
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
  /// The reason why it could not be read the last time; nil, the default, if there is none.
  var damage: JournalFault?
}
