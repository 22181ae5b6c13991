import JSONText

/// Suggestions for enabling a disabled command, each tried on a copy of the session.
package struct Remedies: Sendable {
  /// A responder whose focus would enable the command, with the target it would then have.
  package struct Focus: Equatable, Sendable {
    /// The responder that would have focus.
    package let responder: ResponderID
    package let target: Receiver
    /// True if the command can also be performed from the responder, without moving focus.
    package let isAlsoFrom: Bool
  }

  /// The present item, with a trace.
  package let item: ValidatedItem
  /// The responder where the search begins; nil for none.
  package let start: ResponderID?
  /// The responders that enable the command as first responder; at most three.
  package internal(set) var focuses: [Focus] = []
  /// The commands that enable it when performed; at most three.
  package internal(set) var commands: [CommandID] = []
  /// False if the effort did not suffice to try everything.
  package internal(set) var isComplete = true

  /// The maximum number of suggestions of each kind.
  fileprivate static let mostTold = 3
  /// The maximum number of responders, and of commands, that are tried.
  fileprivate static let mostTried = 256
  /// Returns the effort of all attempts together, half of a request's.
  package static func newEffort() -> Effort { Effort(limit: Limits.effort / 2) }
}

extension Session {
  /// Returns why a command cannot be performed, and suggestions.
  ///
  /// A responder is tried if it has a method for the action and, if there are windows, is in one. A command is
  /// tried if it is enabled, not hidden, not destructive, does not undo, and needs neither parameters nor a
  /// confirmation; those first whose effects write what the command's rules read.
  ///
  /// - Parameters:
  ///   - from: The responder where the search begins; no others are tried then. The default is the first responder.
  ///   - triesFocus: False if no responders are tried.
  ///   - maySuggest: Decides if a command may be suggested.
  package func remedies(
    for command: Command, from: ResponderID? = nil, in catalog: Catalog,
    by actor: Principal = .local, triesFocus: Bool = true,
    suggesting maySuggest: (Command) -> Bool = { _ in true }
  ) -> Remedies {
    var explaining = question(
      about: command, in: SessionContext(catalog, isExplaining: true, actor: actor))
    let item = explaining.validate(command, from: from).item
    let start = searchStart(from: from, sender: nil)
    var remedies = Remedies(item: item, start: start)
    guard !item.isEnabled, let action = command.action else { return remedies }
    let context = SessionContext(
      catalog, effort: Remedies.newEffort(), actor: actor)
    if from == nil, triesFocus {
      (remedies.focuses, remedies.isComplete) = focuses(enabling: command, action, in: context)
    }
    // Anything performed can be undone, so suggestions for undoing are pointless.
    if ![.undo, .redo].contains(action) {
      let read = explaining.readings.rules.flatMap(\.statePaths)
      let ofData = catalog.menus.commandsFromDataOnly
      let candidates = harmlessCommands(writing: read, in: context) {
        $0.id != command.id && !ofData.contains($0.id) && maySuggest($0)
      }
      remedies.findCommands(among: candidates, of: self, in: context) { changed in
        changed.item(of: command, from: from, in: context)
      }
    }
    if context.effort.isExhausted { remedies.isComplete = false }
    return remedies
  }

  /// Returns the responders whose focus would enable a command; at most three, and those that a shared effort suffices
  /// to try.
  package func focuses(
    enabling command: Command, in catalog: Catalog, by actor: Principal, spending effort: Effort
  ) -> [Remedies.Focus] {
    let context = SessionContext(catalog, effort: effort, actor: actor)
    guard let action = command.action, !effort.isExhausted else { return [] }
    return focuses(enabling: command, action, in: context).focuses
  }

  /// Returns a question about a command, which is its own sender.
  private func question(about command: Command, in context: SessionContext) -> Inquiry {
    inquiry(in: context, sender: Sender(command: command, description: nil))
  }

  private func item(
    of command: Command, from: ResponderID? = nil, in context: SessionContext
  ) -> ValidatedItem {
    var question = question(about: command, in: context)
    return question.validate(command, from: from).item
  }

