import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// What can be asked of a session beside its commands: its menu, targets and oddities.
enum QuestionRoutes {
  static let all = [
    Route(
      .get, "/sessions/{session}/menu",
      Operation(
        "getSessionMenu", "The whole menu with every item as it is now.",
        query: [.menu, .kind, .modifiers, .from, .explain],
        answers: [.ok("SessionMenu", "The menu.", headers: ["ETag"]), .notModified],
        problems: [.tooMuchEffort]),
      menu),
    Route(
      .get, "/sessions/{session}/diagnostics",
      Operation(
        "getDiagnostics", "What is odd about a session.",
        answers: [.ok("Diagnostics", "What was found.", headers: ["ETag"]), .notModified]),
      diagnostics),
    Route(
      .post, "/targets/resolve",
      Operation(
        "resolveTarget", "Who would receive an action, and why; nothing is done.",
        body: .json("TargetRequest", #"{"session":"demo","action":"applyFiveStarRating:"}"#),
        answers: [.ok("TargetAnswer", "The target and the trace.")],
        problems: [.unknownSession, .unresolvedReference], door: .anyToken),
      target),
  ]

  private static func menu(_ call: Call) throws(Problem) -> Response {
    var request = ValidationRequest()
    request.from = try call.queryName("from")
    request.menu = try call.queryName("menu")
    request.kind = try call.queryWord("kind") ?? .main
    request.modifiers = KeyModifiers(try call.queryWords("modifiers"))
    request.isExplaining = try call.flag("explain")
    let snapshot = try call.snapshot()
    let catalog = call.catalog
    let tag = EntityTag(
      snapshot, catalog, nonce: call.service.nonce, parameters: request.menuParameters)
    if let unmodified = call.unmodified(tag) { return unmodified }
    let id = request.menu ?? Menu.rootIdentifier
    guard let declared = catalog.menu(id) else {
      throw Problem(.invalidQuery, DeclarationFault.unknownMenu(id).sentence)
    }
    let menu: ValidatedMenu
    do throws(MutationFault) {
      menu = try snapshot.session.validate(declared, request, in: catalog)
    } catch {
      throw Problem(error == .tooMuchEffort ? .tooMuchEffort : .invalidQuery, error.sentence)
    }
    return call.answer(tag: tag) { writer in
      writer.members(snapshot.session)
      writer.member("catalogRevision", catalog.revision)
      writer.member("menu")
      writer.value(menu, isExplaining: request.isExplaining)
    }
  }

  private static func diagnostics(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let catalog = call.catalog
    let tag = EntityTag(snapshot, catalog, nonce: call.service.nonce, parameters: "d")
    if let unmodified = call.unmodified(tag) { return unmodified }
    let found = snapshot.session.diagnostics(in: catalog)
    return call.answer(tag: tag) { writer in
      writer.members(snapshot.session)
      writer.member("catalogRevision", catalog.revision)
      writer.members(found)
    }
  }

  /// Which chain is searched: from the first responder on (R5), or from a view controller up its
  /// containers (A1).
  fileprivate enum Chain: String, CaseIterable {
    case responder
    case actor
  }

  fileprivate struct TargetRequest {
    let session: SessionID
    let action: Selector
    let chain: Chain
    let from: ResponderID?
    let sender: SenderDescription?
  }

  private static func target(_ call: Call) throws(Problem) -> Response {
    let request = try call.object { reader in TargetRequest(&reader) }
    let place = JSONPointer.root.appending("session")
    let session = try call.snapshot(request.session, at: place).session
    let answer: TargetAnswer
    do throws(MutationFault) {
      answer = try request.answer(in: session, call.catalog)
    } catch {
      throw Problem(error, at: error.placeOfResponder(from: request.from, request.sender, to: nil))
    }
    return call.answer { writer in
      writer.members(session)
      writer.member("target", answer.target)
      writer.optionalMember("proxied", answer.proxied?.rawValue)
      writer.member("reason", answer.reason.rawValue)
      if let fault = answer.fault {
        writer.member("error")
        writer.value(fault)
      }
      writer.member("trace", answer.trace)
    }
  }
}

extension ValidationRequest {
  /// What a question about a menu says, as part of a tag; a slash cannot occur in a name.
  fileprivate var menuParameters: String {
    var text = "m\(isExplaining ? 1 : 0)\(from?.rawValue ?? "")"
    if let menu { text += "/m\(menu)" }
    if kind != .main { text += "/k\(kind.rawValue)" }
    if !modifiers.isEmpty { text += "/h\(modifiers.rawValue)" }
    return text
  }
}

extension QuestionRoutes.TargetRequest {
  fileprivate init?(_ reader: inout ObjectReader) {
    let session: SessionID? = reader.required("session", Read.identifier)
    let action = reader.required("action", Read.selector)
    chain = reader.member("chain", Read.word) ?? .responder
    switch chain {
    case .responder: from = reader.member("from", Read.identifier)
    case .actor: from = reader.required("from", Read.identifier)
    }
    sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    guard let session, let action else { return nil }
    self.session = session
    self.action = action
  }

  fileprivate func answer(
    in session: Session, _ catalog: Catalog
  ) throws(MutationFault) -> TargetAnswer {
    switch (chain, from) {
    case (.actor, let from?):
      try session.actorTarget(for: action, sender: sender, from: from, in: catalog)
    case (.actor, nil), (.responder, _):
      try session.target(for: action, sender: sender, from: from, in: catalog)
    }
  }
}

extension MutationFault {
  /// The member of a question or request that names the responder which is not there; nil when the
  /// fault is about something else.
  func placeOfResponder(
    from: ResponderID?, _ sender: SenderDescription?, to: Receiver?
  ) -> JSONPointer? {
    switch self {
    case .unknownResponder(let id) where id == from: JSONPointer.root.appending("from")
    case .unknownResponder(let id) where id == to?.responder: JSONPointer.root.appending("to")
    case .unknownResponder(let id) where id == sender?.responder:
      JSONPointer.root.appending("sender").appending("responder")
    case .containment: JSONPointer.root.appending("from")
    case .unknownMenu: JSONPointer.root.appending("menu")
    case .noCoordinator: JSONPointer.root.appending("to")
    case .argumentCount: JSONPointer.root.appending("arguments")
    default: nil
    }
  }
}
