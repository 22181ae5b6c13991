package import MenuStore

/// The histories of a journal that has none.
package struct NoHistories: Histories {
  package init() {}

  package func rows(for question: HistoryQuestion) -> [HistoryRow] { [] }

  package func extent(for question: HistoryQuestion) -> HistoryExtent? { nil }

  package func readAll(_ read: (HistoryRow) throws(JournalFault) -> Void) {}
}
