package import CEL
import JSONText
import Locks
package import MenuEngine
package import MenuStore
package import MicroHTTP
import Synchronization

/// The service: a function from requests to responses.
package final class Service: Sendable {
  private let recovered = LazyReference<Recovered>()
  let dependencies: Dependencies
  /// The limits of rules that clients register.
  let ruleLimits: ProgramLimits
  let limits: ServiceLimits
  let authorization: Authorization
  let budget: ProcessorBudget
  private let processorClock: ProcessorClock
  private let requestIDs: RequestIDs
  let metrics = Metrics(routes)
  let sessions: LiveSessions
  /// The pages of the console; nil if they are not served.
  let console: ConsolePages?
  let clientFiles: ClientFiles
  let events: EventChannels
  let recoveryStreams = RecoveryStreams()
  let agents: AgentChannels
  let tickets = EventTickets()
  /// The digests of administrators' tokens; empty if no tokens are required.
  let administrators: Lock<[TokenDigest]>
  let waitingRequests: WaitingRequests
  private let steadyClock: SteadyClock
  private let draining = Atomic(false)
  private let server = Lock<@Sendable () -> ServerFigures?>({ nil })

  /// True if answers may be older than those of other replicas.
  let readsRecent: Bool

  /// Creates a service. It is ready once it has a store; without one it answers about its health only.
  package init(
    store: SessionStore?, _ dependencies: Dependencies, ruleLimits: ProgramLimits = ProgramLimits(),
    limits: ServiceLimits = ServiceLimits(), authorization: Authorization = Authorization(),
    console: ConsolePages? = nil, readsRecent: Bool = false
  ) {
    self.console = console
    clientFiles = ClientFiles(version: dependencies.version)
    self.readsRecent = readsRecent
    self.ruleLimits = ruleLimits
    self.limits = limits
    self.authorization = authorization
    sessions = LiveSessions(upTo: limits.memory, ofSession: limits.memoryOfSession)
    budget = ProcessorBudget(
      perSecond: limits.processorTime, ofClients: limits.openingTime)
    processorClock = ProcessorClock(dependencies.processorNanoseconds)
    events = EventChannels(
      in: EventEnvironment(
        sessions: sessions, limits: limits.events, nanoseconds: dependencies.nanoseconds,
        budget: budget,
        pace: limits.processorTime, runLater: dependencies.runEvents))
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

  deinit { sessions.releaseAll() }

  var document: [UInt8] { asksForTokens ? Self.guardedDocument : Self.openDocument }

  private static let guardedDocument = OpenAPIWriter.document(of: sections, asksForTokens: true)
  private static let openDocument = OpenAPIWriter.document(of: sections, asksForTokens: false)
  static let router = Router(routes)

  /// Begins to answer requests about a store; a second call has no effect.
  ///
  /// - Parameter time: The time that its recovery took, in nanoseconds.
  package func begin(with store: SessionStore, recoveredIn time: Int) {
    guard recovered.load() == nil else { return }
    // This precedes the first request about the store.
    if let agreement = store.agreement { steadyClock.begin(at: agreement.time) }
    let nonce = store.agreement?.nonce ?? dependencies.nonce
    _ = recovered.storeIfNil(Recovered(store: store, time: time, nonce: nonce))
    recoveryStreams.end()
  }

  /// The sessions and the catalogue; nil until they are recovered.
  package var storeIfRecovered: SessionStore? { recovered.load()?.store }

  /// True if a session is open, and its incarnation is the one of that number.
  func isOpen(_ session: SessionID, as opening: Int) -> Bool {
    storeIfRecovered?.opening(of: session)?.number == opening
  }

  /// The sessions and the catalogue; only for code that runs after the recovery.
  package var store: SessionStore {
    guard let store = storeIfRecovered else { preconditionFailure("There is no store yet.") }
    return store
  }

  /// Releases data not used since the last call; called once a minute.
  package func forgetIdle() {
    sessions.sweep()
    agents.calls.forgetQuiet()
    tickets.forgetExpired(at: dependencies.nanoseconds())
  }

  /// Releases everything that is kept beside a closed session.
  func release(_ opening: Incarnation) {
    sessions.release(opening)
    tickets.forget(opening)
    agents.clients.forget(opening)
    agents.calls.forget(opening)
  }

  /// Ends expired long polls of subscribers, and sends heartbeats on streams; called every half second.
  package func tickEvents() {
    sessions.releaseClosed()
    if storeIfRecovered != nil { endRevokedLeases() }
    events.tick(at: dependencies.nanoseconds())
    agents.tick()
  }

  /// Replaces the administrators' tokens if tokens are required, and ends the streams with revoked ones.
  /// Returns the number of revoked tokens.
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

  /// Reopens deliveries with expired claims, drops those settled long ago, and answers expired long polls; called
  /// about twice a second.
  ///
  /// - Returns: The fault with which the journal refused a change; nil if there is none.
  package func tendDeliveries() -> JournalFault? {
    let time = steadyTime
    defer { waitingRequests.tick() }
    return store.tendDeliveries(at: time, settledBefore: time - limits.deliveryRetention)
  }

  /// The time that the recovery of the store took, in nanoseconds.
  var recoveryTime: Int { recovered.load()?.time ?? 0 }

  /// Sets the source of the HTTP server's load.
  package func measureServer(by figures: @escaping @Sendable () -> ServerFigures?) {
    server.withLock { $0 = figures }
  }

  /// The load of the HTTP server; nil if it is unavailable.
  var serverFigures: ServerFigures? { server.withLock(\.self)() }

  /// The nonce in entity tags, different for each run of the program unless replicas share a journal.
  var nonce: String { recovered.load()?.nonce ?? dependencies.nonce }

  /// The time in milliseconds since 1970-01-01T00:00:00Z, monotonic while the program runs, even if the
  /// system's clock is set back. Claims expire by it.
  var steadyTime: Int64 { steadyClock.now }

  /// True if requests need a token.
  package var asksForTokens: Bool { authorization.administrators != nil }

  /// True if the service is about to stop; it is then not ready, but still answers.
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

  /// The answer to a request, which comes once its change is durable.
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
    case .promise(let promise):
      promise.whenFulfilled { [self] response in
        metrics.noteAnswer(response.status, at: place, in: dependencies.nanoseconds() &- start)
      }
    }
    return answer
  }

  /// Makes the response to a request, and the change that it proposes.
  func respond(to request: Request, _ waiting: Waiting) -> Response {
    processorClock.begin(at: waiting.start)
    let response = finished(answered(request, waiting), to: request)
    waiting.end = dependencies.nanoseconds()
    if let payer = waiting.session.map(Payer.session) ?? waiting.payer {
      let cost = processorClock.cost(
        from: waiting.start, taking: waiting.end &- waiting.start)
      waiting.cost = cost
      budget.charge(payer, cost, at: waiting.end)
    }
    return response
  }

  private func answered(_ request: Request, _ waiting: Waiting) -> Response {
    do throws(Problem) {
      return try answer(request, waiting)
    } catch {
      // A refused request changes nothing.
      waiting.dropProposal()
      // A request that is answered again discards this answer.
      if waiting.unconfirmed != nil, !waiting.isAgain {
        return Response(status: .serviceUnavailable)
      }
      return error.type == .sessionDamaged
        ? response(error, toUnread: request) : error.response
    }
  }

  /// Returns the response with the fields for browsers, and with the request's id if it is logged or the client
  /// sent one.
  func finished(_ response: Response, to request: Request) -> Response {
    let isNamed = isNamed(request.headers)
    guard isNamed || !authorization.origins.origins.isEmpty else { return response }
    var response = response
    authorization.origins.mark(&response, to: request)
    if isNamed { response.headers.append("X-Request-Id", requestIDs.id(of: request.headers)) }
    return response
  }

  /// Returns true if the response to a request with these fields has an id.
  private func isNamed(_ headers: Headers) -> Bool {
    dependencies.namesRequests || headers.has("x-request-id")
  }

  /// The fields of every answer. The first keeps browsers from taking an answer for a script or a page; the
  /// second keeps pages of other origins from loading it as a picture or a script, unless an answer has its own.
  /// Neither concerns CORS.
  package static let commonHeaders: Headers = [
    "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
  ]

  /// Returns the answer to a refused message, with the fields for browsers and its id. `headers` are the fields of the
  /// message that were read.
  package func respond(to refusal: RequestRefusal, with headers: Headers) -> Response {
    metrics.noteRefusal(refusal)
    var response = Problem(refusal).response
    authorization.origins.mark(&response, for: headers)
    if isNamed(headers) { response.headers.append("X-Request-Id", requestIDs.id(of: headers)) }
    return response
  }

  /// True if a request is answered under any load, because it is about the service itself.
  package func isUrgent(_ request: Request) -> Bool {
    guard let first = request.segments.first?.utf8 else { return false }
    return first.elementsEqual("health".utf8) || first.elementsEqual("metrics".utf8)
  }

  /// Returns the answer on the port for urgent requests only.
  package func answerIfUrgent(to request: Request) -> EventualResponse {
    guard isUrgent(request) else {
      let problem = Problem(
        .unknownPath, "There is nothing but /health and /metrics on this port.")
      return .response(finished(problem.response, to: request))
    }
    return answer(to: request)
  }
}

/// A recovered store, the time of its recovery in nanoseconds, and the nonce in entity tags.
private final class Recovered: Sendable {
  let store: SessionStore
  let time: Int
  let nonce: String

  init(store: SessionStore, time: Int, nonce: String) {
    (self.store, self.time, self.nonce) = (store, time, nonce)
  }
}
