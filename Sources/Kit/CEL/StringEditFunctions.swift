/// The functions of the strings extension that make one string of another.
extension Function {
  static let stringEdits = [
    edit("lowerAscii") { text in
      .string(text.mappingASCII { (65...90).contains($0) ? $0 + 32 : $0 })
    },
    edit("upperAscii") { text in
      .string(text.mappingASCII { (97...122).contains($0) ? $0 - 32 : $0 })
    },
    edit("trim") { .string($0.trimmed) },
    Function(name: "reverse", styles: [.member], body: .unary(reverse)),
    Function(name: "strings.quote", styles: [.global], body: .unary(quote)),
  ]

  private static func edit(
    _ name: String, _ change: @escaping @Sendable (String) -> Value
  ) -> Function {
    Function(
      name: name, styles: [.member],
      body: .unary({ (value, meter) throws(Failure) in
        guard case .string(let text) = value else { throw .noSuchOverload(name, [value.type]) }
        try meter.charge(bytes: text.utf8.count)
        try meter.produce(bytes: text.utf8.count)
        return change(text)
      }))
  }

  /// Of a string or a list.
  private static func reverse(_ value: Value, _ meter: inout Meter) throws(Failure) -> Value {
    switch value {
    case .string(let text):
      try meter.charge(bytes: text.utf8.count)
      try meter.produce(bytes: text.utf8.count)
      return .string(text.reversedCodePoints)
    case .list(let list):
      try meter.produce(elements: list.count)
      return .list(.values(list.elements.reversed()))
    default: throw .noSuchOverload("reverse", [value.type])
    }
  }

  private static func quote(_ value: Value, _ meter: inout Meter) throws(Failure) -> Value {
    guard case .string(let text) = value else {
      throw .noSuchOverload("strings.quote", [value.type])
    }
    try meter.charge(bytes: text.utf8.count)
    let escapes = text.utf8.count { escape($0) != nil }
    try meter.produce(bytes: text.utf8.count + escapes + 2)
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      if let letter = escape(byte) {
        quoted += [UInt8(ascii: "\\"), letter]
      } else {
        quoted.append(byte)
      }
    }
    quoted.append(UInt8(ascii: "\""))
    return .string(String(decoding: quoted, as: UTF8.self))
  }

  /// Returns the character after the backslash that `byte` is escaped with, if it needs one.
  private static func escape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x07: UInt8(ascii: "a")
    case 0x08: UInt8(ascii: "b")
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0B: UInt8(ascii: "v")
    case 0x0C: UInt8(ascii: "f")
    case 0x0D: UInt8(ascii: "r")
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
    default: nil
    }
  }
}

extension String {
  fileprivate func mappingASCII(_ change: (UInt8) -> UInt8) -> String {
    String(decoding: utf8.map { $0 < 0x80 ? change($0) : $0 }, as: UTF8.self)
  }

  /// With the bytes of each code point in their order, but the code points in the opposite one.
  fileprivate var reversedCodePoints: String {
    let text = utf8.span
    var reversed: [UInt8] = []
    reversed.reserveCapacity(text.count)
    var end = text.count
    for start in text.indices.reversed() where text[start] & 0xC0 != 0x80 {
      for position in start..<end { reversed.append(text[position]) }
      end = start
    }
    return String(decoding: reversed, as: UTF8.self)
  }

  /// Without the white space, as Unicode has it, at both ends.
  fileprivate var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isWhiteSpace }),
      let last = scalars.lastIndex(where: { !$0.isWhiteSpace })
    else { return "" }
    return String(scalars[first...last])
  }
}

extension Unicode.Scalar {
  /// As the property of Unicode, which takes ten times as long to look up.
  fileprivate var isWhiteSpace: Bool {
    isASCII ? self == " " || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}
