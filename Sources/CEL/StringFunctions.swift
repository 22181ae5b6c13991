extension Function {
  /// `contains`, `startsWith` and `endsWith`, which compare bytes and so are true to code points.
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

  /// Whether `part` occurs in `text`, in time proportional to their lengths: short parts are tried
  /// at every place, for longer ones the failure function of Knuth, Morris and Pratt is made.
  private static func occurs(_ part: Span<UInt8>, in text: Span<UInt8>) -> Bool {
    guard part.count <= text.count else { return false }
    guard part.count > 8 else {
      for offset in 0...(text.count - part.count) where matches(part, text, at: offset) {
        return true
      }
      return false
    }
    let borders = borders(of: part)
    var matched = 0
    for position in 0..<text.count {
      while matched > 0, text[position] != part[matched] { matched = borders[matched - 1] }
      if text[position] == part[matched] { matched += 1 }
      if matched == part.count { return true }
    }
    return false
  }

  /// For each prefix of `part`, the length of its longest proper prefix that is also its suffix.
  private static func borders(of part: Span<UInt8>) -> [Int] {
    var borders = Array(repeating: 0, count: part.count)
    var length = 0
    for position in 1..<part.count {
      while length > 0, part[position] != part[length] { length = borders[length - 1] }
      if part[position] == part[length] { length += 1 }
      borders[position] = length
    }
    return borders
  }
}
