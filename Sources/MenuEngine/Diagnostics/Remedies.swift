import JSONSchema
package import JSONText

/// Suggestions for enabling a disabled command, each tried on a copy of the session.
package struct Remedies: Sendable {
  /// A responder from which the command could be performed, with the target it would then have.
  package struct Focus: Equatable, Sendable {
    package let responder: ResponderID
    package let target: Receiver
    /// True if the command can be performed once the responder has focus.
    package let isByFocus: Bool
    /// True if the command can be performed from the responder, without moving focus.
    package let isFrom: Bool
  }

  /// A responder that has a method for the action, and refuses it.
  package struct Refusing: Sendable {
    package let responder: ResponderID
    /// The item validated from the responder, with a trace.
    package let item: ValidatedItem
  }

  /// A command that enables it when performed with these arguments.
  package struct Suggestion: Equatable, Sendable {
    package let command: CommandID
    /// The key of an item from data (M12); nil for the command itself.
    package let itemKey: ItemKey?
    /// The parameters; nil for none.
    package let parameters: JSONObject?
  }

  /// The present item, with a trace.
  package let item: ValidatedItem
  /// The responder where the search begins; nil for none.
  package let start: ResponderID?
  /// The responders from which it could be performed; at most three.
  package fileprivate(set) var focuses: [Focus] = []
  /// The other responders with a method for the action, which refuse it; at most three.
  package fileprivate(set) var refusing: [Refusing] = []
  /// The commands that enable it; at most three.
  package fileprivate(set) var commands: [Suggestion] = []
  /// True if everything that could help was tried.
  package fileprivate(set) var isComplete = true

  /// The maximum number of suggestions of each kind.
  fileprivate static let mostTold = 3
  /// The maximum number of responders, and of commands, that are tried.
  fileprivate static let mostTried = 256
  /// The maximum number of items from data, or of choices, that are tried of one command.
  private static let mostArguments = 8
  /// Returns the effort of all attempts together, half of a request's.
  package static func newEffort() -> Effort { Effort(limit: Limits.effort / 2) }
}

extension Session {
  /// Returns the reason why a requested command cannot be performed, and suggestions.
  ///
  /// A responder is tried if it has a method for the action: from it, and with focus if it is in a window or there are
  /// no windows. A command is tried if it is enabled, not hidden, not destructive, does not undo, and needs no
  /// confirmation. Commands whose effects write places that the command's rules read are tried first. A command that
  /// needs parameters is tried with each choice of a single one; one that is performed by items from data, with the
  /// first of these.
  ///
  /// - Parameters:
  ///   - request: The request. No responders are tried if it names the start of the search.
  ///   - triesFocus: False if no responders are tried.
  ///   - maySuggest: Returns true if a command may be suggested.
  package func remedies(
    for command: Command, in request: ActionRequest, under catalog: Catalog,
    by actor: Principal = .local, triesFocus: Bool = true,
    suggesting maySuggest: (Command) -> Bool = { _ in true }
  ) -> Remedies {
    let explaining = Attempt(
      command, request, in: SessionContext(catalog, isExplaining: true, actor: actor))
    let (item, readings) = explaining.answer(of: self)
    var remedies = Remedies(item: item, start: searchStart(from: request.from, sender: nil))
    guard !item.isEnabled, let action = command.action else { return remedies }
    let effort = Remedies.newEffort()
    let attempt = Attempt(
      command, request, in: SessionContext(catalog, effort: effort, actor: actor))
    if request.from == nil, triesFocus {
      remedies.findPlaces(for: action, by: attempt, explaining, in: self)
    }
    // Anything performed can be undone, so suggestions for undoing are pointless.
    if ![.undo, .redo].contains(action) {
      let ofData = catalog.menus.commandsFromDataOnly
      let candidates = harmlessCommands(
        writing: readings.rules.flatMap(\.statePaths), ofData: ofData, in: attempt.context
      ) { $0.id != command.id && maySuggest($0) }
      remedies.findCommands(among: candidates, ofData: ofData, by: attempt, in: self)
    }
    if effort.isExhausted { remedies.isComplete = false }
    return remedies
  }

