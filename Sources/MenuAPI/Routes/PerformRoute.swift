import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Performing a command (M7), sending an action (R7), or resending a message (F9).
enum PerformRoute {
  static let all = [
    Route(
      .post, at: "/commands/perform", needing: .perform, id: "performCommand",
      "Performs a command, sends an action, or sends again the `invocation` of an answer, be it with another `target` or `selector`; what fails changes nothing. With `dryRun` nothing is kept, and the answer is what would have been answered, but for the revision.",
      body: .json(
        "PerformRequest", #"{"session":"demo","command":"applyFiveStarRating:","explain":true}"#),
      answers: [
        .ok("PerformAnswer", "The outcome.", headers: ["ETag"]), .accepted("PerformAnswer"),
      ],
      problems: [
        .unknownSession, .unknownCommand, .unresolvedReference, .notPerformed,
        .needsConfirmation, .planChanged, .unknownPlan, .foreignPlan, .expiredPlan,
        .effectFailed, .firstResponderRefused, .doesNotRecognizeSelector, .senderCarriesNoAction,
        .tooMuchEffort, .undoRefused, .deliveryConflict,
      ],
      namesSession: true, completesDeliveries: true, answeredBy: respond)
  ]

  private static func respond(_ call: Call) throws(Problem) -> Response {
    let json = try call.json()
    let edition = call.store.catalogEdition
    let catalog = call.visible(edition)
    let (body, options) = try call.objectAndOptions(json) { PerformBody(&$0, in: catalog) }
    guard case .plan(let text, _) = body.subject, !options.isDry else {
      return try perform(body, with: options, of: json, under: edition, in: call)
    }
    // A plan can be performed once, so it identifies its own retries.
    return try call.keyed(byPlan: text, of: body.session).answeredOnce { (call) throws(Problem) in
      try perform(body, with: options, of: json, under: edition, in: call)
    }
  }

  private static func perform(
    _ body: PerformBody, with options: ChangeOptions, of json: JSON,
    under edition: CatalogEdition, in call: Call
  ) throws(Problem) -> Response {
    let now = call.service.dependencies.now()
    let place = JSONPointer.root.appending("session")
    return try call.change(body.session, at: place, isDry: options.isDry) {
      (change) throws(Problem) in
      var body = body
      // The command of an invocation is looked up in the catalogue of the change.
      if change.catalogEdition !== edition {
        let catalog = call.visible(change.catalogEdition)
        body = try call.objectAndOptions(json) { PerformBody(&$0, in: catalog) }.0
      }
      let (message, plan) = try body.subject.message(in: change, at: now, call)
      var item = body.tellsItem ? PerformedItem(of: message, in: change) : nil
      let outcome = try change.apply(
        message.mutation, call, isExplaining: options.isExplaining,
        at: { body.subject.place(of: $0) })
      try plan?.check(outcome, in: change, call)
      item?.note(change)
      return call.answer(tag: call.tag(change)) { writer in
        writer.members(change)
        if let performance = outcome.performance {
          writer.members(performance, of: message.command)
        }
        if let item { writer.member("item", item) }
        writer.members(deliveriesOf: outcome)
        writer.members(changesOf: outcome)
        writer.members(outcome.events)
        if change.isDry { writer.members(call.plan(for: message, of: outcome, in: change)) }
        if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }

  private struct PerformBody {
    let session: SessionID
    let subject: PerformSubject
    /// True if the answer includes the command's item, before and after. The default is false.
    let tellsItem: Bool

    init?(_ reader: inout ObjectReader, in catalog: Catalog) {
      let session: SessionID? = reader.required("session", Read.identifier)
      let subject = PerformSubject(&reader, in: catalog)
      tellsItem = reader.member("item", Read.bool) ?? false
      if tellsItem, let subject, case .message(let message) = subject, message.command == nil {
        let subject = reader.json("action") != nil ? "action" : "invocation"
        reader.log.note(.conflictingMembers(subject, "item"), at: reader.pointer)
      }
      guard let session, let subject else { return nil }
      self.session = session
      self.subject = subject
    }
  }
}

/// The subject of a request to perform: a message, or a plan for one.
private enum PerformSubject {
  case message(Message)
  case plan(String, isConfirmed: Bool)

  init?(_ reader: inout ObjectReader, in catalog: Catalog) {
    guard reader.json("plan") != nil else {
      guard let message = Message(&reader, in: catalog) else { return nil }
      self = .message(message)
      return
    }
    let text = reader.member("plan", Read.string)
    let isConfirmed = reader.member("confirmed", Read.bool) == true
    for other in ["invocation"] + Message.membersOfRequests
    where other != "confirmed" && reader.json(other) != nil {
      reader.log.note(.conflictingMembers("plan", other), at: reader.pointer)
    }
    guard let text else { return nil }
    self = .plan(text, isConfirmed: isConfirmed)
  }

  /// Returns the message to perform, with a time, and its plan, which is checked first.
  func message(
    in change: SessionChange, at now: Int64, _ call: Call
  ) throws(Problem) -> (Message, ChangePlan?) {
    switch self {
    case .message(let message): return (message.dated(now).performed(under: call.key), nil)
    case .plan(let text, let isConfirmed):
      let plan = try ChangePlan(text, in: change, at: call.service.steadyTime, call)
      return (isConfirmed ? plan.messageByPlan.confirmed : plan.messageByPlan, plan)
    }
  }

  /// Returns the member of the body that a fault is about.
  func place(of fault: MutationFault) -> JSONPointer? {
    switch self {
    case .message(let message): message.place(of: fault)
    case .plan: JSONPointer(["plan"])
    }
  }
}

extension Message {
  /// Returns the message, with the record of the user's answer if its key belongs to one.
  fileprivate func performed(under key: IdempotencyKey?) -> Message {
    guard let use = key?.use, case .request(let request) = self else { return self }
    return .request(request.performed(by: use))
  }
}

/// The item of a performed command, before and after the change.
///
/// Both states are of the change itself: nothing else happens between them. The item is absent if its
/// validation takes too much effort, and after a dry run.
struct PerformedItem {
  private let question: ValidationRequest
  private let command: CommandID
  private let key: ItemKey?
  private var before: ValidatedItem?
  private var after: ValidatedItem?

  /// Creates the item of a message's command before a change; nil without a command.
  init?(of message: Message, in change: SessionChange) {
    guard case .request(let request) = message, let command = request.subject.command else {
      return nil
    }
    var question = ValidationRequest()
    question.commands = [command]
    question.from = request.from
    question.window = request.window
    question.sender = request.sender
    question.modifiers = request.modifiers
    question.actor = change.actor
    (self.question, self.command, key) = (question, command, request.itemKey)
    before = item(in: change)
  }

  private func item(in change: SessionChange) -> ValidatedItem? {
    guard let key else {
      return try? change.session.validate(question, in: change.catalog).first
    }
    return try? change.session.item(key, of: command, question, in: change.catalog)
  }

  /// Records the item after the change; not after a dry run.
  mutating func note(_ change: SessionChange) {
    guard !change.isDry else { return }
    after = item(in: change)
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, item) in [("before", before), ("after", after)] {
      guard let item else { continue }
      writer.member(name)
      writer.value(item, isExplaining: false)
    }
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes the member with an item before and after.
  mutating func member(_ name: String, _ item: PerformedItem) {
    member(name)
    item.write(to: &self)
  }
}

extension JSONWriter {
  /// Writes the members of a performance: of a command, an action or an invocation.
  mutating func members(_ performance: Outcome.Performance, of command: CommandID?) {
    member("performed", performance.isPerformed)
    member("reason", performance.reason.rawValue)
    optionalMember("command", command?.rawValue)
    optionalMember("itemKey", performance.invocation.sender?.command?.itemKey?.text)
    member("action", performance.invocation.originalSelector.rawValue)
    member("target", performance.target.description)
    optionalMember("proxied", performance.proxied?.rawValue)
    writeResult(of: performance.invocation)
    member("invocation")
    value(performance.invocation)
  }

  /// Writes the member with the answer to a message (F9), if there is one.
  mutating func writeResult(of invocation: Invocation) {
    if let result = invocation.result { member("result", result) }
  }

  /// Writes a message in its original form, so that it can be resent (F9).
  mutating func value(_ invocation: Invocation) {
    beginObject()
    if case .object(let document) = invocation.json {
      for part in document.members where part.name != "when" { member(part.name, part.value) }
    }
    if let when = invocation.when { member("when", InternetTimestamp(milliseconds: when).text) }
    endObject()
  }
}
