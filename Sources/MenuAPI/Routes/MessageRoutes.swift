import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Messages up the coordinating chain (C2) and to delegates (V7), and those that wait (C6).
enum MessageRoutes {
  static let all = [
    Route(
      .post, "/sessions/{session}/messages",
      describedAs: RouteDescription(
        "sendMessage",
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
        answers: [.ok("MessageAnswer", "The outcome.", headers: ["ETag"])],
        problems: problems),
      answeredBy: post),
    Route(
      .get, "/sessions/{session}/messages",
      describedAs: RouteDescription(
        "getMessages", "The messages that wait, the next one first.",
        parameters: ["session": "phone"],
        answers: [.ok("Messages", "The messages.", headers: ["ETag"]), .notModified]),
      answeredBy: get),
    Route(
      .delete, "/sessions/{session}/messages",
      describedAs: RouteDescription(
        "removeQueuedMessages",
        "Takes messages that wait out without sending them, by default all.",
        parameters: ["session": "phone"], query: [.messageLimit],
        answers: [.ok("Changed", "They are gone.", headers: ["ETag"])]),
      answeredBy: delete),
    Route(
      .post, "/sessions/{session}/messages/process",
      describedAs: RouteDescription(
        "processMessages",
        "Sends the messages that wait now, in order; those that are queued meanwhile wait for the next time. When one cannot be sent, nothing is changed.",
        parameters: ["session": "phone"],
        body: .json("ProcessRequest", #"{"limit":10}"#, isRequired: false),
        answers: [.ok("ProcessAnswer", "The outcome of each of them.", headers: ["ETag"])],
        problems: problems),
      answeredBy: process),
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
    return try change(by: .message(dated), options, in: call) { writer, outcome in
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
    return try change(by: .processMessages(limit: limit), options, in: call) { writer, outcome in
      writer.member("processed", outcome.processed, isExplaining: options.isExplaining)
      if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
    }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let limit = try call.queryCount("limit")
    return try call.apply(.removeQueuedMessages(limit: limit), at: { _ in nil })
  }
}

extension MessageRoutes {
  private static func change(
    by mutation: Mutation, _ options: ChangeOptions, in call: Call,
    also write: (inout JSONWriter, Outcome) -> Void
  ) throws(Problem) -> Response {
    try call.change(try call.session) { (change) throws(Problem) -> Response in
      change.isDry = options.isDry
      let outcome = try change.apply(
        mutation, call, isExplaining: options.isExplaining,
        at: { $0.placeInMessage })
      return call.answer(tag: call.tag(change)) { writer in
        writer.members(change)
        write(&writer, outcome)
        writer.members(changesOf: outcome)
        writer.members(outcome.events)
      }
    }
  }
}

extension MutationFault {
  /// The member of a message that the fault is about; nil for what is about none.
  fileprivate var placeInMessage: JSONPointer? {
    switch self {
    case .unknownResponder: JSONPointer(["from"])
    case .storyboard(.messageOutsideProtocol): JSONPointer(["message"])
    default: nil
    }
  }
}
