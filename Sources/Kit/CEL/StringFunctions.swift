extension Function {
  /// `contains`, `startsWith` and `endsWith`, which compare bytes, and so respect code points.
  static let strings = [
    test("contains") { (text, part) in occurs(part, in: text) },
    test("startsWith") { (text, part) in
      part.count <= text.count && matches(part, text, at: 0)
    },
    test("endsWith") { (text, part) in
      part.count <= text.count && matches(part, text, at: text.count - part.count)
    },
  ]

  private static func test(
    _ name: String, _ isTrue: @escaping @Sendable (Span<UInt8>, Span<UInt8>) -> Bool
  ) -> Function {
    Function(
      name: name, styles: [.member],
      body: .binary({ (text, part, meter) throws(Failure) in
        guard case .string(let text) = text, case .string(let part) = part else {
          throw .noSuchOverload(name, [text.type, part.type])
        }
        try meter.charge(bytes: text.utf8.count + part.utf8.count)
        return .bool(isTrue(text.utf8.span, part.utf8.span))
      }))
  }

  private static func matches(
    _ part: Span<UInt8>, _ text: Span<UInt8>, at offset: Int
  ) -> Bool {
    for position in 0..<part.count where text[offset + position] != part[position] { return false }
    return true
  }

  /// True if `part` occurs in `text`, in time proportional to their lengths: short parts are compared at every
  /// place, longer ones searched for.
  private static func occurs(_ part: Span<UInt8>, in text: Span<UInt8>) -> Bool {
    guard part.count <= text.count else { return false }
    guard part.count > 8 else {
      for offset in 0...(text.count - part.count) where matches(part, text, at: offset) {
        return true
      }
      return false
    }
    return ByteSearch(part).first(in: text) != nil
  }
}

/// The functions of the strings extension from a string to a string.
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

  /// Reverses a string or a list.
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

  /// Returns the character after the backslash in the escape of `byte`; nil if it needs none.
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

  /// The code points in reverse order, each with its bytes in order.
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

  /// The string without Unicode white space at both ends.
  fileprivate var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isWhiteSpace }),
      let last = scalars.lastIndex(where: { !$0.isWhiteSpace })
    else { return "" }
    return String(scalars[first...last])
  }
}

extension Unicode.Scalar {
  /// The Unicode property, which takes ten times as long for a look-up.
  fileprivate var isWhiteSpace: Bool {
    isASCII ? self == " " || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}

/// The functions of the strings extension with offsets, all in code points.
extension Function {
  static let stringOffsets = [
    Function(name: "charAt", styles: [.member], body: .binary(charAt)),
    Function(name: "substring", styles: [.member], body: .binary(suffix)),
    Function(name: "substring", styles: [.member], body: .variadic(3, substring)),
    Function(name: "indexOf", styles: [.member], body: .binary(indexOf)),
    Function(name: "indexOf", styles: [.member], body: .variadic(3, indexOfAfter)),
    Function(name: "lastIndexOf", styles: [.member], body: .binary(lastIndexOf)),
    Function(name: "lastIndexOf", styles: [.member], body: .variadic(3, lastIndexOfBefore)),
  ]

  private static func charAt(
    _ text: Value, at offset: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = text, case .int(let offset) = offset else {
      throw .noSuchOverload("charAt", [text.type, offset.type])
    }
    try meter.charge(bytes: text.utf8.count)
    let start = try text.byteOffset(offset)
    guard start < text.utf8.count else { return .string("") }
    return .string(text.slice(start, try text.byteOffset(offset + 1)))
  }

  private static func suffix(
    of text: Value, from start: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = text, case .int(let start) = start else {
      throw .noSuchOverload("substring", [text.type, start.type])
    }
    try meter.charge(bytes: text.utf8.count)
    let first = try text.byteOffset(start)
    try meter.produce(bytes: text.utf8.count - first)
    return .string(text.slice(first, text.utf8.count))
  }

