import MicroHTTP

/// The token of a session that is opened.
///
/// **Decision:** A client that repeats the opening of a session needs its token again, but the
/// token must not be in the journal. With an idempotency key, the token is therefore the
/// HMAC-SHA256 of random bits, which are kept, under the administrator's token of the request,
/// which is nowhere on the disk. A repetition must show the same administrator's token, so the
/// session's token can be derived again.
struct SessionToken: Sendable {
  /// The token.
  let text: String
  /// The salt that it was made of with the request's token; nil when it is random itself.
  let salt: String?

  /// A token that nobody can guess.
  init(random text: String) {
    self.text = text
    salt = nil
  }

  /// The token that follows from another one, and from what is not secret.
  init(deriving token: String, salt: String) {
    let digits = SHA256.authenticationCode(of: Array(salt.utf8), under: Array(token.utf8)).map {
      let digits = String($0, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }
    text = "menud_" + digits.joined()
    self.salt = salt
  }
}

extension Call {
  /// A token for a session that is opened; nil when none are asked for.
  var newToken: SessionToken? {
    guard service.asksForTokens else { return nil }
    let random = service.dependencies.newToken()
    guard let token = key?.token else { return SessionToken(random: random) }
    return SessionToken(deriving: token, salt: random)
  }
}
