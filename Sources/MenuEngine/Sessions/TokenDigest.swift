/// The SHA-256 digest of the token that a session is asked with. A reader of memory or of a journal
/// cannot show the token itself.
///
/// The engine only keeps it, so that whatever stores a session stores this too.
package struct TokenDigest: Codable, Sendable {
  private let first: Int64
  private let second: Int64
  private let third: Int64
  private let fourth: Int64

  /// The digest of these 64-bit words, the first bytes in the first word.
  package init(words: (Int64, Int64, Int64, Int64)) {
    (first, second, third, fourth) = words
  }
}

extension TokenDigest: Hashable {
  /// True if they are the same, found out in the same time wherever they differ.
  package static func == (a: TokenDigest, b: TokenDigest) -> Bool {
    let different =
      (a.first ^ b.first) | (a.second ^ b.second) | (a.third ^ b.third) | (a.fourth ^ b.fourth)
    return different == 0
  }

  /// Feeds the words to a hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    hasher.combine(second)
    hasher.combine(third)
    hasher.combine(fourth)
  }
}
