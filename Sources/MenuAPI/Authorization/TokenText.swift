import MenuEngine
import MicroHTTP

/// The text of a granted token: the name of its session, a secret, and a seal.
///
/// The name leads to the digest, so that a replica finds it without having loaded the session. The seal proves that
/// menud created the text: guessed names cannot make a replica load sessions.
struct TokenText {
  let session: SessionID
  let text: String
  private let seal: String
  private let sealed: String

  /// Creates the text of a token of a session whose first token has this digest; nil if it has none.
  init(of session: SessionID, secret: String, first: TokenDigest?) {
    self.session = session
    // A token has no colons.
    let name = String(
      decoding: session.rawValue.utf8.map { $0 == Self.colon ? Self.plus : $0 }, as: UTF8.self)
    sealed = "\(name)~\(secret)"
    seal = Self.seal(of: sealed, under: first)
    text = "\(sealed)~\(seal)"
  }

  /// Reads a text; nil if it is of another kind of token.
  init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let name = parts[0].map { $0 == Self.plus ? Self.colon : $0 }
    guard let session = SessionID(String(decoding: name, as: UTF8.self)) else { return nil }
    self.session = session
    self.text = text
    seal = String(Substring(parts[2]))
    sealed = "\(Substring(parts[0]))~\(Substring(parts[1]))"
  }

  /// Returns true if menud created it for the session whose first token has this digest.
  func isSealed(under first: TokenDigest?) -> Bool {
    TokenDigest(of: seal) == TokenDigest(of: Self.seal(of: sealed, under: first))
  }

  private static func seal(of text: String, under first: TokenDigest?) -> String {
    let code = SHA256.authenticationCode(of: Array(text.utf8), under: first?.bytes ?? [0])
    return String(code.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, radix: 36)
  }

  private static let colon = UInt8(ascii: ":")
  private static let plus = UInt8(ascii: "+")
}
