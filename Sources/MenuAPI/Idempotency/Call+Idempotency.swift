import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Requests with an idempotency key are performed once.
///
/// **Decision:** An answer is kept if its request changed something, in one transaction with the change. The answer to
/// a refused request, or to a `dryRun`, is not kept: a retry either changes nothing again or, once the reason is gone,
/// makes the change for the first time, and the key may be used for a corrected request. A server error is never kept.
/// A retry of a request that is still in progress, or not yet durable, waits for the first answer. A retry is answered
/// even if the session of its token has been closed: the answer is kept under that token.
extension Call {
  /// Returns the answer of an earlier request with the same key, otherwise that of `respond`.
  func answeredOnce(
    by respond: (Call) throws(Problem) -> Response
  ) throws(Problem) -> Response {
    guard let key else { return try respond(self) }
    if let response = try keptAnswer(under: key) { return response }
    let result = Result { () throws(Problem) in try respond(self) }
    // Meanwhile another request with the same key may have been committed, because of which this one was refused or
    // changed nothing.
    if waiting.proposal == nil, let response = try keptAnswer(under: key) {
      waiting.dropNoteOfRefusal()
      return response
    }
    return try result.get()
  }

  /// Returns the answer to the request that this one retries; nil if there is none.
  private func keptAnswer(under key: IdempotencyKey) throws(Problem) -> Response? {
    guard let entry = store.answer(under: key.digest) else { return nil }
    return try replayed(entry)
  }

  /// Returns the kept answer, if its request was the same.
  func replayed(_ entry: IdempotencyEntry) throws(Problem) -> Response {
    guard let key, entry.fingerprint == key.fingerprint else {
      throw Problem(
        .idempotencyKeyReused,
        "Another request was carried out under this 'Idempotency-Key': its method, path, query or "
          + "body was another one. Send this one with a key of its own.")
    }
    return try Response(replaying: entry, for: key)
  }

  /// Returns the answer as kept; nil if the request has no key.
  ///
  /// - Parameter token: A token in the answer, which is not kept.
  func entry(for response: Response, hiding token: SessionToken? = nil) -> IdempotencyEntry? {
    guard let key else { return nil }
    let (body, place) = token.map(response.hiding) ?? (response.body, nil)
    return IdempotencyEntry(
      key: key.digest, fingerprint: key.fingerprint, status: Int64(response.status.rawValue),
      headers: KeptFields(
        fields: response.headers.fields, token: place, outlivesToken: outlivesToken
      ).bytes, body: body,
      expiry: store.answerExpiry)
  }
}

extension Call {
  /// True if the answer is replayed after the token's session is closed: to the session's first token, which cannot be
  /// revoked, and to the token that closed it. For other tokens it is then unknown whether they were valid until the
  /// end.
  private var outlivesToken: Bool {
    guard case .session(_, _, let token) = access else { return false }
    return token.number == nil || request.method == .delete && parameters.count == 1
  }

  /// The token of the request; nil if no tokens are required.
  var token: String? { try? service.token(of: request) }

  /// Returns the call with the key of a plan.
  func keyed(byPlan plan: String, of session: SessionID) -> Call {
    if key?.isOfPlan == true { return self }
    return keyed(by: IdempotencyKey(plan: plan, of: session, token: token, under: nil))
  }

  private func keyed(by key: IdempotencyKey) -> Call {
    Call(
      service: service, request: request, parameters: parameters, access: access,
      actor: actor, key: key, waiting: waiting)
  }

  /// Keeps the answer of a request that is never performed.
  ///
  /// - Returns: False if an answer is already kept under the key.
  func keep(_ response: Response, under key: IdempotencyKey) -> Bool {
    guard store.answer(under: key.digest) == nil else { return false }
    if let entry = keyed(by: key).entry(for: response) {
      store.propose(.keep(entry, under: store.catalogEdition))
    }
    return true
  }
}

