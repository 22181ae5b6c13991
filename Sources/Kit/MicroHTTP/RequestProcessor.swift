import Synchronization

/// Processes requests between the daemon's callbacks and the handler, without C types.
final class RequestProcessor: Sendable {
  let deadlines: Deadlines
  let registry = ConnectionRegistry()
  /// The number of requests whose request line was read and that are neither answered nor abandoned.
  let requestsInFlight = Atomic(0)
  /// True if every response closes its connection.
  let isDraining = Atomic(false)
  /// True if new connections are closed at once.
  let refusesConnections = Atomic(false)
  /// True if no further promises are awaited.
  let isStopping = Atomic(false)
  /// The number of requests with pending promises.
  let waitingRequests = Atomic(0)
  /// The number of promises that the server fulfilled itself in order to stop.
  let brokenPromises = Atomic(0)
  /// The number of activities of all clients.
  private let activities = Atomic<UInt64>(0)
  /// The number of the reaper's ticks, the time unit of deadlines.
  let ticks = Atomic<UInt64>(0)
  let unsentBodies: UnsentBodies
  let receivedBodies: ReceivedBodies
  let waker: StreamWaker
  let isEncrypted: Bool
  let maximumBodySize: Int
  private let maximumHeaderSize: Int
  let maximumRequestsInFlight: Int
  private let maximumConnections: Int
  let maximumStreams: Int
  /// The fields of every response.
  let commonHeaders: Headers
  let maximumStreamsPerAddress: Int
  private let handler: @Sendable (Request) -> EventualResponse
  let admission: @Sendable (Request) -> Response?
  let refusal: @Sendable (RequestRefusal, MessageHead) -> Response
  let isUrgent: @Sendable (Request) -> Bool

  init(
    _ configuration: ServerConfiguration, waker: StreamWaker,
    handler: @escaping @Sendable (Request) -> EventualResponse,
    admission: @escaping @Sendable (Request) -> Response?,
    refusal: @escaping @Sendable (RequestRefusal, MessageHead) -> Response,
    isUrgent: @escaping @Sendable (Request) -> Bool
  ) {
    deadlines = Deadlines(configuration)
    isEncrypted = configuration.credentials != nil
    maximumBodySize = configuration.maximumBodySize
    maximumHeaderSize = configuration.maximumHeaderSize
    maximumRequestsInFlight = configuration.maximumRequestsInFlight
    maximumConnections = configuration.maximumConnections
    maximumStreams = configuration.maximumStreams
    maximumStreamsPerAddress = configuration.maximumStreamsPerAddress
    unsentBodies = UnsentBodies(
      budget: configuration.maximumUnsentBytes,
      perAddress: configuration.maximumUnsentBytesPerAddress)
    receivedBodies = ReceivedBodies(
      budget: configuration.maximumReceivedBytes,
      perAddress: configuration.maximumReceivedBytesPerAddress)
    commonHeaders = configuration.headers
    self.waker = waker
    self.handler = handler
    self.admission = admission
    self.refusal = refusal
    self.isUrgent = isUrgent
  }

  /// The daemon's next step.
  enum NextStep {
    case read
    case send(Response, UnsentBody, closing: Bool)
    /// Sends the pieces of the body, none for HEAD, and closes.
    case stream(ResponseStream, of: Response, isHead: Bool)
    /// Sends the promised response, and suspends the connection until it is there.
    case wait(ResponsePromise, closing: Bool)
    case close
  }

  /// Handles a new connection, for which another one may be evicted.
  func open(_ connection: Connection) {
    noteActivity(of: connection)
    registry.insert(connection, limit: maximumConnections)
  }

  func noteActivity(of connection: Connection) {
    let number = activities.add(1, ordering: .relaxed).newValue
    connection.lastActivity.store(number, ordering: .relaxed)
  }

  /// Handles a request line.
  func begin(_ connection: Connection, target: String?) {
    noteActivity(of: connection)
    requestsInFlight.add(1, ordering: .relaxed)
    connection.stage = .head(target: target)
    connection.head.target = target
    enter(.head, connection)
  }

