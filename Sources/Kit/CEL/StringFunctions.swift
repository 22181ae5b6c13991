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

  /// True if `part` occurs in `text`, in time proportional to their lengths: short parts are tried
  /// at every place, longer ones are searched for.
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
