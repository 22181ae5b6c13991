import JSONText

/// The network extension: addresses (`net.IP`) and networks (`net.CIDR`).
extension Function {
  static let networks = [
    Function(
      name: "isIP", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        try meter.charge(IPAddress.cost)
        return .bool(IPAddress(try text(value, "isIP")) != nil)
      })),
    Function(
      name: "isCIDR", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        try meter.charge(IPAddress.cost)
        return .bool(IPNetwork(try text(value, "isCIDR")) != nil)
      })),
    Function(
      name: "ip.isCanonical", styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        let text = try text(value, "ip.isCanonical")
        try meter.charge(IPAddress.cost)
        guard let address = IPAddress(text) else {
          throw .conversion(of: try meter.describing(value), to: .ip)
        }
        try meter.charge(Value.ip(address).textCost)
        return .bool(address.text.hasSameBytes(as: text))
      })),
    ofAddress("family") { .int(Int64($0.family)) },
    ofAddress("isUnspecified") { .bool($0.isUnspecified) },
    ofAddress("isLoopback") { .bool($0.isLoopback) },
    ofAddress("isGlobalUnicast") { .bool($0.isGlobalUnicast) },
    ofAddress("isLinkLocalMulticast") { .bool($0.isLinkLocalMulticast) },
    ofAddress("isLinkLocalUnicast") { .bool($0.isLinkLocalUnicast) },
    ofNetwork("ip") { .ip($0.address) },
    ofNetwork("masked") { .cidr($0.masked) },
    ofNetwork("prefixLength") { .int(Int64($0.prefixLength)) },
    Function(name: "containsIP", styles: [.member], body: .binary(containsIP)),
    Function(name: "containsCIDR", styles: [.member], body: .binary(containsCIDR)),
  ]

  private static func text(_ value: Value, _ function: String) throws(Failure) -> String {
    guard case .string(let text) = value else { throw .noSuchOverload(function, [value.type]) }
    return text
  }

  private static func ofAddress(
    _ name: String, _ answer: @escaping @Sendable (IPAddress) -> Value
  ) -> Function {
    Function(
      name: name, styles: [.member],
      body: .unary({ (value, _) throws(Failure) in
        guard case .ip(let address) = value else { throw .noSuchOverload(name, [value.type]) }
        return answer(address)
      }))
  }

  private static func ofNetwork(
    _ name: String, _ answer: @escaping @Sendable (IPNetwork) -> Value
  ) -> Function {
    Function(
      name: name, styles: [.member],
      body: .unary({ (value, _) throws(Failure) in
        guard case .cidr(let network) = value else { throw .noSuchOverload(name, [value.type]) }
        return answer(network)
      }))
  }

  private static func containsIP(
    in network: Value, _ other: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    try meter.charge(IPAddress.cost)
    switch (network, other) {
    case (.cidr(let network), .ip(let address)): return .bool(network.contains(address))
    case (.cidr(let network), .string(let text)):
      guard let address = IPAddress(text) else {
        throw .conversion(of: try meter.describing(other), to: .ip)
      }
      return .bool(network.contains(address))
    default: throw .noSuchOverload("containsIP", [network.type, other.type])
    }
  }

  private static func containsCIDR(
    in network: Value, _ other: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    try meter.charge(IPAddress.cost)
    switch (network, other) {
    case (.cidr(let network), .cidr(let part)): return .bool(network.contains(part))
    case (.cidr(let network), .string(let text)):
      guard let part = IPNetwork(text) else {
        throw .conversion(of: try meter.describing(other), to: .cidr)
      }
      return .bool(network.contains(part))
    default: throw .noSuchOverload("containsCIDR", [network.type, other.type])
    }
  }
}

/// An IP address, version 4 or 6.
public struct IPAddress: Sendable, Hashable {
  /// The version: 4 or 6.
  public let family: Int
  /// The address as a number; version 4 uses the lowest 32 bits.
  public let bits: UInt128

  init(family: Int, bits: UInt128) {
    self.family = family
    self.bits = bits
  }

  /// The number of bits of an address of this version.
  var width: Int { family == 4 ? 32 : 128 }

  var isUnspecified: Bool { bits == 0 }

  var isLoopback: Bool { family == 4 ? begins(with: 127, 8) : bits == 1 }

  /// Any multicast address.
  var isMulticast: Bool { family == 4 ? begins(with: 0xE, 4) : begins(with: 0xFF, 8) }

