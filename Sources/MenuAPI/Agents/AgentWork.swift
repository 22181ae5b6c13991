import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The messages of a tool call that waits until its deliveries are settled (D3): notifications of progress, then the
/// result.
final class AgentWork: CallSource {
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
    /// The position of the last edition that was checked.
    var position: Int?
    var deliveries: [Int: Delivery] = [:]
    var progress: Int64 = 0
    /// The delivery of the newest progress notification.
    var latest: Delivery?
    /// True if a resumed client has not received the newest progress.
    var isBehind = false
    /// The progress of the last notification of each delivery that included its resource.
    var naming: [Int: Int64] = [:]
  }

  let task: Task

  var name: String? { task.name }

  var reply: AgentReply { task.reply }

  /// Follows the session for the stream of that number.
  private let follower = Lock<(stream: Int, follower: Follower)?>(nil)
  private let state = Lock(State())

  /// Creates the pending call of a task without progress.
  init(_ task: Task) { self.task = task }

  func follow(
    _ session: SessionID, in store: SessionStore, on stream: Int,
    waking wake: @escaping @Sendable () -> Void
  ) {
    let follower = store.follow(.session(session), wake: wake)
    let earlier = self.follower.withLock { current in
      defer { current = (stream, follower) }
      return current
    }
    withExtendedLifetime(earlier) {}
  }

  func leave(_ stream: Int) {
    let left = follower.withLock { current in
      current?.stream == stream ? current.take() : nil
    }
    withExtendedLifetime(left) {}
  }

  func rewind(to progress: Int64) {
    state.withLock { state in
      state.position = nil
      state.isBehind = progress < state.progress
      // The client never received these notifications.
      state.naming = state.naming.filter { $0.value <= progress }
    }
  }

  /// Cancels the unsettled deliveries.
  func cancel() {
    let open = state.withLock { state in
      task.deliveries.filter { state.deliveries[$0]?.state.isSettled != true }
    }
    for id in open { task.cancel(id) }
  }

  func news(endingFor reason: StopReason?) -> CallNews {
    state.withLock { state in
      var messages: [CallMessage] = []
      if state.isBehind, let latest = state.latest {
        messages += notification(of: latest, &state)
      }
      state.isBehind = false
      let end = reason.map { result(.stopped($0)) } ?? changes(&state, adding: &messages)
      if let end {
        messages.append(CallMessage(bytes: task.reply.message(end).bytes, progress: state.progress))
      }
      return .messages(messages, isLast: end != nil)
    }
  }

  /// Adds the notifications about all later changes, and returns the result once there is one.
  private func changes(
    _ state: inout State, adding messages: inout [CallMessage]
  ) -> JSONObject? {
    var news = EventNews()
    guard let follower = follower.withLock({ $0?.follower }) else { return nil }
    _ = news.take(follower, &state.position)
    let isOther = news.session.map { $0.opening !== task.opening } ?? false
    if news.end != nil || isOther { return result(.closed) }
    guard let session = news.session?.session else { return nil }
    messages += progress(to: session.deliveries, &state)
    let settled = task.deliveries.map { state.deliveries[$0]?.state.isSettled == true }
    if !settled.contains(false) {
      return ToolResult.settled(
        task.answer, by: task.deliveries, state.deliveries, of: task.tool)
    }
    // If a call is resumed late, settled deliveries may have been dropped.
    let isGone = zip(task.deliveries, settled).contains { id, isSettled in
      session.deliveries[id] == nil && !isSettled
    }
    return isGone ? result(.gone) : nil
  }
}

extension StopReason {
  /// The reason, as a clause of a sentence.
  var clause: String {
    switch self {
    case .draining: "menud stops"
    case .tokenInvalid: "the token is no longer valid"
    }
  }
}

extension AgentWork {
  /// The reasons why a call ends without a result.
  enum End {
    case closed
    case stopped(StopReason)
    case gone
  }

  /// Returns the reason as the result of a call that has none.
  private func result(_ end: End) -> JSONObject {
    ["content": [ToolResult.text(sentence(end))], "isError": true]
  }

  /// Returns the reason as a sentence, with the place of the result if it may still come.
  private func sentence(_ end: End) -> String {
    switch end {
    case .closed: "The session was closed before the application was done."
    case .stopped(let reason):
      "The application is not done, and may go on, but \(reason.clause). Read \(list(uris))."
    case .gone: ToolResult.notKept
    }
  }

  private var uris: [String] {
    task.deliveries.map { quoted(SessionPlace.delivery($0).uri(in: task.tool.session)) }
  }

  /// Returns the notifications of changed deliveries, if the client wants progress.
  private func progress(to deliveries: Deliveries, _ state: inout State) -> [CallMessage] {
    var messages: [CallMessage] = []
    for id in task.deliveries {
      guard let delivery = deliveries[id], delivery != state.deliveries[id] else { continue }
      state.deliveries[id] = delivery
      guard task.progressToken != nil else { continue }
      state.progress += 1
      state.latest = delivery
      messages += notification(of: delivery, &state)
    }
    return messages
  }

