package import MenuEngine

/// A change that was made on a copy of the world, to be committed.
package struct Proposal: Sendable {
  enum Action: Sendable {
    /// Stores the catalogue as the first record of a journal.
    case begin
    indirect case open(Session, Incarnation, atMost: Int)
    /// Changes the session by the mutations of an actor, with their outcomes.
    indirect case change(SessionEdition, to: Session, by: SessionRecord, [Outcome])
    /// Closes the session, unless it was read since a moment.
    case close(SessionEdition, unlessReadSince: Int64?)
    indirect case changeCatalog(by: CatalogMutation, to: Catalog)
    /// Only keeps an answer.
    case keepAnswer
    /// Records in the history that the mutations of an actor were refused, with the members of a JSON object that give
    /// the reason.
    indirect case keepRefusal(SessionEdition, SessionRecord, [UInt8])
  }

  let action: Action
  /// The edition of the catalogue that the change was made under.
  let catalog: CatalogEdition
  /// The answer to keep under the request's idempotency key.
  let entry: IdempotencyEntry?
  /// The size of the request in bytes; 0, the default, if there is none.
  var size = 0
}

extension Proposal {
  /// Proposes to open a session, unless its name is in use or `most` sessions are open.
  package static func open(
    _ session: Session, as opening: Incarnation, under catalog: CatalogEdition,
    atMost most: Int = .max,
    entry: IdempotencyEntry? = nil
  ) -> Proposal {
    var session = session
    session.openingNumber = opening.number
    return Proposal(
      action: .open(session, opening, atMost: most), catalog: catalog, entry: entry)
  }

  /// Proposes to close a session.
  package static func close(
    _ edition: SessionEdition, under catalog: CatalogEdition, entry: IdempotencyEntry? = nil
  ) -> Proposal {
    Proposal(
      action: .close(edition, unlessReadSince: nil), catalog: catalog, entry: entry)
  }

  /// Proposes to change the catalogue by a mutation, whose result is `changed`.
  package static func changeCatalog(
    _ catalog: CatalogEdition, by mutation: CatalogMutation, to changed: Catalog,
    entry: IdempotencyEntry? = nil
  ) -> Proposal {
    Proposal(
      action: .changeCatalog(by: mutation, to: changed), catalog: catalog, entry: entry)
  }

  /// Proposes to keep an answer to a request that changed nothing.
  package static func keep(
    _ entry: IdempotencyEntry, under catalog: CatalogEdition
  ) -> Proposal {
    Proposal(action: .keepAnswer, catalog: catalog, entry: entry)
  }
}

extension SessionChange {
  /// The proposal of the applied mutations, with the answer to keep; nil if none were applied.
  package var proposal: Proposal? {
    guard isChanged else { return nil }
    return Proposal(
      action: .change(base, to: session, by: SessionRecord(mutations, by: actor), outcomes),
      catalog: catalogEdition, entry: entry, size: requestSize)
  }

  /// The proposal to record a refusal in the history; nil if the last mutations were not refused, or the refusal is
  /// not recorded.
  package var proposalOfRefusal: Proposal? {
    refusal.map { record, members in
      Proposal(
        action: .keepRefusal(base, record, members), catalog: catalogEdition, entry: nil,
        size: requestSize)
    }
  }
}

extension Proposal {
  /// Returns its record in the journal; nil for an action that has none.
  func record() throws(JournalFault) -> JournalRecord? {
    switch action {
    case .open(let session, _, atMost: _):
      JournalRecord(
        .opened, session.subject, revision: Int64(session.revision), payload: try session.stored())
    case .change(_, to: let session, by: let record, _):
      try record.record(of: session)
    case .close(let edition, unlessReadSince: _):
      JournalRecord(
        .closed, edition.session.subject, revision: Int64(edition.session.revision))
    case .changeCatalog(by: let mutation, to: let catalog):
      try mutation.record(revision: catalog.revision)
    case .begin, .keepAnswer, .keepRefusal: nil
    }
  }

  /// The label of the session that it opens; nil if it opens none.
  var label: [UInt8]? {
    if case .open(let session, _, atMost: _) = action { SessionLabel(session)?.stored } else { nil }
  }

  /// The state of the record's subject after the change.
  var state: JournalState? {
    switch action {
    case .open(let session, _, atMost: _), .change(_, to: let session, by: _, _):
      session.journalState
    case .changeCatalog(by: _, to: let catalog): catalog.journalState
    case .begin, .close, .keepAnswer, .keepRefusal: nil
    }
  }
}