extension RequestStore {
  /// Returns the answer to an earlier request that this one retries, even if its token is no longer valid; nil if
  /// there is none.
  func answer(
    kept request: Request, on route: Route, for service: Service
  ) throws(Problem) -> Response? {
    guard route.requiredAccess.isOfSessions, !route.isQuestion,
      let key = try? service.idempotencyKey(of: request),
      let entry = answer(under: key.digest), entry.fingerprint == key.fingerprint,
      KeptFields(entry.headers)?.outlivesToken == true
    else { return nil }
    return try Response(replaying: entry, for: key)
  }
}

extension Response {
  /// Creates the response of a kept answer, with a field that marks it as replayed.
  fileprivate init(replaying entry: IdempotencyEntry, for key: IdempotencyKey) throws(Problem) {
    guard let kept = KeptFields(entry.headers), let status = Int(exactly: entry.status)
    else { throw .unreadableAnswer }
    var body = entry.body
    if let place = kept.token {
      let token = SessionToken(deriving: key.secret, salt: place.salt)
      guard place.offset >= 0, body.count - token.text.utf8.count >= place.offset else {
        throw .unreadableAnswer
      }
      let end = place.offset + token.text.utf8.count
      body.replaceSubrange(place.offset..<end, with: token.text.utf8)
    }
    var headers = Headers()
    for field in kept.fields { headers.append(field.name, field.value) }
    headers.append("Idempotent-Replayed", "true")
    self.init(status: Status(rawValue: status), headers: headers, body: body)
  }

  /// Returns the body with dashes in place of a token, and the token's place.
  fileprivate func hiding(_ token: SessionToken) -> ([UInt8], KeptFields.TokenPlace?) {
    let text = Array(token.text.utf8)
    guard let salt = token.salt,
      let offset = body.indices.first(where: { body[$0...].starts(with: text) })
    else { return (body, nil) }
    var hidden = body
    let dashes = [UInt8](repeating: UInt8(ascii: "-"), count: text.count)
    hidden.replaceSubrange(offset..<(offset + text.count), with: dashes)
    return (hidden, KeptFields.TokenPlace(offset: offset, salt: salt))
  }
}

extension Problem {
  fileprivate static let unreadableAnswer = Problem(
    .internalError,
    "The request was carried out, but its answer cannot be read any more. Ask for the state of things."
  )
}

/// The key that identifies retries of a request: its field `Idempotency-Key`, its sender, and its content
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// **Decision:** Keys are scoped to the bearer token, not to a session.
struct IdempotencyKey: Sendable {
  /// The digest under which the answer is kept, so that neither key nor token is stored.
  let digest: [UInt8]
  /// The digest of method, path, query and body. Header fields do not count, so that a retry may have other
  /// preconditions or another trace.
  let fingerprint: [UInt8]
  /// The secret that new tokens are derived from, which is not stored: the token of the request, or the key if tokens
  /// are not required.
  let secret: String
  /// True if it is the key of performing a plan (T6).
  private(set) var isOfPlan = false
  /// The record by which performing under this key is limited to once; nil for other keys.
  private(set) var use: PlanUse?

