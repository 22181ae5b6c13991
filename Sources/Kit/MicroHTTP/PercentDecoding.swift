/// The decoding of `%41` and its like.
enum PercentDecoding {
  /// The text with its escapes resolved, and with `spaces` every `+` a space.
  ///
  /// Throws `malformedEscape` for anything but two hexadecimal digits after a `%`, for `%00`, and
  /// when the bytes are no UTF-8.
  static func text(_ text: Span<UInt8>, spaces: Bool = false) throws(RequestRefusal) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "%"):
        bytes.append(try escaped(text, at: index + 1))
        index += 3
      case let byte:
        bytes.append(spaces && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .malformedEscape }
    return decoded
  }

  private static func escaped(_ text: Span<UInt8>, at index: Int) throws(RequestRefusal) -> UInt8 {
    guard index + 1 < text.count, let high = text[index].hexadecimalValue,
      let low = text[index + 1].hexadecimalValue, high | low != 0
    else { throw .malformedEscape }
    return high << 4 | low
  }
}

extension String {
  /// The text with its percent escapes resolved (RFC 3986); nil if one is malformed.
  package var percentDecoded: String? { try? PercentDecoding.text(utf8.span) }
}

extension UInt8 {
  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
