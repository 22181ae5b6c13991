import MenuStore

extension Problem {
  /// The problem of a session that is not in memory, which a request meets until it is read.
  static var notLoaded: Problem {
    Problem(.recovering, "The session is being read. Repeat the request.")
      .with(header: "Retry-After", "1")
  }

  /// The problem of a question whose answer may be older than what another process has answered.
  init(unconfirmed fault: JournalFault) {
    self.init(
      .recovering,
      "The database cannot be reached, so that nobody can tell whether the answer would be current. "
        + "Repeat the request.")
    headers.append(("Retry-After", "1"))
  }

  /// The problem of what the journal does not take.
  ///
  /// **Decision:** Nobody is told of files and devices over HTTP; the log has them.
  init(_ fault: JournalFault) {
    switch fault {
    case let fault where fault.isOfRoom:
      self.init(
        .noRoom,
        "The disk of the journal is full, so that nothing can be changed; nothing was. What there is "
          + "can still be asked for.")
    case .unwritable(_, let reason):
      self.init(.notKept, "This cannot be kept, and so was not done. \(reason)")
    case .unresolved:
      self.init(
        .outcomeUnknown,
        "The connection to the database was lost while the change was committed, and it is not known "
          + "whether it was. The next start finds out. Then repeat the request with its "
          + "'Idempotency-Key', or ask for the state of things.")
    case .outcomeUnknown:
      self.init(
        .outcomeUnknown,
        "The disk failed while the change was written. It is not applied, but the next start may find "
          + "it written and apply it. After menud was started again, repeat the request with its "
          + "'Idempotency-Key', or ask for the state of things.")
    case .conflict:
      self.init(
        .notKept,
        "Others change the same at the same time, again and again; nothing was changed. Repeat the "
          + "request.")
      headers.append(("Retry-After", "1"))
    case .noRoom, .system, .unflushed, .refused, .locked, .busy, .foreign, .unreleased, .newer,
      .damaged,
      .unreadable, .closed, .unreachable, .refusedByDatabase, .lockedDatabase, .takenOver,
      .fellBehind, .damagedDatabase:
      self.init(
        .notKept,
        "The journal takes nothing at the moment, so that nothing can be changed; nothing was. What "
          + "there is can still be asked for.")
      headers.append(("Retry-After", "1"))
    }
  }
}
