import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// How commands are now (M5): the route that front ends ask most.
enum ValidationRoute {
  static let all = [
    Route(
      .post, "/commands/validate",
      Operation(
        "validateCommands", "How commands are now: titled, enabled, checked, and who handles them.",
        body: .json(
          "ValidationRequest", #"{"session":"demo","commands":["applyFiveStarRating:","copy:"]}"#),
        answers: [
          .ok(
            "ValidationAnswer", "The items, in the order asked for.",
            headers: ["ETag"]), .notModified,
        ],
        problems: [.unknownSession, .unresolvedReference, .tooMuchEffort],
        isQuestion: true, door: .anyToken),
      respond)
  ]

  private static func respond(_ call: Call) throws(Problem) -> Response {
    let cache = call.service.validations
    try call.require(["application/json"])
    let kept = cache.answer(to: call.request.body)
    if let kept, kept.isPresent(to: call) {
      return call.unmodified(kept.tag) ?? Call.response(.ok, kept.tag, nil, kept.items.body)
    }
    let body: Body
    if let kept { body = Body(kept) } else { body = try call.object { Body(&$0) } }
    let place = JSONPointer.root.appending("session")
    let snapshot = try call.snapshot(body.session, at: place)
    let catalog = call.catalog
    let tag = EntityTag(
      snapshot, catalog, nonce: call.service.nonce,
      parameters: "v" + EntityTag.parameters(call.request.body))
    if let unmodified = call.unmodified(tag) { return unmodified }
    let items = try items(body.request, snapshot, catalog, kept)
    call.note(ruleErrors: items.ruleErrors)
    cache.keep(
      AnswerCache.Answer(
        session: body.session, request: body.request, version: snapshot.version,
        catalogRevision: catalog.revision, tag: tag, items: items),
      to: call.request.body)
    return Call.response(.ok, tag, nil, items.body)
  }

  private static func items(
    _ request: ValidationRequest, _ snapshot: SessionSnapshot, _ catalog: Catalog,
    _ kept: AnswerCache.Answer?
  ) throws(Problem) -> ItemsAnswer {
    do throws(MutationFault) {
      if let updated = try kept.flatMap({ (kept) throws(MutationFault) in
        try updated(kept, request, snapshot, catalog)
      }) {
        return updated
      }
      return try items(request, snapshot.session, catalog)
    } catch {
      throw Problem(error, at: error.placeOfResponder(from: request.from, request.sender, to: nil))
    }
  }

  private static func items(
    _ request: ValidationRequest, _ session: Session, _ catalog: Catalog
  ) throws(MutationFault) -> ItemsAnswer {
    let isExplaining = request.isExplaining
    guard request.menu == nil else {
      let items = try session.validate(request, in: catalog)
      return ItemsAnswer(ofMenu: items, isExplaining: isExplaining, session, catalog)
    }
    let items = try session.read(request, in: catalog)
    return ItemsAnswer(items, isExplaining: isExplaining, session, catalog)
  }

  /// The last answer with those items asked about again that changes of the state since then may
  /// concern, or nil when something else changed too.
  private static func updated(
    _ kept: AnswerCache.Answer, _ request: ValidationRequest, _ snapshot: SessionSnapshot,
    _ catalog: Catalog
  ) throws(MutationFault) -> ItemsAnswer? {
    guard !request.isExplaining, kept.catalogRevision == catalog.revision,
      kept.version.incarnation == snapshot.incarnation,
      kept.version.generation == snapshot.version.generation,
      let places = snapshot.session.placesChanged(since: kept.version.revision)
    else { return nil }
    return try kept.items.updated(for: places, snapshot.session, catalog, isExplaining: false) {
      (commands) throws(MutationFault) in
      var request = request
      request.commands = commands
      return try snapshot.session.read(request, in: catalog)
    }
  }

  /// What is asked.
  private struct Body {
    let session: SessionID
    let request: ValidationRequest

    /// The same as before.
    init(_ answer: AnswerCache.Answer) {
      session = answer.session
      request = answer.request
    }

    init?(_ reader: inout ObjectReader) {
      let session: SessionID? = reader.required("session", Read.identifier)
      var request = ValidationRequest()
      request.commands = reader.list("commands", Read.identifier)
      request.from = reader.member("from", Read.identifier)
      request.sender = reader.member("sender", SenderDescription.init(reading:at:log:))
      request.modifiers = reader.member("modifiers", Read.modifiers) ?? []
      request.menu = reader.member("menu", Read.identifier)
      request.isExplaining = reader.member("explain", Read.bool) ?? false
      if request.commands != nil, request.menu != nil {
        reader.log.note(.conflictingMembers("commands", "menu"), at: reader.pointer)
      }
      guard let session else { return nil }
      self.session = session
      self.request = request
    }
  }
}