  /// Returns the commands that are safe to suggest, those first whose effects write below or above one of the places, then
  /// those of which that is unknown.
  private func harmlessCommands(
    writing places: [ArraySlice<String>], in context: SessionContext,
    where maySuggest: (Command) -> Bool
  ) -> [Command] {
    var byRank: [[Command]] = [[], [], []]
    for command in context.catalog.commands where maySuggest(command) {
      context.effort.spend(1)
      guard !context.effort.isExhausted else { break }
      guard let effects = effects(of: command, in: context) else { continue }
      byRank[Self.rank(of: effects, writing: places)].append(command)
    }
    return Array(byRank.joined())
  }

  /// Returns the effects of a command that can be performed and is safe to suggest; nil for any other.
  private func effects(of command: Command, in context: SessionContext) -> [Effect]? {
    guard let action = command.action, action != .undo, action != .redo,
      command.hints?.isReadOnly != true, command.hints?.isDestructive != true
    else { return nil }
    var question = question(about: command, in: context)
    let (item, target) = question.validate(command)
    guard item.isEnabled, !context.effort.isExhausted, item.confirmation == nil,
      item.attributes.isDisjoint(with: [.destructive, .hidden])
    else { return nil }
    return target?.handler?.perform ?? []
  }

  /// Returns 0 for effects of which one writes below or above one of the places, 1 if that is unknown of one, else 2.
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

  /// Returns the session after a command; nil if it is refused.
  fileprivate func performing(_ command: Command, in context: SessionContext) -> Session? {
    var performer = Performer(self, in: context)
    guard (try? performer.apply(.perform(ActionRequest(.command(command.id))))) != nil else {
      return nil
    }
    _ = performer.session.resignIfLeft(since: self, in: context.catalog, context.effort)
    return performer.session
  }

  /// Tries the responders that have a method for the action.
  ///
  /// - Returns: Those whose focus enables the command, and false if there are too many to try.
  private func focuses(
    enabling command: Command, _ action: Selector, in context: SessionContext
  ) -> (focuses: [Remedies.Focus], isComplete: Bool) {
    let inquiry = inquiry(in: context)
    var focuses: [Remedies.Focus] = []
    let hasWindows = graph.responders.contains { $0.kind == .window }
    var tried = 0
    for position in 0..<graph.responders.count {
      context.effort.spend(1)
      guard !context.effort.isExhausted else { break }
      let id = graph.responders[position].id
      guard id != firstResponder,
        inquiry.implementation(of: action, at: position) != nil
          || graph.responders[position].coordinator?[action] != nil
      else { continue }
      if hasWindows {
        let around = graph.surroundings(of: id)
        context.effort.spend(around.count)
        guard around.contains(where: { graph.kind(of: $0) == .window }) else { continue }
      }
      tried += 1
      guard tried <= Remedies.mostTried else { return (focuses, false) }
      guard let focus = focus(on: id, for: command, in: context) else { continue }
      focuses.append(focus)
      guard focuses.count < Remedies.mostTold else { break }
    }
    return (focuses, true)
  }

  private func focus(
    on id: ResponderID, for command: Command, in context: SessionContext
  ) -> Remedies.Focus? {
    var copy = self
    var trace = Trace(isRecording: false)
    guard
      (try? copy.becomeFirstResponder(
        id, asking: context.effort, reading: context.catalog.translations(for: self),
        tracing: &trace)) != nil
    else { return nil }
    let item = copy.item(of: command, in: context)
    guard item.isEnabled, !context.effort.isExhausted, let target = item.target else { return nil }
    let isAlsoFrom = self.item(of: command, from: id, in: context).isEnabled
    return Remedies.Focus(
      responder: id, target: target, isAlsoFrom: isAlsoFrom && !context.effort.isExhausted)
  }
}

extension Remedies {
  /// Tries commands, each on a copy of the session.
  fileprivate mutating func findCommands(
    among candidates: [Command], of session: Session, in context: SessionContext,
    item: (Session) -> ValidatedItem
  ) {
    var tried = 0
    for command in candidates {
      tried += 1
      guard tried <= Self.mostTried else {
        isComplete = false
        return
      }
      guard !context.effort.isExhausted else { return }
      guard let changed = session.performing(command, in: context), item(changed).isEnabled,
        !context.effort.isExhausted
      else { continue }
      commands.append(command.id)
      guard commands.count < Self.mostTold else { return }
    }
  }
}

extension Effect {
  /// The places in the state that it writes; nil if only performing it shows them.
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
