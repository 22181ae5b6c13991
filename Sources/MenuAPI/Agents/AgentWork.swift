import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// A tool call that waits until its deliveries are settled (D3): notifications of progress, then the result, on
/// one stream at a time.
final class AgentWork: StreamedCall {
  /// The constant parts of the call.
  struct Task: Sendable {
    let opening: Incarnation
    /// The answer of `POST /commands/perform`.
    let answer: JSONObject
    /// The ids of the deliveries in it.
    let deliveries: [Int]
    let tool: CalledTool
    let reply: AgentReply
    /// The token of progress notifications; nil if the client wants none.
    let progressToken: JSON?
    /// The name under which another stream can resume it; nil if it cannot be resumed.
    let name: String?
    /// Cancels a delivery; callable on any thread.
    let cancel: @Sendable (Int) -> Void
  }

  struct State {
    /// The number of the present stream; earlier streams have ended.
    var stream: Int
    var hasBegun = false
    /// The progress that the client knew when it opened the stream.
    var knownProgress: Int64 = 0
    /// The number of ids so far.
    var idCount = 0
    /// The position of the last edition that was looked at.
    var position: Int?
    var deliveries: [Int: Delivery] = [:]
    var progress: Int64 = 0
    /// The delivery of the newest progress notification.
    var latest: Delivery?
    /// The progress of the last notification of each delivery that named its resource.
    var naming: [Int: Int64] = [:]
    var isBeating = false
    var isStopping = false
    var isCancelled = false
    var isAtEnd = false
  }

  let task: Task

  var name: String? { task.name }

  /// Follows the session for the stream of that number.
  private let follower = Lock<(stream: Int, follower: Follower)?>(nil)
  private let state: Lock<State>
  private let waker = Lock<@Sendable () -> Void>({})

  /// Creates the work for a task without progress.
  init(_ task: Task, on stream: Int) {
    self.task = task
    state = Lock(State(stream: stream))
  }

  /// Follows a session from now on, for the stream that tells it.
  func follow(_ session: SessionID, in store: SessionStore) {
    let follower = store.follow(.session(session)) { [weak self] in self?.wake() }
    let stream = state.withLock(\.stream)
    let earlier = self.follower.withLock { current in
      defer { current = (stream, follower) }
      return current
    }
    withExtendedLifetime(earlier) {}
  }

  /// Stops following the session when a stream is closed, unless another stream has resumed.
  func leave(_ stream: Int) {
    let left = follower.withLock { current in
      current?.stream == stream ? current.take() : nil
    }
    withExtendedLifetime(left) {}
  }

  /// Sets the closure that wakes the present stream; it replaces the previous one.
  func begin(waking wake: @escaping @Sendable () -> Void) { waker.withLock { $0 = wake } }

  /// Moves the work to another stream, from the progress that the client knows; returns false if it was
  /// cancelled.
  func resume(on stream: Int, after progress: Int64) -> Bool {
    let isResumed = state.withLock { state in
      guard !state.isCancelled else { return false }
      state.stream = stream
      state.knownProgress = progress
      // The client never received these notifications.
      state.naming = state.naming.filter { $0.value <= progress }
      state.hasBegun = false
      state.position = nil
      state.isStopping = false
      state.isAtEnd = false
      return true
    }
    // Wakes the previous stream, so that it ends.
    wake()
    return isResumed
  }

  /// Wakes the present stream.
  func wake() {
    let wake = waker.withLock(\.self)
    wake()
  }

  var isAwaited: Bool { true }

  var isHolding: Bool { false }

  func beat() { state.withLock { $0.isBeating = true } }

  func stop() { state.withLock { $0.isStopping = true } }

  /// Cancels what is not settled, unless the answer was sent.
  func cancel() {
    let open = state.withLock { state -> [Int] in
      guard !state.isAtEnd else { return [] }
      (state.isAtEnd, state.isCancelled) = (true, true)
      return task.deliveries.filter { state.deliveries[$0]?.state.isSettled != true }
    }
    for id in open { task.cancel(id) }
  }

  /// Returns the next piece of a stream.
  func next(for stream: Int) -> ResponseStream.Piece {
    state.withLock { state in
      guard stream == state.stream, !state.isAtEnd else { return .end }
      var text = state.hasBegun ? [] : opening(&state)
      text += news(&state)
      if text.isEmpty, state.isBeating { text = Array(":\n".utf8) }
      state.isBeating = false
      return text.isEmpty ? .waiting : .bytes(text)
    }
  }

