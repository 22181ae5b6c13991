/// Offsets in code points, as the language counts them, against offsets in UTF-8 bytes.
extension String {
  /// The number of code points in the first `bytes` bytes.
  func codePoints(inFirst bytes: Int) -> Int {
    let text = utf8.span
    var count = 0
    for position in 0..<min(bytes, text.count) where text[position] & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// The offset in bytes of the code point at `offset`, or of the end.
  ///
  /// Throws when there is no such offset.
  func byteOffset(_ offset: Int64) throws(EvaluationFault.Reason) -> Int {
    let text = utf8.span
    var count: Int64 = 0
    for position in 0..<text.count where text[position] & 0xC0 != 0x80 {
      if count == offset { return position }
      count += 1
    }
    guard count == offset else { throw .argument(.offset(offset, length: Int(count))) }
    return text.count
  }

  /// The part between two offsets in bytes, which must be those of code points.
  func slice(_ start: Int, _ end: Int) -> String {
    let first = utf8.index(utf8.startIndex, offsetBy: start)
    return String(self[first..<utf8.index(first, offsetBy: end - start)])
  }
}
