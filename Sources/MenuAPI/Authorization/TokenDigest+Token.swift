package import MenuEngine
import MicroHTTP

extension TokenDigest {
  /// The digest of a token.
  package init(of token: String) {
    let bytes = SHA256.digest(of: Array(token.utf8))
    func word(_ index: Int) -> Int64 {
      bytes[(8 * index)..<(8 * index + 8)].reduce(0) { $0 << 8 | Int64($1) }
    }
    self.init(words: (word(0), word(1), word(2), word(3)))
  }
}

extension SHA256 {
  /// Returns the digest of several parts, each behind its length, so that no two lists of parts are one
  /// message.
  static func digest(ofParts parts: [[UInt8]]) -> [UInt8] {
    var message: [UInt8] = []
    for part in parts { message += Array("\(part.count):".utf8) + part }
    return digest(of: message)
  }
}
