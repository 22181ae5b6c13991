/// A block of addresses (CIDR): those that have the first bits of an address.
public struct IPNetwork: Sendable, Hashable {
  /// The address as it was written, with bits beyond the prefix.
  public let address: IPAddress
  /// The number of bits that the addresses of the block have in common.
  public let prefixLength: Int

  /// The block that `text` names, such as `192.168.0.0/24`, or nil when it has another form.
  ///
  /// There are no blocks of addresses of version 4 mapped into version 6 (`::ffff:c0a8:0/112`): the
  /// length of their prefix would count the bits of the other version.
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

  /// The text, with the address as it is.
  public var text: String { address.text + "/" + String(prefixLength) }

  /// The block with all bits beyond the prefix zero.
  var masked: IPNetwork {
    let bits = (address.bits >> hostBits) << hostBits
    return IPNetwork(
      address: IPAddress(family: address.family, bits: bits), prefixLength: prefixLength)
  }

  func contains(_ other: IPAddress) -> Bool {
    other.family == address.family && other.bits >> hostBits == address.bits >> hostBits
  }

  /// True if all addresses of the other block are in this one.
  func contains(_ other: IPNetwork) -> Bool {
    prefixLength <= other.prefixLength && contains(other.address)
  }

  private var hostBits: Int { address.width - prefixLength }
}