  /// Returns the responders from which a command could be performed: at most three, and only as many as a shared
  /// effort can try.
  package func focuses(
    enabling command: Command, in request: ActionRequest, under catalog: Catalog,
    by actor: Principal, spending effort: Effort
  ) -> [Remedies.Focus] {
    let context = SessionContext(catalog, effort: effort, actor: actor)
    let attempt = Attempt(command, request, in: context)
    var remedies = Remedies(item: ValidatedItem(declaredBy: command), start: nil)
    guard let action = command.action, !effort.isExhausted else { return [] }
    remedies.findPlaces(for: action, by: attempt, nil, in: self)
    return remedies.focuses
  }

  /// Returns the commands that are safe to suggest: first those whose effects write below or above one of the places,
  /// then those with unknown places.
  ///
  /// - Parameter ofData: The commands that are performed by items from data.
  private func harmlessCommands(
    writing places: [ArraySlice<String>], ofData: Set<CommandID>, in context: SessionContext,
    where maySuggest: (Command) -> Bool
  ) -> [Command] {
    var byRank: [[Command]] = [[], [], []]
    for command in context.catalog.commands where maySuggest(command) {
      context.effort.spend(1)
      guard !context.effort.isExhausted else { break }
      let mayDepend = command.needsParameters || ofData.contains(command.id)
      guard let effects = effects(of: command, orIfDisabled: mayDepend, in: context) else {
        continue
      }
      byRank[Self.rank(of: effects, writing: places)].append(command)
    }
    return Array(byRank.joined())
  }

  /// Returns the effects of a command that can be performed and is safe to suggest; nil otherwise.
  ///
  /// - Parameter mayDepend: True if it may be enabled with arguments that are not known yet.
  private func effects(
    of command: Command, orIfDisabled mayDepend: Bool, in context: SessionContext
  ) -> [Effect]? {
    guard let action = command.action, action != .undo, action != .redo,
      command.hints?.isReadOnly != true, command.hints?.isDestructive != true
    else { return nil }
    var question = inquiry(in: context, sender: Sender(command: command, description: nil))
    let (item, target) = question.validate(command)
    guard item.isEnabled || mayDepend, !context.effort.isExhausted, item.confirmation == nil,
      item.attributes.isDisjoint(with: [.destructive, .hidden])
    else { return nil }
    return target?.handler?.perform ?? []
  }

  /// Returns 0 if an effect writes below or above one of the places, 1 if that is unknown for an effect, and otherwise
  /// 2.
  private static func rank(of effects: [Effect], writing places: [ArraySlice<String>]) -> Int {
    var rank = effects.isEmpty ? 1 : 2
    for effect in effects {
      guard let written = effect.writtenPlaces else {
        rank = min(rank, 1)
        continue
      }
      let isRead = written.contains { written in
        places.contains { $0.starts(with: written.tokens) || written.tokens.starts(with: $0) }
      }
      if isRead { return 0 }
    }
    return rank
  }

  /// Returns the session after a request; nil if it is refused.
  fileprivate func performing(_ request: ActionRequest, in context: SessionContext) -> Session? {
    var performer = Performer(self, in: context)
    guard (try? performer.apply(.perform(request.asConfirmed))) != nil,
      !context.effort.isExhausted
    else { return nil }
    _ = performer.session.resignIfLeft(since: self, in: context.catalog, context.effort)
    return performer.session
  }

  /// Returns the session in which a responder has focus; nil if it refuses, or is not in a window although it has to
  /// be.
  fileprivate func focusing(
    _ id: ResponderID, inWindow: Bool, in context: SessionContext
  ) -> Session? {
    if inWindow {
      let around = graph.surroundings(of: id)
      context.effort.spend(around.count)
      guard around.contains(where: { graph.kind(of: $0) == .window }) else { return nil }
    }
    var copy = self
    var trace = Trace(isRecording: false)
    guard
      (try? copy.becomeFirstResponder(
        id, asking: context.effort, reading: context.catalog.translations(for: self),
        tracing: &trace)) != nil
    else { return nil }
    return copy
  }
}

