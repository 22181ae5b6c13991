/// Values below the columns that they belong to, with bars between:
///
///     a == 1
///     | |
///     2 false
struct ValueDiagram {
  struct Label {
    let column: Int
    let text: String
    /// An ANSI code.
    let color: Int?
  }

  private let labels: [Label]

  init(_ labels: [Label]) { self.labels = labels.sorted { $0.column < $1.column } }

  /// The lines: bars, then in each line as many values as fit, from the right.
  var lines: [String] {
    guard !labels.isEmpty else { return [] }
    var lines = [row([], bars: labels)]
    var open = labels
    while !open.isEmpty {
      let placed = lastFitting(open)
      open.removeAll { label in placed.contains { $0.column == label.column } }
      lines.append(row(placed, bars: open))
    }
    return lines
  }

  /// The labels that reach none of those to their right.
  private func lastFitting(_ open: [Label]) -> [Label] {
    var placed: [Label] = []
    var limit = Int.max
    for label in open.reversed() {
      if label.column + label.text.unicodeScalars.count < limit { placed.append(label) }
      limit = label.column
    }
    return placed
  }

  private func row(_ placed: [Label], bars: [Label]) -> String {
    let bars = bars.map { Label(column: $0.column, text: "|", color: nil) }
    var text = ""
    var column = 0
    for label in (placed + bars).sorted(by: { $0.column < $1.column }) {
      text += String(repeating: " ", count: max(label.column - column, 0))
      text += label.color.map { "\u{1B}[\($0)m\(label.text)\u{1B}[0m" } ?? label.text
      column = label.column + label.text.unicodeScalars.count
    }
    return text
  }
}
