import CEL
import JSONText

/// The standard output of `menud do`.
enum DoOutput {
  /// Prints the body of an answer unchanged.
  static func print(_ answer: DoAnswer) { printLine(answer.body) }

  static func printLine(_ bytes: [UInt8]) {
    let isLine = bytes.last == UInt8(ascii: "\n")
    Posix.print(bytes + (isLine ? [] : [UInt8(ascii: "\n")]))
  }

  /// True if it is a terminal that shows colours.
  static var isColored: Bool {
    let isDumb = Posix.environmentValue("TERM") == "dumb"
    return Posix.isInteractive && !isDumb && (Posix.environmentValue("NO_COLOR") ?? "").isEmpty
  }
}

/// Rows of cells for people, in columns.
struct DoTable {
  struct Row {
    var cells: [String]
    /// True if it is dimmed, where colours are shown.
    var isDim = false
  }

  var heading: [String]?
  var rows: [Row] = []
  /// The maximum width of a column on a terminal, except the last one.
  static let widestColumn = 60

  /// Returns the lines, truncated to a number of columns if there is one.
  func lines(columns: Int? = nil, isColored: Bool = false) -> [String] {
    let all = (heading.map { [Row(cells: $0)] } ?? []) + rows
    let plain = all.map { row in row.cells.map { $0.plainText() } }
    let count = plain.map(\.count).max() ?? 0
    let widest = columns == nil ? Int.max : Self.widestColumn
    let widths = (0..<count).map { column in
      min(widest, plain.map { $0.count > column ? $0[column].width : 0 }.max() ?? 0)
    }
    return zip(all, plain).map { row, cells in
      let last = cells.lastIndex { !$0.isEmpty } ?? 0
      var line = ""
      for (column, cell) in cells.enumerated() where column <= last {
        line += column == last ? cell : cell.filled(to: widths[column]) + "  "
      }
      if let columns { line = line.cut(to: columns) }
      return row.isDim && isColored ? "\u{1B}[2m\(line)\u{1B}[0m" : line
    }
  }

  /// Prints the lines, truncated to the width of the terminal if there is one.
  func print() {
    let lines = lines(columns: Posix.columns, isColored: DoOutput.isColored)
    if !lines.isEmpty { Posix.print(lines.joined(separator: "\n")) }
  }
}

extension String {
  /// Returns the text with U+FFFD in place of characters that control a terminal.
  ///
  /// These are control characters, line and paragraph separators, and characters that change the writing direction.
  func plainText(keepsLines: Bool = false) -> String {
    var plain = ""
    for scalar in unicodeScalars {
      let isObeyed: Bool
      switch scalar.value {
      case 0x0A: isObeyed = !keepsLines
      case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: isObeyed = true
      default: isObeyed = false
      }
      plain.unicodeScalars.append(isObeyed ? "\u{FFFD}" : scalar)
    }
    return plain
  }

  /// Returns the text padded with spaces, or truncated, to that many columns.
  fileprivate func filled(to columns: Int) -> String {
    let cut = cut(to: columns)
    return cut + String(repeating: " ", count: columns - cut.width)
  }

  /// Returns the text; if it takes more columns, its end is replaced by an ellipsis.
  func cut(to columns: Int) -> String {
    guard width > columns else { return self }
    var (text, taken) = ("", 0)
    for character in self {
      guard taken + character.columns < columns else { break }
      text.append(character)
      taken += character.columns
    }
    return text + "…"
  }
}
