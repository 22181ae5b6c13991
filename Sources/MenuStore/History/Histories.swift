/// The histories in a journal. It can be used on any thread.
package protocol Histories: Sendable {
  /// Returns rows of the history of a session, the latest first.
  func rows(for question: HistoryQuestion) throws(JournalFault) -> [HistoryRow]

  /// Returns the range of changes in the history of a session; nil if it has no rows.
  func extent(for question: HistoryQuestion) throws(JournalFault) -> HistoryExtent?

  /// Calls `read` with the rows of all histories; the rows of one history are in order.
  func readAll(_ read: (HistoryRow) throws(JournalFault) -> Void) throws(JournalFault)
}
