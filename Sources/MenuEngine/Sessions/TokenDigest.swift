/// The SHA-256 digest of a session's bearer token. Memory and journals hold the digest only, never the token.
///
/// The engine only stores it, so that stores of sessions include it.
package struct TokenDigest: Codable, Sendable {
  private let first: Int64
  private let second: Int64
  private let third: Int64
  private let fourth: Int64

  /// Creates a digest from four 64-bit words; the first bytes are in the first word.
  package init(words: (Int64, Int64, Int64, Int64)) {
    (first, second, third, fourth) = words
  }
}

extension TokenDigest: Hashable {
  /// True if the digests are equal. The comparison takes constant time.
  package static func == (a: TokenDigest, b: TokenDigest) -> Bool {
    let different =
      (a.first ^ b.first) | (a.second ^ b.second) | (a.third ^ b.third) | (a.fourth ^ b.fourth)
    return different == 0
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    hasher.combine(second)
    hasher.combine(third)
    hasher.combine(fourth)
  }
}

extension TokenDigest {
  /// The bytes of the digest.
  package var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }
}
