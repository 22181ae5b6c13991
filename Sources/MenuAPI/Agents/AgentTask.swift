import CEL
import JSONText
import MenuEngine
import MicroHTTP

/// The name of a task (SEP-2663): the deliveries of one tool call, which are in the journal (D1).
///
/// **Decision:** The name contains the numbers of the deliveries, and is signed with the session's key for the token
/// of the call. So nothing is stored beside the deliveries, every replica can resolve the name, even after a crash,
/// and it cannot be guessed.
struct AgentTaskName: Equatable, Sendable {
  let command: CommandID
  /// The called tool of the fixed set; nil for the command's own tool.
  let fixed: FixedTool?
  let deliveries: [Int]
  let text: String

  private static let kind: JSON = "task"

  /// Creates the name of a token's task; the token is nil if no tokens are required.
  init(
    _ deliveries: [Int], of command: CommandID, by fixed: FixedTool?, for token: String?,
    under key: PlanKey
  ) {
    (self.command, self.fixed, self.deliveries) = (command, fixed, deliveries)
    let values: [JSON] = [
      Self.kind, .string(Self.code(of: token, under: key)), .string(command.rawValue),
      .array(deliveries.map { .int(Int64($0)) }), fixed.map { .string($0.rawValue) } ?? .null,
    ]
    text = SignedText(values, under: key).text
  }

  /// Reads the name that a client sends; nil if it is of another session or token, or was altered.
  init?(_ text: String, for token: String?, under key: PlanKey?) {
    guard let key, let signed = SignedText(text, maximumDepth: 4), signed.values.count == 5,
      signed.values[0] == Self.kind, case .string(let code) = signed.values[1],
      case .string(let name) = signed.values[2], let command = CommandID(name),
      case .array(let numbers) = signed.values[3], signed.isSigned(under: key),
      code.hasSameBytes(as: Self.code(of: token, under: key))
    else { return nil }
    var fixed: FixedTool?
    if case .string(let name) = signed.values[4] { fixed = FixedTool(rawValue: name) }
    self.init(
      numbers.compactMap { if case .int(let id) = $0 { Int(exactly: id) } else { nil } },
      of: command, by: fixed, for: token, under: key)
  }

  private static func code(of token: String?, under key: PlanKey) -> String {
    key.code(of: [.string(token ?? "")], as: "task")
  }
}

/// The present state of a task: the deliveries of a tool call.
struct AgentTask {
  private let name: AgentTaskName
  /// The deliveries that are still kept. A settled one may be dropped before the other ones.
  private let deliveries: [Delivery]
  private let tool: CalledTool
  private let limits: ServiceLimits
  /// The time after which a client polls again, in milliseconds.
  private static let pollInterval: Int64 = 1_000

  /// Creates the task of a name; nil if no delivery is kept any more, or if one is not visible to the viewer.
  init?(
    _ name: AgentTaskName, in session: Session, for viewer: Viewer, _ limits: ServiceLimits
  ) {
    let found = name.deliveries.compactMap { session.deliveries[$0] }
    guard !found.isEmpty, found.allSatisfy(viewer.shows) else { return nil }
    (self.name, deliveries, self.limits) = (name, found, limits)
    tool = CalledTool(name.command, in: session.id, .july2026, by: name.fixed)
  }

  private enum Status: String {
    case working
    case completed
    case cancelled
  }

  /// **Decision:** A failed delivery is a result with `isError`, as without a task: `failed` is for errors of the
  /// protocol. No questions are asked while the application works, so no input is required.
  private var status: Status {
    guard deliveries.allSatisfy(\.state.isSettled) else { return .working }
    let isCancelled = deliveries.contains { $0.state == .cancelled }
    return isCancelled && !deliveries.contains { $0.state == .failed } ? .cancelled : .completed
  }

  /// The numbers of the unsettled deliveries.
  var unsettled: [Int] { deliveries.filter { !$0.state.isSettled }.map(\.id) }

  /// The members of the task: its identity and its present state.
  var members: JSONObject {
    let status = status
    var members: JSONObject = [
      "taskId": .string(name.text), "status": .string(status.rawValue),
      "statusMessage": .string(message),
      "createdAt": .string(InternetTimestamp(milliseconds: created).text),
      "lastUpdatedAt": .string(InternetTimestamp(milliseconds: updated).text),
      "ttlMs": firstSettled.map { .int(max(0, $0 - created + limits.deliveryRetention)) } ?? .null,
      "pollIntervalMs": .int(Self.pollInterval),
    ]
    if status == .completed {
      let answer: JSONObject = [
        "performed": true, "reason": "enabled", "command": .string(name.command.rawValue),
      ]
      let found = Dictionary(deliveries.map { ($0.id, $0) }) { first, _ in first }
      members["result"] = .object(
        ToolResult.settled(answer, by: name.deliveries, found, of: tool))
    }
    return members
  }

  private var message: String {
    let telling = deliveries.first { !$0.state.isSettled } ?? deliveries.last
    return telling.map { $0.progress + "." } ?? ""
  }

  private var created: Int64 {
    deliveries.compactMap(\.invocation.when).min().map(Self.bounded) ?? 0
  }

  /// The time of the first settlement, after which the result may become incomplete; nil before it.
  private var firstSettled: Int64? {
    deliveries.filter(\.state.isSettled)
      .map { max(created, $0.settledAt.map(Self.bounded) ?? created) }.min()
  }

  /// The time of the last settlement once all deliveries are settled; otherwise the time of the call. It never goes
  /// back.
  private var updated: Int64 {
    let settled = status == .working ? nil : deliveries.compactMap(\.settledAt).max()
    return max(created, settled.map(Self.bounded) ?? created)
  }

