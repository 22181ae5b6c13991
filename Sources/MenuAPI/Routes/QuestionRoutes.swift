import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes about a whole session: its menu and its diagnostics.
enum QuestionRoutes {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/menu", needing: .items, id: "getSessionMenu",
      "The whole menu with every item as it is now.",
      query: [.menu, .kind, .modifiers, .from, .window, .explain],
      answers: .tagged("SessionMenu", "The menu."), problems: [.tooMuchEffort], answeredBy: menu),
    Route(
      .post, at: "/sessions/{session}/menu", needing: .items, id: "askSessionMenu",
      "The same for a question with a body, which may assume changes.", query: [.explain],
      body: .json(
        "SessionMenuRequest",
        #"{"menu":"edit","modifiers":["shift"]}"#),
      answers: [.ok("SessionMenu", "The menu.")], problems: [.unresolvedReference, .tooMuchEffort],
      isQuestion: true, answeredBy: ask),
    Route(
      .get, at: "/sessions/{session}/diagnostics", needing: .read, id: "getDiagnostics",
      "The diagnostics of a session.", answers: .tagged("Diagnostics", "The findings."),
      answeredBy: diagnostics),
  ]

  private static func menu(_ call: Call) throws(Problem) -> Response {
    var request = ValidationRequest()
    request.from = try call.query.name("from")
    request.window = try call.query.name("window")
    request.menu = try call.query.name("menu")
    request.kind = try call.query.word("kind") ?? .main
    request.modifiers = KeyModifiers(try call.query.words("modifiers"))
    request.isExplaining = try call.query.flag("explain")
    request.actor = call.actor
    let snapshot = try call.look(at: call.session)
    let tag = call.tag(snapshot, request.menuParameters)
    if let unmodified = call.unmodified(tag) { return unmodified }
    try call.admit(snapshot)
    let id = request.menu ?? Menu.rootIdentifier
    guard let declared = snapshot.catalog.menuAsShown(id) else {
      throw Problem(.invalidQuery, DeclarationFault.menu(.unknownMenu(id)).sentence)
    }
    let (body, ruleErrors): ([UInt8], Int)
    do throws(MutationFault) {
      (body, ruleErrors) = try call.live(snapshot).answer(to: request, about: declared, snapshot)
    } catch {
      throw Problem(ofQuery: error)
    }
    call.note(ruleErrors: ruleErrors)
    return Call.response(.ok, tag: tag, body: body)
  }

  private static func ask(_ call: Call) throws(Problem) -> Response {
    var (request, assumptions) = try call.question { ValidationRequest(aboutMenu: &$0) }
    request.actor = call.actor
    try request.explain(by: call, assuming: assumptions)
    return try call.answer(about: try call.session, at: nil, assuming: assumptions) {
      [request] (moment) throws(Problem) in
      try moment.answerAboutMenu(to: request)
    }
  }

  private static func diagnostics(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    return call.answer(about: snapshot, "d") { writer in
      writer.members(snapshot.session.diagnostics(in: snapshot.catalog))
    }
  }
}

extension ValidationRequest {
  /// Requests traces if the query does too.
  mutating func explain(by call: Call, assuming assumptions: [[Mutation]]?) throws(Problem) {
    if try call.query.flag("explain") { isExplaining = true }
    guard isExplaining, assumptions != nil else { return }
    throw Problem(
      .invalidBody,
      "An answer that assumes something has no traces; leave out 'explain', or 'assuming'.",
      at: JSONPointer.root.appending("explain"))
  }

  /// Reads the members of a query for a menu.
  fileprivate init(aboutMenu reader: inout ObjectReader) {
    self.init()
    menu = reader.member("menu", Read.identifier) ?? Menu.rootIdentifier
    kind = reader.member("kind", Read.word) ?? .main
    modifiers = reader.member("modifiers", Read.modifiers) ?? []
    from = reader.member("from", Read.identifier)
    window = reader.member("window", Read.identifier)
    isExplaining = reader.member("explain", Read.bool) ?? false
  }

  /// The parameters of a menu as part of a tag; a slash cannot occur in a name.
  fileprivate var menuParameters: String {
    var text = isExplaining ? "m1" : "m0"
    if let from { text += from.rawValue }
    if let window { text += "/w\(window)" }
    if let menu { text += "/m\(menu)" }
    if kind != .main { text += "/k\(kind.rawValue)" }
    if !modifiers.isEmpty { text += "/h\(modifiers.rawValue)" }
    return text
  }
}

