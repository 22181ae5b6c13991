/// A request target taken apart: path segments and query, decoded.
struct Target {
  let segments: [String]
  let query: Query

  /// Decodes an origin-form target (RFC 9112, 3.2.1).
  init(_ text: String) throws(Refusal) {
    guard text.utf8.first == UInt8(ascii: "/"), text.utf8.allSatisfy(\.isVisibleASCII) else {
      throw .malformedTarget
    }
    let bytes = text.utf8.dropFirst()
    let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
    segments = try Self.segments(bytes[..<(mark ?? bytes.endIndex)])
    query = if let mark { try Query(decoding: bytes[mark...].dropFirst()) } else { .empty }
  }

  private static func segments(_ path: Substring.UTF8View) throws(Refusal) -> [String] {
    guard !path.isEmpty else { return [] }
    var segments: [String] = []
    for piece in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let segment = try PercentDecoding.text(piece)
      guard !segment.utf8.contains(UInt8(ascii: "/")) else { throw .malformedEscape }
      segments.append(segment)
    }
    return segments
  }
}

/// The decoding of `%41` and its like.
enum PercentDecoding {
  /// The text with its escapes resolved, and with `spaces` every `+` a space.
  ///
  /// Throws `malformedEscape` for anything but two hexadecimal digits after a `%`, for `%00`, and
  /// when the bytes are no UTF-8.
  static func text(_ text: Substring.UTF8View, spaces: Bool = false) throws(Refusal) -> String {
    guard text.contains(where: { $0 == UInt8(ascii: "%") || spaces && $0 == UInt8(ascii: "+") })
    else { return String(Substring(text)) }
    let bytes = try bytes(text, spaces: spaces)
    guard let decoded = String(validating: bytes, as: UTF8.self) else { throw .malformedEscape }
    return decoded
  }

  private static func bytes(
    _ text: Substring.UTF8View, spaces: Bool
  ) throws(Refusal) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"): bytes.append(try escaped(rest.next(), rest.next()))
      case UInt8(ascii: "+") where spaces: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  private static func escaped(_ high: UInt8?, _ low: UInt8?) throws(Refusal) -> UInt8 {
    guard let high = high?.hexadecimalValue, let low = low?.hexadecimalValue, high | low != 0 else {
      throw .malformedEscape
    }
    return high << 4 | low
  }
}

extension UInt8 {
  /// Whether it is one of the 94 characters that ASCII can print, space not among them.
  var isVisibleASCII: Bool { (0x21...0x7E).contains(self) }

  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
