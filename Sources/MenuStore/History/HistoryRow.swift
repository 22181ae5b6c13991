/// A history entry as stored in a journal (T5).
package struct HistoryRow: Equatable, Sendable {
  package var subject: JournalSubject
  /// The number of the session's incarnation.
  package var opening: Int64
  /// The revision of the previous change in the history; for a refusal, the revision itself.
  package var base: Int64
  /// The revision after it.
  package var revision: Int64
  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  package var time: Int64
  /// The mutations and their actor, encoded as in records.
  package var record: [UInt8]
  /// A JSON object that describes the result.
  package var result: [UInt8]
  /// The position in the history, assigned by the journal.
  package var position: Int64 = 0
  /// The bounds of the history to which the row is added.
  package var bounds = HistoryBounds()

  /// The number of bytes that count toward the bound, including a fixed share per row.
  var size: Int64 { Int64(record.count + result.count) + Self.share }

  /// The number of bytes that each row counts in addition to its contents.
  static let share: Int64 = 128

  /// The time before which older entries have expired when this row is added.
  var oldest: Int64 { time - bounds.retention }

  var checksum: Int64 {
    Checksum.of { checksum in
      checksum.add(counted: Array(subject.text.utf8))
      for number in [opening, base, revision, time] { checksum.add(number) }
      checksum.add(counted: record)
      checksum.add(counted: result)
    }
  }
}

extension HistoryRow {
  /// Creates the row from the columns of a table; nil if they are malformed.
  init?(
    subject: String?, _ numbers: [Int64?], record: [UInt8]?, result: [UInt8]?, checksum: Int64?
  ) {
    guard let subject, let record, let result, numbers.count == 5, let opening = numbers[0],
      let position = numbers[1], let base = numbers[2], let revision = numbers[3],
      let time = numbers[4]
    else { return nil }
    self.init(
      subject: JournalSubject(text: subject), opening: opening, base: base, revision: revision,
      time: time, record: record, result: result, position: position)
    guard self.checksum == checksum else { return nil }
  }
}