/// A requested command, and the request's arguments.
private struct Attempt {
  let command: Command
  let request: ActionRequest
  let context: SessionContext

  init(_ command: Command, _ request: ActionRequest, in context: SessionContext) {
    (self.command, self.request, self.context) = (command, request, context)
  }

  /// Returns the attempt from a responder.
  func from(_ responder: ResponderID) -> Attempt {
    Attempt(command, request.asked(from: responder), in: context)
  }

  /// Returns the item in a session, and the values that its rules read.
  func answer(of session: Session) -> (item: ValidatedItem, readings: Readings) {
    var question = session.inquiry(
      in: context, sender: Sender(command: command, description: nil))
    let item = question.item(of: command, askedFor: request)
    return (item, question.readings)
  }

  /// Returns the target if the command is enabled in a session and can be performed; a command that needs parameters
  /// that the request lacks need only be enabled. Nil otherwise.
  func target(in session: Session) -> Receiver? {
    let (item, _) = answer(of: session)
    guard item.isEnabled, !context.effort.isExhausted, let target = item.target else { return nil }
    let lacksParameters = item.needsParameters && request.parameters == nil
    guard lacksParameters || session.performing(request, in: context) != nil else { return nil }
    return target
  }
}

extension Inquiry {
  /// Returns the requested item, with the parameters of the request.
  fileprivate mutating func item(
    of command: Command, askedFor request: ActionRequest
  ) -> ValidatedItem {
    guard let key = request.itemKey else { return validate(command, asIn: request).item }
    guard let element = element(key, of: command.id).element else {
      var item = ValidatedItem(declaredBy: command)
      (item.itemKey, item.reason) = (key, .unknownItem)
      return item
    }
    return item(of: command, showing: element, request.sender, from: request.from).item
  }
}

extension Remedies {
  /// Tries the responders that have a method for the action.
  ///
  /// - Parameter explaining: The attempt with a trace, which explains refusals; nil to explain none.
  fileprivate mutating func findPlaces(
    for action: Selector, by attempt: Attempt, _ explaining: Attempt?, in session: Session
  ) {
    let effort = attempt.context.effort
    let inquiry = session.inquiry(in: attempt.context)
    let hasWindows = session.graph.responders.contains { $0.kind == .window }
    var tried = 0
    for position in 0..<session.graph.responders.count where focuses.count < Self.mostTold {
      effort.spend(1)
      guard !effort.isExhausted else { return }
      let responder = session.graph.responders[position]
      guard responder.id != session.firstResponder,
        inquiry.implementation(of: action, at: position) != nil
          || responder.coordinator?[action] != nil
      else { continue }
      tried += 1
      guard tried <= Self.mostTried else {
        isComplete = false
        return
      }
      let focus = focus(on: responder.id, inWindow: hasWindows, by: attempt, in: session)
      if let focus {
        focuses.append(focus)
      } else if let explaining, refusing.count < Self.mostTold {
        noteRefusal(of: responder.id, by: explaining, in: session)
      }
    }
  }

  private func focus(
    on id: ResponderID, inWindow: Bool, by attempt: Attempt, in session: Session
  ) -> Focus? {
    let focused = session.focusing(id, inWindow: inWindow, in: attempt.context)
      .flatMap(attempt.target)
    let asked = attempt.from(id).target(in: session)
    guard !attempt.context.effort.isExhausted, let target = focused ?? asked else { return nil }
    return Focus(
      responder: id, target: target, isByFocus: focused != nil, isFrom: asked != nil)
  }

