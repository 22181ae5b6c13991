import JSONText

/// Rules that fail with the present state; with another state they may not.
///
/// All rules that only ask are tried: `canPerform`, those of `validate`, of the first responder, of
/// key commands and of supplemental targets. A rule about an action is tried with each command of
/// that action, up to the first with which it fails. Rules of effects are tried by performing on a
/// copy of the session, for each command that the handler could perform now, up to the first that
/// fails. Closures are not tried, except those of handlers to which an effect sends.
package struct FailingRules: Equatable, Sendable {
  /// The rules that were found, responder by responder.
  package var rules: [FailingRule]
  /// True if all were tried; some are not when that takes more than `Limits.effort`.
  package var isComplete: Bool
}

/// A rule that fails as the state is now.
package struct FailingRule: Equatable, Sendable {
  /// The owner of the rule.
  package let receiver: Receiver
  /// The action of the handler or the key command; nil for a rule of the responder itself.
  package let action: Selector?
  /// The command it was tried for; nil when there is none with this action.
  package let command: CommandID?
  /// The rule that failed, and the reason.
  package let fault: RuleFault

  /// True if it fails in any state and for any sender: it reads nothing.
  package var isConstant: Bool { (try? Rule(fault.source))?.roots.isEmpty == true }
}

extension Inquiry {
  /// The rules that fail as the state is now.
  var failingRules: FailingRules {
    let commands = Dictionary(grouping: catalog.commands.filter { $0.action != nil }, by: \.action)
    let rules = session.graph.responders.flatMap { responder in
      isExhausted
        ? []
        : ownFaults(of: responder) + keyCommandFaults(of: responder)
          + handlers(of: responder).flatMap { faults($0, commands) }
    }
    return FailingRules(rules: rules, isComplete: !isExhausted)
  }

  typealias Answering = (receiver: Receiver, action: Selector, handler: Handler)

  var isExhausted: Bool { effort.isExhausted }

  /// The handlers of a responder, in the order of their selectors, and those of its coordinator.
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

  /// The rules of a handler that fail, for each command with its action; for none when there is none.
  private func faults(
    _ answering: Answering, _ commands: [Selector?: [Command]]
  ) -> [FailingRule] {
    let commands: [Command?] = commands[answering.action] ?? [nil]
    return commands.flatMap { command -> [FailingRule] in
      guard !isExhausted else { return [] }
      var inquiry = self
      inquiry.sender = command.map { Sender(command: $0, description: nil) }
      let context = inquiry.context(for: answering.receiver.responder)
      let faults = answering.handler.faults(in: context).map {
        FailingRule(
          receiver: answering.receiver, action: answering.action, command: command?.id, fault: $0)
      }
      if !faults.isEmpty { return faults }
      return inquiry.effectFault(of: answering, command).map { [$0] } ?? []
    }
  }
}

extension Handler {
  /// The rules that ask and fail.
  fileprivate func faults(in context: RuleContext) -> [RuleFault] {
    [
      context.boolFault(canPerform, "canPerform"),
      context.boolFault(validate.enabled, "validate/enabled"),
      context.fault(validate.checked) { (rule) throws(RuleFault) in
        _ = try context.state(rule, at: "validate/checked")
      },
      context.stringFault(validate.title, "validate/title"),
      context.stringFault(validate.subtitle, "validate/subtitle"),
      context.stringFault(validate.image, "validate/image"),
      context.stringFault(validate.discoverabilityTitle, "validate/discoverabilityTitle"),
      context.boolFault(validate.hidden, "validate/hidden"),
      context.boolFault(validate.destructive, "validate/destructive"),
      context.boolFault(validate.keepsMenuPresented, "validate/keepsMenuPresented"),
    ].compactMap { $0 }
  }
}

extension RuleContext {
  func boolFault(_ rule: Rule?, _ place: String) -> RuleFault? {
    fault(rule) { (rule) throws(RuleFault) in _ = try bool(rule, at: place) }
  }

  fileprivate func stringFault(_ rule: Rule?, _ place: String) -> RuleFault? {
    fault(rule) { (rule) throws(RuleFault) in _ = try string(rule, at: place) }
  }

  /// Returns the failure of a rule; nil when it does not fail, or does not exist.
  fileprivate func fault(
    _ rule: Rule?, _ evaluate: (Rule) throws(RuleFault) -> Void
  ) -> RuleFault? {
    guard let rule else { return nil }
    do throws(RuleFault) { try evaluate(rule) } catch { return error }
    return nil
  }
}

extension Inquiry {
  /// The rules of a responder's key commands that fail, those of its class included, each with its
  /// own key as the sender (K5).
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

  /// The first command, if any, for whose action a responder cannot say who takes its place (R10).
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

  /// The first rule of an effect that fails when a handler performs now for the present sender; nil
  /// when it could not perform, none fails, or something else does.
  ///
  /// A handler without a command is performed without a sender, which is why one whose effects read
  /// sender or arguments is not. Nor is one whose effects read parameters that its command needs.
  func effectFault(of answering: Answering, _ command: Command?) -> FailingRule? {
    let (receiver, action, handler) = answering
    guard !handler.perform.isEmpty, handler.closures.isEmpty,
      command != nil || !handler.perform.contains(where: \.readsSender),
      command?.meetsItsSchemaWithoutParameters(effort) != false
        || !handler.perform.contains(where: \.readsParameters),
      canPerformNow(handler, of: receiver.responder, for: command)
    else { return nil }
    var performer = Performer(after: self)
    do throws(MutationFault) {
      var invocation = try Invocation(
        action, of: sender, to: receiver, arguments: nil, when: nil, in: session)
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
      if let rule = handler.validate.enabled { return try context.bool(rule, at: "") }
    } catch {
      return false
    }
    return command?.attributes.contains(.disabled) != true
  }
}

extension Effect {
  /// True if one of its rules reads what only a sender brings.
  fileprivate var readsSender: Bool {
    let brought: Set<Rule.Root> = [.sender, .command, .arguments, .parameters, .segue]
    return rules.contains { !brought.isDisjoint(with: $0.roots) }
  }

  /// True if one of its rules reads parameters.
  fileprivate var readsParameters: Bool { rules.contains { $0.roots.contains(.parameters) } }
}
