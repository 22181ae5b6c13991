import Synchronization

/// Processes requests between the daemon's callbacks and the handler; knows no C.
final class RequestProcessor: Sendable {
  let deadlines: Deadlines
  let registry = ConnectionRegistry()
  /// Requests whose request line was read and that are neither answered nor given up.
  let requestsInFlight = Atomic(0)
  /// True if every response closes its connection.
  let isDraining = Atomic(false)
  /// True if new connections are closed at once.
  let refusesConnections = Atomic(false)
  /// True if no connection may wait for a promise any more.
  let isStopping = Atomic(false)
  /// Requests whose promises nobody has fulfilled yet.
  let waitingRequests = Atomic(0)
  /// Promises that the server had to fulfill itself in order to stop.
  let brokenPromises = Atomic(0)
  /// The number of times that any client was heard of.
  private let activities = Atomic<UInt64>(0)
  /// The number of looks of the reaper; the time that deadlines are counted in.
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
  /// Fields that every response has.
  let commonHeaders: Headers
  let maximumStreamsPerAddress: Int
  private let handler: @Sendable (Request) -> EventualResponse
  let admission: @Sendable (Request) -> Response?
  let refusal: @Sendable (RequestRefusal) -> Response
  let isUrgent: @Sendable (Request) -> Bool

  init(
    _ configuration: ServerConfiguration, waker: StreamWaker,
    handler: @escaping @Sendable (Request) -> EventualResponse,
    admission: @escaping @Sendable (Request) -> Response?,
    refusal: @escaping @Sendable (RequestRefusal) -> Response,
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

  /// The next step of the daemon.
  enum NextStep {
    case read
    case send(Response, UnsentBody, closing: Bool)
    /// Sends the body as it comes, but none with HEAD, and closes.
    case stream(StreamedResponse, isHead: Bool)
    /// Asks the promise, and lets the connection wait while that has no response.
    case wait(ResponsePromise, closing: Bool)
    case close
  }

  /// A connection was opened; another one may have to go for it.
  func open(_ connection: Connection) {
    noteActivity(of: connection)
    registry.insert(connection, limit: maximumConnections)
  }

  func noteActivity(of connection: Connection) {
    let number = activities.add(1, ordering: .relaxed).newValue
    connection.lastActivity.store(number, ordering: .relaxed)
  }

  /// The request line was read.
  func begin(_ connection: Connection, target: String?) {
    noteActivity(of: connection)
    requestsInFlight.add(1, ordering: .relaxed)
    connection.stage = .head(target: target)
    enter(.head, connection)
  }

  /// The head was read.
  func receive(
    method: Span<UInt8>, version: Span<UInt8>, _ head: RequestHead, target: String?,
    on connection: Connection
  ) -> NextStep {
    let headers = head.headers
    connection.bytesRead += head.size
    do throws(RequestRefusal) {
      guard headers.size <= maximumHeaderSize else { throw .headersTooLarge }
      guard head.isAcceptable else { throw .malformedHead }
      let framing = try Framing(method: method, version: version, headers: headers)
      guard let target else { throw .malformedTarget }
      let request = try Request(framing.method, target, headers: headers, over: connection)
      return receive(request, framing.length, on: connection)
    } catch {
      return refuse(error, connection)
    }
  }

  /// The message has ended, or the connection was woken.
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

  /// The response was sent, or the request given up.
  ///
  /// `isAbandoned` tells that the client's end was found before the request's.
  func end(_ connection: Connection, isAbandoned: Bool) {
    switch connection.stage {
    case .idle: return
    case .promised(let promise, _): withdraw(promise, connection)
    case .head, .content: if isAbandoned { answerEnded(connection) }
    case .streaming: endStream(of: connection)
    case .refused, .answered: break
    }
    connection.stage = .idle
    connection.isAnsweredAhead = false
    if !connection.content.isEmpty { connection.content = [] }
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
      return send(refusal(overload), closing: closing, connection)
    }
    enter(.handling, connection)
    switch handler(request) {
    case .response(let response):
      return send(response, closing: closing, connection)
    case .promise(let promise):
      waitingRequests.add(1, ordering: .relaxed)
      enter(.waiting, connection)
      return wait(for: promise, closing: closing, connection)
    case .stream(let response):
      return begin(response, isHead: request.method == .head, closing: closing, connection)
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
    let refused = refusal(.tooMuchUnsent)
    return .send(refused, UnsentBody(refused.body), closing: closing)
  }

  /// The response to a message that is not handed to the handler.
  func refuse(_ reason: RequestRefusal, _ connection: Connection) -> NextStep {
    refuse(with: refusal(reason), connection)
  }

  /// The same with that response.
  func refuse(with response: Response, _ connection: Connection) -> NextStep {
    connection.stage = .answered
    enter(.response, connection)
    return .send(response, UnsentBody(response.body), closing: true)
  }

  /// Returns why a request is not handed to the handler; nil if it is.
  private func overload(for request: Request, on connection: Connection) -> RequestRefusal? {
    // Its promise would be broken at once, and nobody would know what became of the request.
    if isStopping.load(ordering: .relaxed), !isUrgent(request) { return .stopping }
    let isCrowded = waitingRequests.load(ordering: .relaxed) >= maximumRequestsInFlight
    guard isCrowded || unsentBodies.areExhausted(for: connection.remoteAddress),
      !isUrgent(request)
    else { return nil }
    return isCrowded ? .tooManyRequests : .tooMuchUnsent
  }

  func enter(_ phase: ConnectionPhase, _ connection: Connection) {
    connection.clock.enter(phase, tick: ticks.load(ordering: .relaxed))
  }
}
