import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The route that validates commands (M5); front ends call it most often.
enum ValidationRoute {
  static let all = [
    Route(
      .post, at: "/commands/validate", needing: .items, id: "validateCommands",
      "The items of commands as they are now: title, enabled, checked and target.",
      query: [.explain],
      body: .json(
        "ValidationRequest", #"{"session":"demo","commands":["applyFiveStarRating:","copy:"]}"#),
      answers: .tagged("ValidationAnswer", "The items, in the order asked for."),
      problems: [.unknownSession, .unresolvedReference, .tooMuchEffort], isQuestion: true,
      namesSession: true, answeredBy: respond)
  ]

  private static func respond(_ call: Call) throws(Problem) -> Response {
    try call.require(["application/json"])
    let question = HashedBody(call.request.body, isExplaining: try call.query.flag("explain"))
    let snapshot: Snapshot
    var request: ValidationRequest
    if let (session, kept) = keptAnswer(to: question, call) {
      snapshot = try call.look(at: session, at: JSONPointer.root.appending("session"))
      if kept.version == snapshot.version, kept.request.actor == call.actor {
        return call.unmodified(kept.tag) ?? Call.response(.ok, tag: kept.tag, body: kept.body)
      }
      request = kept.request
    } else {
      var (body, assumptions) = try call.question { ValidationBody(&$0) }
      try body.request.explain(by: call, assuming: assumptions)
      if let assumptions { return try answer(body, assuming: assumptions, call) }
      snapshot = try call.look(at: body.session, at: JSONPointer.root.appending("session"))
      request = body.request
    }
    request.actor = call.actor
    try call.admit(snapshot)
    let tag = call.tag(snapshot, "v" + question.tagParameters)
    if let unmodified = call.unmodified(tag) { return unmodified }
    let live = call.live(snapshot)
    let (answer, ruleErrors) = try answer(to: request, snapshot, live)
    call.note(ruleErrors: ruleErrors)
    live.keep(
      SessionAnswers.Answer(to: request, at: snapshot.version, tag: tag, body: answer),
      to: question)
    return Call.response(.ok, tag: tag, body: answer)
  }

  private static func answer(
    _ body: ValidationBody, assuming assumptions: [[Mutation]], _ call: Call
  ) throws(Problem) -> Response {
    var request = body.request
    request.actor = call.actor
    return try call.answer(
      about: body.session, at: JSONPointer.root.appending("session"), assuming: assumptions
    ) {
      [request] (moment) throws(Problem) in
      try moment.answer(to: request)
    }
  }

  /// Returns the kept answer to a query and its session; nil if none is kept.
  private static func keptAnswer(
    to question: HashedBody, _ call: Call
  ) -> (SessionID, SessionAnswers.Answer)? {
    guard let session = SessionID(guessedFrom: question.body),
      let answer = call.known(session)?.answer(to: question)
    else { return nil }
    return (session, answer)
  }

  private static func answer(
    to request: ValidationRequest, _ snapshot: Snapshot, _ live: LiveSession
  ) throws(Problem) -> (answer: [UInt8], ruleErrors: Int) {
    do throws(MutationFault) {
      return try live.answer(to: request, snapshot)
    } catch {
      throw Problem(
        error,
        at: error.placeOfResponder(
          from: request.from, request.sender, to: nil, window: request.window))
    }
  }

  private struct ValidationBody {
    let session: SessionID
    var request: ValidationRequest

    init?(_ reader: inout ObjectReader) {
      let session: SessionID? = reader.required("session", Read.identifier)
      var request = ValidationRequest()
      request.commands = reader.list("commands", Read.identifier)
      request.from = reader.member("from", Read.identifier)
      request.window = reader.member("window", Read.identifier)
      request.sender = reader.member("sender", SenderDescription.init(reading:at:log:))
      request.modifiers = reader.member("modifiers", Read.modifiers) ?? []
      request.menu = reader.member("menu", Read.identifier)
      let kind: MenuKind? = reader.member("kind", Read.word)
      request.kind = kind ?? .main
      request.isExplaining = reader.member("explain", Read.bool) ?? false
      if request.commands != nil, request.menu != nil {
        reader.log.note(.conflictingMembers("commands", "menu"), at: reader.pointer)
      }
      if kind != nil, request.menu == nil {
        reader.log.note(.missingMember("menu"), at: reader.pointer)
      }
      guard let session else { return nil }
      self.session = session
      self.request = request
    }
  }
}

private let sessionMember = Array("\"session\"".utf8)

extension SessionID {
  /// Creates the name of the session that the body of a request seems to be about, without parsing the body.
  ///
  /// A wrong guess only costs time: an answer is only kept for the session that its body names.
  init?(guessedFrom body: [UInt8]) {
    let (member, quote) = (sessionMember, UInt8(ascii: "\""))
    var (index, matching) = (0, 0)
    // A match can only restart at a quote.
    while index < body.count, matching < member.count {
      let byte = body[index]
      matching = byte == member[matching] ? matching + 1 : byte == quote ? 1 : 0
      index += 1
    }
    while index < body.count, body[index] != quote { index += 1 }
    let start = index + 1
    index = start
    while index < body.count, body[index] != quote { index += 1 }
    guard index < body.count else { return nil }
    self.init(String(decoding: body[start..<index], as: UTF8.self))
  }
}
