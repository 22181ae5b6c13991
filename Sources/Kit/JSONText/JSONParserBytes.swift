// How the parser looks at and moves over single bytes.

extension JSONParser {
  /// The byte at the position, or nil at the end.
  @inline(__always)
  func peek(_ bytes: Span<UInt8>) -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  /// Moves past `byte` when it is the next one.
  @inline(__always)
  mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  mutating func skipWhitespace(_ bytes: Span<UInt8>) {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        return
      }
      position += 1
    }
  }

  /// A fault at the position, which is `unexpectedEnd` when nothing is left there.
  func fault(_ reason: JSONFault.Reason, _ bytes: Span<UInt8>) -> JSONFault {
    JSONFault(position < bytes.count ? reason : .unexpectedEnd, at: position, of: bytes)
  }
}
