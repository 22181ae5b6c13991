/// The line on which a source range begins, as a message shows it to people.
struct SourceExcerpt {
  /// The number of the line, from 1.
  let line: Int
  /// The code point within the line at which the range begins, from 1.
  let column: Int
  private let before: [Unicode.Scalar]
  private let marked: [Unicode.Scalar]
  private let after: [Unicode.Scalar]

  init(_ source: String, _ range: SourceRange) {
    let bytes = Array(source.utf8)
    let start = min(max(range.start, 0), bytes.count)
    let end = min(max(range.end, start), bytes.count)
    let lineStart = bytes[..<start].lastIndex(where: Self.isBreak).map { $0 + 1 } ?? 0
    let lineEnd = bytes[start...].firstIndex(where: Self.isBreak) ?? bytes.count
    line = 1 + Self.breaks(in: bytes[..<lineStart])
    before = Self.scalars(bytes[lineStart..<start])
    marked = Self.scalars(bytes[start..<min(end, lineEnd)])
    after = Self.scalars(bytes[min(end, lineEnd)..<lineEnd])
    column = before.count + 1
  }

  /// The line and, below it, carets under the range.
  var rendered: String {
    var text = ""
    for scalar in before + marked + after { text.unicodeScalars.append(Self.printable(scalar)) }
    text += "\n"
    for scalar in before { text += scalar == "\t" ? "\t" : " " }
    return text + String(repeating: "^", count: max(marked.count, 1))
  }

  /// `headline`, after line and column, and the excerpt below it.
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

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> [Unicode.Scalar] {
    Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  /// Control characters would reach the reader's terminal.
  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar == "\t" { return scalar }
    let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    return isControl ? "\u{FFFD}" : scalar
  }
}
