/// An address of the Internet Protocol, version 4 or 6.
public struct IPAddress: Sendable, Hashable {
  /// The version of the protocol: 4 or 6.
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

  /// 224.0.0.0/24, or ff02::/16 without regard to the flags of the address.
  var isLinkLocalMulticast: Bool {
    family == 4 ? begins(with: 0xE00000, 24) : isMulticast && bits >> 112 & 0xF == 2
  }

  /// 169.254.0.0/16, or fe80::/10.
  var isLinkLocalUnicast: Bool {
    family == 4 ? begins(with: 0xA9FE, 16) : begins(with: 0xFE80 >> 6, 10)
  }

  /// An address that is none of the others, private ones included, and not the broadcast address.
  var isGlobalUnicast: Bool {
    let isBroadcast = family == 4 && bits == 0xFFFF_FFFF
    return !isUnspecified && !isLoopback && !isMulticast && !isLinkLocalUnicast && !isBroadcast
  }

  private func begins(with prefix: UInt128, _ length: Int) -> Bool {
    bits >> (width - length) == prefix
  }
}