  private static func substring(
    _ arguments: [Value], _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .int(let start) = arguments[1],
      case .int(let end) = arguments[2]
    else { throw .noSuchOverload("substring", arguments.map(\.type)) }
    try meter.charge(bytes: text.utf8.count)
    let first = try text.byteOffset(start)
    let last = try text.byteOffset(end)
    guard start <= end else { throw .argument(.range(start, end)) }
    try meter.produce(bytes: last - first)
    return .string(text.slice(first, last))
  }

  private static func indexOf(
    in text: Value, _ part: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = text, case .string(let part) = part else {
      throw .noSuchOverload("indexOf", [text.type, part.type])
    }
    return try first(part, in: text, from: 0, &meter)
  }

  private static func indexOfAfter(
    _ arguments: [Value], _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .string(let part) = arguments[1],
      case .int(let start) = arguments[2]
    else { throw .noSuchOverload("indexOf", arguments.map(\.type)) }
    return try first(part, in: text, from: start, &meter)
  }

  private static func first(
    _ part: String, in text: String, from start: Int64, _ meter: inout Meter
  ) throws(Failure) -> Value {
    try meter.charge(bytes: text.utf8.count + part.utf8.count)
    let first = try text.byteOffset(start)
    let found = ByteSearch(part.utf8.span).first(in: text.utf8.span, from: first)
    return .int(found.map { Int64(text.codePoints(inFirst: $0)) } ?? -1)
  }

  private static func lastIndexOf(
    in text: Value, _ part: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = text, case .string(let part) = part else {
      throw .noSuchOverload("lastIndexOf", [text.type, part.type])
    }
    try meter.charge(bytes: 2 * (text.utf8.count + part.utf8.count))
    return last(part, in: text, upTo: text.utf8.count)
  }

  private static func lastIndexOfBefore(
    _ arguments: [Value], _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .string(let part) = arguments[1],
      case .int(let start) = arguments[2]
    else { throw .noSuchOverload("lastIndexOf", arguments.map(\.type)) }
    try meter.charge(bytes: 2 * (text.utf8.count + part.utf8.count))
    return last(part, in: text, upTo: try text.byteOffset(start))
  }

  /// Returns the last occurrence that begins at or before `start`: the first one in the reverse.
  private static func last(_ part: String, in text: String, upTo start: Int) -> Value {
    let end = min(text.utf8.count, start + part.utf8.count)
    let reversed = Array(text.utf8.prefix(end).reversed())
    let found = ByteSearch(part.utf8.reversed()).first(in: reversed.span)
    let offset = found.map { end - $0 - part.utf8.count }
    return .int(offset.map { Int64(text.codePoints(inFirst: $0)) } ?? -1)
  }
}

/// `join`, `split` and `replace`.
extension Function {
  static let stringLists = [
    Function(
      name: "join", styles: [.member],
      body: .unary({ (list, meter) throws(Failure) in try join([list], &meter) })),
    Function(
      name: "join", styles: [.member],
      body: .binary({ (list, separator, meter) throws(Failure) in
        try join([list, separator], &meter)
      })),
    Function(
      name: "split", styles: [.member],
      body: .binary({ (text, separator, meter) throws(Failure) in
        try split([text, separator], &meter)
      })),
    Function(name: "split", styles: [.member], body: .variadic(3, split)),
    Function(name: "replace", styles: [.member], body: .variadic(3, replace)),
    Function(name: "replace", styles: [.member], body: .variadic(4, replace)),
  ]

  private static func join(_ arguments: [Value], _ meter: inout Meter) throws(Failure) -> Value {
    guard case .list(let list) = arguments[0],
      case .string(let separator) = arguments.count > 1 ? arguments[1] : .string("")
    else { throw .noSuchOverload("join", arguments.map(\.type)) }
    var joined = ""
    for position in 0..<list.count {
      guard case .string(let part)? = list[position] else {
        throw .noSuchOverload("join", [.list] + (list[position].map { [$0.type] } ?? []))
      }
      let before = position > 0 ? separator : ""
      let added = before.utf8.count + part.utf8.count
      try meter.produce(bytes: joined.utf8.count + added, growingBy: added)
      joined += before
      joined += part
    }
    return .string(joined)
  }

