import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The route that validates commands (M5); front ends call it most often.
enum ValidationRoute {
  static let all = [
    Route(
      .post, "/commands/validate",
      describedAs: RouteDescription(
        "validateCommands",
        "The items of commands as they are now: title, enabled, checked and target.",
        body: .json(
          "ValidationRequest", #"{"session":"demo","commands":["applyFiveStarRating:","copy:"]}"#),
        answers: [
          .ok(
            "ValidationAnswer", "The items, in the order asked for.",
            headers: ["ETag"]), .notModified,
        ],
        problems: [.unknownSession, .unresolvedReference, .tooMuchEffort],
        isQuestion: true, requiredAccess: .anyToken),
      answeredBy: respond)
  ]

  private static func respond(_ call: Call) throws(Problem) -> Response {
    let cache = call.service.validations
    try call.require(["application/json"])
    let question = AnswerCache.HashedBody(call.request.body)
    let kept = cache.answer(to: question)
    let body =
      if let kept { ValidationBody(kept) } else {
        try call.object(call.parsedBody()) { ValidationBody(&$0) }
      }
    let snapshot = try call.look(at: body.session, at: JSONPointer.root.appending("session"))
    if let kept, kept.version == snapshot.version {
      return call.unmodified(kept.tag) ?? Call.response(.ok, tag: kept.tag, body: kept.body)
    }
    try call.admit(snapshot)
    let tag = call.tag(snapshot, "v" + question.tagParameters)
    if let unmodified = call.unmodified(tag) { return unmodified }
    let (answer, ruleErrors) = try answer(to: body.request, snapshot, call.service.plans)
    call.note(ruleErrors: ruleErrors)
    cache.keep(
      AnswerCache.KeptAnswer(
        session: body.session, request: body.request, version: snapshot.version, tag: tag,
        body: answer),
      to: question)
    return Call.response(.ok, tag: tag, body: answer)
  }

  private static func answer(
    to request: ValidationRequest, _ snapshot: Snapshot, _ plans: SessionPlans
  ) throws(Problem) -> (body: [UInt8], ruleErrors: Int) {
    do throws(MutationFault) {
      return try plans.answer(to: request, snapshot)
    } catch {
      throw Problem(
        error,
        at: error.placeOfResponder(
          from: request.from, request.sender, to: nil, window: request.window))
    }
  }

  private struct ValidationBody {
    let session: SessionID
    let request: ValidationRequest

    init(_ answer: AnswerCache.KeptAnswer) {
      session = answer.session
      request = answer.request
    }

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
