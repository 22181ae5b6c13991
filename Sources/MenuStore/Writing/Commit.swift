import MenuEngine
import Synchronization

/// A proposal with everything that is computed before it is committed.
struct Commit: Sendable {
  let action: Proposal.Action
  /// The edition of the catalogue under which the change was made.
  let catalog: CatalogEdition
  /// The answer to keep; nil if there is none.
  let answer: KeyedAnswer?
  /// The approximate size of the commit for followers, in bytes; 0 if nothing is followed.
  let size: Int
  /// The size of the request in bytes.
  let requestSize: Int
  /// The addition to the journal; empty without one.
  let write: JournalWrite

  /// - Throws: `JournalFault.unwritable` if the change cannot be encoded.
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

  /// Creates the first commit of a journal: the catalogue, which precedes everything else.
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
  /// Returns the approximate size of its commit in bytes: that of its record and of its outcomes.
  fileprivate func size(besides record: JournalRecord?) -> Int {
    let change: DurableCommit.Change
    switch action {
    case .change(_, to: _, by: let record, let outcomes):
      change = .changed(by: record, outcomes: outcomes)
    case .changeCatalog(by: let mutation, to: _): change = .catalogChanged(by: mutation)
    // Followers receive no payload of these.
    case .begin, .open, .close, .keepAnswer, .keepRefusal:
      return DurableCommit.Change.opened.size(payload: 0)
    }
    return change.size(payload: size(of: record))
  }

  /// Returns the size of the record, which is encoded here if there is no journal; 0 if that fails.
  private func size(of record: JournalRecord?) -> Int {
    (record ?? (try? self.record()))?.payload.count ?? 0
  }
}