  /// Splits into at most `limit` parts, the last one being the rest; a negative limit is none. An empty
  /// separator splits between all code points.
  private static func split(_ arguments: [Value], _ meter: inout Meter) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .string(let separator) = arguments[1],
      case .int(let limit) = arguments.count > 2 ? arguments[2] : .int(-1)
    else { throw .noSuchOverload("split", arguments.map(\.type)) }
    guard limit != 0 else { return .list(.values([])) }
    try meter.charge(4)
    try meter.charge(bytes: text.utf8.count + separator.utf8.count)
    let most = limit < 0 ? Int.max : Int(limit) - 1
    // One more than allowed shows that there are too many.
    let cuts = text.occurrences(
      of: separator, limit: min(most, meter.limits.maximumElements), betweenCodePoints: true)
    try meter.produce(elements: cuts.count + 1)
    if text.isEmpty, separator.isEmpty { return .list(.values([])) }
    return .list(.values(text.parts(between: cuts, separator.utf8.count).map { .string($0) }))
  }

  /// Makes at most `limit` replacements; a negative limit is none. An empty text is found before, between and
  /// after all code points.
  private static func replace(_ arguments: [Value], _ meter: inout Meter) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .string(let old) = arguments[1],
      case .string(let new) = arguments[2],
      case .int(let limit) = arguments.count > 3 ? arguments[3] : .int(-1)
    else { throw .noSuchOverload("replace", arguments.map(\.type)) }
    try meter.charge(4)
    try meter.charge(bytes: text.utf8.count + old.utf8.count)
    let most = limit < 0 ? Int.max : Int(limit)
    let cuts = text.occurrences(of: old, limit: most, betweenCodePoints: false)
    try meter.charge(cuts.count)
    let (added, isTooLong) = cuts.count.multipliedReportingOverflow(by: new.utf8.count)
    try meter.produce(
      bytes: isTooLong ? .max : added + text.utf8.count - cuts.count * old.utf8.count)
    return .string(text.replacing(cuts, old.utf8.count, with: new))
  }
}

extension String {
  /// Returns the byte offsets where `part` occurs; an empty part occurs at every code point and, unless
  /// `betweenCodePoints`, at both ends.
  fileprivate func occurrences(
    of part: String, limit: Int, betweenCodePoints: Bool
  ) -> [Int] {
    guard part.isEmpty else {
      return ByteSearch(part.utf8.span).all(in: utf8.span, limit: limit)
    }
    let text = utf8.span
    var offsets: [Int] = []
    for position in (betweenCodePoints ? 1 : 0)..<max(text.count, 1)
    where position < text.count && text[position] & 0xC0 != 0x80 && offsets.count < limit {
      offsets.append(position)
    }
    if !betweenCodePoints, offsets.count < limit { offsets.append(text.count) }
    return offsets
  }

  /// Returns the string with cuts of `length` bytes replaced.
  fileprivate func replacing(_ cuts: [Int], _ length: Int, with new: String) -> String {
    let text = utf8.span
    var bytes: [UInt8] = []
    var start = 0
    for cut in cuts {
      for position in start..<cut { bytes.append(text[position]) }
      bytes += new.utf8
      start = cut + length
    }
    for position in start..<text.count { bytes.append(text[position]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the parts between cuts of `length` bytes.
  fileprivate func parts(between cuts: [Int], _ length: Int) -> [String] {
    var start = 0
    var parts: [String] = []
    parts.reserveCapacity(cuts.count + 1)
    for cut in cuts {
      parts.append(slice(start, cut))
      start = cut + length
    }
    parts.append(slice(start, utf8.count))
    return parts
  }
}
