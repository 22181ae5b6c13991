extension Inquiry {
  /// The rules that fail as the state is now, responder by responder.
  var failingRules: [SessionDiagnostics.FailingRule] {
    session.graph.responders.flatMap { responder in
      ownFaults(of: responder) + handlerFaults(of: responder) + coordinatorFaults(of: responder)
    }
  }

  private typealias Failing = SessionDiagnostics.FailingRule

  private func ownFaults(of responder: Responder) -> [SessionDiagnostics.FailingRule] {
    let context = context(for: responder.id)
    let rules = [
      (responder.canBecomeFirstResponder, "canBecomeFirstResponder"),
      (responder.canResignFirstResponder, "canResignFirstResponder"),
    ]
    return rules.compactMap { rule, place in
      rule.flatMap { rule in fault { () throws(RuleFault) in _ = try context.bool(rule, at: place) }
      }
    }.map { Failing(receiver: .responder(responder.id), action: nil, command: nil, fault: $0) }
  }

  private func handlerFaults(of responder: Responder) -> [SessionDiagnostics.FailingRule] {
    let inherited = catalog.classes.selectors(of: responder.className)
    let selectors = Set(responder.handlers.keys).union(inherited)
    return selectors.sorted { $0.rawValue < $1.rawValue }.flatMap { selector in
      guard let handler = implementation(of: selector, in: responder.id) else { return [Failing]() }
      return faults(of: handler, for: selector, .responder(responder.id))
    }
  }

  private func coordinatorFaults(of responder: Responder) -> [SessionDiagnostics.FailingRule] {
    (responder.coordinator?.registrations ?? []).flatMap { registration in
      faults(of: registration.handler, for: registration.selector, .forwarder(host: responder.id))
    }
  }

  /// The rules of a handler that fail, for each command with its action; for none when there is none.
  private func faults(
    of handler: Handler, for action: Selector, _ receiver: Receiver
  ) -> [SessionDiagnostics.FailingRule] {
    let commands: [Command?] = catalog.commands.filter { $0.action == action }
    return (commands.isEmpty ? [nil] : commands).flatMap { command in
      var inquiry = self
      inquiry.sender = command.map { Sender(command: $0, description: nil) }
      return handler.faults(in: inquiry.context(for: receiver.responder)).map {
        Failing(receiver: receiver, action: action, command: command?.id, fault: $0)
      }
    }
  }
}

extension Handler {
  /// The rules that ask and fail.
  fileprivate func faults(in context: RuleContext) -> [RuleFault] {
    let bools = [
      (canPerform, "canPerform"), (validate.enabled, "validate/enabled"),
      (validate.hidden, "validate/hidden"), (validate.destructive, "validate/destructive"),
      (validate.keepsMenuPresented, "validate/keepsMenuPresented"),
    ]
    let strings = [
      (validate.title, "validate/title"), (validate.subtitle, "validate/subtitle"),
      (validate.image, "validate/image"),
      (validate.discoverabilityTitle, "validate/discoverabilityTitle"),
    ]
    let checked = validate.checked.flatMap { rule in
      fault { () throws(RuleFault) in _ = try context.state(rule, at: "validate/checked") }
    }
    return bools.compactMap { rule, place in
      rule.flatMap { rule in fault { () throws(RuleFault) in _ = try context.bool(rule, at: place) }
      }
    }
      + strings.compactMap { rule, place in
        rule.flatMap { rule in
          fault { () throws(RuleFault) in _ = try context.string(rule, at: place) }
        }
      } + (checked.map { [$0] } ?? [])
  }
}

/// Why an evaluation fails; nil when it does not.
private func fault(_ evaluate: () throws(RuleFault) -> Void) -> RuleFault? {
  do throws(RuleFault) {
    try evaluate()
    return nil
  } catch {
    return error
  }
}
