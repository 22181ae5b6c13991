import JSONText

/// Rules that fail in the present state.
///
/// All rules without side effects are tried: `canPerform`, those of `validate`, of the first responder, of key
/// commands, of supplemental targets and of forms. A rule about an action is tried with each command of that action, up
/// to the first failure. Rules of effects are tried by performing on a copy of the session, for each command
/// that the handler can perform, up to the first failure. Closures are not tried, except those of handlers to
/// which an effect sends.
package struct FailingRules: Equatable, Sendable {
  /// The failing rules, by responder.
  package var rules: [FailingRule]
  /// True if all rules were tried; false if that takes more than `Limits.effort`.
  package var isComplete: Bool
}

/// A rule that fails in the present state.
package struct FailingRule: Equatable, Sendable {
  /// The owner of the rule.
  package let receiver: Receiver
  /// The action of the handler or the key command; nil for a rule of the responder itself.
  package let action: Selector?
  /// The command it was tried with; nil if none has the action.
  package let command: CommandID?
  package let fault: RuleFault

  /// True if it fails in every state and for every sender, since it reads nothing.
  package var isConstant: Bool { (try? Rule(fault.source))?.roots.isEmpty == true }
}

extension Inquiry {
  /// The rules that fail in the present state.
  var failingRules: FailingRules {
    let ofData = catalog.menus.commandsFromDataOnly
    var commands = Dictionary(grouping: triedCommands(ofData: ofData), by: \.command.action)
    // A command that menus contain only as items from data is tried as these items; without items it is not tried.
    commands.merge(ofData.map { (catalog.command($0)?.action, []) }) { tried, _ in tried }
    let rules = session.graph.responders.flatMap { responder in
      isExhausted
        ? []
        : ownFaults(of: responder) + keyCommandFaults(of: responder)
          + handlers(of: responder).flatMap { faults($0, commands) }
    }
    let ofForms = formFaults
    return FailingRules(rules: rules + ofForms, isComplete: !isExhausted)
  }

  /// The failing rules of forms (P4), for commands that have a target.
  private var formFaults: [FailingRule] {
    catalog.commands.filter(\.hasPresentChoices).flatMap { command -> [FailingRule] in
      guard !isExhausted else { return [] }
      var inquiry = self
      inquiry.sender = Sender(command: command, description: nil)
      // Rules of a command that cannot be performed are never evaluated.
      let (item, target) = inquiry.validate(command)
      guard item.isEnabled, let target else { return [] }
      let present = inquiry.parameters(
        of: command, performedBy: target, with: Set(FormPart.allCases))
      let faults = present?.faults ?? []
      return faults.map {
        FailingRule(
          receiver: target.receiver, action: command.action, command: command.id, fault: $0)
      }
    }
  }

  /// A command that a rule is tried with, or an item from data of it with its parameters (M12).
  private typealias Tried = (command: Command, parameters: JSONObject)

  /// Returns the commands with which rules are tried; those that menus contain only as items from data, as these
  /// items.
  private func triedCommands(ofData: Set<CommandID>) -> [Tried] {
    let commands = catalog.commands.filter { $0.action != nil && !ofData.contains($0.id) }
    let items = catalog.menus.itemsFromData().flatMap { declaration -> [Tried] in
      guard ofData.contains(declaration.command), !isExhausted,
        let command = catalog.command(declaration.command),
        let (elements, _) = try? elements(of: declaration)
      else { return [] }
      return elements.map { (command.asItem(of: $0), $0.parameters) }
    }
    return commands.map { ($0, JSONObject()) } + items
  }

  typealias Answering = (receiver: Receiver, action: Selector, handler: Handler)

  var isExhausted: Bool { effort.isExhausted }

  /// Returns the handlers of a responder, sorted by selector, and those of its coordinator.
  private func handlers(of responder: Responder) -> [Answering] {
    let inherited = catalog.classes.selectors(of: responder.className)
    let own = inherited.union(responder.handlers.keys)
      .union(responder.undoHandlers.keys).sorted { $0.rawValue < $1.rawValue }
    return own.compactMap { selector in
      implementation(of: selector, in: responder.id).map {
        (.responder(responder.id), selector, governed($0, for: selector, of: responder.id))
      }
    }
      + (responder.coordinator?.registrations ?? []).map {
        (.forwarder(host: responder.id), $0.selector, $0.handler)
      }
  }

  private func ownFaults(of responder: Responder) -> [FailingRule] {
    let context = context(for: responder.id)
    return [
      context.boolFault(responder.canBecomeFirstResponder, "canBecomeFirstResponder"),
      context.boolFault(responder.canResignFirstResponder, "canResignFirstResponder"),
    ].compactMap { $0 }.map {
      FailingRule(receiver: .responder(responder.id), action: nil, command: nil, fault: $0)
    } + (supplementalTargetFault(of: responder).map { [$0] } ?? [])
  }

  /// Returns the failing rules of a handler, for each command with its action, or once without a command.
  private func faults(
    _ answering: Answering, _ commands: [Selector?: [Tried]]
  ) -> [FailingRule] {
    let commands: [Tried?] = commands[answering.action] ?? [nil]
    var failed: Set<CommandID> = []
    return commands.flatMap { tried -> [FailingRule] in
      let command = tried?.command
      // One item from data represents all items of its command.
      guard !isExhausted, command.map({ !failed.contains($0.id) }) ?? true else { return [] }
      var inquiry = self
      inquiry.sender = command.map { Sender(command: $0, description: nil) }
      inquiry.parameters = tried?.parameters ?? JSONObject()
      let context = inquiry.context(for: answering.receiver.responder)
      let faults = answering.handler.faults(in: context).map {
        FailingRule(
          receiver: answering.receiver, action: answering.action, command: command?.id, fault: $0)
      }
      let all = faults.isEmpty ? inquiry.effectFault(of: answering, command).map { [$0] } : faults
      if let all, let command, !all.isEmpty { failed.insert(command.id) }
      return all ?? []
    }
  }
}