  /// Returns the newest progress of a delivery, if the client wants progress.
  private func notification(of delivery: Delivery, _ state: inout State) -> [CallMessage] {
    guard let token = task.progressToken else { return [] }
    let message: JSON = [
      "jsonrpc": "2.0", "method": "notifications/progress",
      "params": [
        "progressToken": token, "progress": .int(state.progress),
        "message": .string(message(of: delivery, &state)),
      ],
    ]
    return [CallMessage(bytes: message.bytes, progress: state.progress)]
  }

  /// Returns the state of a delivery for people. The first one that a client receives includes the delivery's URI, in
  /// case the stream breaks.
  private func message(of delivery: Delivery, _ state: inout State) -> String {
    guard state.naming[delivery.id] == nil else { return "\(delivery.progress)." }
    state.naming[delivery.id] = state.progress
    let uri = SessionPlace.delivery(delivery.id).uri(in: task.tool.session)
    return "\(delivery.progress): \(quoted(uri))."
  }
}

extension ToolResult {
  /// The sentence about a call whose deliveries are forgotten.
  static let notKept =
    "What was handed to the application is not kept any more, and its result neither."

  /// Returns the result of a performed command, once its deliveries are settled.
  ///
  /// - Parameters:
  ///   - ids: The numbers of the deliveries.
  ///   - settled: The deliveries that still exist.
  static func settled(
    _ answer: JSONObject, by ids: [Int], _ settled: [Int: Delivery], of tool: CalledTool
  ) -> JSONObject {
    var answer = answer
    answer["deliveries"] = .array(ids.map { JSON(summaryOf: $0, settled[$0]) })
    let results = ids.map { settled[$0]?.result }
    answer["result"] = results.count == 1 ? results[0] : .array(results.map { $0 ?? .null })
    // The application may have changed the item since.
    if case .object(var item)? = answer["item"] {
      item["after"] = nil
      answer["item"] = .object(item)
    }
    if let other = ids.compactMap({ settled[$0] }).first(where: { $0.state != .replied }) {
      return unfinished(answer, of: tool, since: other)
    }
    return performance(answer, of: tool)
  }
}

extension JSON {
  /// Creates the summary of a delivery for agents, or of a dropped one; its result is that of the call.
  fileprivate init(summaryOf id: Int, _ delivery: Delivery?) {
    var members: JSONObject = [
      "id": .int(Int64(id)), "state": .string(delivery?.state.rawValue ?? "forgotten"),
    ]
    members["problem"] = delivery?.problem
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

  /// The reported progress (D6), as the end of a sentence; empty if none was reported.
  private var told: String {
    let percent = claim?.progress.map { "\(Int(($0 * 100).rounded(.down))) %" }
    let parts = [percent, claim?.message].compactMap(\.self).filter { !$0.utf8.isEmpty }
    return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
  }
}

// MARK: The call

extension SessionAgent {
  /// Creates a task for a call's deliveries, or suspends the call until they are settled (D3); returns nil if it has
  /// none.
  func later(
    _ answer: JSONObject, isReplayed: Bool, of command: CommandID, as tool: CalledTool,
    _ request: AgentRequest
  ) throws(Problem) -> AgentResult? {
    let ids = PerformedText.deliveries(of: answer)
    guard answer["performed"] == true, !ids.isEmpty else { return nil }
    let task = try task(of: answer, isReplayed: isReplayed, by: command, as: tool, request)
    if let task { return task }
    let session = try call.session
    let opening = try call.look(at: session).sessionEdition.opening
    let work = AgentWork.Task(
      opening: opening, answer: answer, deliveries: ids, tool: tool,
      reply: request.reply, progressToken: request.progressToken,
      name: request.revision.isStateless ? nil : call.service.dependencies.newToken(),
      cancel: canceller(of: session))
    call.stream(AgentWork(work), in: session, by: try AgentClient(call, of: opening))
    return .stream
  }

  /// Returns a closure that cancels deliveries through the API, with the token of the call.
  private func canceller(of session: SessionID) -> @Sendable (Int) -> Void {
    let service = call.service
    var headers = Headers()
    for name in ["authorization", "host", "menud-actor"] {
      for value in call.request.headers.values(of: name) { headers.append(name, value) }
    }
    let fields = headers
    return { id in
      let path = "/sessions/\(session)/deliveries/\(id)/cancel"
      guard let request = try? Request(.post, path, headers: fields) else { return }
      let cancel: @Sendable () -> Void = { service.answer(to: request).whenMade { _ in } }
      if service.dependencies.runLater?(cancel) != true { cancel() }
    }
  }
}

extension AgentRequest {
  /// The token for notifications of progress, if the client wants them.
  fileprivate var progressToken: JSON? {
    guard case .object(let meta)? = params["_meta"], let token = meta["progressToken"] else {
      return nil
    }
    return token.isMessageID ? Optional(token) : .none
  }
}
