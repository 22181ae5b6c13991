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
        problems: [.unknownSession, .unresolvedReference, .tooMuchEffort]),
      respond)
  ]

  private static func respond(_ call: Call) throws(Problem) -> Response {
    let cache = call.service.validations
    try call.require(["application/json"])
    if let kept = cache.answer(to: call.request.body, in: call.store) {
      return call.unmodified(kept.tag) ?? Call.response(.ok, kept.tag, nil, kept.body)
    }
    let body = try call.object { Body(&$0) }
    let place = JSONPointer.root.appending("session")
    guard let snapshot = call.store.snapshot(body.session) else {
      throw .unknownSession(body.session.rawValue, at: place)
    }
    let catalog = call.store.catalog
    let tag = EntityTag(
      snapshot, catalog, nonce: call.service.nonce,
      parameters: "v" + EntityTag.parameters(call.request.body))
    if let unmodified = call.unmodified(tag) { return unmodified }
    let items = try items(body.request, snapshot.session, catalog)
    let bytes = bytes(of: items, body, snapshot.session, catalog)
    cache.keep(
      AnswerCache.Answer(
        session: body.session, version: snapshot.version, catalogRevision: catalog.revision,
        tag: tag, body: bytes),
      to: call.request.body)
    return Call.response(.ok, tag, nil, bytes)
  }

  private static func items(
    _ request: ValidationRequest, _ session: Session, _ catalog: Catalog
  ) throws(Problem) -> [ValidatedItem] {
    let menu = try request.menu.map { (id) throws(Problem) in try Self.menu(id, catalog) }
    do throws(MutationFault) {
      guard let menu else { return try session.validate(request, in: catalog) }
      return try session.validate(menu, request, in: catalog).items
    } catch {
      throw Problem(error, at: error.placeOfResponder(from: request.from, request.sender, to: nil))
    }
  }

  private static func menu(_ id: MenuID, _ catalog: Catalog) throws(Problem) -> Menu {
    if let menu = catalog.menu(id) { return menu }
    throw Problem(DeclarationFault.unknownMenu(id), at: JSONPointer.root.appending("menu"))
  }

  private static func bytes(
    of items: [ValidatedItem], _ body: Body, _ session: Session, _ catalog: Catalog
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserveCapacity(128 + 192 * items.count)
    writer.beginObject()
    writer.members(session)
    writer.member("catalogRevision", catalog.revision)
    writer.member("items")
    writer.beginArray()
    for item in items { writer.value(item, isExplaining: body.request.isExplaining) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  /// What is asked.
  private struct Body {
    let session: SessionID
    let request: ValidationRequest

    init?(_ reader: inout ObjectReader) {
      let session: SessionID? = reader.required("session", Read.identifier)
      var request = ValidationRequest()
      request.commands = reader.list("commands", Read.identifier)
      request.from = reader.member("from", Read.identifier)
      request.sender = reader.member("sender", SenderDescription.init(reading:at:log:))
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
