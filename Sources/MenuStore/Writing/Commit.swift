import MenuEngine
import Synchronization

/// A proposal with everything that is computed of it before it is carried out.
struct Commit: Sendable {
  let action: Proposal.Action
  /// The edition of the catalogue that the change was made under.
  let catalog: CatalogEdition
  /// The answer to keep; nil if there is none.
  let answer: KeyedAnswer?
  /// About the number of bytes that it takes among the commits of its subject; 0 if nothing is followed.
  let size: Int
  /// The bytes of the request that makes the change.
  let requestSize: Int
  /// The addition to the journal; empty without one.
  let write: JournalWrite

  /// - Throws: `JournalFault.unwritable` if the journal cannot have it.
  init(_ proposal: Proposal, for store: SessionStore) throws(JournalFault) {
    (action, requestSize) = (proposal.action, proposal.size)
    catalog = proposal.catalog
    answer = proposal.entry.map(KeyedAnswer.init)
    let record = store.isKept ? try proposal.record() : nil
    var write = JournalWrite()
    if store.isKept {
      write = JournalWrite(
        record: record, state: proposal.state, label: proposal.label, entry: proposal.entry)
      switch proposal.action {
      case .open(_, let opening, atMost: _): write.opening = Int64(opening.number)
      case .change(_, to: let session, by: _, _): write.delivers = !session.deliveries.isEmpty
      default: break
      }
      write.history = try store.history.flatMap { (settings) throws(JournalFault) in
        try proposal.historyRow(record, settings)
      }
    }
    self.write = write
    size = store.isFollowed.load(ordering: .relaxed) ? proposal.size(besides: record) : 0
  }

  /// The beginning of a journal: everything else stands behind the catalogue.
  init(beginningWith edition: CatalogEdition) throws(JournalFault) {
    let catalog = edition.catalog
    action = .begin
    self.catalog = edition
    (answer, size, requestSize) = (nil, 0, 0)
    write = JournalWrite(
      record: JournalRecord(
        .opened, .catalog, revision: Int64(catalog.revision), payload: try catalog.stored()),
      state: catalog.journalState)
  }
}

extension Proposal {
  /// About the number of bytes that its commit takes: that of its record, and of its outcomes.
  fileprivate func size(besides record: JournalRecord?) -> Int {
    let change: DurableCommit.Change
    switch action {
    case .change(_, to: _, by: let record, let outcomes):
      change = .changed(by: record, outcomes: outcomes)
    case .changeCatalog(by: let mutation, to: _): change = .catalogChanged(by: mutation)
    // These have no payload that followers are told.
    case .begin, .open, .close, .keepAnswer, .keepRefusal:
      return DurableCommit.Change.opened.size(payload: 0)
    }
    return change.size(payload: size(of: record))
  }

  /// The size of the record, which is made here if there is no journal; 0 if it cannot be.
  private func size(of record: JournalRecord?) -> Int {
    (record ?? (try? self.record()))?.payload.count ?? 0
  }
}
