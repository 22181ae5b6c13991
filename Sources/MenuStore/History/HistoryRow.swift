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

  /// The statement that selects what is known (``HistoryExtent``). Its values are the first three.
  static func extent(in table: String, opening: String) -> String {
    """
    SELECT max(CASE WHEN former IS NULL OR former < base THEN base END), max(revision) FROM \
    (SELECT base, revision, max(revision) OVER (ORDER BY position \
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS former \
    FROM \(table) WHERE subject = $1 AND \(opening) = $2 AND time >= $3) AS entries
    """
  }
}

/// The changes that a history knows without a gap.
package struct HistoryExtent: Equatable, Sendable {
  /// The revision after which all are known: behind the last gap, or before the oldest entry.
  var beginning: Int64
  /// The greatest revision of an entry.
  var end: Int64

  /// Nil without entries.
  init?(beginning: Int64?, end: Int64?) {
    guard let beginning, let end else { return nil }
    (self.beginning, self.end) = (beginning, end)
  }

  /// The extent of entries in order; nil without any. A refusal can be behind changes that are later than it.
  init?(of entries: some Sequence<(base: Int64, revision: Int64)>) {
    var extent: HistoryExtent?
    for (base, revision) in entries {
      let end = extent?.end ?? -1
      let beginning = end < base ? base : extent?.beginning
      extent = HistoryExtent(beginning: beginning, end: max(end, revision))
    }
    guard let extent else { return nil }
    self = extent
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
