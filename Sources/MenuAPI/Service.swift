package import CEL
import JSONText
import Locks
package import MenuEngine
package import MenuStore
package import MicroHTTP
import Synchronization

/// The service: a function from requests to responses.
package final class Service: Sendable {
  /// The clock, names and tokens that are given from outside.
  package struct Dependencies: Sendable {
    /// The time in milliseconds since 1970-01-01T00:00:00Z.
    package var now: @Sendable () -> Int64
    /// A name for a session that is opened without one, different each time.
    package var newSessionID: @Sendable () -> SessionID
    /// A token that nobody can guess, different each time.
    package var newToken: @Sendable () -> String
    /// A word that differs from one run of the program to the next, for entity tags.
    package var nonce: String
    /// A time in nanoseconds that only grows, from any beginning, to measure with. By default it stands
    /// still, so that no request is long.
    package var nanoseconds: @Sendable () -> Int = { 0 }
    /// The processor time of the present thread in nanoseconds; nil, the default, when nobody knows. Then
    /// requests count as long as they take with all their waiting.
    package var processorNanoseconds: (@Sendable () -> Int)?
    /// Does on another thread what may take long or must not hold up the journal, and answers false if too
    /// much waits for that already; nil, the default, when there is no such thread.
    package var runLater: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
    /// Returns the resources of the process; nil, the default, when nobody knows.
    package var process: @Sendable () -> ProcessFigures? = { nil }
    /// True if every request gets a name, since a log tells of each; else only those get one whose client
    /// sends one. The default is false.
    package var namesRequests = false
    /// The version of the program. The default is empty.
    package var version = ""

    /// These dependencies.
    package init(
      now: @escaping @Sendable () -> Int64, newSessionID: @escaping @Sendable () -> SessionID,
      newToken: @escaping @Sendable () -> String, nonce: String
    ) {
      self.now = now
      self.newSessionID = newSessionID
      self.newToken = newToken
      self.nonce = nonce
    }
  }

  private let recovered = Lock<Recovered?>(nil)
  let dependencies: Dependencies
  /// The bounds of the rules that clients register.
  let ruleLimits: ProgramLimits
  /// The limits of clients.
  let limits: ServiceLimits
  /// Decides which requests are let in.
  let authorization: Authorization
  let budget: ProcessorBudget
  private let processorClock: ProcessorClock
  private let requestIDs: RequestIDs
  let validations = AnswerCache()
  let metrics = Metrics(routes)
  let plans = SessionPlans()
  let finders = CommandFinders()
  /// The pages of the console; nil when they are not served.
  private let console: ConsolePages?
  let events: EventChannels
  let agents: AgentChannels
  let tickets = EventTickets()
  /// The digests of administrators' tokens; of none if no tokens are asked for.
  private let administrators: Lock<[TokenDigest]>
  let waitingRequests: WaitingRequests
  private let steadyClock: SteadyClock
  private let sharedNonce = Lock("")
  private let hasSharedNonce = Atomic(false)
  private let draining = Atomic(false)
  private let server = Lock<@Sendable () -> ServerFigures?>({ nil })

  /// True if answers may be older than what another process has answered before.
  private let readsRecent: Bool

  /// A service, which is ready once it has a store; without one it only tells how it is.
  package init(
    store: SessionStore?, _ dependencies: Dependencies, ruleLimits: ProgramLimits = ProgramLimits(),
    limits: ServiceLimits = ServiceLimits(), authorization: Authorization = Authorization(),
    console: ConsolePages? = nil, readsRecent: Bool = false
  ) {
    self.console = console
    self.readsRecent = readsRecent
    self.ruleLimits = ruleLimits
    self.limits = limits
    self.authorization = authorization
    budget = ProcessorBudget(perSecond: limits.processorTime)
    processorClock = ProcessorClock(dependencies.processorNanoseconds)
    events = EventChannels(
      in: EventEnvironment(
        limits: limits.events, nanoseconds: dependencies.nanoseconds, budget: budget))
    agents = AgentChannels(in: events.environment)
    administrators = Lock(authorization.administrators ?? [])
    requestIDs = RequestIDs(prefix: dependencies.nonce)
    waitingRequests = WaitingRequests(
      atMost: limits.waitingRequests, nanoseconds: dependencies.nanoseconds,
      runLater: dependencies.runLater)
    steadyClock = SteadyClock(dependencies)
    self.dependencies = dependencies
    if let store { begin(with: store, recoveredIn: 0) }
  }

  /// The OpenAPI document.
  var document: [UInt8] { asksForTokens ? Self.guardedDocument : Self.openDocument }

  private static let guardedDocument = OpenAPIDocument(sections, asksForTokens: true).bytes
  private static let openDocument = OpenAPIDocument(sections, asksForTokens: false).bytes
  private static let router = Router(routes)

  /// From now on all requests are answered, about this store; the second time it does nothing.
  ///
  /// - Parameter time: The time that its recovery took, in nanoseconds.
  package func begin(with store: SessionStore, recoveredIn time: Int) {
    // Before the first request about the store.
    if let agreement = store.agreement {
      sharedNonce.withLock { $0 = agreement.nonce }
      hasSharedNonce.store(true, ordering: .releasing)
      steadyClock.begin(at: agreement.time)
    }
    recovered.withLock { $0 = $0 ?? Recovered(store: store, time: time) }
  }

  /// The sessions and the catalogue; nil until they are recovered.
  package var storeIfRecovered: SessionStore? { recovered.withLock { $0?.store } }

  /// The sessions and the catalogue. Routes that are asked before they are recovered do without.
  package var store: SessionStore {
    guard let store = storeIfRecovered else { preconditionFailure("There is no store yet.") }
    return store
  }

  /// Lets go of what makes asking a session fast, where nobody asked since the last time that this was
  /// done; the first question afterwards takes longer.
  package func forgetIdlePlans() {
    plans.forgetIdle()
    finders.forgetIdle()
    events.forgetQuiet()
    agents.forgetQuiet()
    tickets.forgetExpired(at: dependencies.nanoseconds())
  }

  /// Ends the waits of subscribers that are over, and lets their streams show that they are alive now and then; called
  /// every half second.
  package func tickEvents() {
    events.tick(at: dependencies.nanoseconds())
    agents.tick()
  }

  /// Replaces the administrators' tokens where tokens are asked for, and ends the streams that were asked for with
  /// others. Returns the number of tokens that are revoked.
  package func replaceAdministrators(by tokens: [TokenDigest]) -> Int {
    guard asksForTokens else { return 0 }
    let revoked = administrators.withLock { administrators in
      defer { administrators = tokens }
      return administrators.count { !tokens.contains($0) }
    }
    tickets.revoke(allBut: tokens)
    events.revoke(allBut: tokens)
    agents.revoke(allBut: tokens)
    return revoked
  }

  /// Opens the deliveries again whose claims have expired, forgets those that were settled long ago, and answers
  /// the requests that have waited long enough; called about twice a second.
  ///
  /// - Returns: The reason why the journal did not take some of it; nil if there is none.
  package func tendDeliveries() -> JournalFault? {
    let time = steadyTime
    defer { waitingRequests.tick() }
    return store.tendDeliveries(at: time, settledBefore: time - limits.deliveryRetention)
  }

  /// The time that the recovery of the store took, in nanoseconds.
  var recoveryTime: Int { recovered.withLock { $0?.time ?? 0 } }

  /// Asks about the server from now on, when that is to be known.
  package func measureServer(by figures: @escaping @Sendable () -> ServerFigures?) {
    server.withLock { $0 = figures }
  }

  /// The load of the server at this moment; nil when nobody knows.
  var serverFigures: ServerFigures? { server.withLock(\.self)() }

  /// A word for entity tags, which differs from one run of the program to the next unless several share a journal.
  var nonce: String {
    hasSharedNonce.load(ordering: .acquiring) ? sharedNonce.withLock(\.self) : dependencies.nonce
  }

  /// The time in milliseconds since 1970-01-01T00:00:00Z, which only grows while the program runs, whatever
  /// people do to the system's clock. Claims expire by it.
  var steadyTime: Int64 { steadyClock.now }

  /// True if requests need a token.
  package var asksForTokens: Bool { authorization.administrators != nil }

  /// True if the service is about to stop; then it is not ready, but still answers.
  package var isDraining: Bool {
    get { draining.load(ordering: .relaxed) }
    set {
      draining.store(newValue, ordering: .relaxed)
      guard newValue else { return }
      events.drain()
      agents.drain()
      waitingRequests.drain()
    }
  }

  /// The answer to a request, which comes when nothing in it can be lost any more.
  package func answer(to request: Request) -> EventualResponse {
    let start = dependencies.nanoseconds()
    let (answer, waiting) = answer(
      to: request, attempt: 1,
      Waiting(
        since: start, dependencies.runLater == nil ? .impossible : .possible, patience: .possible))
    let place = metrics.place(of: request.method, onRoute: waiting.route)
    switch answer {
    case .response(let response):
      metrics.noteAnswer(response.status, at: place, in: waiting.end &- start)
    case .stream(let response):
      metrics.noteAnswer(response.status, at: place, in: waiting.end &- start)
    case .promise(let promise):
      promise.whenFulfilled { [self] response in
        metrics.noteAnswer(response.status, at: place, in: dependencies.nanoseconds() &- start)
      }
    }
    return answer
  }

  /// The answer to a request, whether or not what it shows can still be lost.
  package func respond(to request: Request) -> Response {
    respond(to: request, Waiting(since: dependencies.nanoseconds()))
  }

  func respond(to request: Request, _ waiting: Waiting) -> Response {
    processorClock.begin(at: waiting.start)
    let response = finished(answered(request, waiting), to: request)
    waiting.end = dependencies.nanoseconds()
    if let session = waiting.session {
      let cost = processorClock.cost(
        from: waiting.start, taking: waiting.end &- waiting.start)
      budget.charge(session, cost, at: waiting.end)
    }
    return response
  }

  private func answered(_ request: Request, _ waiting: Waiting) -> Response {
    do throws(Problem) { return try answer(request, waiting) } catch { return error.response }
  }

  /// The response with what browsers need, and its request's name if somebody looks for it.
  func finished(_ response: Response, to request: Request) -> Response {
    let isNamed = dependencies.namesRequests || request.headers.has("x-request-id")
    guard isNamed || !authorization.origins.origins.isEmpty else { return response }
    var response = response
    authorization.origins.mark(&response, to: request)
    if isNamed { response.headers.append("X-Request-Id", requestIDs.id(of: request)) }
    return response
  }

  /// Returns the answer, and what was noted of it.
  private func answer(
    to request: Request, attempt: Int, _ waiting: Waiting
  ) -> (EventualResponse, Waiting) {
    let response = respond(to: request, waiting)
    guard waiting.missing.isEmpty || waiting.hasCommitted else {
      return (loaded(request, attempt: attempt, waiting), waiting)
    }
    if case .wanted(let owes) = waiting.postponement {
      if let later = postponed(request) { return (later, waiting) }
      // The queue is full, maybe of others' requests.
      guard !owes else { return (.response(response), waiting) }
      return answer(
        to: request, attempt: attempt, Waiting(since: waiting.end, patience: waiting.patience))
    }
    if let stream = waiting.stream {
      let streamed = StreamedResponse(
        status: response.status, headers: response.headers, stream: stream)
      return (.stream(streamed), waiting)
    }
    if let position = waiting.position, !waiting.hasCommitted, !mayBeOld(waiting, to: request) {
      return (confirmed(response, to: request, at: position, attempt: attempt, waiting), waiting)
    }
    guard !waiting.tickets.isEmpty || waiting.wait != nil else {
      return (.response(response), waiting)
    }
    return (settled(response, to: request, Settling(waiting, attempt: attempt)), waiting)
  }

  /// The answer once the sessions are in memory that it needs, and that were not.
  private func loaded(
    _ request: Request, attempt: Int, _ waiting: Waiting
  ) -> EventualResponse {
    let promise = ResponsePromise()
    store.load(waiting.missing).whenSettled { [self] outcome in
      switch outcome {
      case .durable:
        // They may have been read for another request, before this one came.
        answerAgain(request, attempt: attempt, after: .conflict, isCurrent: false, to: promise)
      case .failed(let fault):
        promise.fulfill(with: finished(Problem(unconfirmed: fault).response, to: request))
      }
    }
    return .promise(promise)
  }

  /// The answer once it is known that no other process committed something before it was asked for that it does not
  /// show.
  private func confirmed(
    _ response: Response, to request: Request, at position: Int64, attempt: Int,
    _ waiting: Waiting
  ) -> EventualResponse {
    let promise = ResponsePromise()
    let (shown, settling) = (waiting.shown, Settling(waiting, attempt: attempt))
    store.confirm(position).whenSettled { [self] outcome in
      switch outcome {
      case .failed(.conflict) where !store.isCurrent(shown):
        // What others committed is there now, so that it need not be looked up again.
        answerAgain(
          request, attempt: attempt + 1, after: .conflict, isCurrent: true, to: promise)
      case .durable, .failed(.conflict):
        settled(response, to: request, settling).whenFulfilled { promise.fulfill(with: $0) }
      case .failed(let fault):
        promise.fulfill(with: finished(Problem(unconfirmed: fault).response, to: request))
      }
    }
    return .promise(promise)
  }

  /// The commits and the wait that an answer waits for.
  private struct Settling: Sendable {
    let tickets: [Ticket]
    let wait: Wait?
    let hasChanged: Bool
    let attempt: Int

    init(_ waiting: Waiting, attempt: Int) {
      (tickets, wait, hasChanged) = (waiting.tickets, waiting.wait, waiting.hasChanged)
      self.attempt = attempt
    }
  }

  /// The answer once everything that it shows is durable.
  private func settled(
    _ response: Response, to request: Request, _ settling: Settling
  ) -> EventualResponse {
    guard !settling.tickets.isEmpty || settling.wait != nil else { return .response(response) }
    let promise = ResponsePromise()
    Ticket.whenSettled(settling.tickets[...]) { outcome in
      switch outcome {
      case .durable:
        if let wait = settling.wait {
          self.begin(wait, for: promise)
        } else {
          promise.fulfill(with: response)
        }
      case .failed(let fault):
        // Its commit was rolled back, or one that it saw, and then it can look again. Nothing is left of what
        // others outdated.
        let isLost = settling.hasChanged && fault != .conflict
        if isLost || settling.attempt == Self.maximumAttempts {
          promise.fulfill(with: self.finished(Problem(fault).response, to: request))
        } else {
          self.answerAgain(
            request, attempt: settling.attempt + 1, after: fault, isCurrent: false, to: promise)
        }
      }
    }
    return .promise(promise)
  }

  /// Lets a request wait; if it may not, it is answered at once.
  private func begin(_ wait: Wait, for promise: ResponsePromise) {
    let answer: @Sendable (Bool) -> Bool = { [self] isLast in
      self.answer(promise, by: wait, patience: isLast ? .over : .possible)
    }
    let isWaiting = waitingRequests.add(
      waitingFor: wait.session, of: store, seconds: wait.seconds, answer: answer)
    if !isWaiting { _ = self.answer(promise, by: wait, patience: .none) }
  }

  /// Answers a request that waits, and returns true, if it is time for that.
  private func answer(
    _ promise: ResponsePromise, by wait: Wait, patience: Wait.Patience
  ) -> Bool {
    let waiting = Waiting(since: dependencies.nanoseconds(), patience: patience)
    guard let response = wait.answer(waiting) else { return false }
    Ticket.whenSettled(waiting.tickets[...]) { outcome in
      switch outcome {
      case .durable: promise.fulfill(with: response)
      // Others outdated what it saw.
      case .failed(.conflict):
        if !self.answer(promise, by: wait, patience: patience) { self.begin(wait, for: promise) }
      case .failed(let fault): promise.fulfill(with: Problem(fault).response)
      }
    }
    return true
  }

  /// Answers a request anew, on another thread if there is one: this is the journal's, which the next
  /// write waits for. If too much waits there, the fault is the answer.
  ///
  /// - Parameter isCurrent: True if the store has everything that was committed before the request.
  private func answerAgain(
    _ request: Request, attempt: Int, after fault: JournalFault, isCurrent: Bool,
    to promise: ResponsePromise
  ) {
    let job: @Sendable () -> Void = { [self] in
      answerLater(request, attempt: attempt, isCurrent: isCurrent, to: promise)
    }
    guard let runLater = dependencies.runLater else { return job() }
    if !runLater(job) {
      // Nobody is to blame who was outdated with many others.
      if fault == .conflict { return job() }
      promise.fulfill(with: finished(Problem(fault).response, to: request))
    }
  }

  /// The answer that comes once the long requests before it are answered; nil if too many are waiting.
  private func postponed(_ request: Request) -> EventualResponse? {
    let promise = ResponsePromise()
    let isTaken = dependencies.runLater?({ [self] in
      answerLater(request, attempt: 1, isCurrent: false, to: promise)
    })
    return isTaken == true ? .promise(promise) : nil
  }

  private func answerLater(
    _ request: Request, attempt: Int, isCurrent: Bool, to promise: ResponsePromise
  ) {
    let waiting = Waiting(since: dependencies.nanoseconds(), patience: .possible)
    waiting.isCurrent = isCurrent
    answer(to: request, attempt: attempt, waiting).0.whenFulfilled { promise.fulfill(with: $0) }
  }

  /// The number of times that a question is answered, if what it saw is rolled back.
  private static let maximumAttempts = 8

  /// The answer to a message that is no request.
  package func respond(to refusal: RequestRefusal) -> Response {
    metrics.noteRefusal(refusal)
    return Problem(refusal).response
  }

  /// True if a request is answered however many others wait: it asks about the service itself.
  package func isUrgent(_ request: Request) -> Bool {
    guard let first = request.segments.first?.utf8 else { return false }
    return first.elementsEqual("health".utf8) || first.elementsEqual("metrics".utf8)
  }

  /// The answer on the port that is for such requests alone.
  package func answerIfUrgent(to request: Request) -> EventualResponse {
    guard isUrgent(request) else {
      let problem = Problem(
        .unknownPath, "There is nothing but /health and /metrics on this port.")
      return .response(finished(problem.response, to: request))
    }
    return answer(to: request)
  }

  private func answer(_ request: Request, _ waiting: Waiting) throws(Problem) -> Response {
    try authorization.hosts.check(request)
    if let page = try console?.answer(to: request) { return page }
    switch Self.router.match(request.method, request.segments) {
    case .route(let index, let parameters):
      waiting.route = index
      let route = Self.router.routes[index]
      let store = try store(for: route, waiting)
      try catchUp(for: route, in: store?.store, waiting)
      let access: Access
      do throws(Problem) {
        access = try self.access(of: request, on: route, in: store)
      } catch {
        // This very request may have closed the session of the token, and its answer was lost.
        if let answer = try store?.answer(kept: request, on: route, for: self) { return answer }
        throw error
      }
      if !asksForTokens { try authorization.origins.checkChange(by: request) }
      if !request.query.items.isEmpty { try check(request.query, route.query) }
      let key = route.isQuestion ? nil : try idempotencyKey(of: request)
      let call = Call(
        service: self, request: request, parameters: parameters, access: access, key: key,
        waiting: waiting)
      let response = try call.answeredOnce(by: route.respond)
      return route.description.completesDeliveries
        ? call.waitingForDeliveries(response) : response
    case .otherMethods(let methods):
      let allowed = list(of: methods)
      if request.method == .options {
        return Response(status: .noContent, headers: ["Allow": allowed])
      }
      throw Problem(
        .methodNotAllowed, "\(request.method.rawValue) is not among the methods here: \(allowed)."
      ).with(header: "Allow", allowed)
    case .nothing:
      throw Problem(
        .unknownPath,
        "There is nothing at \(quoted(request.path)); GET /openapi.json lists what there is.")
    }
  }

  /// Returns the answer to a request that is made in the course of a call, and carried out with its access.
  func answer(_ request: Request, within call: Call) throws(Problem) -> Response {
    guard
      case .route(let index, let parameters) = Self.router.match(
        request.method, request.segments)
    else {
      throw Problem(.unknownPath, "There is nothing at \(quoted(request.path)).")
    }
    let route = Self.router.routes[index]
    if case .session = call.access, route.requiredAccess != .anyToken {
      throw Problem(
        .forbidden, "The token is that of a session; this needs an administrator's token.")
    }
    return try Call(
      service: self, request: request, parameters: parameters, access: call.access,
      key: route.isQuestion ? nil : try idempotencyKey(of: request), waiting: call.waiting
    ).answeredOnce(by: route.respond)
  }

  /// Returns the sessions that a request may touch, as its ticket or its token says.
  private func access(
    of request: Request, on route: Route, in store: RequestStore?
  ) throws(Problem) -> Access {
    guard asksForTokens else { return .everything }
    if route.takesTickets, let text = request.query["ticket"] {
      let now = dependencies.nanoseconds()
      let taken = text.split(separator: ",").map { tickets.take(String($0), at: now) }
      let valid = taken.compactMap(\.self)
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
    ) { store?.opening(of: $0) }
  }

  /// Sees to it that the answer shows nothing older than what another process has answered before.
  private func catchUp(
    for route: Route, in store: SessionStore?, _ waiting: Waiting
  ) throws(Problem) {
    guard !waiting.isCurrent, let store, let position = store.sharedPosition,
      !route.description.isAboutService
    else { return }
    guard route.isStreamed else {
      waiting.position = position
      return
    }
    // Another replica goes on with it, as this one could not for long.
    if isDraining {
      throw Problem(.recovering, UnreadyReason.draining.detail).with(header: "Retry-After", "1")
    }
    // A stream goes on from where it begins.
    if store.fault != nil || !store.catchUp() { throw Problem(unconfirmed: store.fault ?? .closed) }
  }

  /// The time by which answers may be old where they need not be current.
  private static let recent = Duration.milliseconds(250)

  /// True if an answer need not be confirmed: it may be a little old, but not older than what its client knows.
  private func mayBeOld(_ waiting: Waiting, to request: Request) -> Bool {
    readsRecent && store.isCurrent(within: Self.recent)
      && !EntityTag.isNamed(in: request, nonce: nonce, newerThan: waiting.shown.revisions)
  }

  /// The store, which only routes about the service itself do without.
  private func store(for route: Route, _ waiting: Waiting) throws(Problem) -> RequestStore? {
    if let store = storeIfRecovered { return RequestStore(store: store, waiting: waiting) }
    guard route.description.isAboutService else {
      throw Problem(.recovering, UnreadyReason.recovering.detail).with(header: "Retry-After", "1")
    }
    return nil
  }

  private func list(of methods: [Method]) -> String {
    Method.allCases.filter { methods.contains($0) || $0 == .options }.map(\.rawValue)
      .joined(separator: ", ")
  }

  /// Refuses names in a query that the route does not read, and those that come twice.
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
      guard !met.contains(known.name) else {
        throw Problem(.invalidQuery, "\(quoted(known.name)) is there twice in the query.")
      }
      met.append(known.name)
    }
  }
}

/// A store that was recovered, and how long that took in nanoseconds.
private struct Recovered: Sendable {
  let store: SessionStore
  let time: Int
}