  /// Records the refusal of a responder, unless it is that of the present target.
  private mutating func noteRefusal(
    of id: ResponderID, by explaining: Attempt, in session: Session
  ) {
    let (refused, _) = explaining.from(id).answer(of: session)
    let says =
      refused.explanation != nil || refused.trace.steps.contains { !$0.explanation.isEmpty }
    guard !refused.isEnabled, says, let target = refused.target, target != item.target else {
      return
    }
    refusing.append(Refusing(responder: id, item: refused))
  }

  /// Tries commands, each on a copy of the session.
  fileprivate mutating func findCommands(
    among candidates: [Command], ofData: Set<CommandID>, by attempt: Attempt, in session: Session
  ) {
    var tried = 0
    for command in candidates where commands.count < Self.mostTold {
      let (requests, areAll) = Self.requests(
        for: command, isOfData: ofData.contains(command.id), in: session, attempt.context)
      var isFound = false
      for request in requests where !isFound {
        tried += 1
        guard tried <= Self.mostTried else {
          isComplete = false
          return
        }
        guard !attempt.context.effort.isExhausted else { return }
        guard let changed = session.performing(request, in: attempt.context),
          attempt.answer(of: changed).item.isEnabled, !attempt.context.effort.isExhausted
        else { continue }
        isFound = true
        commands.append(
          Suggestion(
            command: command.id, itemKey: request.itemKey, parameters: request.parameters))
      }
      if !areAll, !isFound { isComplete = false }
    }
  }

  /// Returns the requests with which a command is tried, and true if they are exhaustive.
  private static func requests(
    for command: Command, isOfData: Bool, in session: Session, _ context: SessionContext
  ) -> (requests: [ActionRequest], areAll: Bool) {
    let subject = ActionRequest.Subject.command(command.id)
    var question = session.inquiry(
      in: context, sender: Sender(command: command, description: nil))
    if isOfData {
      let lists = context.catalog.menus.itemsFromData().filter { $0.command == command.id }
      let keys = lists.flatMap { (try? question.elements(of: $0).0.map(\.key)) ?? [] }
      return (
        keys.prefix(mostArguments).map { ActionRequest(subject, itemKey: $0) },
        keys.count <= mostArguments
      )
    }
    guard command.needsParameters else { return ([ActionRequest(subject)], true) }
    let (_, target) = question.validate(command)
    let present = question.parameters(of: command, performedBy: target, with: [.choices])
    guard let (name, choices) = present?.schema.document.onlyChoice else { return ([], false) }
    return (
      choices.prefix(mostArguments).map { ActionRequest(subject, parameters: [name: $0]) },
      choices.count <= mostArguments
    )
  }
}

extension JSON {
  /// The only required property of a schema and its possible values; nil if several are required, or if the values are
  /// not enumerated.
  fileprivate var onlyChoice: (name: String, values: [JSON])? {
    guard case .array(let required)? = self[JSONPointer(["required"])], required.count == 1,
      case .string(let name) = required[0],
      let property = self[JSONPointer(["properties", name])]
    else { return nil }
    if property[JSONPointer(["type"])] == "boolean" { return (name, [true, false]) }
    if case .array(let values)? = property[JSONPointer(["enum"])] { return (name, values) }
    guard case .array(let offers)? = property[JSONPointer(["oneOf"])] else { return nil }
    let values = offers.compactMap { $0[JSONPointer(["const"])] }
    return values.count == offers.count ? (name, values) : nil
  }
}

extension Effect {
  /// The places in the state that it writes; nil if they are known only after performing it.
  fileprivate var writtenPlaces: [JSONPointer]? {
    let document = json
    guard case .string(let op)? = document[JSONPointer(["op"])] else { return nil }
    // A test writes nothing.
    if op == "test" { return [] }
    guard ["add", "remove", "replace", "move", "copy"].contains(op) else { return nil }
    var places: [JSONPointer] = []
    for name in op == "move" ? ["path", "from"] : ["path"] {
      guard let place = StatePlace.written(by: name, of: document) else { return nil }
      places.append(place)
    }
    return places
  }
}
