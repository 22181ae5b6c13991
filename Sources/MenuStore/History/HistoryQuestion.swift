/// A query for the history of one incarnation of a session.
package struct HistoryQuestion: Sendable {
  package var subject: JournalSubject
  package var opening: Int64
  /// The time in milliseconds since 1970-01-01T00:00:00Z before which entries have expired.
  package var oldest: Int64
  /// The position before which entries are selected; the default is the end.
  package var before = Int64.max
  /// The maximum number of entries, the latest first.
  package var limit = 1
}

extension HistoryQuestion {
  /// The names and the order of the columns of a row.
  static func columns(opening: String) -> String {
    "subject, \(opening), position, base, revision, time, record, result, checksum"
  }

  /// The SQL statement that selects the entries; its values are ``values``.
  static func entries(in table: String, opening: String) -> String {
    """
    SELECT \(columns(opening: opening)) FROM \(table) WHERE subject = $1 AND \(opening) = $2 \
    AND time >= $3 AND position < $4 ORDER BY position DESC LIMIT $5
    """
  }

  /// The SQL statement that selects the extent (``HistoryExtent``); its values are the first three of ``values``.
  static func extent(in table: String, opening: String) -> String {
    """
    SELECT max(CASE WHEN former IS NULL OR former < base THEN base END), max(revision) FROM \
    (SELECT base, revision, max(revision) OVER (ORDER BY position \
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS former \
    FROM \(table) WHERE subject = $1 AND \(opening) = $2 AND time >= $3 \
    AND base < revision) AS entries
    """
  }
}
