import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// A tool call that is answered by a stream, whose client is of a handshake or not.
protocol StreamedCall: AgentSource {
  /// The name under which another stream can resume it; nil if it cannot be resumed.
  var name: String? { get }
  /// Returns the next piece of a stream.
  func next(for stream: Int) -> ResponseStream.Piece
  /// Sets the closure that wakes the present stream; it replaces the previous one.
  func begin(waking wake: @escaping @Sendable () -> Void)
  /// Wakes the present stream.
  func wake()
  /// Moves the call to another stream, from the progress that the client knows; returns false if it was cancelled.
  func resume(on stream: Int, after progress: Int64) -> Bool
  /// Follows a session from now on, for the stream that tells it.
  func follow(_ session: SessionID, in store: SessionStore)
  /// Stops following the session when a stream is closed, unless another stream has resumed.
  func leave(_ stream: Int)
}

/// A tool call of a handshake client that waits for a person's answer: the request `elicitation/create` on its stream,
/// then what the call answers once it is repeated with the answer.
///
/// The client answers by another request to the same replica. The call is repeated as a client of 2026-07-28 repeats
/// it, so that it is authorized and checked anew.
final class AgentQuestion: StreamedCall {
  fileprivate enum Phase {
    case asking
    /// It was answered, and the call is being repeated.
    case repeating
    /// The call has answered a message.
    case answered([UInt8])
    /// The call has answered a stream.
    case streaming(ResponseStream)
    case over
  }

  fileprivate struct State {
    /// The number of the present stream; earlier streams have ended.
    var stream: Int
    var phase = Phase.asking
    var hasBegun = false
    /// True if the client was sent the question.
    var hasAsked = false
    /// The number of ids so far.
    var idCount = 0
    var isBeating = false
    var isStopping = false
  }

  private let content: Content
  private let state: Lock<State>
  private let waker = Lock<@Sendable () -> Void>({})

  init(_ content: Content, on stream: Int) {
    self.content = content
    state = Lock(State(stream: stream))
  }

  var name: String? { content.name }

  var isAwaited: Bool { true }

  var isHolding: Bool { false }

  func begin(waking wake: @escaping @Sendable () -> Void) { waker.withLock { $0 = wake } }

  func wake() {
    let wake = waker.withLock(\.self)
    wake()
  }

  func beat() { state.withLock { $0.isBeating = true } }

  func stop() { state.withLock { $0.isStopping = true } }

  func follow(_ session: SessionID, in store: SessionStore) {}

  func leave(_ stream: Int) {}

  func cancel() {
    if let inner = state.withLock({ $0.end() }) { inner.close() }
  }

  func resume(on stream: Int, after progress: Int64) -> Bool {
    let isResumed = state.withLock { state in
      if case .over = state.phase { return false }
      state.stream = stream
      state.hasBegun = false
      // The client never received the question.
      state.hasAsked = state.hasAsked && progress > 0
      return true
    }
    // Wakes the previous stream, so that it ends.
    wake()
    return isResumed
  }

  func next(for stream: Int) -> ResponseStream.Piece {
    let (text, inner) = state.withLock { state -> ([UInt8]?, ResponseStream?) in
      guard stream == state.stream else { return (nil, nil) }
      if case .streaming(let inner) = state.phase { return (nil, inner) }
      return (news(&state), nil)
    }
    if let inner { return piece(of: inner) }
    guard let text else { return .end }
    return text.isEmpty ? .waiting : .bytes(text)
  }

  /// Returns the next piece of the stream by which the repeated call is answered.
  private func piece(of inner: ResponseStream) -> ResponseStream.Piece {
    let piece = inner.piece(orSuspend: {}, resume: { [weak self] in self?.wake() })
    if case .end = piece {
      _ = state.withLock { $0.end() }
      inner.close()
    }
    return piece
  }

  /// Returns the text about everything that happened since; nil at the end.
  private func news(_ state: inout State) -> [UInt8]? {
    var text = state.hasBegun ? [] : opening(&state)
    switch state.phase {
    case .asking:
      if let end = content.end(isStopping: state.isStopping) {
        _ = state.end()
        // The client need not wait for the person any more.
        return text + (state.hasAsked ? event(content.cancellation, &state) : [])
          + event(content.reply.message(end), &state)
      }
      if !state.hasAsked {
        state.hasAsked = true
        text += event(content.question, &state)
      }
    case .repeating: break
    case .answered(let message):
      _ = state.end()
      return text + Array(id(&state).utf8) + AgentStream.block(bytes: message)
    case .streaming, .over: return nil
    }
    if text.isEmpty, state.isBeating { text = Array(":\n".utf8) }
    state.isBeating = false
    return text
  }

  private func opening(_ state: inout State) -> [UInt8] {
    state.hasBegun = true
    return AgentStream.opening(id(&state), in: content.reply.revision)
  }

  private func event(_ message: JSON, _ state: inout State) -> [UInt8] {
    Array(id(&state).utf8) + AgentStream.block(bytes: message.bytes)
  }

