/// The line where a source range begins, for messages.
struct SourceExcerpt {
  /// The line number, from 1.
  let line: Int
  /// The column where the range begins, in code points, from 1.
  let column: Int
  private let before: String
  private let marked: String
  private let after: String

  init(_ source: String, _ range: SourceRange) {
    let bytes = Array(source.utf8)
    let start = min(max(range.start, 0), bytes.count)
    let end = min(max(range.end, start), bytes.count)
    let lineStart = bytes[..<start].lastIndex(where: Self.isBreak).map { $0 + 1 } ?? 0
    let lineEnd = bytes[start...].firstIndex(where: Self.isBreak) ?? bytes.count
    line = 1 + Self.breaks(in: bytes[..<lineStart])
    before = String(decoding: bytes[lineStart..<start], as: UTF8.self)
    marked = String(decoding: bytes[start..<min(end, lineEnd)], as: UTF8.self)
    after = String(decoding: bytes[min(end, lineEnd)..<lineEnd], as: UTF8.self)
    column = before.unicodeScalars.count + 1
  }

  /// The line and, below it, carets under the range.
  var rendered: String {
    var text = ""
    for scalar in (before + marked + after).unicodeScalars {
      text.unicodeScalars.append(Self.printable(scalar))
    }
    text += "\n"
    for character in before {
      text += character == "\t" ? "\t" : String(repeating: " ", count: character.columns)
    }
    return text + String(repeating: "^", count: max(marked.width, 1))
  }

  /// Returns `headline` after line and column, with the excerpt below it.
  func message(_ headline: String) -> String {
    "\(line):\(column): \(headline)\n\(rendered)"
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func breaks(in bytes: ArraySlice<UInt8>) -> Int {
    var count = 0
    var previous: UInt8 = 0
    for byte in bytes {
      if isBreak(byte), !(byte == 0x0A && previous == 0x0D) { count += 1 }
      previous = byte
    }
    return count
  }

  /// Control characters would reach the reader's terminal.
  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar == "\t" { return scalar }
    let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    return isControl ? "\u{FFFD}" : scalar
  }
}

/// The range of a part of a program in its source, in UTF-8 bytes.
public struct SourceRange: Sendable, Equatable {
  /// The offset of the first byte.
  public let start: Int
  /// The offset after the last byte.
  public let end: Int

  /// Creates the range from `start` up to `end`.
  public init(_ start: Int, _ end: Int) {
    self.start = start
    self.end = end
  }

  /// Returns the range from the start of this one to the end of `other`.
  func through(_ other: SourceRange) -> SourceRange { SourceRange(start, other.end) }
}

/// Returns the most similar name; nil if none is similar enough: up to a third of the letters may be inserted,
/// removed, replaced, or swapped with a neighbour.
package func nearest(to name: String, among names: [String]) -> String? {
  let wanted = Array(name.utf8)
  guard wanted.count <= 40 else { return nil }
  let most = max(1, wanted.count / 3)
  // The distance is at least the difference in length.
  let near = names.filter { abs($0.utf8.count - wanted.count) <= most }
  let distances = near.map { ($0, distance(wanted, Array($0.utf8))) }
  guard let best = distances.min(by: { $0.1 < $1.1 }) else { return nil }
  return best.1 <= most && best.1 < wanted.count ? best.0 : nil
}

/// Returns the optimal string alignment distance.
private func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for (row, letter) in first.enumerated() {
    var current = [row + 1]
    for (column, other) in second.enumerated() {
      let replaced = previous[column] + (letter == other ? 0 : 1)
      var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
        best = min(best, beforePrevious[column - 1] + 1)
      }
      current.append(best)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[second.count]
}
