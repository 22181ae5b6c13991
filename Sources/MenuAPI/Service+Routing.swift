import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import Synchronization

// Selects a request's route, access and store.

extension Service {
  /// Returns the answer of a request's route.
  func answer(_ request: Request, _ waiting: Waiting) throws(Problem) -> Response {
    try authorization.hosts.check(request)
    if request.isAboutServer { return options(of: request) }
    let found: (route: Route, parameters: [String])?
    do throws(Problem) {
      found = try self.route(of: request, waiting)
    } catch {
      if let file = try file(for: request) { return file }
      throw error
    }
    guard let (route, parameters) = found else { return options(of: request) }
    if route.isOfEvents, storeIfRecovered == nil { return try recovering(request, waiting) }
    if route.isOfEvents, whyNoStreams != nil { return EventStream.again(after: 1) }
    let store = try store(for: route, waiting)
    try catchUp(for: route, of: request, in: store?.store, waiting)
    if let store, route.isStreamed { try prepare(request, on: route, with: parameters, in: store) }
    let access: Access
    do throws(Problem) {
      access = try self.access(of: request, on: route, in: store)
    } catch {
      // The request may be a retry of the one that closed the session of its token.
      if let store, mayBeRepeated(request, in: store.store),
        let answer = try store.answer(kept: request, on: route, for: self)
      {
        return answer
      }
      throw error
    }
    if !asksForTokens { try authorization.origins.checkChange(by: request) }
    if let store {
      try admit(request, on: route, with: parameters, as: access, in: store, waiting)
    }
    if !request.query.items.isEmpty { try check(request.query, route.query) }
    let key = route.isQuestion ? nil : try idempotencyKey(of: request)
    let call = Call(
      service: self, request: request, parameters: parameters, access: access,
      actor: try actor(of: request, with: access), key: key, waiting: waiting)
    let response = try call.shownAnswer(of: route)
    return route.completesDeliveries ? call.waitingForDeliveries(response, of: route) : response
  }

  /// Returns the file of the client or of the console that a request names; nil for other paths. Paths of files and of
  /// routes are disjoint.
  private func file(for request: Request) throws(Problem) -> Response? {
    if let file = try clientFiles.answer(to: request) { return file }
    return try console?.answer(to: request)
  }

  /// Suspends a subscriber until sessions are recovered, if its access can be determined without them. If too many
  /// subscribers of its address wait, it must retry later, because an error would stop a browser for good (E5).
  private func recovering(
    _ request: Request, _ waiting: Waiting
  ) throws(Problem) -> Response {
    var isKnown = !asksForTokens
    if !isKnown, request.query["ticket"] == nil {
      let digest = TokenDigest(of: try Authorization.token(of: request))
      isKnown = administrators.withLock { $0.reduce(false) { $0 || $1 == digest } }
    }
    let stream = recoveryStreams.stream(of: isKnown ? nil : request.remoteAddress)
    guard let stream else { return EventStream.again(after: 10) }
    waiting.stream = { stream }
    return EventStream.again(after: 10)
  }

  /// Returns the answer to a request made during a call, with the call's access.
  ///
  /// - Parameter key: The key of the request; nil for the one in its header field.
  func answer(
    _ request: Request, within call: Call, under key: IdempotencyKey?
  ) throws(Problem) -> Response {
    guard
      case .route(let index, let parameters) = Self.router.match(
        request.method, request.segments)
    else {
      throw Problem(.unknownPath, "There is nothing at \(quoted(request.path)).")
    }
    let route = Self.router.routes[index]
    try call.access.require(route.requiredAccess)
    if route.opensSessions {
      try admit(
        request, on: route, with: parameters, as: call.access, in: call.store, call.waiting)
    }
    var key = key
    if key == nil, !route.isQuestion { key = try idempotencyKey(of: request) }
    let inner = Call(
      service: self, request: request, parameters: parameters, access: call.access,
      actor: call.actor, key: key, waiting: call.waiting)
    return try inner.shownAnswer(of: route)
  }