extension Handler {
  /// Returns the faults of rules without side effects.
  fileprivate func faults(in context: RuleContext) -> [RuleFault] {
    var faults = [context.boolFault(canPerform, "canPerform")].compactMap { $0 }
    var sequence = ItemRuleSequence()
    for rule in validate.rules where sequence.includes(rule) {
      do throws(RuleFault) {
        sequence.note(try context.answer(of: rule), of: rule)
      } catch {
        faults.append(error)
        // Rules that depend on it are not evaluated.
        sequence.note(.bool(false), of: rule)
      }
    }
    return faults
  }
}

extension RuleContext {
  /// Returns the fault of a rule for a Boolean; nil if it succeeds or is nil.
  func boolFault(_ rule: Rule?, _ place: String) -> RuleFault? {
    guard let rule else { return nil }
    do throws(RuleFault) { _ = try bool(rule, at: place) } catch { return error }
    return nil
  }
}

extension Inquiry {
  /// Returns the failing rules of a responder's key commands, its class's included, each with its own key as
  /// sender (K5).
  func keyCommandFaults(of responder: Responder) -> [FailingRule] {
    keyClaims(of: responder.id).flatMap { claim -> [FailingRule] in
      guard case .keyCommand(let keyCommand, let index) = claim.declaration, !isExhausted else {
        return []
      }
      var inquiry = self
      inquiry.sender = claim.sender(besides: nil)
      let context = inquiry.context(for: responder.id)
      let place = "keyCommands/\(index)"
      return [
        context.boolFault(keyCommand.when, "\(place)/when"),
        context.boolFault(keyCommand.enabled, "\(place)/enabled"),
      ].compactMap { $0 }.map {
        FailingRule(
          receiver: .responder(responder.id), action: keyCommand.action, command: nil, fault: $0)
      }
    }
  }

  /// Returns the failure of a supplemental target rule, for the first command it fails with (R10).
  func supplementalTargetFault(of responder: Responder) -> FailingRule? {
    guard let rule = responder.supplementalTargetRule else { return nil }
    for command in catalog.commands where !isExhausted {
      guard let action = command.action else { continue }
      var inquiry = self
      inquiry.sender = Sender(command: command, description: nil)
      do throws(RuleFault) {
        _ = try inquiry.supplementalTarget(rule, of: responder.id, for: action)
      } catch {
        return FailingRule(
          receiver: .responder(responder.id), action: action, command: command.id, fault: error)
      }
    }
    return nil
  }

  /// Returns the first failing rule of an effect when a handler performs for the present sender; nil if it
  /// cannot perform, if no rule fails, or for another fault.
  ///
  /// A handler without a command is tried without a sender, unless its effects read the sender or arguments.
  /// Handlers whose effects read required parameters are not tried.
  func effectFault(of answering: Answering, _ command: Command?) -> FailingRule? {
    let (receiver, action, handler) = answering
    guard !handler.perform.isEmpty, handler.closures.isEmpty,
      command != nil || !handler.perform.contains(where: \.readsSender),
      command?.itemKey != nil || command?.meetsItsSchemaWithoutParameters(effort) != false
        || !handler.perform.contains(where: \.readsParameters),
      canPerformNow(handler, of: receiver.responder, for: command)
    else { return nil }
    var performer = Performer(after: self)
    do throws(MutationFault) {
      var invocation = try Invocation(
        action, of: sender, to: receiver, arguments: nil, when: nil, in: session)
      invocation.parameters = parameters
      let method = RunningMethod(action, of: receiver.responder, receivedBy: receiver)
      try performer.run(handler, as: method, &invocation)
    } catch {
      guard case .effect(.rule(let receiver, let action, let fault)) = error else { return nil }
      return FailingRule(receiver: receiver, action: action, command: command?.id, fault: fault)
    }
    return nil
  }

  private func canPerformNow(_ handler: Handler, of id: ResponderID, for command: Command?) -> Bool
  {
    let context = context(for: id)
    do throws(RuleFault) {
      if let rule = handler.canPerform, try !context.bool(rule, at: "") { return false }
      return try handler.validate.enables(command, in: context)
    } catch {
      return false
    }
  }
}

extension Handler.Validation {
  /// Returns true if the rules enable the item of a command.
  fileprivate func enables(
    _ command: Command?, in context: RuleContext
  ) throws(RuleFault) -> Bool {
    var sequence = ItemRuleSequence()
    var isEnabled = command?.attributes.contains(.disabled) != true
    for rule in rules where rule.part == .enabled || rule.part == .requirement {
      guard sequence.includes(rule) else { continue }
      let answer = try context.answer(of: rule)
      sequence.note(answer, of: rule)
      if case .bool(let bool) = answer, rule.part == .enabled { isEnabled = bool }
    }
    return isEnabled && sequence.requirement == nil
  }
}

extension Effect {
  /// True if one of its rules reads values from the sender.
  fileprivate var readsSender: Bool {
    let brought: Set<Rule.Root> = [.sender, .command, .arguments, .parameters, .segue]
    return rules.contains { !brought.isDisjoint(with: $0.roots) }
  }

  fileprivate var readsParameters: Bool { rules.contains { $0.roots.contains(.parameters) } }
}
