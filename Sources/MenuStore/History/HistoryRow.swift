/// An entry of a history as journals keep it (T5).
package struct HistoryRow: Equatable, Sendable {
  package var subject: JournalSubject
  /// The number of the session's opening.
  package var opening: Int64
  /// The revision before it.
  package var base: Int64
  /// The revision after it; that of before for a refusal.
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
  package var bounds = HistorySettings.Bounds()

  /// The number of bytes that count for the bound, which include a share for the row.
  var size: Int64 { Int64(record.count + result.count) + Self.share }

  /// The bytes that a row counts besides its contents.
  static let share: Int64 = 128

  /// The time before which entries are too old when it joins.
  var oldest: Int64 { time - bounds.retention }

  var checksum: Int64 {
    var checksum = Checksum()
    checksum.add(counted: Array(subject.text.utf8))
    for number in [opening, base, revision, time] { checksum.add(number) }
    checksum.add(counted: record)
    checksum.add(counted: result)
    return Int64(bitPattern: checksum.value)
  }
}

/// A question about the history of one opening of a session.
package struct HistoryQuestion: Sendable {
  package var subject: JournalSubject
  package var opening: Int64
  /// The time in milliseconds since 1970-01-01T00:00:00Z before which entries are too old.
  package var oldest: Int64
  /// The position before which entries are asked for; the default is the end.
  package var before = Int64.max
  /// The most entries; the latest are first.
  package var limit = 1
}

extension HistoryQuestion {
  /// The names and the order of the columns of a row.
  static func columns(opening: String) -> String {
    "subject, \(opening), position, base, revision, time, record, result, checksum"
  }

  /// The statement that selects the entries which are asked for, in SQL; its values are ``values``.
  static func entries(in table: String, opening: String) -> String {
    """
    SELECT \(columns(opening: opening)) FROM \(table) WHERE subject = $1 AND \(opening) = $2 \
    AND time >= $3 AND position < $4 ORDER BY position DESC LIMIT $5
    """
  }

  /// The statement that selects the revision after which all changes are known: behind the last gap, or before the oldest
  /// entry. Its values are the first three.
  static func beginning(in table: String, opening: String) -> String {
    """
    SELECT max(base) FROM (SELECT base, lag(revision) OVER (ORDER BY position) AS former \
    FROM \(table) WHERE subject = $1 AND \(opening) = $2 AND time >= $3) AS entries \
    WHERE former IS NULL OR former < base
    """
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
