import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Messages up the coordinating chain (C2) and to delegates (V7), and queued messages (C6).
enum MessageRoutes {
  static let all = [
    Route(
      .post, at: "/sessions/{session}/messages", needing: .declare, id: "sendMessage",
      "Sends a message from a responder, by default up the coordinating chain; one that nobody handles says so. With `queue` it waits; with `dryRun` nothing is kept, and the answer is what would have been answered, but for the revision.",
      parameters: ["session": "phone"],
      body: .json(
        "MessageRequest",
        examples: [
          ("chain", #"{"message":"zoomDidChange:","from":"zoom","explain":true}"#),
          (
            "delegate",
            #"{"message":"zoomDidCancel:","from":"zoom","to":"delegate","explain":true}"#
          ),
          ("queue", #"{"message":"zoomDidChange:","from":"zoom","queue":true}"#),
        ]),
      answers: [.ok("MessageAnswer", "The outcome.", headers: ["ETag"])], problems: problems,
      answeredBy: post),
    Route(
      .get, at: "/sessions/{session}/messages", needing: .read, id: "getMessages",
      "The messages that wait, the next one first.", parameters: ["session": "phone"],
      answers: .tagged("Messages", "The messages."), answeredBy: get),
    Route(
      .delete, at: "/sessions/{session}/messages", needing: .declare, id: "removeQueuedMessages",
      "Takes messages that wait out without sending them, by default all.",
      parameters: ["session": "phone"], query: [.messageLimit],
      answers: [.ok("Changed", "They are gone.", headers: ["ETag"])], answeredBy: delete),
    Route(
      .post, at: "/sessions/{session}/messages/process", needing: .declare, id: "processMessages",
      "Sends the messages that wait now, in order; those that are queued meanwhile wait for the next time. When one cannot be sent, nothing is changed.",
      parameters: ["session": "phone"],
      body: .json("ProcessRequest", #"{"limit":10}"#, isRequired: false),
      answers: [.ok("ProcessAnswer", "The outcome of each of them.", headers: ["ETag"])],
      problems: problems, answeredBy: process),
  ]

  private static let problems: [ProblemType] = [
    .unresolvedReference, .effectFailed, .linkConflict, .delegateRefused,
    .firstResponderRefused, .doesNotRecognizeSelector, .tooMuchEffort, .messageQueueFull,
  ]

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    return call.answer(about: snapshot) { writer in
      writer.member("messages", snapshot.session.messageQueue.messages)
    }
  }

  private static func post(_ call: Call) throws(Problem) -> Response {
    let (request, options) = try call.objectAndOptions({
      MessageRequest(&$0, isDated: false)
    })
    let dated = request.dated(call.service.dependencies.now())
    return try call.apply(.message(dated), options, at: \.placeInMessage, tracesAtEnd: false) {
      writer, outcome in
      if let message = outcome.message { writer.members(message) }
      if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
    }
  }

  private static func process(_ call: Call) throws(Problem) -> Response {
    var limit: Int?
    var options = try ChangeOptions(call)
    if !call.request.body.isEmpty {
      (limit, options) = try call.objectAndOptions({ .some($0.member("limit", Read.count)) })
    }
    return try call.apply(
      .processMessages(limit: limit), options, at: \.placeInMessage, tracesAtEnd: false
    ) {
      writer, outcome in
      writer.member("processed", outcome.processed, isExplaining: options.isExplaining)
      if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
    }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let limit = try call.query.count("limit")
    return try call.apply(.removeQueuedMessages(limit: limit), at: { _ in nil })
  }
}

extension MutationFault {
  /// The member of a message that the fault is about; nil if it is about none.
  fileprivate var placeInMessage: JSONPointer? {
    switch self {
    case .unknownResponder: JSONPointer(["from"])
    case .delegate(.messageOutsideProtocol): JSONPointer(["message"])
    default: nil
    }
  }
}

/// A command to perform, an action to send, or an invocation to resend (F9).
enum Message {
  case request(ActionRequest)
  case invocation(Invocation)

  /// Reads a message from an object that has other members too; with `isDated` a request has a time.
  init?(_ reader: inout ObjectReader, in catalog: Catalog, isDated: Bool = false) {
    let isInvocation = reader.json("invocation") != nil
    guard isInvocation else {
      let request = ActionRequest(&reader, isDated: isDated, orElse: ["action", "invocation"])
      guard let request else { return nil }
      self = .request(request)
      return
    }
    let invocation = reader.member("invocation") {
      Invocation(reading: $0, at: $1, log: $2, in: catalog)
    }
    for other in Self.membersOfRequests where reader.json(other) != nil {
      reader.log.note(.conflictingMembers("invocation", other), at: reader.pointer)
    }
    guard let invocation else { return nil }
    self = .invocation(invocation)
  }

  /// The members of a request, which an invocation excludes.
  static let membersOfRequests = [
    "command", "itemKey", "action", "sender", "from", "window", "to", "arguments", "parameters",
    "modifiers", "confirmed",
  ]

  var mutation: Mutation {
    switch self {
    case .request(let request): .perform(request)
    case .invocation(let invocation): .invoke(invocation)
    }
  }

  /// The command to perform; nil for an action or an invocation.
  var command: CommandID? {
    switch self {
    case .request(let request): request.subject.command
    case .invocation: nil
    }
  }

  func dated(_ time: Int64) -> Message {
    switch self {
    case .request(let request): .request(request.dated(time))
    case .invocation(let invocation): .invocation(invocation.dated(time))
    }
  }

  /// Returns the member of the body that a fault is about.
  func place(of fault: MutationFault) -> JSONPointer? {
    switch self {
    case .request(let request): request.place(of: fault)
    case .invocation(let invocation): invocation.place(of: fault)
    }
  }
}

extension ActionRequest.Subject {
  /// The command; nil for an action.
  var command: CommandID? {
    switch self {
    case .command(let id): id
    case .action: nil
    }
  }
}

extension ActionRequest {
  /// Returns the member of the request that a fault is about.
  fileprivate func place(of fault: MutationFault) -> JSONPointer? {
    if case .command(.notPerformed(let refusal)) = fault, refusal.reason == .unknownItem {
      return JSONPointer.root.appending("itemKey")
    }
    return switch (fault, subject) {
    case (.unknownCommand, _), (.command(.notPerformed), .command),
      (.command(.needsConfirmation), .command):
      JSONPointer.root.appending("command")
    case (.command(.notPerformed), .action): JSONPointer.root.appending("action")
    default: fault.placeOfResponder(from: from, sender, to: to, window: window)
    }
  }
}

extension Invocation {
  /// Returns the member of the invocation that a fault is about.
  fileprivate func place(of fault: MutationFault) -> JSONPointer? {
    let invocation = JSONPointer.root.appending("invocation")
    if case .command(.notPerformed) = fault { return invocation.appending("selector") }
    let member = fault.placeOfResponder(from: nil, nil, to: target)
    return member == nil ? nil : invocation.appending("target")
  }
}

extension JSONWriter {
  /// Writes the members of a message's outcome (C2, C6, V7).
  mutating func members(_ outcome: MessageOutcome) {
    member("delivered", outcome.reason == .delivered)
    member("reason", outcome.reason.rawValue)
    member("receiver", outcome.receiver)
    member("answer", outcome.answer)
  }

  /// Writes the member with processed messages of the queue, each with its outcome (C6).
  mutating func member(_ name: String, _ processed: [ProcessedMessage], isExplaining: Bool) {
    member(name)
    beginArray()
    for message in processed {
      beginObject()
      members(message.request)
      members(message.outcome)
      if isExplaining { member("trace", message.outcome.trace) }
      endObject()
    }
    endArray()
  }

  /// Writes the member with queued messages, the next one first (C6).
  mutating func member(_ name: String, _ waiting: [MessageRequest]) {
    member(name)
    beginArray()
    for message in waiting {
      beginObject()
      members(message)
      endObject()
    }
    endArray()
  }

  private mutating func members(_ message: MessageRequest) {
    for case (let name, let value?) in message.members where name != "when" {
      member(name, value)
    }
    if let when = message.when { member("when", InternetTimestamp(milliseconds: when).text) }
  }
}

extension JSONWriter {
  /// Writes the members of an event of a coordinator.
  mutating func members(_ event: CoordinatorEvent, _ told: ResponderID?) {
    member("event", event.name)
    member("coordinator", event.coordinator.rawValue)
    switch event {
    case .didStart, .didStop, .didActivate: break
    case .didFinish(_, to: let listener): member("to", listener)
    case .handlePopBack(_, to: let id): member("viewController", id.rawValue)
    }
    member("told", .array([told].compactMap { $0.map { .string($0.rawValue) } }))
  }

  /// Writes the member with the children of a coordinator by their identifiers.
  mutating func members(_ children: [ChildCoordinator]) {
    member("childCoordinators")
    beginObject()
    for child in children { member(child.identifier.rawValue, child.id.rawValue) }
    endObject()
  }
}

extension CoordinatorEvent {
  fileprivate var name: String {
    switch self {
    case .didStart: "coordinatorDidStart"
    case .didStop: "coordinatorDidStop"
    case .didActivate: "coordinatorDidActivate"
    case .didFinish: "coordinatorDidFinish"
    case .handlePopBack: "handlePopBack"
    }
  }
}
