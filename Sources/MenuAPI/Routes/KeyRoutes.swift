import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes about pressed keys (K1 to K5).
enum KeyRoutes {
  static let all = [
    Route(
      .post, at: "/keys/resolve", needing: .items, id: "resolveKey",
      "The command that a key would perform, and those that it passes over; nothing is done.",
      query: [.explainChange],
      body: .json(
        "KeyRequest", #"{"session":"demo","key":{"input":"5","modifiers":["command"]}}"#),
      answers: [
        .ok("KeyAnswer", "The matches in order, and the action and target of the chosen one.")
      ],
      problems: [.unknownSession, .unresolvedReference, .tooMuchEffort], isQuestion: true,
      namesSession: true, answeredBy: resolve),
    Route(
      .post, at: "/keys/press", needing: .perform, id: "pressKey",
      "Does what a key means; what fails changes nothing.",
      body: .json(
        "KeyPressRequest", #"{"session":"demo","key":{"input":"5","modifiers":["command"]}}"#),
      answers: [
        .ok("KeyPressed", "The outcome.", headers: ["ETag"]), .accepted("KeyPressed"),
      ],
      problems: [
        .unknownSession, .unresolvedReference, .notPerformed, .needsConfirmation,
        .effectFailed, .firstResponderRefused, .doesNotRecognizeSelector, .senderCarriesNoAction,
        .tooMuchEffort, .undoRefused, .deliveryConflict,
      ],
      namesSession: true, completesDeliveries: true, answeredBy: press),
  ]

  private static func resolve(_ call: Call) throws(Problem) -> Response {
    let (body, assumptions) = try call.question { KeyBody(&$0, isQuestion: true) }
    let isExplaining = try call.query.flag("explain") || body.isExplaining
    return try call.answer(
      about: body.session, at: JSONPointer.root.appending("session"), assuming: assumptions
    ) { (moment) throws(Problem) in
      let snapshot = moment.snapshot
      let resolution: KeyResolution
      do throws(MutationFault) {
        let found = try snapshot.session.resolve(
          body.press, in: snapshot.catalog, isExplaining: isExplaining, by: call.actor,
          spending: moment.effort)
        resolution = snapshot.commands == nil ? found : found.ofCommands
      } catch {
        throw Problem(error, at: body.press.place(of: error))
      }
      call.note(ruleErrors: resolution.ruleErrors)
      return JSONWriter.object { writer in
        writer.members(snapshot.session)
        writer.members(resolvedTo: resolution)
        if isExplaining { writer.member("trace", resolution.trace) }
      }
    }
  }

  private static func press(_ call: Call) throws(Problem) -> Response {
    let (body, options) = try call.objectAndOptions({ KeyBody(&$0, isQuestion: false) })
    let press = body.press.dated(call.service.dependencies.now())
    let place = JSONPointer.root.appending("session")
    return try call.change(body.session, at: place, isDry: options.isDry) {
      (change) throws(Problem) in
      let limited = try limitedResolution(of: press, in: change, call)
      let outcome = try change.apply(
        limited?.request(for: press).map(Mutation.perform) ?? .pressKey(press), call,
        isExplaining: options.isExplaining, at: { press.place(of: $0) })
      return call.answer(tag: call.tag(change)) { writer in
        writer.members(change)
        writer.members(outcome, resolvedTo: limited ?? outcome.resolution, of: press)
        if options.isExplaining { writer.trace(of: outcome) }
      }
    }
  }

  /// Returns the resolution of a key for a token that is limited to commands; nil for other tokens. Other commands are
  /// not visible to it (T1).
  ///
  /// - Throws: The problem of a key without a match.
  private static func limitedResolution(
    of press: KeyPress, in change: SessionChange, _ call: Call
  ) throws(Problem) -> KeyResolution? {
    guard call.grant.commands != nil else { return nil }
    let visible = call.visible(change.catalogEdition)
    do throws(MutationFault) {
      let found = try change.session.resolve(press, in: visible, by: call.actor).ofCommands
      guard found.command != nil else { throw .command(.keyNotPerformed(found)) }
      return found
    } catch {
      throw Problem(error, at: press.place(of: error))
    }
  }

  private struct KeyBody {
    let session: SessionID
    let press: KeyPress
    let isExplaining: Bool

    init?(_ reader: inout ObjectReader, isQuestion: Bool) {
      let session: SessionID? = reader.required("session", Read.identifier)
      let press = KeyPress(&reader, isDated: false, isQuestion: isQuestion)
      // For a press, it is an option of the change.
      isExplaining = isQuestion ? reader.member("explain", Read.bool) ?? false : false
      guard let session, let press else { return nil }
      self.session = session
      self.press = press
    }
  }
}

extension KeyResolution {
  /// Returns the request for the chosen match; nil if there is none.
  fileprivate func request(for press: KeyPress) -> ActionRequest? {
    chosen?.claim.request(for: press)
  }
}

extension KeyPress {
  /// Returns the member of the request that a fault is about.
  fileprivate func place(of fault: MutationFault) -> JSONPointer? {
    switch fault {
    case .unknownResponder, .focus(.notAWindow):
      fault.placeOfResponder(from: from, sender, to: nil, window: window)
    default: JSONPointer.root.appending("key")
    }
  }
}

extension JSONWriter {
  /// Writes what a key would do.
  fileprivate mutating func members(resolvedTo resolution: KeyResolution) {
    member("action")
    if let action = resolution.chosen?.claim.action { value(action.rawValue) } else { null() }
    member("target", resolution.chosen?.target)
    optionalMember("proxied", resolution.chosen?.item?.proxied?.rawValue)
    members(resolution)
  }

  fileprivate mutating func members(
    _ outcome: Outcome, resolvedTo resolution: KeyResolution?, of press: KeyPress
  ) {
    if let request = resolution?.request(for: press), let performance = outcome.performance {
      members(performance, of: request.subject.command)
    }
    if let resolution { members(resolution) }
    members(deliveriesOf: outcome)
    members(changesOf: outcome)
    members(outcome.events)
  }

  /// Writes the trace of resolving the key and of performing its command.
  fileprivate mutating func trace(of outcome: Outcome) {
    member("trace")
    beginArray()
    if let resolution = outcome.resolution { steps(of: resolution.trace) }
    if let performance = outcome.performance { steps(of: performance.trace) }
    endArray()
  }
}

/// The key commands of a responder (K1, K5).
enum KeyCommandRoutes {
  static let all = [
    Route(
      .put, at: "/sessions/{session}/responders/{responder}/key-commands", needing: .declare,
      id: "putKeyCommands", "Gives a responder these key commands in place of those it has.",
      body: .json(
        "KeyCommandList",
        #"{"keyCommands":[{"input":"UIKeyInputRightArrow","action":"applyFourStarRating:","when":"size(state.selection) > 0"}]}"#
      ),
      answers: [.ok("Changed", "It listens to these.", headers: ["ETag"])],
      problems: [.unknownResponder], answeredBy: put),
    Route(
      .get, at: "/sessions/{session}/responders/{responder}/key-commands", needing: .read,
      id: "getKeyCommands",
      "A responder's own key commands; those of its classes are not among them.",
      answers: .tagged("KeyCommands", "The key commands."), problems: [.unknownResponder],
      answeredBy: get),
  ]

  private static func put(_ call: Call) throws(Problem) -> Response {
    let id = try call.responderID
    let keyCommands = try call.object {
      $0.required("keyCommands", KeyCommand.list(reading:at:log:))
    }
    return try call.apply(.putKeyCommands(keyCommands, of: id), at: { _ in nil })
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let responder = try call.responder(in: snapshot)
    return call.answer(about: snapshot) { writer in
      writer.member("responder", responder.id.rawValue)
      writer.member("keyCommands", .array(responder.keyCommands.map(\.json)))
    }
  }
}

/// The route for conflicting keys (K6).
enum KeyConflictRoute {
  static let all = [
    Route(
      .get, at: "/keys/conflicts", needing: .items, id: "getKeyConflicts",
      "The keys claimed more than once: on a session's chain, else in the catalogue.",
      query: [.session, .from, .window], answers: .tagged("KeyConflicts", "The keys."),
      problems: [.unknownSession, .tooMuchEffort], answeredBy: conflicts)
  ]

  private static func conflicts(_ call: Call) throws(Problem) -> Response {
    let id: SessionID? = try call.query.name("session")
    let from: ResponderID? = try call.query.name("from")
    let window: ResponderID? = try call.query.name("window")
    guard let id else {
      if from != nil || window != nil {
        let name = from != nil ? "from" : "window"
        throw Problem(.invalidQuery, "'\(name)' in the query needs 'session' beside it.")
      }
      return conflictsOfCatalog(call)
    }
    let snapshot = try call.snapshot(id)
    do throws(MutationFault) {
      return try call.answer(about: snapshot, "k\(from?.rawValue ?? "")/\(window?.rawValue ?? "")")
      {
        (writer) throws(MutationFault) in
        let session = try snapshot.session.withKeyWindow(window)
        writer.member("conflicts")
        let found = try session.keyConflicts(from: from, in: snapshot.catalog, by: call.actor)
        writer.value(snapshot.commands == nil ? found : found.compactMap(\.ofCommands))
      }
    } catch {
      throw Problem(ofQuery: error)
    }
  }

  private static func conflictsOfCatalog(_ call: Call) -> Response {
    let catalog = call.catalog
    let tag = EntityTag(catalog, nonce: call.service.nonce, parameters: "k")
    if let unmodified = call.unmodified(tag) { return unmodified }
    return call.answer(tag: tag) { writer in
      writer.member("catalogRevision", catalog.revision)
      writer.member("conflicts")
      let found = catalog.keyConflicts
      writer.value(call.grant.commands == nil ? found : found.compactMap(\.ofCommands))
    }
  }
}

extension JSONWriter {
  /// Writes the members of a key's resolution.
  mutating func members(_ resolution: KeyResolution) {
    member("key", resolution.key.json)
    if resolution.isPending {
      member("pending", true)
      member("continuations")
      continuations(of: resolution)
    }
    member("matches")
    matches(of: resolution)
  }

  /// Writes the longer keys that begin with the strokes so far (K8), each with the strokes that it waits for.
  mutating func continuations(of resolution: KeyResolution) {
    beginArray()
    for match in resolution.continuations {
      beginObject()
      let rest = match.claim.key?.strokes.dropFirst(resolution.key.count) ?? []
      member("strokes", .array(rest.map(\.json)))
      members(of: match)
      endObject()
    }
    endArray()
  }

  /// Writes the matches in order (K1): those passed over, the chosen one, the rest. While another stroke can follow,
  /// the match that `final` would choose is not chosen yet.
  mutating func matches(of resolution: KeyResolution) {
    beginArray()
    for match in resolution.tried {
      let (outcome, rule) =
        !match.isEnabled
        ? ("passedOver", "K3") : resolution.isPending ? ("ifFinal", "K8") : ("chosen", "K1")
      beginObject()
      member("outcome", outcome)
      member("rule", rule)
      members(of: match)
      endObject()
    }
    for claim in resolution.shadowed {
      beginObject()
      member("outcome", "shadowed")
      member("rule", "K1")
      members(claim, titled: claim.title)
      endObject()
    }
    endArray()
  }

  private mutating func members(of match: KeyMatch) {
    members(match.claim, titled: match.title)
    member("target", match.target)
    optionalMember("proxied", match.item?.proxied?.rawValue)
    member("reason", match.reason.rawValue)
    if let item = match.item { members(wordsOf: item) }
    if let fault = match.fault {
      member("error")
      value(fault)
    }
  }

  /// Writes the keys with several claims (K6).
  mutating func value(_ conflicts: [KeyConflict]) {
    beginArray()
    for conflict in conflicts {
      beginObject()
      member("key", conflict.key.json)
      optionalMember("platform", conflict.platform?.rawValue)
      member("winner")
      value(conflict.winner)
      member("shadowed")
      beginArray()
      for shadow in conflict.shadowed {
        beginObject()
        members(shadow.claim, titled: shadow.claim.title)
        member("why", shadow.reason.rawValue)
        endObject()
      }
      endArray()
      endObject()
    }
    endArray()
  }

  private mutating func value(_ claim: KeyClaim) {
    beginObject()
    members(claim, titled: claim.title)
    endObject()
  }

  /// Writes the declarer of a key.
  mutating func members(declarerOf claim: KeyClaim) {
    switch claim.holder {
    case .responder(let id): member("responder", id.rawValue)
    case .instances(of: let name): member("class", name.rawValue)
    case .command(let id): member("command", id.rawValue)
    case .entry(of: let name, index: _):
      optionalMember("command", claim.command?.rawValue)
      member("keymap", name.rawValue)
    }
    if let parameters = claim.parameters { member("parameters", .object(parameters)) }
    if let alternate = claim.alternate { member("alternate", alternate.modifiers.json) }
  }

  private mutating func members(_ claim: KeyClaim, titled title: String?) {
    members(declarerOf: claim)
    optionalMember("title", title)
    optionalMember("action", claim.action?.rawValue)
    if let key = claim.key { member("declared", key.json) }
    optionalMember("platform", claim.platform?.rawValue)
    if claim.hasPriority { member("priority", true) }
    if claim.isConditional { member("conditional", true) }
  }
}
