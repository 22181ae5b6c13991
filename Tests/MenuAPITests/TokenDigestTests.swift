import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

struct TokenDigestTests {
  @Test func `a token has the digest of the standard`() {
    let digest = TokenDigest(
      words: (
        Int64(bitPattern: 0xba78_16bf_8f01_cfea), Int64(bitPattern: 0x4141_40de_5dae_2223),
        Int64(bitPattern: 0xb003_61a3_9617_7a9c), Int64(bitPattern: 0xb410_ff61_f200_15ad)
      ))
    #expect(TokenDigest(of: "abc") == digest)
  }

  @Test func `no two lists of parts have one digest`() {
    let lists: [[[UInt8]]] = [[[1, 2]], [[1], [2]], [[], [1, 2]], [[1, 2], []], []]
    #expect(Set(lists.map(SHA256.digest(ofParts:))).count == lists.count)
  }

  @Test func `digests are the same only when every word is`() {
    let digest = TokenDigest(words: (1, 2, 3, 4))
    #expect(digest == TokenDigest(words: (1, 2, 3, 4)))
    for other in [
      TokenDigest(words: (0, 2, 3, 4)), TokenDigest(words: (1, 0, 3, 4)),
      TokenDigest(words: (1, 2, 0, 4)),
      TokenDigest(words: (1, 2, 3, 0)), TokenDigest(words: (1 | .min, 2, 3, 4)),
    ] {
      #expect(digest != other)
    }
  }
}