  /// Stored times are not limited to the years of RFC 3339.
  private static func bounded(_ time: Int64) -> Int64 {
    min(max(time, Limits.times.lowerBound), Limits.times.upperBound)
  }
}

// MARK: The methods

extension SessionAgent {
  /// Returns the result that creates a task for a call's deliveries; nil for a client that does not follow tasks.
  ///
  /// - Parameters:
  ///   - answer: The answer of `POST /commands/perform`.
  ///   - isReplayed: True if it is an earlier answer, whose deliveries may have been settled and dropped.
  func task(
    of answer: JSONObject, isReplayed: Bool, by command: CommandID, as tool: CalledTool,
    _ request: AgentRequest
  ) throws(Problem) -> AgentResult? {
    guard request.capabilities.followsTasks else { return nil }
    let session = try call.look(at: try call.session).session
    guard let key = session.planKey else { return nil }
    let name = AgentTaskName(
      PerformedText.deliveries(of: answer), of: command, by: tool.fixed, for: call.token,
      under: key)
    guard isReplayed else { return .members(AgentTask.beginning(of: name, delivered: answer)) }
    guard let task = AgentTask(name, in: session, for: call.viewer, call.service.limits) else {
      return .members(["content": [ToolResult.text(ToolResult.notKept)], "isError": true])
    }
    var members = task.members
    members["resultType"] = "task"
    members["result"] = nil
    return .members(members)
  }

  /// Returns the present task.
  func getTask(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    .members(try task(request).members)
  }

  /// Acknowledges answers. Tasks ask no questions: all questions to the user precede the task.
  func updateTask(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    _ = try request.object("inputResponses")
    _ = try task(request)
    return .members(JSONObject())
  }

  /// Cancels the unsettled deliveries.
  func cancelTask(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let unsettled = try task(request).unsettled
    guard !unsettled.isEmpty else { return .members(JSONObject()) }
    let mutations = unsettled.map { id -> JSON in
      ["op": "cancelDelivery", "delivery": .int(Int64(id))]
    }
    try AgentFault.asking { () throws(Problem) in
      _ = try call.answer(
        .post, "/sessions/\(try call.session)/mutations",
        body: ["mutations": .array(mutations)])
    }
    return .members(JSONObject())
  }

  /// Returns the task that a request names.
  ///
  /// - Throws: An error for a client that does not follow tasks, and for an unknown task.
  private func task(_ request: AgentRequest) throws(AgentFault) -> AgentTask {
    try request.requireTasks()
    let text = try request.string("taskId")
    guard let task = try AgentFault.asking({ () throws(Problem) in try task(named: text) }) else {
      throw .invalidParams("There is no task \(quoted(text)), or it is not kept any more.")
    }
    return task
  }

  private func task(named text: String) throws(Problem) -> AgentTask? {
    let session = try call.snapshot().session
    return AgentTaskName(text, for: call.token, under: session.planKey).flatMap { name in
      AgentTask(name, in: session, for: call.viewer, call.service.limits)
    }
  }
}

extension AgentTask {
  /// Returns the members of a new task from the answer of `POST /commands/perform`.
  fileprivate static func beginning(
    of name: AgentTaskName, delivered answer: JSONObject
  ) -> JSONObject {
    let when = JSON.object(answer)[JSONPointer(["deliveries", "0", "when"])] ?? .null
    return [
      "resultType": "task", "taskId": .string(name.text),
      "status": .string(Status.working.rawValue), "createdAt": when, "lastUpdatedAt": when,
      "ttlMs": .null, "pollIntervalMs": .int(pollInterval),
    ]
  }
}

extension AgentRequest {
  /// Refuses a request of a client that does not declare that it follows tasks.
  func requireTasks() throws(AgentFault) {
    guard !capabilities.followsTasks else { return }
    throw .error(
      JSONRPCError(
        .missingCapability, "The client does not declare '\(ClientCapabilities.ofTasks)'.",
        data: [
          "requiredCapabilities": ["extensions": .object([ClientCapabilities.ofTasks: [:]])]
        ]))
  }
}

// MARK: Following

/// The tasks that a request `subscriptions/listen` follows.
struct FollowedTasks: Sendable {
  fileprivate(set) var names: [AgentTaskName] = []
  fileprivate let viewer: Viewer
  fileprivate let limits: ServiceLimits

  /// The maximum number of tasks of one request.
  static let maximumCount = 100

  /// Returns the tasks that still exist, by name.
  func members(in session: Session) -> [(name: String, members: JSONObject)] {
    names.compactMap { name in
      AgentTask(name, in: session, for: viewer, limits).map { (name.text, $0.members) }
    }
  }
}

extension SessionAgent {
  /// Returns the tasks that a request follows and that belong to the client.
  func tasks(followedBy request: AgentRequest) throws(AgentFault) -> FollowedTasks {
    var tasks = FollowedTasks(viewer: call.viewer, limits: call.service.limits)
    let filter = try request.object("notifications")
    guard let wanted = filter["taskIds"] else { return tasks }
    try request.requireTasks()
    guard case .array(let texts) = wanted, texts.count <= FollowedTasks.maximumCount else {
      throw .invalidParams(
        "The member 'taskIds' is an array of at most \(FollowedTasks.maximumCount) names.")
    }
    let session = try AgentFault.asking { () throws(Problem) in try call.snapshot().session }
    for case .string(let text) in texts {
      guard let name = AgentTaskName(text, for: call.token, under: session.planKey),
        !tasks.names.contains(name),
        AgentTask(name, in: session, for: call.viewer, call.service.limits) != nil
      else { continue }
      tasks.names.append(name)
    }
    return tasks
  }
}
