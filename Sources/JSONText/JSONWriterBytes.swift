// How strings and integers become bytes.

extension [UInt8] {
  /// Appends `string` in double quotes, escaping only what JSON requires.
  mutating func appendQuoted(_ string: String) {
    append(UInt8(ascii: "\""))
    if string.utf8.span.needsEscape {
      for byte in string.utf8 { appendEscaped(byte) }
    } else {
      append(contentsOf: string.utf8)
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends `int` in decimal.
  mutating func appendDecimal(_ int: Int64) {
    if 0...9 ~= int {
      append(UInt8(ascii: "0") + UInt8(int))
    } else {
      append(contentsOf: int.description.utf8)
    }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
    case 0x0A: append(contentsOf: "\\n".utf8)
    case 0x0D: append(contentsOf: "\\r".utf8)
    case 0x09: append(contentsOf: "\\t".utf8)
    case 0x00..<0x10: append(contentsOf: "\\u000\(String(byte, radix: 16))".utf8)
    case 0x10..<0x20: append(contentsOf: "\\u00\(String(byte, radix: 16))".utf8)
    default: append(byte)
    }
  }
}

extension Span<UInt8> {
  /// Whether a quote, a backslash or a control character is among the bytes.
  fileprivate var needsEscape: Bool {
    for position in indices {
      let byte = self[position]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return true }
    }
    return false
  }
}
