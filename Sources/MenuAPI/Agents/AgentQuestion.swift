import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The messages of a handshake client's tool call that waits for the user's answer: the request `elicitation/create`,
/// then the result of repeating the call with the answer.
///
/// The client answers by another request to the same replica. The call is repeated as a client of 2026-07-28 repeats
/// it, so that it is authorized and checked again.
final class AgentQuestion: CallSource {
  private enum Phase {
    case asking
    /// The question was answered, and the call is being repeated.
    case repeating
    /// The question is closed; with the last messages.
    case over([[UInt8]])
    /// The repeated call is answered by a stream.
    case continued(StreamedCall, ResponseStream)
    case cancelled
  }

  private struct State {
    var phase = Phase.asking
    /// True if the question was sent to the client.
    var hasAsked = false
  }

  private let content: Content
  private let state = Lock(State())

  init(_ content: Content) { self.content = content }

  var name: String? { content.name }

  var reply: AgentReply { content.reply }

  var continuation: StreamedCall? {
    state.withLock { if case .continued(let call, _) = $0.phase { call } else { nil } }
  }

  func rewind(to progress: Int64) {
    // The client never received the question.
    state.withLock { $0.hasAsked = $0.hasAsked && progress > 0 }
  }

  func cancel() {
    let phase = state.withLock { state in
      defer { state.phase = .cancelled }
      return state.phase
    }
    if case .continued(_, let inner) = phase { inner.close() }
  }

  func news(endingFor reason: StopReason?) -> CallNews {
    state.withLock { state in
      if case .asking = state.phase, let end = content.end(for: reason) {
        // The client no longer needs the user's answer.
        let messages = (state.hasAsked ? [content.cancellation] : []) + [reply.message(end)]
        state.phase = .over(messages.map(\.bytes))
      }
      let progress: Int64 = state.hasAsked ? 1 : 0
      switch state.phase {
      case .asking where !state.hasAsked:
        state.hasAsked = true
        return .messages([CallMessage(bytes: content.question.bytes, progress: 1)])
      case .asking, .repeating, .cancelled: return .messages([])
      case .over(let messages):
        return .messages(
          messages.map { CallMessage(bytes: $0, progress: progress) }, isLast: true)
      case .continued(_, let inner): return .continuation(inner)
      }
    }
  }
}

// MARK: The answer

extension AgentQuestion {
  /// Takes the answer, once, and repeats the call with it; returns false if the question is not open.
  ///
  /// - Parameters:
  ///   - result: The result of the elicitation; nil if the client could not ask.
  ///   - wake: Wakes the stream once the call is repeated.
  func take(_ result: JSON?, waking wake: @escaping @Sendable () -> Void) -> Bool {
    let isOpen = content.end(for: nil) == nil
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

  /// Continues with the answer to the repeated call.
  private func conclude(_ response: Response) {
    let inner = response.stream.flatMap { stream in
      content.service.agents.calls.call(toldBy: stream).map { (call: $0, stream: stream) }
    }
    let isCancelled = state.withLock { state in
      guard case .repeating = state.phase else { return true }
      state.phase =
        inner.map { Phase.continued($0.call, $0.stream) } ?? .over([content.message(of: response)])
      return false
    }
    guard isCancelled else { return }
    inner?.call.cancel()
    response.stream?.close()
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
    fileprivate let service: Service
    /// The deadline for the answer, in nanoseconds.
    private let deadline: Int
    private let request: Request
    private let call: JSONObject
  }
}

extension AgentQuestion.Content {
  /// Creates a question for a tool call.
  ///
  /// - Parameter state: The state with which the call is repeated.
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

  /// The notification that the question no longer needs an answer.
  var cancellation: JSON {
    [
      "jsonrpc": "2.0", "method": "notifications/cancelled",
      "params": ["requestId": .string(name), "reason": "The question is over."],
    ]
  }

  /// Returns the result of a call that ends without an answer; nil while an answer may come.
  ///
  /// - Parameter reason: The reason why its stream ends; nil if it continues.
  func end(for reason: StopReason?) -> JSONObject? {
    var sentence = reason.map(\.clause)
    if service.dependencies.nanoseconds() >= deadline { sentence = "nobody answered in time" }
    if !service.isOpen(session, as: opening) { sentence = "the session was closed" }
    return sentence.map {
      let explanation = "Nothing was done: \($0)."
      return [
        "content": [ToolResult.text(explanation)],
        "structuredContent": ["performed": false, "explanation": .string(explanation)],
        "isError": true,
      ]
    }
  }

  /// Repeats the call with an answer, on a separate thread if there is one.
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
