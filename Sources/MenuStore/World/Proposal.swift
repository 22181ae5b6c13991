package import MenuEngine

/// A change of the world that was made on a copy, to be committed.
package struct Proposal: Sendable {
  enum Action: Sendable {
    case open(Session, Opening, atMost: Int)
    case change(SessionEdition, to: Session, by: [Mutation])
    /// Closes the session, unless it was read since a moment.
    case close(SessionEdition, unlessReadSince: Int64?)
    case changeCatalog(by: CatalogMutation, to: Catalog)
    /// Keeps an answer only.
    case keepAnswer
  }

  let action: Action
  /// The edition of the catalogue that the change was made under.
  let catalog: CatalogEdition
  /// The answer to keep under the request's idempotency key.
  let entry: IdempotencyEntry?
}

extension Proposal {
  /// Proposes to open a session, unless one of its name is open or as many as `most` are.
  package static func open(
    _ session: Session, as opening: Opening, under catalog: CatalogEdition, atMost most: Int = .max,
    entry: IdempotencyEntry? = nil
  ) -> Proposal {
    Proposal(
      action: .open(session, opening, atMost: most), catalog: catalog, entry: entry)
  }

  /// Proposes to close a session.
  package static func close(
    _ edition: SessionEdition, under catalog: CatalogEdition, entry: IdempotencyEntry? = nil
  ) -> Proposal {
    Proposal(
      action: .close(edition, unlessReadSince: nil), catalog: catalog, entry: entry)
  }

  /// Proposes to change the catalogue by a mutation, whose result is `changed`; only to keep the answer
  /// if `changed` is nil.
  package static func changeCatalog(
    _ catalog: CatalogEdition, by mutation: CatalogMutation, to changed: Catalog?,
    entry: IdempotencyEntry? = nil
  ) -> Proposal {
    Proposal(
      action: changed.map { .changeCatalog(by: mutation, to: $0) } ?? .keepAnswer,
      catalog: catalog, entry: entry)
  }
}

extension SessionChange {
  /// The proposal of what was applied and of the answer to keep; nil if there is neither.
  package var proposal: Proposal? {
    guard isChanged || entry != nil else { return nil }
    return Proposal(
      action: isChanged ? .change(base, to: session, by: mutations) : .keepAnswer,
      catalog: catalogEdition, entry: entry)
  }
}

/// The result of a commit.
package enum Commitment: Sendable {
  /// It is published. Its ticket is settled once it is durable, or was rolled back.
  case committed(Ticket)
  /// Something else was committed since the copy was made; nothing is changed. Look again, and make it
  /// anew.
  case outdated
  /// An answer is kept under the same idempotency key; nothing is changed.
  case repeated
}

extension Proposal {
  /// The record of it in the journal; nil if it only keeps an answer.
  func record() throws(JournalFault) -> JournalRecord? {
    switch action {
    case .open(let session, _, atMost: _):
      JournalRecord(
        .opened, session.subject, revision: Int64(session.revision), payload: try session.stored())
    case .change(_, to: let session, by: let mutations):
      try mutations.record(of: session)
    case .close(let edition, unlessReadSince: _):
      JournalRecord(
        .closed, edition.session.subject, revision: Int64(edition.session.revision))
    case .changeCatalog(by: let mutation, to: let catalog):
      try mutation.record(revision: catalog.revision)
    case .keepAnswer: nil
    }
  }

  /// The state of the record's subject after it.
  var state: JournalState? {
    switch action {
    case .open(let session, _, atMost: _), .change(_, to: let session, by: _): session.journalState
    case .changeCatalog(by: _, to: let catalog): catalog.journalState
    case .close, .keepAnswer: nil
    }
  }
}
