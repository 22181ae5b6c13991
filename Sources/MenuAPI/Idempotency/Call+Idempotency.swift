import JSONText
import MenuStore
import MicroHTTP

/// Requests with an idempotency key are carried out once.
///
/// **Decision:** An answer is kept if its request changed something, in one transaction with the
/// change. The answer to a request that was refused, or to a `dryRun`, is not kept: a repetition
/// changes nothing either or, once the reason is gone, makes the change for the first time, and the
/// key may be used for a corrected request. An answer of a failing server is never kept. The
/// repetition of a request that is still being carried out, or not yet on the disk, waits for the
/// first one's answer. A repetition is answered even if the session of its token has been closed:
/// the answer is kept under that token, which nobody else has.
extension Call {
  /// The answer to the request: that of an earlier one with the same key, else what `respond` answers.
  func answeredOnce(
    by respond: (Call) throws(Problem) -> Response
  ) throws(Problem) -> Response {
    guard let key else { return try respond(self) }
    if let response = try keptAnswer(under: key) { return response }
    let result = Result { () throws(Problem) in try respond(self) }
    // A request with the same key may have been committed in the meantime, for which this one was refused or
    // found nothing to do.
    if !waiting.hasCommitted, let response = try keptAnswer(under: key) { return response }
    return try result.get()
  }

  /// The answer to the request that this one repeats; nil if there is none.
  private func keptAnswer(under key: IdempotencyKey) throws(Problem) -> Response? {
    guard let entry = store.answer(under: key.digest) else { return nil }
    return try replayed(entry)
  }

  /// The answer that was kept under the request's key, if that was the same request.
  func replayed(_ entry: IdempotencyEntry) throws(Problem) -> Response {
    guard let key, entry.fingerprint == key.fingerprint else {
      throw Problem(
        .idempotencyKeyReused,
        "Another request was carried out under this 'Idempotency-Key': its method, path, query or "
          + "body was another one. Send this one with a key of its own.")
    }
    return try Response(replaying: entry, for: key)
  }

  /// The answer as it is kept; nil when the request has no key.
  ///
  /// - Parameter token: A token in the answer, which is left out of what is kept.
  func entry(for response: Response, hiding token: SessionToken? = nil) -> IdempotencyEntry? {
    guard let key else { return nil }
    let (body, place) = token.map(response.hiding) ?? (response.body, nil)
    return IdempotencyEntry(
      key: key.digest, fingerprint: key.fingerprint, status: Int64(response.status.rawValue),
      headers: KeptFields(fields: response.headers.fields, token: place).bytes, body: body,
      expiry: store.answerExpiry)
  }
}

extension RequestStore {
  /// The answer to an earlier request that this one repeats, although its token opens nothing any more;
  /// nil when there is none.
  func answer(
    kept request: Request, on route: Route, for service: Service
  ) throws(Problem) -> Response? {
    // A revoked administrator must not replay administrators' answers.
    guard route.requiredAccess == .anyToken, !route.isQuestion,
      let key = try? service.idempotencyKey(of: request),
      let entry = answer(under: key.digest),
      entry.fingerprint == key.fingerprint
    else { return nil }
    return try Response(replaying: entry, for: key)
  }
}

extension Response {
  /// Creates the answer that was given before, with a field that says so.
  fileprivate init(replaying entry: IdempotencyEntry, for key: IdempotencyKey) throws(Problem) {
    guard let kept = KeptFields(entry.headers), let status = Int(exactly: entry.status)
    else { throw .unreadableAnswer }
    var body = entry.body
    if let place = kept.token {
      guard let token = key.token.map({ SessionToken(deriving: $0, salt: place.salt) }),
        place.offset >= 0, body.count - token.text.utf8.count >= place.offset
      else { throw .unreadableAnswer }
      let end = place.offset + token.text.utf8.count
      body.replaceSubrange(place.offset..<end, with: token.text.utf8)
    }
    var headers = Headers()
    for field in kept.fields { headers.append(field.name, field.value) }
    headers.append("Idempotent-Replayed", "true")
    self.init(status: Status(rawValue: status), headers: headers, body: body)
  }

  /// The body with dashes in the place of a token, and what that place is.
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
