/// A line of a source, as it is shown.
struct SourceLine {
  let text: String
  /// The offsets of its bytes, with that of its end.
  let range: ClosedRange<Int>
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    range = bytes.startIndex...bytes.endIndex
    text = printable(String(decoding: bytes, as: UTF8.self))
  }

  /// The number of code points before the byte at `offset`.
  func column(of offset: Int) -> Int {
    String(decoding: bytes[range.lowerBound..<offset], as: UTF8.self).unicodeScalars.count
  }
}

/// The lines of a source.
struct SourceLines: Sequence {
  private let source: String

  init(_ source: String) { self.source = source }

  func makeIterator() -> IndexingIterator<[SourceLine]> {
    let parts = Array(source.utf8)
      .split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
    return parts.map { SourceLine($0) }.makeIterator()
  }
}

/// Returns the text without control characters, which would reach the reader's terminal.
func printable(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    result.append(scalar == "\t" ? " " : isControl ? "\u{FFFD}" : scalar)
  }
  return String(result)
}
