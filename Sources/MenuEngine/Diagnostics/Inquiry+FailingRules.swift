import JSONText

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
      guard case .effectRule(let receiver, let action, let fault) = error else { return nil }
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