  /// Returns the line with the id of the next event.
  private func id(_ state: inout State) -> String {
    state.idCount += 1
    let id = AgentCallEventID(
      of: content.name, progress: state.hasAsked ? 1 : 0, number: state.idCount)
    return "id: \(id.text)\n"
  }
}

extension AgentQuestion.State {
  /// Ends the call, and returns the stream that it had in place of a message.
  fileprivate mutating func end() -> ResponseStream? {
    defer { phase = .over }
    if case .streaming(let inner) = phase { return inner }
    return nil
  }
}

// MARK: The answer

extension AgentQuestion {
  /// Takes the answer, once, and repeats the call with it; returns false if the question is not open.
  ///
  /// - Parameter result: The result of the elicitation; nil if the client could not ask.
  func take(_ result: JSON?) -> Bool {
    let isOpen = content.end(isStopping: false) == nil
    let isTaken = state.withLock { state in
      guard case .asking = state.phase, isOpen else { return false }
      state.phase = .repeating
      return true
    }
    guard isTaken else { return false }
    content.repeatCall(with: result) { [self] response in
      conclude(response)
      wake()
    }
    return true
  }

  /// Goes on with what the repeated call answered.
  private func conclude(_ response: Response) {
    let superfluous = state.withLock { state -> ResponseStream? in
      guard case .repeating = state.phase else { return response.stream }
      state.phase =
        response.stream.map(Phase.streaming) ?? .answered(content.message(of: response))
      return nil
    }
    superfluous?.close()
  }

  /// The constant parts of a question.
  struct Content: Sendable {
    /// The name of the question, and the id of the request to the client.
    let name: String
    let reply: AgentReply
    /// The parameters of `elicitation/create`.
    private let params: JSON
    private let session: SessionID
    /// The number of the session's incarnation.
    private let opening: Int
    private let service: Service
    /// The time until which it can be answered, in nanoseconds.
    private let deadline: Int
    private let request: Request
    private let call: JSONObject
  }
}

extension AgentQuestion.Content {
  /// Creates a question for a tool call.
  ///
  /// - Parameter state: The state that the call is repeated with.
  init(
    _ params: JSON, _ state: String, for asking: AgentRequest, of session: SessionID,
    openedAs opening: Incarnation
  ) {
    service = asking.call.service
    name = service.dependencies.newToken()
    (self.params, self.session, self.opening) = (params, session, opening.number)
    reply = asking.reply
    request = asking.call.request
    deadline =
      service.dependencies.nanoseconds() &+ Int(service.limits.planLifetime) &* 1_000_000
    var call = asking.params
    call["requestState"] = .string(state)
    self.call = call
  }

  /// The request to the client.
  var question: JSON {
    [
      "jsonrpc": "2.0", "id": .string(name), "method": "elicitation/create", "params": params,
    ]
  }

  /// The notification that the question needs no answer any more.
  var cancellation: JSON {
    [
      "jsonrpc": "2.0", "method": "notifications/cancelled",
      "params": ["requestId": .string(name), "reason": "The question is over."],
    ]
  }

  /// Returns the result of a call that ends without an answer; nil while one may come.
  func end(isStopping: Bool) -> JSONObject? {
    var sentence: String?
    if isStopping { sentence = "menud stops" }
    if service.dependencies.nanoseconds() >= deadline { sentence = "nobody answered in time" }
    if !service.isOpen(session, as: opening) { sentence = "the session was closed" }
    return sentence.map {
      ["content": [ToolResult.text("Nothing was done: \($0).")], "isError": true]
    }
  }

  /// Repeats the call with an answer, on a thread for that if there is one.
  func repeatCall(with result: JSON?, then conclude: @escaping @Sendable (Response) -> Void) {
    var call = call
    call["inputResponses"] = .object([ElicitedAnswer.key: result ?? ["action": "cancel"]])
    let body: JSON = [
      "jsonrpc": "2.0", "id": reply.id, "method": "tools/call", "params": .object(call),
    ]
    let (service, original) = (service, request)
    let repetition = try? Request(
      original.method, original.target, headers: original.headers, body: body.bytes,
      remoteAddress: original.remoteAddress)
    guard let repetition else { return conclude(Response(status: .badRequest)) }
    let answer: @Sendable () -> Void = { service.answer(to: repetition).whenMade(conclude) }
    if service.dependencies.runLater?(answer) != true { answer() }
  }

  /// Returns the message in a response; a problem is an error.
  func message(of response: Response) -> [UInt8] {
    if response.headers["content-type"] == "application/json" { return response.body }
    let sentence = response.object?.text("detail") ?? "The call was refused."
    let error: JSON = [
      "jsonrpc": "2.0", "id": reply.id,
      "error": [
        "code": .int(Int64(JSONRPCError.Code.internalError.rawValue)), "message": .string(sentence),
      ],
    ]
    return error.bytes
  }
}
