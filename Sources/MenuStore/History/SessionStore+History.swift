import Locks
import MenuEngine

// The history of each session (T5). A journal has it in rows; without one it is in memory, beside the session.

extension Proposal {
  /// Returns the row of the history that tells of it; nil if none does.
  ///
  /// - Parameter written: The record of the change in the journal.
  func historyRow(
    _ written: JournalRecord?, _ settings: HistorySettings
  ) throws(JournalFault) -> HistoryRow? {
    let (edition, revision, payload, result): (SessionEdition, Int, [UInt8], [UInt8])
    switch action {
    case .change(let base, to: let session, by: let record, let outcomes):
      guard !record.isProgress else { return nil }
      (edition, revision, payload) = (base, session.revision, written?.payload ?? [])
      result = settings.writer.members(of: outcomes)
    case .keepRefusal(let base, let record, let members):
      (edition, revision, result) = (base, base.session.revision, members)
      payload = try record.record(of: base.session).payload
    case .begin, .open, .close, .changeCatalog, .keepAnswer: return nil
    }
    return HistoryRow(
      subject: edition.session.subject, opening: Int64(edition.opening.number),
      base: Int64(action.base(of: edition.session)), revision: Int64(revision),
      time: settings.now(),
      record: payload, result: result, bounds: settings.bounds)
  }
}

extension Proposal.Action {
  /// The revision before an entry: for a change the last one that the history tells, for a refusal its own.
  fileprivate func base(of session: Session) -> Int {
    if case .keepRefusal = self { session.revision } else { session.lastToldRevision }
  }
}

extension SessionStore {
  /// Notes a change, or a refusal, in the history of a session without a journal.
  func remember(_ action: Proposal.Action, size: Int, within settings: HistorySettings) {
    let (entry, opening, bytes): (HistoryEntry, Incarnation, Int)
    switch action {
    case .change(let base, to: let session, by: let record, let outcomes):
      guard !record.isProgress else { return }
      (opening, bytes) = (base.opening, outcomes.reduce(size) { $0 + $1.size })
      entry = HistoryEntry(
        base: action.base(of: base.session), revision: session.revision, time: settings.now(),
        record: record, result: .outcomes(outcomes.withoutTraces))
    case .keepRefusal(let base, let record, let members):
      (opening, bytes) = (base.opening, size + members.count)
      entry = HistoryEntry(
        base: action.base(of: base.session), revision: base.session.revision,
        time: settings.now(), record: record,
        result: .members(members))
    case .begin, .open, .close, .changeCatalog, .keepAnswer: return
    }
    let share = HistoryRow.share
    opening.history.withLock { list in
      list.append(entry, at: entry.time, size: Int64(bytes) + share, within: settings.bounds)
    }
  }

  /// Returns entries of the history of a session's opening, the latest first.
  ///
  /// - Parameters:
  ///   - before: The position before which they are; the default is the end.
  ///   - limit: The most entries.
  /// - Throws: `JournalFault` if the journal cannot be read. It is read on this thread.
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

  /// Returns the revision after which the history of a session's opening knows all changes: the present one if it has no
  /// entries.
  ///
  /// - Throws: `JournalFault` if the journal cannot be read. It is read on this thread.
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
    // Later changes, made without a history, are a gap too.
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

  /// Returns the history once all that is published is in it.
  private func historyInMemory(of edition: SessionEdition) -> HistoryList<HistoryEntry> {
    writing.withLock { _ in edition.opening.history.withLock(\.self) }
  }
}