  /// Returns the text about everything that happened since.
  private func news(_ state: inout State) -> [UInt8] {
    if state.isStopping { return ending(with: .stopping, &state) }
    var news = EventNews()
    guard let follower = follower.withLock({ $0?.follower }) else { return [] }
    _ = news.take(follower, &state.position)
    let isOther = news.session.map { $0.opening !== task.opening } ?? false
    if news.end != nil || isOther { return ending(with: .closed, &state) }
    guard let session = news.session?.session else { return [] }
    let text = progress(to: session.deliveries, &state)
    let states = task.deliveries.map { state.deliveries[$0]?.state }
    if states.allSatisfy({ $0?.isSettled == true }) {
      return text + ending(result(state.deliveries), &state)
    }
    // For a call that is resumed late, settled deliveries may be gone.
    let isGone = zip(task.deliveries, states).contains { id, state in
      session.deliveries[id] == nil && state?.isSettled != true
    }
    return isGone ? text + ending(with: .gone, &state) : text
  }
}

extension AgentChannels {
  /// Returns the stream of a call, registered until it is closed.
  func stream(
    of task: AgentWork.Task, by client: AgentClient, tokens: StreamTokens
  ) -> (stream: ResponseStream, work: AgentWork) {
    let number = nextNumber()
    let work = AgentWork(task, on: number)
    let request = AgentRequestName(client: client, id: task.reply.id)
    return (stream(of: work, for: request, as: number, tokens: tokens), work)
  }

  /// Returns the stream of a question, registered until it is closed.
  func stream(
    of content: AgentQuestion.Content, by client: AgentClient, tokens: StreamTokens
  ) -> ResponseStream {
    let number = nextNumber()
    let request = AgentRequestName(client: client, id: content.reply.id)
    return stream(
      of: AgentQuestion(content, on: number), for: request, as: number, tokens: tokens)
  }

  private func stream(
    of work: any StreamedCall, for request: AgentRequestName, as number: Int, tokens: StreamTokens
  ) -> ResponseStream {
    if let name = work.name { calls.add(work, named: name, as: request, on: number) }
    return stream(of: work, as: number, tokens: tokens)
  }

  /// Returns a stream that resumes the broken stream of the same client; nil if the call is gone.
  func resume(
    _ event: AgentCallEventID, by client: AgentClient, tokens: StreamTokens
  ) -> (stream: ResponseStream, work: any StreamedCall)? {
    let number = nextNumber()
    guard let work = calls.resume(event, by: client, on: number),
      work.resume(on: number, after: event.progress)
    else { return nil }
    return (stream(of: work, as: number, tokens: tokens), work)
  }

  /// Since 2026-07-28 closing the stream cancels the call; a handshake client may have lost its connection.
  private func stream(
    of work: any StreamedCall, as number: Int, tokens: StreamTokens
  ) -> ResponseStream {
    let stream = ResponseStream(
      next: { work.next(for: number) },
      whenClosed: { [weak self] in
        self?.remove(number)
        work.leave(number)
        guard let name = work.name else { return work.cancel() }
        self?.calls.close(number, of: name)
      })
    let wake: @Sendable () -> Void = { [weak stream] in stream?.wake() }
    work.begin(waking: wake)
    add(work, as: number, tokens: tokens, waking: wake)
    return stream
  }
}

/// The events on the stream of a call. Events of a resumable stream have ids.
extension AgentWork {
  /// The reasons for which a call ends without a result.
  enum End {
    case closed
    case stopping
    case gone
  }

  /// Returns the reason as a sentence, with the place of the result if it may still come.
  private func sentence(_ end: End) -> String {
    switch end {
    case .closed: "The session was closed before the application was done."
    case .stopping:
      "menud stops before the application is done, which may go on after a restart; read \(list(uris))."
    case .gone: "What was handed to the application is not kept any more, and its result neither."
    }
  }

  private var uris: [String] {
    task.deliveries.map { quoted(SessionPlace.delivery($0).uri(in: task.tool.session)) }
  }

  /// Returns the first text of a stream: an id to resume from, and the newest progress that the client does not
  /// know.
  func opening(_ state: inout State) -> [UInt8] {
    state.hasBegun = true
    guard let id = id(after: state.knownProgress, &state) else { return [] }
    let text = AgentStream.opening(id, in: task.reply.revision)
    guard let latest = state.latest, state.knownProgress < state.progress else { return text }
    return text + notification(of: latest, &state)
  }