  /// 224.0.0.0/24, or ff02::/16 with any flags.
  var isLinkLocalMulticast: Bool {
    family == 4 ? begins(with: 0xE00000, 24) : isMulticast && bits >> 112 & 0xF == 2
  }

  /// 169.254.0.0/16, or fe80::/10.
  var isLinkLocalUnicast: Bool {
    family == 4 ? begins(with: 0xA9FE, 16) : begins(with: 0xFE80 >> 6, 10)
  }

  /// True for an address that is none of the others, nor the broadcast address; private addresses count.
  var isGlobalUnicast: Bool {
    let isBroadcast = family == 4 && bits == 0xFFFF_FFFF
    return !isUnspecified && !isLoopback && !isMulticast && !isLinkLocalUnicast && !isBroadcast
  }

  private func begins(with prefix: UInt128, _ length: Int) -> Bool {
    bits >> (width - length) == prefix
  }
}

/// The text of addresses: `192.168.0.1`, and for version 6 the forms of RFC 4291, including a dotted ending:
/// `64:ff9b::192.0.2.1`.
extension IPAddress {
  /// Parses an address; nil for another form.
  ///
  /// Numbers of version 4 have no leading zeros. There are no zones (`%eth0`). A version 4 address mapped into
  /// version 6 is that version 4 address if written in hexadecimal (`::ffff:c0a8:1` is `192.168.0.1`), and
  /// invalid if dotted (`::ffff:192.168.0.1`), as the conformance suite requires.
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

  /// The steps of parsing an address.
  static let cost = 8

  /// The canonical text, for version 6 that of RFC 5952: lower case, with the longest run of zeros shortened.
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

  /// Returns the first of the longest runs of at least two zeros.
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

  /// Reads eight groups, or fewer with `::` for the others.
  fileprivate mutating func groups() -> UInt128? {
    let before = accept(text: "::") ? [] : row()
    guard let before else { return nil }
    let isShortened = position == 2 && before.isEmpty || accept(text: "::")
    guard isShortened else { return before.count == 8 ? Self.bits(before) : nil }
    guard let after = isAtEnd ? [] : row(), before.count + after.count < 8 else { return nil }
    let zeros = Array(repeating: UInt128(0), count: 8 - before.count - after.count)
    return Self.bits(before + zeros + after)
  }

  /// Reads groups separated by single colons; the last two may be a dotted quad.
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

/// A network (CIDR): the addresses with a common prefix.
public struct IPNetwork: Sendable, Hashable {
  /// The address as written, including bits beyond the prefix.
  public let address: IPAddress
  /// The number of common bits.
  public let prefixLength: Int

  /// Parses a network such as `192.168.0.0/24`; nil for another form.
  ///
  /// Networks of version 4 addresses mapped into version 6 (`::ffff:c0a8:0/112`) are invalid: their prefix
  /// length would count the bits of the other version.
  public init?(_ text: String) {
    guard text.utf8.count <= IPAddress.longestText + 4 else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = IPAddress(String(parts[0])),
      address.family == 6 || !parts[0].utf8.contains(UInt8(ascii: ":"))
    else { return nil }
    var cursor = ByteCursor(String(parts[1]))
    let isZero = cursor.next == UInt8(ascii: "0")
    guard let length = cursor.digits(isZero ? 1...1 : 1...3), cursor.isAtEnd,
      length <= address.width
    else { return nil }
    self.init(address: address, prefixLength: length)
  }

  private init(address: IPAddress, prefixLength: Int) {
    self.address = address
    self.prefixLength = prefixLength
  }

  /// The text, with the address as written.
  public var text: String { address.text + "/" + String(prefixLength) }

  /// The network with all bits beyond the prefix zero.
  var masked: IPNetwork {
    let bits = (address.bits >> hostBits) << hostBits
    return IPNetwork(
      address: IPAddress(family: address.family, bits: bits), prefixLength: prefixLength)
  }

  func contains(_ other: IPAddress) -> Bool {
    other.family == address.family && other.bits >> hostBits == address.bits >> hostBits
  }

  /// True if all addresses of the other network are in this one.
  func contains(_ other: IPNetwork) -> Bool {
    prefixLength <= other.prefixLength && contains(other.address)
  }

  private var hostBits: Int { address.width - prefixLength }
}
