extension Function {
  /// The encoders extension.
  static let encoders = [
    Function(
      name: "base64.encode", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        guard case .bytes(let bytes) = value else {
          throw .noSuchOverload("base64.encode", [value.type])
        }
        try meter.produce(bytes: (bytes.count + 2) / 3 * 4)
        return .string(Base64.text(bytes))
      })),
    Function(
      name: "base64.decode", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        guard case .string(let text) = value else {
          throw .noSuchOverload("base64.decode", [value.type])
        }
        try meter.charge(bytes: text.utf8.count)
        guard let bytes = Base64.bytes(text) else {
          throw .conversion(of: try meter.describing(value), to: .bytes)
        }
        return .bytes(bytes)
      })),
  ]
}

/// Base64 (RFC 4648, 4) with the standard alphabet.
package enum Base64 {
  /// Returns the padded text of `bytes`.
  package static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var bits = 0
      for position in 0..<3 {
        bits = bits << 8 | (position < count ? Int(bytes[start + position]) : 0)
      }
      for position in 0..<4 {
        text.append(position <= count ? alphabet[bits >> (18 - 6 * position) & 63] : padding)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes `text`; nil if it is invalid. The padding may be missing, but not in part.
  package static func bytes(_ text: String) -> [UInt8]? {
    var digits = ArraySlice(text.utf8)
    let isPadded = digits.last == padding
    while digits.last == padding, text.utf8.count - digits.count < 2 { digits.removeLast() }
    guard digits.count % 4 != 1, !isPadded || text.utf8.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var bits = 0
    for (position, digit) in digits.enumerated() {
      guard let value = value(digit) else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      let surplus = (position % 4) * 2
      if position % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - surplus))) }
    }
    return bytes
  }

  /// Returns the bytes of a text as `text(_:)` writes it; nil for every other text of the same bytes.
  package static func bytes(canonical text: String) -> [UInt8]? {
    bytes(text).flatMap { Self.text($0).utf8.elementsEqual(text.utf8) ? $0 : nil }
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let padding = UInt8(ascii: "=")

  private static func value(_ digit: UInt8) -> Int? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit) - 48 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
