/// Suggestions for enabling a disabled command, each tried on a copy of the session.
package struct Remedies: Sendable {
  /// A responder whose focus would enable the command, with the target it would then have.
  package struct Focus: Equatable, Sendable {
    /// The responder that would have focus.
    package let responder: ResponderID
    package let target: Receiver
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
  static let mostTold = 3
  /// The maximum number of responders, and of commands, that are tried.
  static let mostTried = 256
  /// The steps of all attempts together, half of a request's.
  static let effort = Limits.effort / 2
}

extension Session {
  /// Returns why a command cannot be performed, and suggestions.
  ///
  /// A responder is tried if it has a method for the action and, if there are windows, is in one. A command is
  /// tried if it is enabled, not hidden, not destructive, does not undo, and needs neither parameters nor a
  /// confirmation.
  package func remedies(
    for command: Command, in catalog: Catalog, by actor: Principal = .local,
    suggesting maySuggest: (Command) -> Bool = { _ in true }
  ) -> Remedies {
    let explaining = SessionContext(catalog, isExplaining: true, actor: actor)
    let item = item(of: command, in: explaining)
    var remedies = Remedies(item: item, start: searchStart(from: nil, sender: nil))
    guard !item.isEnabled, let action = command.action else { return remedies }
    let context = SessionContext(
      catalog, effort: Effort(limit: Remedies.effort), actor: actor)
    findFocuses(for: command, action, in: context, &remedies)
    // Anything performed can be undone, so suggestions for undoing are pointless.
    if ![.undo, .redo].contains(action) {
      findCommands(enabling: command, in: context, &remedies, where: maySuggest)
    }
    if context.effort.isExhausted { remedies.isComplete = false }
    return remedies
  }

  /// Returns the item of a command, which is its own sender.
  private func item(of command: Command, in context: SessionContext) -> ValidatedItem {
    var inquiry = inquiry(in: context, sender: Sender(command: command, description: nil))
    return inquiry.validate(command).item
  }

  /// True if the item is enabled and the effort sufficed.
  private func isEnabled(_ item: ValidatedItem, in context: SessionContext) -> Bool {
    item.isEnabled && !context.effort.isExhausted
  }

  private func findFocuses(
    for command: Command, _ action: Selector, in context: SessionContext,
    _ remedies: inout Remedies
  ) {
    let inquiry = inquiry(in: context)
    let hasWindows = graph.responders.contains { $0.kind == .window }
    var tried = 0
    for position in 0..<graph.responders.count {
      context.effort.spend(1)
      guard !context.effort.isExhausted else { return }
      let id = graph.responders[position].id
      guard id != firstResponder,
        inquiry.implementation(of: action, at: position) != nil
          || graph.responders[position].coordinator?[action] != nil,
        !hasWindows || graph.window(of: id) != nil
      else { continue }
      tried += 1
      guard tried <= Remedies.mostTried else {
        remedies.isComplete = false
        return
      }
      guard let focus = focus(on: id, for: command, in: context) else { continue }
      remedies.focuses.append(focus)
      guard remedies.focuses.count < Remedies.mostTold else { return }
    }
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
    guard isEnabled(item, in: context), let target = item.target else { return nil }
    return Remedies.Focus(responder: id, target: target)
  }

  private func findCommands(
    enabling wanted: Command, in context: SessionContext, _ remedies: inout Remedies,
    where maySuggest: (Command) -> Bool
  ) {
    var tried = 0
    for command in context.catalog.commands where command.id != wanted.id {
      context.effort.spend(1)
      guard !context.effort.isExhausted else { return }
      guard maySuggest(command), isHarmless(command, in: context) else { continue }
      tried += 1
      guard tried <= Remedies.mostTried else {
        remedies.isComplete = false
        return
      }
      guard let changed = performing(command, in: context),
        isEnabled(changed.item(of: wanted, in: context), in: context)
      else { continue }
      remedies.commands.append(command.id)
      guard remedies.commands.count < Remedies.mostTold else { return }
    }
  }

  /// True if a command can be performed and is safe to suggest.
  private func isHarmless(_ command: Command, in context: SessionContext) -> Bool {
    guard let action = command.action, action != .undo, action != .redo,
      command.hints?.isReadOnly != true, command.hints?.isDestructive != true
    else { return false }
    let item = item(of: command, in: context)
    return isEnabled(item, in: context) && item.confirmation == nil
      && item.attributes.isDisjoint(with: [.destructive, .hidden])
  }

  /// Returns the session after a command; nil if it is refused.
  private func performing(_ command: Command, in context: SessionContext) -> Session? {
    var performer = Performer(self, in: context)
    guard (try? performer.apply(.perform(ActionRequest(.command(command.id))))) != nil else {
      return nil
    }
    _ = performer.session.resignIfLeft(since: self, in: context.catalog, context.effort)
    return performer.session
  }
}
