import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import Synchronization

// The access of a request, and the actor of its changes.

extension Service {
  /// Returns the sessions that a request may access with its ticket or its token.
  func access(
    of request: Request, on route: Route, in store: RequestStore?
  ) throws(Problem) -> Access {
    guard asksForTokens else { return .everything }
    if let texts = tickets(of: request, on: route) {
      let now = dependencies.nanoseconds()
      let taken = texts.map { tickets.take($0, at: now) }
      let valid = taken.compactMap(\.self).filter { $0.lease.map(isValid) ?? true }
      guard !valid.isEmpty, valid.count == taken.count else {
        throw .unauthorized(
          "The ticket is not known, was used already, or is older than \(EventTickets.lifetime) s.",
          "invalid_token")
      }
      return .tickets(valid)
    }
    return try authorization.access(
      of: request, requiring: route.requiredAccess,
      administrators: administrators.withLock(\.self)
    ) { (text, digest) throws(Problem) in
      try store.flatMap { (store) throws(Problem) in try access(with: text, digest, in: store) }
    }
  }

  /// Returns the access of a token other than an administrator's; nil if it is unknown.
  private func access(
    with text: String, _ digest: TokenDigest, in store: RequestStore
  ) throws(Problem) -> Access? {
    if let (id, opening) = store.store.opening(of: digest) { return .session(id, opening, .first) }
    let workers = store.catalogEdition.catalog.tokens
    if let token = workers[digest], !hasExpired(token.grant.expiry) {
      return .worker(digest, HeldToken(grant: token.grant, number: token.id))
    }
    guard let made = TokenText(text) else { return nil }
    // A text that menud has not made must not cause a reading of the journal.
    if store.store.isShared {
      let first = store.store.firstToken(of: made.session)
      guard made.isSealed(under: first ?? nil), first != nil else { return nil }
    }
    guard let edition = try store.read(made.session).session,
      let token = edition.session.tokens[digest], !hasExpired(token.grant.expiry)
    else { return nil }
    let held = HeldToken(grant: token.grant, number: token.id)
    return .session(made.session, edition.opening, held)
  }

  /// True if a token is invalid by now.
  func hasExpired(_ expiry: Int64?) -> Bool { expiry.map { $0 <= steadyTime } ?? false }

  /// Returns true if the token of a lease still exists, as far as this process knows.
  func isValid(_ lease: TokenLease) -> Bool {
    guard !hasExpired(lease.expiry) else { return false }
    guard let edition = store.read(lease.session).session else { return true }
    return edition.opening.number != lease.opening || edition.session.tokens[lease.token] != nil
  }

  /// Ends the streams and drops the tickets of tokens that have expired or were revoked (T2).
  func endRevokedLeases() {
    tickets.revoke { !isValid($0) }
    events.revoke { !isValid($0) }
    agents.revoke { !isValid($0) }
  }

  /// Returns true if a request may be a retry of the one that closed the session of its token. A revoked token of an
  /// open session never gets an answer replayed.
  func mayBeRepeated(_ request: Request, in store: SessionStore) -> Bool {
    guard let text = try? Authorization.token(of: request), let made = TokenText(text) else {
      return true
    }
    return store.opening(of: made.session) == nil
  }

  /// Returns the texts of a request's tickets; nil if it uses a token.
  func tickets(of request: Request, on route: Route) -> [String]? {
    guard asksForTokens, route.takesTickets else { return nil }
    return request.query[QueryParameter.ticket.name]?.split(separator: ",").map(String.init)
  }
}

// MARK: Actors

extension Service {
  /// The field in which an administrator's request names the actor that it acts for.
  private static let actorField = "menud-actor"

  /// Returns the actor of a request (T4): that of its token, or the one that an administrator's request acts for.
  func actor(of request: Request, with access: Access) throws(Problem) -> Principal {
    guard request.headers.has(Self.actorField) else { return access.grant().principal }
    switch access {
    case .everything, .administrator: break
    case .session, .worker, .tickets, .nothing:
      throw .forbidden("Only an administrator's request may name whom it acts for ('Menud-Actor').")
    }
    let fields = request.headers.values(of: Self.actorField)
    let sides = fields[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    // Invalid UTF-8 is U+FFFD here.
    guard fields.count == 1, sides.count == 2, !fields[0].unicodeScalars.contains("\u{FFFD}"),
      let kind = Principal.Kind(rawValue: String(sides[0])),
      let label = String(sides[1]).percentDecoded, let actor = Principal(kind, label)
    else {
      let kinds = Principal.Kind.allCases.map(\.rawValue)
      throw Problem(
        .malformedRequest,
        "\(quoted(fields[0])) is no 'Menud-Actor'. That is a kind and a label, like 'person/Ada'; "
          + "kinds are \(list(kinds)), and a label has 1 to \(Principal.longestLabel) bytes of "
          + "percent-encoded UTF-8.")
    }
    return actor
  }
}
