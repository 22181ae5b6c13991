import CEL
import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The plan of a dry run: performing it has exactly the effects of the dry run, or none (T6).
///
/// **Decision:** A plan is a text that contains the request itself, including its time, and is signed with the
/// session's key, which is in the journal. So nothing is stored until it is performed, and every replica can read it,
/// even after a restart. Token and changes are included as codes under that key, so that a plan cannot be used to
/// guess them.
struct ChangePlan {
  let session: SessionID
  /// The code of the token of the dry run.
  private let token: [UInt8]
  /// The expiry time in milliseconds.
  let expiry: Int64
  /// The request, with its time.
  let message: Message
  /// The code of the changes, and of the command's confirmation.
  private let changes: [UInt8]
  private let nonce: String
  private let signed: SignedText

  /// Creates the plan of a dry run. Every plan is unique, so that it can be performed once.
  init(
    _ message: Message, in session: SessionID, for token: String, until expiry: Int64,
    of outcome: Outcome, under key: PlanKey
  ) {
    self.session = session
    self.token = key.code(of: Array(token.utf8))
    self.expiry = expiry
    self.message = message
    changes = key.code(of: outcome.plannedBytes)
    nonce = .unguessable
    signed = SignedText(
      [
        .string(session.rawValue), .string(Base64.text(self.token)), .int(expiry),
        message.document, .string(Base64.text(changes)), .string(nonce),
      ], under: key)
  }

  /// The text that clients return.
  var text: String { signed.text }

  /// Reads a plan, which must belong to the changed session and the request's token, and not be expired.
  ///
  /// - Throws: `Problem` with the reason why it cannot be performed.
  init(_ text: String, in change: SessionChange, at now: Int64, _ call: Call) throws(Problem) {
    let depth = call.service.limits.bodyDepth + 2
    guard let plan = ChangePlan(text, in: change.catalog, depth: depth) else { throw .unknownPlan }
    guard plan.session == change.session.id else { throw .planOfAnotherSession(plan.session) }
    guard let key = change.session.planKey, plan.signed.isSigned(under: key) else {
      throw .unknownPlan
    }
    guard plan.token == key.code(of: Array((call.token ?? "").utf8)) else {
      throw .planOfAnotherToken
    }
    guard now <= plan.expiry else { throw .expiredPlan(plan.expiry) }
    self = plan
  }

  /// Reads a plan; nil if the text is not a plan. Its signature is not checked.
  private init?(_ text: String, in catalog: Catalog, depth: Int) {
    guard let signed = SignedText(text, maximumDepth: depth) else { return nil }
    let contents = signed.values
    guard contents.count == 6, case .string(let name) = contents[0], let session = SessionID(name),
      case .string(let digest) = contents[1], let token = Base64.bytes(digest),
      case .int(let expiry) = contents[2],
      let message = Message(document: contents[3], in: catalog),
      case .string(let digest) = contents[4], let changes = Base64.bytes(digest),
      case .string(let nonce) = contents[5]
    else { return nil }
    (self.session, self.token, self.expiry, self.message) = (session, token, expiry, message)
    (self.changes, self.nonce, self.signed) = (changes, nonce, signed)
  }
}

extension ChangePlan {
  /// The message to perform, with its plan.
  var messageByPlan: Message {
    guard case .request(let request) = message else { return message }
    return .request(request.performed(by: PlanUse(nonce: nonce, expiry: expiry)))
  }

  /// Returns the message of a plan, whose signature is not checked; nil if the text is not a plan.
  static func message(of text: String, in catalog: Catalog) -> Message? {
    ChangePlan(text, in: catalog, depth: 128)?.message
  }

  /// Refuses an outcome whose changes or confirmation differ from the plan's; the problem includes them and a new
  /// plan.
  func check(_ outcome: Outcome, in change: SessionChange, _ call: Call) throws(Problem) {
    guard let key = change.session.planKey, key.code(of: outcome.plannedBytes) != changes else {
      return
    }
    let next = call.plan(for: message, of: outcome, in: change)
    var problem = Problem(
      .planChanged,
      "Nothing was performed, since it would change something else now than the plan showed; perform "
        + "the new plan if 'changes' are right.",
      at: JSONPointer(["plan"])
    ).with("changes") { writer in
      writer.beginArray()
      writer.elements(changesOf: outcome)
      writer.endArray()
    }
    if let confirmation = outcome.performance?.confirmation {
      problem = problem.with("confirmation") { $0.value(confirmation.json) }
    }
    throw problem.withPlan(next)
  }
}

extension Call {
  /// Returns a plan for a message after its dry run; nil for an invocation, which has none.
  func plan(for message: Message, of outcome: Outcome, in change: SessionChange) -> ChangePlan? {
    guard case .request = message, let key = change.session.planKey else { return nil }
    return ChangePlan(
      message, in: change.session.id, for: token ?? "",
      until: service.steadyTime + service.limits.planLifetime, of: outcome, under: key)
  }
}

extension ChangePlan {
  /// The members of answers: its text and its expiry time.
  fileprivate var members: [(name: String, value: String)] {
    [("plan", text), ("planExpires", InternetTimestamp(milliseconds: expiry).text)]
  }
}

extension JSONWriter {
  /// Writes the members of a plan, if there is one.
  mutating func members(_ plan: ChangePlan?) {
    for (name, value) in plan?.members ?? [] { member(name, value) }
  }
}

extension Problem {
  fileprivate func withPlan(_ plan: ChangePlan?) -> Problem {
    (plan?.members ?? []).reduce(self) { problem, member in
      problem.with(member.name) { $0.value(member.value) }
    }
  }

  fileprivate static let unknownPlan = Problem(
    .unknownPlan,
    "This is no plan of this session: it was altered or cut, or the session was opened anew. Make a "
      + "dry run, and send its 'plan' whole.",
    at: JSONPointer(["plan"]))

  fileprivate static func planOfAnotherSession(_ session: SessionID) -> Problem {
    Problem(
      .foreignPlan, "The plan is of the session \(quoted(session)); perform it there.",
      at: JSONPointer(["plan"]))
  }

  fileprivate static let planOfAnotherToken = Problem(
    .foreignPlan,
    "The plan was made with another token; make a dry run with the one that performs.",
    at: JSONPointer(["plan"]))

  fileprivate static func expiredPlan(_ expiry: Int64) -> Problem {
    Problem(
      .expiredPlan,
      "The plan was good until \(InternetTimestamp(milliseconds: expiry).text); make a new dry run.",
      at: JSONPointer(["plan"]))
  }
}

extension Message {
  /// The message as a document, with its time.
  var document: JSON {
    switch self {
    case .request(let request): .object(request.document)
    case .invocation(let invocation): ["invocation": invocation.json]
    }
  }

  /// The message as confirmed by the user (W4).
  var confirmed: Message {
    switch self {
    case .request(let request) where command != nil: .request(request.asConfirmed)
    case .request, .invocation: self
    }
  }

  /// Reads a document of a message with its time; nil with a fault.
  init?(document: JSON, in catalog: Catalog) {
    let log = FaultLog()
    guard var reader = ObjectReader(document, at: .root, log: log) else { return nil }
    guard let message = Message(&reader, in: catalog, isDated: true) else { return nil }
    reader.finish()
    guard log.faults.isEmpty else { return nil }
    self = message
  }
}

extension Outcome {
  /// The contents that a plan fixes: the changes as written, and the command's confirmation.
  fileprivate var plannedBytes: [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    writer.elements(changesOf: self)
    writer.value(performance?.confirmation?.json ?? .null)
    writer.endArray()
    return writer.bytes
  }
}
