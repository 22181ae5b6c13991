import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The source of the messages of a tool call that is answered by a stream.
protocol CallSource: AnyObject, Sendable {
  /// The name under which another stream can resume the call; nil if it cannot be resumed.
  var name: String? { get }
  /// The envelope of its result.
  var reply: AgentReply { get }
  /// The call that continues this one; nil if this one has its own messages.
  var continuation: StreamedCall? { get }
  /// Returns the messages that it has not returned yet.
  ///
  /// - Parameter reason: The reason why the stream ends now; nil if it continues.
  func news(endingFor reason: StopReason?) -> CallNews
  /// Rewinds to the progress that a client has received; later messages are sent again.
  func rewind(to progress: Int64)
  /// Cancels the work that the call waits for.
  func cancel()
  /// Follows a session from now on, for the stream of that number.
  func follow(
    _ session: SessionID, in store: SessionStore, on stream: Int,
    waking wake: @escaping @Sendable () -> Void)
  /// Stops following the session for a stream, unless another one has resumed.
  func leave(_ stream: Int)
}

extension CallSource {
  var continuation: StreamedCall? { nil }

  func follow(
    _ session: SessionID, in store: SessionStore, on stream: Int,
    waking wake: @escaping @Sendable () -> Void
  ) {}

  func leave(_ stream: Int) {}
}

/// The news of a tool call.
enum CallNews {
  case messages([CallMessage], isLast: Bool = false)
  /// The remaining messages are on the stream of the call that continues this one.
  case continuation(ResponseStream)
}

/// A message on the stream of a tool call.
struct CallMessage {
  let bytes: [UInt8]
  /// The progress known to a client that has received it.
  let progress: Int64
}

/// A tool call that is answered by a stream, whose last message is the result. It has one stream at a time; messages
/// lost with a broken stream are sent again on the next one.
final class StreamedCall: AgentSource {
  private struct State {
    /// The number of the present stream; earlier streams have ended.
    var stream: Int
    /// The progress that the client had received when it opened the stream.
    var knownProgress: Int64 = 0
    /// The number of ids so far.
    var idCount = 0
    var hasBegun = false
    var isBeating = false
    var stopReason: StopReason?
    var isCancelled = false
    var isAtEnd = false
  }

  /// The present stream.
  private struct Body { weak var stream: ResponseStream? }

  let source: any CallSource
  private let state: Lock<State>
  private let body = Lock(Body())

  init(_ source: any CallSource, on stream: Int) {
    self.source = source
    state = Lock(State(stream: stream))
  }

  /// The number of the present stream.
  var stream: Int { state.withLock(\.stream) }

  var isAwaited: Bool { true }

  var isHolding: Bool { false }

  func beat() { state.withLock { $0.isBeating = true } }

  func stop(_ reason: StopReason) { state.withLock { $0.stopReason = reason } }

  /// Cancels the work that it waits for, unless the result was sent.
  func cancel() {
    let isWaiting = state.withLock { state in
      guard !state.isAtEnd else { return false }
      (state.isAtEnd, state.isCancelled) = (true, true)
      return true
    }
    if isWaiting { source.cancel() }
  }

  /// Follows a session from now on, for the present stream.
  func follow(_ session: SessionID, in store: SessionStore) {
    source.follow(session, in: store, on: stream) { [weak self] in self?.wake() }
  }

  /// Wakes a stream from now on, if its number is that of the present one.
  func begin(_ stream: ResponseStream, as number: Int) {
    state.withLock { state in
      if state.stream == number { body.withLock { $0.stream = stream } }
    }
  }

  /// True if a stream is the present one.
  func isTold(by stream: ResponseStream) -> Bool { body.withLock { $0.stream === stream } }

  /// Wakes the present stream.
  func wake() { body.withLock(\.stream)?.wake() }

