/// An entry of a history as journals keep it (T5).
package struct HistoryRow: Equatable, Sendable {
  package var subject: JournalSubject
  /// The number of the session's opening.
  package var opening: Int64
  /// The last revision before it that the history tells; its own for a refusal.
  package var base: Int64
  /// The revision after it.
  package var revision: Int64
  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  package var time: Int64
  /// The mutations and their actor, as records have them.
  package var record: [UInt8]
  /// A JSON object that tells what came of it.
  package var result: [UInt8]
  /// The place in the history, which the journal gives.
  package var position: Int64 = 0
  /// The bounds of the history that it joins.
  package var bounds = HistoryBounds()

  /// The number of bytes that count for the bound, which include a share for the row.
  var size: Int64 { Int64(record.count + result.count) + Self.share }

  /// The bytes that a row counts besides its contents.
  static let share: Int64 = 128

  /// The time before which entries are too old when it joins.
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
  /// Creates the row of a table from its columns; nil if it is not as it was written.
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
