/// The histories that a journal has. Any thread may ask.
package protocol Histories: Sendable {
  /// Returns rows of the history of a session, the latest first.
  func rows(for question: HistoryQuestion) throws(JournalFault) -> [HistoryRow]

  /// Returns the changes that the history of a session knows; nil if it has no rows.
  func extent(for question: HistoryQuestion) throws(JournalFault) -> HistoryExtent?

  /// Hands out the rows of all histories, those of each in order.
  func readAll(_ read: (HistoryRow) throws(JournalFault) -> Void) throws(JournalFault)
}
