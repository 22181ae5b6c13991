import Locks
import MenuEngine

// The history of each session (T5). A journal has it in rows; without one it is in memory, beside the session.

extension Proposal {
  /// The entry of the history that tells of it; nil if none does.
  func historyEntry(
    in settings: HistorySettings
  ) -> (HistoryEntry, of: SessionEdition)? {
    switch action {
    case .change(let edition, to: let session, by: let record, let outcomes):
      let entry = HistoryEntry(
        base: edition.session.revision, revision: session.revision, time: settings.now(),
        record: record, result: .outcomes(outcomes))
      return (entry, of: edition)
    case .keepRefusal(let edition, let record, let members):
      let revision = edition.session.revision
      let entry = HistoryEntry(
        base: revision, revision: revision, time: settings.now(), record: record,
        result: .members(members))
      return (entry, of: edition)
    case .begin, .open, .close, .changeCatalog, .keepAnswer: return nil
    }
  }
}

extension HistoryEntry {
  /// Returns the entry as a journal keeps it.
  ///
  /// - Parameter written: The record of the change in the journal; nil if it has none.
  func row(
    of edition: SessionEdition, _ written: JournalRecord?, _ settings: HistorySettings
  ) throws(JournalFault) -> HistoryRow {
    let members =
      switch result {
      case .outcomes(let outcomes): settings.writer.members(of: outcomes)
      case .members(let members): members
      }
    let payload =
      if let written { written.payload } else { try record.record(of: edition.session).payload }
    return HistoryRow(
      subject: edition.session.subject, opening: Int64(edition.opening.number), base: Int64(base),
      revision: Int64(revision), time: time, record: payload, result: members,
      bounds: settings.bounds)
  }

  /// - Throws: `JournalFault.unreadable` if the journal has something else.
  fileprivate init(_ row: HistoryRow) throws(JournalFault) {
    do throws(StoredFault) {
      self.init(
        base: Int(row.base), revision: Int(row.revision), time: row.time,
        record: try StoredFormat.value(from: row.record), result: .members(row.result),
        position: row.position)
    } catch {
      throw .unreadable(row.subject, sequence: nil, reason: "\(error)")
    }
  }

  /// About the bytes that it takes in memory.
  fileprivate var size: Int64 {
    let contents =
      switch result {
      case .outcomes(let outcomes): outcomes.reduce(0) { $0 + $1.size }
      case .members(let members): members.count
      }
    return Int64(contents + record.mutations.count * 128) + HistoryRow.share
  }
}

extension SessionStore {
  /// Notes a change, or a refusal, in the history of a session without a journal.
  func remember(_ entry: HistoryEntry, of opening: Incarnation) {
    guard let history else { return }
    opening.history.withLock { list in
      list.append(entry, at: entry.time, size: entry.size, within: history.bounds)
    }
  }

  /// Returns entries of the history of a session's opening.
  ///
  /// - Parameters:
  ///   - before: The position before which they are; the default is the end.
  ///   - limit: The most entries.
  ///   - isFromBeginning: True for the oldest first; the default is the latest first.
  /// - Throws: `JournalFault` if the journal cannot be read. It is read on this thread.
  package func history(
    of edition: SessionEdition, before: Int64 = .max, limit: Int, isFromBeginning: Bool = false
  ) throws(JournalFault) -> [HistoryEntry] {
    guard let history else { return [] }
    let question = HistoryQuestion(
      subject: edition.session.subject, opening: Int64(edition.opening.number), before: before,
      since: history.beginning, limit: limit, isFromBeginning: isFromBeginning)
    guard let journal else {
      let found = edition.opening.history.withLock { $0.answer(to: question) }
      return found.map { entry, position in
        var entry = entry
        entry.position = position
        return entry
      }
    }
    var entries: [HistoryEntry] = []
    for row in try journal.history(question) { entries.append(try HistoryEntry(row)) }
    return entries
  }
}