  /// Returns the notifications of changed deliveries, if the client wants progress.
  func progress(to deliveries: Deliveries, _ state: inout State) -> [UInt8] {
    var text: [UInt8] = []
    for id in task.deliveries {
      guard let delivery = deliveries[id], delivery != state.deliveries[id] else { continue }
      state.deliveries[id] = delivery
      guard task.progressToken != nil else { continue }
      state.progress += 1
      state.latest = delivery
      text += notification(of: delivery, &state)
    }
    return text
  }

  /// Returns the event with the newest progress of a delivery, if the client wants progress.
  private func notification(of delivery: Delivery, _ state: inout State) -> [UInt8] {
    guard let token = task.progressToken else { return [] }
    let message: JSON = [
      "jsonrpc": "2.0", "method": "notifications/progress",
      "params": [
        "progressToken": token, "progress": .int(state.progress),
        "message": .string(message(of: delivery, &state)),
      ],
    ]
    return event(message, &state)
  }

  /// Returns the state of a delivery for people. The first one that a client receives names the delivery's URI,
  /// in case the stream breaks.
  private func message(of delivery: Delivery, _ state: inout State) -> String {
    guard state.naming[delivery.id] == nil else { return "\(delivery.progress)." }
    state.naming[delivery.id] = state.progress
    let uri = SessionPlace.delivery(delivery.id).uri(in: task.tool.session)
    return "\(delivery.progress): \(quoted(uri))."
  }

  /// Returns the last text, with the reason for which there is no result.
  func ending(with end: End, _ state: inout State) -> [UInt8] {
    ending(["content": [ToolResult.text(sentence(end))], "isError": true], &state)
  }

  /// Returns the last text, with the result.
  func ending(_ result: JSONObject, _ state: inout State) -> [UInt8] {
    state.isAtEnd = true
    return event(task.reply.message(result), &state)
  }

  private func event(_ message: JSON, _ state: inout State) -> [UInt8] {
    Array((id(after: state.progress, &state) ?? "").utf8) + AgentStream.block(message)
  }

  /// Returns the line with the id of the next event; nil if the stream cannot be resumed.
  private func id(after progress: Int64, _ state: inout State) -> String? {
    guard let name = task.name else { return nil }
    state.idCount += 1
    return "id: \(AgentCallEventID(of: name, progress: progress, number: state.idCount).text)\n"
  }

  /// Returns the result of the call, once all deliveries are settled.
  func result(_ deliveries: [Int: Delivery]) -> JSONObject {
    ToolResult.settled(
      task.answer, by: task.deliveries.compactMap { deliveries[$0] }, of: task.tool)
  }
}

extension ToolResult {
  /// Returns the result of a performed command, once its deliveries are settled.
  static func settled(
    _ answer: JSONObject, by settled: [Delivery], of tool: CalledTool
  ) -> JSONObject {
    var answer = answer
    answer["deliveries"] = .array(settled.map(JSON.init(summaryOf:)))
    answer["result"] =
      settled.count == 1 ? settled[0].result : .array(settled.map { $0.result ?? .null })
    // The application has changed the item since.
    if case .object(var item)? = answer["item"] {
      item["after"] = nil
      answer["item"] = .object(item)
    }
    if let other = settled.first(where: { $0.state != .replied }) {
      return unfinished(answer, of: tool, since: other)
    }
    return performance(answer, of: tool)
  }
}

extension JSON {
  /// A delivery for agents; its result is that of the call.
  fileprivate init(summaryOf delivery: Delivery) {
    var members: JSONObject = [
      "id": .int(Int64(delivery.id)), "state": .string(delivery.state.rawValue),
    ]
    members["problem"] = delivery.problem
    self = .object(members)
  }
}

extension Delivery {
  /// The state for people, without its full stop.
  var progress: String {
    switch state {
    case .open:
      claimCount == 0 ? "Waiting for the application" : "Waiting for the application again"
    case .claimed: "\(claimer) works on it\(told)"
    case .cancelling: "\(claimer) is asked to give it up\(told)"
    case .replied: "The application is done"
    case .failed: "The application failed"
    case .cancelled: "It was cancelled"
    }
  }

  private var claimer: String { claim?.by.map(quoted) ?? "The application" }

  /// The progress that the claimer told (D6), as the end of a sentence; empty if it told none.
  private var told: String {
    let percent = claim?.progress.map { "\(Int(($0 * 100).rounded(.down))) %" }
    let parts = [percent, claim?.message].compactMap(\.self).filter { !$0.utf8.isEmpty }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }
}
