package import MenuEngine

/// A change in the history of a session, or a refusal (T5).
package struct HistoryEntry: Sendable {
  /// The revision of the previous change in the history; for a refusal, the revision itself.
  package let base: Int
  /// The revision after it.
  package let revision: Int
  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  package let time: Int64
  /// The mutations, and their actor.
  package let record: SessionRecord
  package internal(set) var result: Result
  /// The position in the history. It grows with each entry, but can restart once all entries are evicted.
  package internal(set) var position: Int64 = 0

  /// The result of a change, or of a request that was refused.
  package enum Result: Sendable {
    case outcomes([Outcome])
    /// The members of a JSON object that describes the outcomes or the refusal.
    case members([UInt8])
  }

  init(
    base: Int, revision: Int, time: Int64, record: SessionRecord, result: Result
  ) {
    self.base = base
    self.revision = revision
    self.time = time
    self.record = record
    self.result = result
  }

  /// Creates an entry from a row of the journal.
  ///
  /// - Throws: `JournalFault.unreadable` if the row cannot be decoded.
  init(_ row: HistoryRow) throws(JournalFault) {
    (base, revision, time) = (Int(row.base), Int(row.revision), row.time)
    (result, position) = (.members(row.result), row.position)
    do throws(StoredFault) {
      record = try StoredFormat.value(from: row.record)
    } catch {
      throw .unreadable(row.subject, sequence: nil, reason: "\(error)")
    }
  }
}

extension HistoryEntry {
  /// True if it is a refusal, and not a change.
  package var isRefusal: Bool { base == revision }
}
