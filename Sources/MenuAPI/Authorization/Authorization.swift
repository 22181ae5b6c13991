package import MenuEngine
import MenuStore
import MicroHTTP

/// Decides which requests are admitted, by token, by `Host`, and by the origin of their web page.
package struct Authorization: Sendable {
  /// The digests of administrators' tokens at the start; nil, the default, if no tokens are required.
  package var administrators: [TokenDigest]?
  /// The names that a request may use in `Host`, beside numeric addresses and `localhost`.
  package var hosts = HostNames()
  /// The web pages that may read answers (CORS). The default is the server's own pages only.
  package var origins = Origins()

  /// True if metrics are readable without a token. By default only administrators may read them.
  package var opensMetrics = false

  /// Creates the defaults: no tokens, this machine's names, no other web pages.
  package init() {}
}

extension Authorization {
  /// Returns the sessions that a request may access, if its token has the access that its route requires.
  ///
  /// - Parameters:
  ///   - administrators: The digests of the present administrators' tokens; nil if no tokens are required.
  ///   - other: Returns the access of another token, such as a session's; nil if it is unknown.
  /// - Throws: `Problem` as in RFC 6750: 401, 400 for a malformed token, 403 for insufficient access.
  func access(
    of request: Request, requiring required: RequiredAccess, administrators: [TokenDigest]?,
    other: (String, TokenDigest) throws(Problem) -> Access?
  ) throws(Problem) -> Access {
    guard let administrators else { return .everything }
    guard required != .open, required != .monitoring || !opensMetrics else { return .nothing }
    let text = try Self.token(of: request)
    let digest = TokenDigest(of: text)
    // Compare all tokens, so that the time does not reveal which one matches.
    let isAdministrator = administrators.reduce(false) { found, known in found || known == digest }
    if isAdministrator { return .administrator(digest) }
    guard let access = try other(text, digest) else {
      throw .unauthorized(
        "The token is not known, has expired or was revoked, or its session is closed.",
        "invalid_token")
    }
    try access.require(required)
    return access
  }

  static func token(of request: Request) throws(Problem) -> String {
    let fields = request.headers.values(of: "authorization")
    guard let field = fields.first else {
      throw .unauthorized(
        "A token is needed; send it as 'Authorization: Bearer …'.", nil)
    }
    guard fields.count == 1 else {
      throw .malformedAuthorization("The field 'Authorization' is there more than once.")
    }
    let pieces = field.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard let scheme = pieces.first, String(Substring(scheme)).isBearer else {
      throw .unauthorized(
        "The only scheme known is 'Bearer'; send the token as 'Authorization: Bearer …'.", nil)
    }
    let token = pieces.count == 2 ? String(Substring(pieces[1])).trimmed : ""
    guard token.isBearerToken else {
      throw .malformedAuthorization(
        "What follows 'Bearer' must be one token: letters, digits and '-._~+/', then '=' if any.")
    }
    return token
  }
}

extension String {
  fileprivate var trimmed: String {
    let bytes = utf8.span
    return String(copying: bytes.extracting(bytes.contentRange))
  }

  fileprivate var isBearer: Bool {
    utf8.count == 6 && zip(utf8, "bearer".utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  /// True if the text has the form of a token (RFC 6750, 2.1: `b64token`).
  package var isBearerToken: Bool {
    let padding = utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let text = utf8.dropLast(padding)
    return !text.isEmpty && utf8.count <= 1024
      && text.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~+/".utf8.contains(byte)
        }
      }
  }
}

extension Problem {
  /// The problem of a request without a valid token; without an error code if the request has no token (RFC
  /// 6750, 3.1).
  static func unauthorized(_ detail: String, _ error: String?) -> Problem {
    let code = error.map { #", error="\#($0)""# } ?? ""
    return Problem(.unauthorized, detail)
      .with(header: "WWW-Authenticate", #"Bearer realm="menud"\#(code)"#)
  }

  fileprivate static func malformedAuthorization(_ detail: String) -> Problem {
    Problem(.malformedRequest, detail)
      .with(header: "WWW-Authenticate", #"Bearer realm="menud", error="invalid_request""#)
  }
}

extension TokenDigest {
  /// Creates the digest of a token.
  package init(of token: String) {
    let bytes = SHA256.digest(of: Array(token.utf8))
    func word(_ index: Int) -> Int64 {
      bytes[(8 * index)..<(8 * index + 8)].reduce(0) { $0 << 8 | Int64($1) }
    }
    self.init(words: (word(0), word(1), word(2), word(3)))
  }
}

extension SHA256 {
  /// Returns the digest of several parts, each preceded by its length, so that different lists of parts yield
  /// different messages.
  static func digest(ofParts parts: [[UInt8]]) -> [UInt8] {
    var message: [UInt8] = []
    for part in parts { message += Array("\(part.count):".utf8) + part }
    return digest(of: message)
  }
}
