import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The stream of a tool's call that waits until what it delivered to the application is settled (D3): notifications of
/// its progress, and then its result.
final class AgentWork: AgentSource {
  /// The parts of the call that do not change.
  struct Task: Sendable {
    let opening: Incarnation
    /// The answer of `POST /commands/perform`.
    let answer: JSONObject
    /// The numbers of the deliveries in it.
    let deliveries: [Int]
    /// The title of the command.
    let title: String
    let reply: AgentReply
    /// The token under which progress is told; nil if nobody wants to know.
    let progressToken: JSON?
    /// Cancels a delivery, on whatever thread.
    let cancel: @Sendable (Int) -> Void
  }

  private struct State {
    /// True once the call is durable; the problem if it was rolled back; nil until either is known.
    var outcome: Result<Void, Problem>?
    /// The position of the last edition that was looked at.
    var position: Int?
    var deliveries: [Int: Delivery] = [:]
    var progress: Int64 = 0
    var isBeating = false
    var isStopping = false
    var isAtEnd = false
  }

  private let task: Task
  private let follower = Lock<Follower?>(nil)
  private let state = Lock(State())

  /// Work on a task that reports no progress yet.
  init(_ task: Task) { self.task = task }

  /// Follows the session from now on.
  func begin(following follower: Follower) { self.follower.withLock { $0 = follower } }

  var isAwaited: Bool { true }

  func beat() { state.withLock { $0.isBeating = true } }

  func stop() { state.withLock { $0.isStopping = true } }

  /// Notes that the call is durable, or was rolled back.
  func settle(_ outcome: Result<Void, Problem>) { state.withLock { $0.outcome = outcome } }

  /// Cancels what is not settled, unless the answer was sent.
  func cancel() {
    let open = state.withLock { state -> [Int] in
      guard !state.isAtEnd else { return [] }
      state.isAtEnd = true
      return task.deliveries.filter { state.deliveries[$0]?.state.isSettled != true }
    }
    for id in open { task.cancel(id) }
  }

  func next() -> ResponseStream.Piece {
    state.withLock { state in
      guard !state.isAtEnd else { return .end }
      defer { state.isBeating = false }
      if state.isStopping { return end(Self.refusal(.stopping), &state) }
      switch state.outcome {
      case nil: return waiting(state)
      case .failure(let problem)?: return end(ToolResult.refusal(problem), &state)
      case .success?: break
      }
      var news = EventNews()
      guard let follower = follower.withLock(\.self) else { return waiting(state) }
      _ = news.take(follower, &state.position)
      let isOther = news.session.map { $0.opening !== task.opening } ?? false
      if news.end != nil || isOther { return end(Self.refusal(.closed), &state) }
      guard let session = news.session?.session else { return waiting(state) }
      var text: [UInt8] = []
      for id in task.deliveries {
        text += look(at: session.deliveries[id], &state)
      }
      guard task.deliveries.allSatisfy({ session.deliveries[$0]?.state.isSettled != false }) else {
        return text.isEmpty ? waiting(state) : .bytes(text)
      }
      state.isAtEnd = true
      return .bytes(text + AgentStream.block(task.reply.message(result(state.deliveries))))
    }
  }

  private func end(_ result: JSONObject, _ state: inout State) -> ResponseStream.Piece {
    state.isAtEnd = true
    return .bytes(AgentStream.block(task.reply.message(result)))
  }

  private func waiting(_ state: State) -> ResponseStream.Piece {
    state.isBeating ? .bytes(Array(":\n".utf8)) : .waiting
  }
}

extension AgentChannels {
  /// Returns the stream of a call, and keeps it until it is closed.
  ///
  /// Since 2026-07-28 closing it cancels the call; a handshake's client may have lost its connection.
  func stream(
    of task: AgentWork.Task, tokens: [TokenDigest], answering request: AgentRequestName?
  ) -> (stream: ResponseStream, source: AgentWork) {
    let number = nextNumber()
    let source = AgentWork(task)
    let stream = ResponseStream(
      next: { source.next() },
      whenClosed: { [weak self] in
        self?.remove(number)
        if task.reply.revision.isStateless { source.cancel() }
      })
    add(source, as: number, answering: request, tokens: tokens) { [weak stream] in stream?.wake() }
    return (stream, source)
  }
}

// MARK: Messages

extension AgentWork {
  /// The reasons for which nobody waits any more.
  private enum End: String {
    case closed = "The session was closed before the application was done."
    case stopping = "menud stops before the application is done; it may go on after a restart."
  }

  private static func refusal(_ end: End) -> JSONObject {
    ["content": [ToolResult.text(end.rawValue)], "isError": true]
  }

  /// The text that tells that a delivery changed, if anybody wants to know.
  private func look(at delivery: Delivery?, _ state: inout State) -> [UInt8] {
    guard let delivery, delivery != state.deliveries[delivery.id] else { return [] }
    state.deliveries[delivery.id] = delivery
    guard let token = task.progressToken else { return [] }
    state.progress += 1
    return AgentStream.block([
      "jsonrpc": "2.0", "method": "notifications/progress",
      "params": [
        "progressToken": token, "progress": .int(state.progress),
        "message": .string(delivery.progress),
      ],
    ])
  }

  /// The result of the call, once everything is settled.
  private func result(_ deliveries: [Int: Delivery]) -> JSONObject {
    let settled = task.deliveries.compactMap { deliveries[$0] }
    var answer = task.answer
    answer["deliveries"] = .array(settled.map(JSON.init(summaryOf:)))
    answer["result"] =
      settled.count == 1 ? settled[0].result : .array(settled.map { $0.result ?? .null })
    if let other = settled.first(where: { $0.state != .replied }) {
      return ToolResult.unfinished(answer, of: task.title, since: other)
    }
    return ToolResult.performance(answer, of: task.title)
  }
}

extension JSON {
  /// A delivery as an agent sees it.
  fileprivate init(summaryOf delivery: Delivery) {
    var members: JSONObject = [
      "id": .int(Int64(delivery.id)), "state": .string(delivery.state.rawValue),
    ]
    members["result"] = delivery.result
    members["problem"] = delivery.problem
    self = .object(members)
  }
}

extension Delivery {
  /// The state for people.
  fileprivate var progress: String {
    switch state {
    case .open:
      claimCount == 0 ? "Waiting for the application." : "Waiting for the application again."
    case .claimed: "\(claim?.by.map(quoted) ?? "The application") works on it."
    case .replied: "The application is done."
    case .failed: "The application failed."
    case .cancelled: "It was cancelled."
    }
  }
}