  /// Moves the call to another stream, from the progress that the client has received; returns false if it was
  /// cancelled.
  func resume(on stream: Int, after progress: Int64) -> Bool {
    let isResumed = state.withLock { state in
      guard !state.isCancelled else { return false }
      state = State(stream: stream, knownProgress: progress, idCount: state.idCount)
      source.rewind(to: progress)
      return true
    }
    // Wakes the previous stream, so that it ends.
    wake()
    return isResumed
  }

  /// Returns the next piece of a stream.
  func next(for stream: Int) -> ResponseStream.Piece {
    var inner: ResponseStream?
    let piece = state.withLock { state -> ResponseStream.Piece in
      guard stream == state.stream, !state.isAtEnd else { return .end }
      var text = state.hasBegun ? [] : opening(&state)
      switch source.news(endingFor: state.stopReason) {
      case .messages(let messages, let isLast):
        for message in messages {
          text += Array(id(after: message.progress, &state).utf8)
          text += AgentStream.block(bytes: message.bytes)
        }
        state.isAtEnd = isLast
      case .continuation(let stream): inner = text.isEmpty ? stream : nil
      }
      if text.isEmpty, state.isBeating { text = Array(":\n".utf8) }
      state.isBeating = false
      return text.isEmpty ? .waiting : .bytes(text)
    }
    return inner.map(self.piece(of:)) ?? piece
  }

  /// Returns the next piece of the stream that continues the call.
  private func piece(of inner: ResponseStream) -> ResponseStream.Piece {
    let piece = inner.piece(orSuspend: {}, resume: { [weak self] in self?.wake() })
    if case .end = piece { inner.close() }
    return piece
  }

  /// Returns the first text of a stream: an id to resume from.
  private func opening(_ state: inout State) -> [UInt8] {
    state.hasBegun = true
    let id = id(after: state.knownProgress, &state)
    return id.isEmpty ? [] : AgentStream.opening(id, in: source.reply.revision)
  }

  /// Returns the line with the id of the next event; empty if the call cannot be resumed.
  private func id(after progress: Int64, _ state: inout State) -> String {
    guard let name = source.name else { return "" }
    state.idCount += 1
    return "id: \(AgentCallEventID(of: name, progress: progress, number: state.idCount).text)\n"
  }
}

extension AgentChannels {
  /// Returns the stream of a call, registered until it is closed.
  func stream(
    of source: any CallSource, by client: AgentClient, tokens: StreamTokens
  ) -> (stream: ResponseStream, call: StreamedCall) {
    let number = nextNumber()
    let call = StreamedCall(source, on: number)
    let request = AgentRequestName(client: client, id: source.reply.id)
    return (stream(of: call, as: number, for: request, tokens: tokens), call)
  }

  /// Returns a stream that resumes the broken stream of the same client; nil if the call no longer exists.
  func resume(
    _ event: AgentCallEventID, by client: AgentClient, tokens: StreamTokens
  ) -> (stream: ResponseStream, call: StreamedCall)? {
    guard let (found, request) = calls.call(named: event.call, by: client) else { return nil }
    var (call, progress) = (found, event.progress)
    // The client has received nothing of the call that continues this one.
    while let next = call.source.continuation { (call, progress) = (next, 0) }
    let number = nextNumber()
    guard call.resume(on: number, after: progress) else {
      _ = calls.remove(request)
      return nil
    }
    return (stream(of: call, as: number, for: request, tokens: tokens), call)
  }

  /// Since 2026-07-28 closing the stream cancels the call; a handshake client may have lost its connection.
  private func stream(
    of call: StreamedCall, as number: Int, for request: AgentRequestName, tokens: StreamTokens
  ) -> ResponseStream {
    let stream = ResponseStream(
      next: { call.next(for: number) },
      whenClosed: { [weak self] in
        self?.remove(number)
        call.source.leave(number)
        guard let name = call.source.name else { return call.cancel() }
        self?.calls.close(number, of: name)
      })
    call.begin(stream, as: number)
    if let name = call.source.name { calls.add(call, named: name, as: request) }
    add(call, as: number, tokens: tokens, waking: { [weak stream] in stream?.wake() })
    return stream
  }
}
