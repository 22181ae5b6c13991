import JSONText
import MicroHTTP

/// The key by which a repetition of a request is known: its field `Idempotency-Key`, its sender,
/// and its content (draft-ietf-httpapi-idempotency-key-header).
///
/// **Decision:** Keys belong to who asks, which is the token, and not to a session: under one key
/// everybody may send one request. The same key of another token is another key.
struct IdempotencyKey: Sendable {
  /// Under which the answer is kept: a digest, so that neither key nor token lies there.
  let digest: [UInt8]
  /// The digest of method, path, query and body. Fields do not count, so that a repetition may have
  /// other preconditions or be traced on its own.
  let fingerprint: [UInt8]
  /// The token that it was sent with, from which tokens of sessions are derived; nil when none is
  /// asked for.
  let token: String?

  /// The key of a request, if it has one.
  ///
  /// - Parameter token: The token of the request; asked for only when there is a key.
  /// - Throws: `Problem` when it has not the form of one.
  init?(_ request: Request, token: () throws(Problem) -> String?) throws(Problem) {
    let fields = request.headers.values(of: "idempotency-key")
    guard let field = fields.first else { return nil }
    guard fields.count == 1 else {
      throw Problem(
        .malformedRequest, "The field 'Idempotency-Key' is there more than once.")
    }
    guard let text = Self.text(of: Array(field.utf8)) else {
      throw Problem(
        .malformedRequest,
        "\(quoted(field)) is no 'Idempotency-Key'. That is a string of 1 to 255 characters of visible "
          + "ASCII or spaces in double quotes; these may be left out where it has no spaces, double "
          + "quotes, backslashes, commas and semicolons.")
    }
    self.token = try token()
    digest = SHA256.digest(ofParts: [Array((self.token ?? "").utf8), text])
    fingerprint = SHA256.digest(ofParts: Self.parts(of: request))
  }

  private static func parts(of request: Request) -> [[UInt8]] {
    let query = request.query.items.flatMap { [$0.name, $0.value] }
    let texts = [request.method.rawValue, "\(request.segments.count)"] + request.segments + query
    return texts.map { Array($0.utf8) } + [request.body]
  }

  /// Returns the value of the field: a string of RFC 9651 without parameters, or, since many
  /// clients send it so, the same without quotes.
  private static func text(of field: [UInt8]) -> [UInt8]? {
    let quote = UInt8(ascii: "\"")
    let text: [UInt8]?
    if field.first == quote {
      guard field.count > 1, field.last == quote else { return nil }
      text = unescaped(field.dropFirst().dropLast())
    } else {
      text =
        field.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#""\,;"#.utf8.contains($0) } ? field : nil
    }
    return text.flatMap { (1...255).contains($0.count) ? $0 : nil }
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var (found, isEscaped): ([UInt8], Bool) = ([], false)
    for byte in text {
      if isEscaped {
        guard byte == quote || byte == backslash else { return nil }
      } else if byte == backslash {
        isEscaped = true
        continue
      } else if byte == quote || !(0x20...0x7E).contains(byte) {
        return nil
      }
      isEscaped = false
      found.append(byte)
    }
    return isEscaped ? nil : found
  }
}

extension Service {
  func idempotencyKey(of request: Request) throws(Problem) -> IdempotencyKey? {
    try IdempotencyKey(request) { () throws(Problem) in
      asksForTokens ? try Authorization.token(of: request) : nil
    }
  }
}