  /// The reason why streams must be opened on another replica: this one is about to stop, or cannot follow the other
  /// replicas. Nil if there are no other replicas, or if there is no reason.
  var whyNoStreams: Problem? {
    guard let store = storeIfRecovered, store.isShared else { return nil }
    if isDraining {
      return Problem(.recovering, UnreadyReason.draining.detail).with(header: "Retry-After", "1")
    }
    return store.fault.map { Problem(unconfirmed: $0) }
  }

  /// Returns the answer to a request that cannot be confirmed, or is about a session that cannot be read. A stream of
  /// events must be retried (E5).
  func response(_ problem: Problem, toUnread request: Request) -> Response {
    if case .route(let index, _) = Self.router.match(request.method, request.segments),
      Self.router.routes[index].isOfEvents
    {
      return EventStream.again(after: 1)
    }
    return problem.response
  }

  /// Ensures that the answer is not older than an answer of another replica.
  ///
  /// - Throws: A problem if the request must wait for a confirmation.
  private func catchUp(
    for route: Route, of request: Request, in store: SessionStore?, _ waiting: Waiting
  ) throws(Problem) {
    // The sessions that a request waited for have been followed since their confirmation.
    guard let store, store.isShared, waiting.draft == nil, !waiting.isAgain,
      !route.isAboutService
    else { return }
    if route.isStreamed, let problem = whyNoStreams { throw problem }
    let dryRun = request.query[QueryParameter.dryRun.name]
    let isQuestion = route.isQuestion || dryRun == "true" || dryRun == ""
    if readsRecent, isQuestion, !route.isStreamed, store.hasCaughtUp(within: Recency.age) {
      waiting.currency = .recent(Recency(request: request, nonce: nonce))
    } else if isQuestion || waiting.confirmed != nil {
      waiting.currency = .confirmed
      // Other routes determine the sessions to confirm when they read them.
      guard waiting.confirmed != nil || route.readsSessions else {
        waiting.unconfirmed = []
        throw .notLoaded
      }
    } else {
      waiting.currency = .proposed
    }
  }

  /// Ensures that the sessions of a stream are in memory and current before its ticket is used up: a ticket is valid
  /// once. A request without access reads nothing.
  ///
  /// - Throws: A problem if the request must wait for a confirmation.
  private func prepare(
    _ request: Request, on route: Route, with parameters: [String], in store: RequestStore
  ) throws(Problem) {
    guard case .confirmed = store.waiting.currency else { return }
    let names = request.query[QueryParameter.sessions.name]?.split(separator: ",") ?? []
    let sessions = (parameters + names.map(String.init)).prefix(limits.events.sessions)
      .compactMap(SessionID.init)
    if let confirmed = store.waiting.confirmed,
      sessions.allSatisfy({ id in
        let look = store.store.read(id)
        return confirmed.contains(id) && (!look.isUnloaded || look.isDamaged)
      })
    {
      return
    }
    if let texts = tickets(of: request, on: route) {
      guard texts.allSatisfy(tickets.knows) else { return }
    } else {
      guard (try? access(of: request, on: route, in: store)) != nil else { return }
    }
    store.waiting.unconfirmed = sessions
    throw .notLoaded
  }

  /// Returns the store; nil only for routes about the service itself.
  func store(for route: Route, _ waiting: Waiting) throws(Problem) -> RequestStore? {
    if let store = storeIfRecovered { return RequestStore(store: store, waiting: waiting) }
    guard route.isAboutService else {
      throw Problem(.recovering, UnreadyReason.recovering.detail).with(header: "Retry-After", "1")
    }
    return nil
  }

  /// Refuses unknown parameters in a query, and repeated ones that are not repeatable.
  private func check(_ query: Query, _ parameters: [QueryParameter]) throws(Problem) {
    var met: [String] = []
    for item in query.items {
      guard let known = parameters.first(where: { $0.name.hasSameBytes(as: item.name) }) else {
        let known = parameters.map { quoted($0.name) }
        throw Problem(
          .invalidQuery,
          "There is no \(quoted(item.name)) in the query here; "
            + (known.isEmpty ? "nothing is read from it." : "known are \(MenuAPI.list(known))."))
      }
      guard known.isRepeatable || !met.contains(known.name) else {
        throw Problem(.invalidQuery, "\(quoted(known.name)) is there twice in the query.")
      }
      met.append(known.name)
    }
  }
}
