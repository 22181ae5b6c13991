/// The texts of addresses: `192.168.0.1`, and for version 6 the forms of RFC 4291, including those
/// that end like version 4: `64:ff9b::192.0.2.1`.
extension IPAddress {
  /// The address that `text` names, or nil when it has another form.
  ///
  /// Numbers of version 4 have no zeros before them. There are no zones (`%eth0`). An address of version
  /// 4 mapped into version 6 is that address of version 4 when it is written in hexadecimal
  /// (`::ffff:c0a8:1` is `192.168.0.1`), and none when it is dotted (`::ffff:192.168.0.1`), as the
  /// conformance suite wants it.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.longestText else { return nil }
    var cursor = ByteCursor(text)
    let isFour = !text.utf8.contains(UInt8(ascii: ":"))
    guard let bits = isFour ? cursor.dottedQuad() : cursor.groups(), cursor.isAtEnd else {
      return nil
    }
    let isMapped = bits >> 32 == 0xFFFF
    if isMapped, text.utf8.contains(UInt8(ascii: ".")) { return nil }
    self.init(family: isFour || isMapped ? 4 : 6, bits: isMapped ? bits & 0xFFFF_FFFF : bits)
  }

  /// Six groups of four digits, and four numbers of three.
  static let longestText = 45

  /// The steps that reading an address takes.
  static let cost = 8

  /// The canonical text, for version 6 that of RFC 5952: lower case, and the longest row of zeros
  /// shortened.
  public var text: String {
    if family == 4 {
      return [24, 16, 8, 0].map { String(bits >> $0 & 0xFF) }.joined(separator: ".")
    }
    let groups = (0..<8).map { bits >> (112 - 16 * $0) & 0xFFFF }
    let texts = groups.map { String($0, radix: 16) }
    guard let zeros = Self.longestZeros(groups) else { return texts.joined(separator: ":") }
    return texts[..<zeros.lowerBound].joined(separator: ":") + "::"
      + texts[zeros.upperBound...].joined(separator: ":")
  }

  /// The first of the longest rows of two zeros or more.
  private static func longestZeros(_ groups: [UInt128]) -> Range<Int>? {
    var longest = 0..<1
    var start = 0
    for (index, group) in groups.enumerated() {
      if group != 0 { start = index + 1 }
      if index + 1 - start > longest.count { longest = start..<(index + 1) }
    }
    return longest.count > 1 ? longest : nil
  }
}

extension ByteCursor {
  fileprivate mutating func dottedQuad() -> UInt128? {
    var bits: UInt128 = 0
    for part in 0..<4 {
      guard part == 0 || accept(".") else { return nil }
      let isZero = next == UInt8(ascii: "0")
      guard let number = digits(isZero ? 1...1 : 1...3), number < 256 else { return nil }
      bits = bits << 8 | UInt128(number)
    }
    return bits
  }

  /// Eight groups, or fewer where `::` stands for the others.
  fileprivate mutating func groups() -> UInt128? {
    let before = accept(text: "::") ? [] : row()
    guard let before else { return nil }
    let isShortened = position == 2 && before.isEmpty || accept(text: "::")
    guard isShortened else { return before.count == 8 ? Self.bits(before) : nil }
    guard let after = isAtEnd ? [] : row(), before.count + after.count < 8 else { return nil }
    let zeros = Array(repeating: UInt128(0), count: 8 - before.count - after.count)
    return Self.bits(before + zeros + after)
  }

  /// Reads groups with single colons between them; the last two may be a dotted quad.
  private mutating func row() -> [UInt128]? {
    var groups: [UInt128] = []
    repeat {
      if let quad = lastQuad() { return groups + [quad >> 16, quad & 0xFFFF] }
      guard let group = group() else { return nil }
      groups.append(group)
    } while groups.count < 8 && acceptSingleColon()
    return groups
  }

  private mutating func lastQuad() -> UInt128? {
    var rest = self
    guard let quad = rest.dottedQuad(), rest.isAtEnd else { return nil }
    self = rest
    return quad
  }

  private mutating func group() -> UInt128? {
    var group: UInt128 = 0
    var count = 0
    while count < 4, let digit = next.hexadecimalValue {
      group = group << 4 | UInt128(digit)
      count += 1
      advance()
    }
    return count > 0 ? group : nil
  }

  private mutating func acceptSingleColon() -> Bool {
    var rest = self
    guard rest.accept(":"), rest.next != UInt8(ascii: ":") else { return false }
    return accept(":")
  }

  private static func bits(_ groups: [UInt128]) -> UInt128 {
    groups.reduce(0) { $0 << 16 | $1 }
  }
}