extension JSONWriter {
  /// Writes the members of a session's diagnostics.
  mutating func members(_ found: SessionDiagnostics) {
    member("chain", found.chain.json)
    member("cycles", .array(found.cycles.map(\.json)))
    member("detached", found.detached.json)
    members(found.unhandled)
    members(found.unhooked)
    member("unreachableRegistries", found.unreachableRegistries.json)
    member("deadProxies", found.deadProxies.json)
    member("ignoredDelegates", found.ignoredDelegates.json)
    members(found.brokenDelegates)
    member("coordinating", found.coordinating)
    members(found.shadowed)
    member("keyConflicts")
    if let conflicts = found.keyConflicts { value(conflicts) } else { null() }
    members(found.failing)
    members(found.itemsFromData)
  }

  private mutating func members(_ unhandled: UnhandledActions) {
    member("unhandled", .array(unhandled.commands.map { .string($0.rawValue) }))
    member("unhandledAlternates")
    array(unhandled.alternates) { writer, alternate in
      writer.member("command", alternate.command.rawValue)
      writer.member("modifiers", alternate.modifiers.json)
      writer.member("action", alternate.action.rawValue)
    }
    member("unhandledKeyCommands")
    array(unhandled.keyCommands) { writer, keyCommand in
      writer.member("responder", keyCommand.responder.rawValue)
      writer.member("key", keyCommand.key.json)
      writer.member("action", keyCommand.action.rawValue)
    }
  }

  private mutating func members(_ registries: [UnhookedRegistry]) {
    member("unhooked")
    array(registries) { writer, registry in
      writer.member("host", registry.host.rawValue)
      writer.member("unreachable", registry.unreachable.json)
    }
  }

  private mutating func members(_ delegates: [BrokenDelegate]) {
    member("brokenDelegates")
    array(delegates) { writer, broken in
      writer.member("responder", broken.holder.rawValue)
      writer.member("delegate", broken.delegate.rawValue)
      writer.member("protocol", broken.declared.rawValue)
      writer.member("missing", .array(broken.missing.map { .string($0.rawValue) }))
    }
  }

  private mutating func members(_ coordinators: [DeadCoordinator]) {
    member("dead")
    array(coordinators) { writer, dead in
      writer.member("coordinator", dead.coordinator.rawValue)
      writer.member("reason", dead.reason.rawValue)
    }
  }

  private mutating func members(_ shadows: [SessionDiagnostics.Shadow]) {
    member("shadowed")
    array(shadows) { writer, shadow in
      writer.member("action", shadow.action.rawValue)
      writer.member("winner", shadow.winner.description)
      writer.member("shadowed", shadow.shadowed.description)
    }
  }

  private mutating func member(_ name: String, _ found: CoordinatingDiagnostics) {
    member(name)
    beginObject()
    member("cycles", .array(found.cycles.map(\.json)))
    member("cut", found.cut.json)
    member("rootless", found.rootless.json)
    member("goneSenders", found.goneSenders.json)
    member("replaced", found.replaced.json)
    members(found.dead)
    endObject()
  }

  private mutating func members(_ failing: FailingRules) {
    member("allRulesTried", failing.isComplete)
    member("failing")
    array(failing.rules) { writer, rule in
      writer.member("receiver", rule.receiver.description)
      writer.optionalMember("action", rule.action?.rawValue)
      writer.optionalMember("command", rule.command?.rawValue)
      writer.member("always", rule.isConstant)
      writer.member("error")
      writer.value(rule.fault)
    }
  }

  private mutating func members(_ findings: [ItemsFinding]) {
    guard !findings.isEmpty else { return }
    member("itemsFromData")
    array(findings) { writer, finding in
      writer.member("menu", finding.menu.rawValue)
      writer.member("command", finding.declaration.command.rawValue)
      if !finding.repeated.isEmpty {
        writer.member("repeated", .array(finding.repeated.map { .string($0.text) }))
      }
      if finding.excess > 0 { writer.member("excess", finding.excess) }
      if let fault = finding.fault {
        writer.member("error")
        writer.value(fault)
      }
    }
  }

  private mutating func array<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    beginArray()
    for element in elements {
      beginObject()
      write(&self, element)
      endObject()
    }
    endArray()
  }
}

extension [ResponderID] {
  fileprivate var json: JSON { .array(map { .string($0.rawValue) }) }
}