  /// Creates the key of a request, if it has one.
  ///
  /// - Parameter token: Returns the token of the request; called only if there is a key.
  /// - Throws: `Problem` if the key is malformed.
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
    let token = try token()
    secret = token ?? String(decoding: text, as: UTF8.self)
    digest = SHA256.digest(ofParts: [Array((token ?? "").utf8), text])
    fingerprint = SHA256.digest(ofParts: Self.parts(of: request))
  }

  /// Creates the key for performing a plan, which is valid once.
  ///
  /// - Parameter key: The key of the request, without which a retry does not get the kept answer; nil if every retry
  ///   gets it.
  init(plan: String, of session: SessionID, token: String?, under key: IdempotencyKey?) {
    secret = token ?? plan
    let digest = SHA256.digest(ofParts: [
      Array((token ?? "").utf8), Array("plan".utf8), Array(plan.utf8),
      Array(session.rawValue.utf8),
    ])
    self.digest = digest
    // Nothing else in the body matters.
    fingerprint = key.map { SHA256.digest(ofParts: [digest, $0.digest]) } ?? digest
    isOfPlan = true
  }

  /// Creates the key for performing the user's answer, which is valid once.
  ///
  /// - Parameters:
  ///   - key: The key of the request, under which a retry gets the kept answer; nil for none.
  ///   - body: The body of the performed request.
  init(
    answer use: PlanUse, of session: SessionID, token: String?, under key: IdempotencyKey?,
    performing body: [UInt8]
  ) {
    secret = token ?? use.nonce
    let digest = SHA256.digest(ofParts: [
      Array((token ?? "").utf8), Array("answer".utf8), Array(use.nonce.utf8),
      Array(session.rawValue.utf8),
    ])
    self.digest = digest
    // Without a key, another answer to the same question counts as a retry too.
    fingerprint = key.map { SHA256.digest(ofParts: [digest, $0.digest, body]) } ?? digest
    self.use = use
  }

  private static func parts(of request: Request) -> [[UInt8]] {
    let query = request.query.items.flatMap { [$0.name, $0.value] }
    let texts = [request.method.rawValue, "\(request.segments.count)"] + request.segments + query
    return texts.map { Array($0.utf8) } + [request.body]
  }

  /// Returns the value of the field: a string of RFC 9651 without parameters, or the same without quotes, which many
  /// clients send.
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
    try IdempotencyKey(request) { () throws(Problem) in try token(of: request) }
  }

  /// Returns the token of a request; nil if no tokens are required.
  fileprivate func token(of request: Request) throws(Problem) -> String? {
    asksForTokens ? try Authorization.token(of: request) : nil
  }
}

/// The header fields of a kept answer, as bytes.
struct KeptFields {
  let fields: [(name: String, value: String)]
  /// The place of a token in the answer; nil if it has none.
  let token: TokenPlace?
  /// True if the answer is replayed even if its token is no longer valid.
  let outlivesToken: Bool

  /// The place of a token in the body, and the salt that it is derived from.
  struct TokenPlace {
    let offset: Int
    let salt: String
  }

  var bytes: [UInt8] {
    let fields = fields.map { JSON.array([.string($0.name), .string($0.value)]) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("fields", .array(fields))
    if let token {
      writer.member("tokenOffset", token.offset)
      writer.member("tokenSalt", token.salt)
    }
    if outlivesToken { writer.member("outlivesToken", true) }
    writer.endObject()
    return writer.bytes
  }
}

extension KeptFields {
  /// Creates the fields from their bytes; nil if those are malformed.
  init?(_ bytes: [UInt8]) {
    guard case .object(let object)? = try? JSON(parsing: bytes),
      case .array(let fields)? = object["fields"]
    else { return nil }
    self.fields = fields.compactMap { field in
      guard case .array(let pair) = field, pair.count == 2, case .string(let name) = pair[0],
        case .string(let value) = pair[1]
      else { return nil }
      return (name, value)
    }
    if case .int(let offset)? = object["tokenOffset"], let offset = Int(exactly: offset),
      case .string(let salt)? = object["tokenSalt"]
    {
      token = TokenPlace(offset: offset, salt: salt)
    } else {
      token = nil
    }
    outlivesToken = object["outlivesToken"] == true
  }
}

/// The secret of a new token, of a session or granted by another token.
///
/// **Decision:** A client that retries the opening of a session needs its token again, but the token must not be in
/// the journal. With an idempotency key, the token is therefore the HMAC-SHA256 of a random salt, which is stored,
/// under the administrator's token of the request, which is never stored. A retry must have the same administrator's
/// token, so the session's token can be derived again.
struct SessionToken: Sendable {
  let text: String
  /// The salt of a derived token; nil for a random token.
  let salt: String?

  init(random text: String) {
    self.text = text
    salt = nil
  }

  /// Creates the token derived from another one and a salt, which is not secret.
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
  /// A token for a new session; nil if tokens are not required.
  var newToken: SessionToken? {
    service.asksForTokens ? newSecret : nil
  }

  /// The secret of a new token, which is derived again for a retry with an idempotency key.
  var newSecret: SessionToken {
    let random = service.dependencies.newToken()
    return key.map { SessionToken(deriving: $0.secret, salt: random) }
      ?? SessionToken(random: random)
  }
}