  /// Handles a complete head.
  func receive(
    method: Span<UInt8>, version: Span<UInt8>, _ head: RequestHead, target: String?,
    on connection: Connection
  ) -> NextStep {
    let headers = head.headers
    connection.bytesRead += head.size
    connection.head.method = String(copying: method)
    connection.head.headers = headers
    do throws(RequestRefusal) {
      guard headers.size <= maximumHeaderSize else { throw .headersTooLarge }
      guard head.isAcceptable else { throw .malformed(.malformedHead) }
      let framing = try Framing(method: method, version: version, headers: headers)
      guard let target else { throw .malformed(.malformedTarget) }
      let request = try Request(framing.method, target, headers: headers, over: connection)
      return receive(request, framing.length, on: connection)
    } catch {
      return refuse(error, connection)
    }
  }

  /// Handles the end of a request, or a resumed connection.
  func finish(_ connection: Connection) -> NextStep {
    switch connection.leaveStage() {
    case .content(var request, let isChunked):
      swap(&request.body, &connection.content)
      return answer(request, closing: isChunked, connection)
    case .promised(let promise, _) where connection.isAnsweredAhead:
      withdraw(promise, connection)
      return .close
    case .promised(let promise, let closing):
      return wait(for: promise, closing: closing, connection)
    case .refused(_, let response?):
      return refuse(with: response, connection)
    case .idle, .head, .refused, .streaming, .answered:
      return .close
    }
  }

  /// Handles the end of a response or of an abandoned request. `isAbandoned` is true if the client closed its
  /// half before the request was complete.
  func end(_ connection: Connection, isAbandoned: Bool) {
    switch connection.stage {
    case .idle: return
    case .promised(let promise, _):
      withdraw(promise, connection)
      // Every end is reported to observers.
      if promise.dropMaker() { promise.fulfill(with: Response(status: .serviceUnavailable)) }
    case .head, .content: if isAbandoned { answerEnded(connection) }
    case .streaming: endStream(of: connection)
    case .refused, .answered: break
    }
    connection.stage = .idle
    connection.isAnsweredAhead = false
    if !connection.content.isEmpty { connection.content = [] }
    connection.head.clear()
    uncount(connection)
    enter(.idle, connection)
    requestsInFlight.subtract(1, ordering: .relaxed)
  }

  private func answer(_ request: Request, closing: Bool, _ connection: Connection) -> NextStep {
    connection.stage = .answered
    connection.isRequestSafe = request.method.isSafe
    connection.isHead = if case .head = request.method { true } else { false }
    if connection.isCounted { receivedBodies.noteHandled(connection) }
    if let overload = overload(for: request, on: connection) {
      return send(refusal(overload, connection.head), closing: closing, connection)
    }
    enter(.handling, connection)
    switch handler(request) {
    case .response(let response):
      return begin(response, isHead: request.method == .head, closing: closing, connection)
    case .promise(let promise):
      waitingRequests.add(1, ordering: .relaxed)
      enter(.waiting, connection)
      return wait(for: promise, closing: closing, connection)
    }
  }

  func send(_ response: Response, closing: Bool, _ connection: Connection) -> NextStep {
    enter(.response, connection)
    let closing =
      connection.noteResponse(response.status) || closing || isDraining.load(ordering: .relaxed)
    uncount(connection)
    let body = unsentBodies.add(
      response.body, to: connection, isRefusable: connection.isRequestSafe)
    if let body { return .send(response, body, closing: closing) }
    let refused = refusal(.overloaded(.tooMuchUnsent), connection.head)
    return .send(refused, UnsentBody(refused.body), closing: closing)
  }

  /// Refuses a request.
  func refuse(_ reason: RequestRefusal, _ connection: Connection) -> NextStep {
    refuse(with: refusal(reason, connection.head), connection)
  }

  /// Refuses a request with a response.
  func refuse(with response: Response, _ connection: Connection) -> NextStep {
    connection.stage = .answered
    enter(.response, connection)
    return .send(response, UnsentBody(response.body), closing: true)
  }

  /// Returns the reason why a request is not passed to the handler; nil if it is.
  private func overload(for request: Request, on connection: Connection) -> RequestRefusal? {
    // Its promise would be broken at once, with an unknown outcome of the request.
    if isStopping.load(ordering: .relaxed), !isUrgent(request) { return .overloaded(.stopping) }
    let isCrowded = waitingRequests.load(ordering: .relaxed) >= maximumRequestsInFlight
    guard isCrowded || unsentBodies.areExhausted(for: connection.remoteAddress),
      !isUrgent(request)
    else { return nil }
    return isCrowded ? .overloaded(.tooManyRequests) : .overloaded(.tooMuchUnsent)
  }

  func enter(_ phase: ConnectionPhase, _ connection: Connection) {
    connection.clock.enter(phase, tick: ticks.load(ordering: .relaxed))
  }
}
