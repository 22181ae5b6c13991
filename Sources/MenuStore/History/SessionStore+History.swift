import Locks
import MenuEngine

// The history of each session (T5): rows in a journal, or a list in memory without one.

extension Proposal.Action {
  /// Returns the history entry for the action at a time, and the session before it; nil if it has no entry.
  fileprivate func entry(at time: Int64) -> (HistoryEntry, of: SessionEdition)? {
    switch self {
    case .change(let base, to: let session, by: let record, let outcomes):
      guard !record.isProgress else { return nil }
      let entry = HistoryEntry(
        base: base.session.lastToldRevision, revision: session.revision, time: time,
        record: record, result: .outcomes(outcomes))
      return (entry, base)
    case .keepRefusal(let base, let record, let members):
      let revision = base.session.revision
      let entry = HistoryEntry(
        base: revision, revision: revision, time: time, record: record, result: .members(members))
      return (entry, base)
    case .begin, .open, .close, .changeCatalog, .keepAnswer: return nil
    }
  }
}

extension Proposal {
  /// Returns the history row for the action; nil if it has none.
  ///
  /// - Parameter written: The record of the change in the journal; nil for a refusal.
  func historyRow(
    _ written: JournalRecord?, _ settings: HistorySettings
  ) throws(JournalFault) -> HistoryRow? {
    guard let (entry, edition) = action.entry(at: settings.now()) else { return nil }
    let record = if let written { written } else { try entry.record.record(of: edition.session) }
    let result =
      switch entry.result {
      case .outcomes(let outcomes): settings.writer.members(of: outcomes)
      case .members(let members): members
      }
    return HistoryRow(
      subject: record.subject, opening: Int64(edition.opening.number), base: Int64(entry.base),
      revision: Int64(entry.revision), time: entry.time, record: record.payload, result: result,
      bounds: settings.bounds)
  }
}

extension SessionStore {
  /// Records a change or a refusal in a session's history in memory.
  func remember(_ action: Proposal.Action, size: Int, within settings: HistorySettings) {
    guard case (var entry, let edition)? = action.entry(at: settings.now()) else { return }
    var size = HistoryRow.share + Int64(size)
    switch entry.result {
    case .outcomes(let outcomes):
      size += outcomes.reduce(0) { $0 + Int64($1.size) }
      entry.result = .outcomes(outcomes.withoutTraces)
    case .members(let members): size += Int64(members.count)
    }
    edition.opening.history.withLock { list in
      list.append(entry, at: entry.time, size: size, within: settings.bounds)
    }
  }

  /// Returns entries in the history of a session's incarnation, the latest first.
  ///
  /// - Parameters:
  ///   - before: The position before which entries are returned; the default is the end.
  ///   - limit: The maximum number of entries.
  /// - Throws: `JournalFault` if the journal cannot be read. Reading blocks this thread.
  package func history(
    of edition: SessionEdition, before: Int64 = .max, limit: Int
  ) throws(JournalFault) -> [HistoryEntry] {
    guard var question = historyQuestion(about: edition) else { return [] }
    (question.before, question.limit) = (before, limit)
    guard let journal else {
      return historyInMemory(of: edition).answer(to: question).map { entry, position in
        var entry = entry
        entry.position = position
        return entry
      }
    }
    return try journal.histories.rows(for: question).map { (row) throws(JournalFault) in
      try HistoryEntry(row)
    }
  }

  /// Returns the revision from which on the history of a session's incarnation is complete: the present revision if
  /// there are no entries.
  ///
  /// - Throws: `JournalFault` if the journal cannot be read. Reading blocks this thread.
  package func historyBeginning(of edition: SessionEdition) throws(JournalFault) -> Int {
    let last = edition.session.lastToldRevision
    guard let question = historyQuestion(about: edition) else { return last }
    let extent =
      if let journal {
        try journal.histories.extent(for: question)
      } else {
        HistoryExtent(
          of: historyInMemory(of: edition).all(since: question.oldest).lazy.map {
            (Int64($0.base), Int64($0.revision))
          })
      }
    // Later changes, made while histories were off, are a gap too.
    guard let extent, extent.end >= last else { return last }
    return Int(extent.beginning)
  }

  private func historyQuestion(about edition: SessionEdition) -> HistoryQuestion? {
    history.map { settings in
      HistoryQuestion(
        subject: edition.session.subject, opening: Int64(edition.opening.number),
        oldest: settings.oldest)
    }
  }

  /// Returns the history in memory, including every published change.
  private func historyInMemory(of edition: SessionEdition) -> HistoryList<HistoryEntry> {
    writing.withLock { _ in edition.opening.history.withLock(\.self) }
  }
}
