import JSONText
package import MenuEngine

extension MutationFault {
  /// The reason for which the session was left as it was, as a sentence that names both sides.
  package var sentence: String {
    switch self {
    case .unknownResponder(let id): "The session has no responder \(quoted(id))."
    case .unknownClass(let id, let name): unknownClass(id, name)
    case .danglingLink(let id, let link, let other): danglingLink(id, link, to: other)
    case .linkToOtherKind(let id, let link, let other, let kind):
      otherKind(id, link, to: other, kind: kind)
    case .linkTaken(let id, let link, let other, let owner):
      linkTaken(id, link, to: other, by: owner)
    case .secondApplication(let id, let existing): secondApplication(id, existing)
    case .cycle(let path, let link): cycle(path, link)
    case .coordinatingCycle(let path): coordinatingCycle(path)
    case .notCoordinating(let id, parentOf: let holder): notCoordinating(id, holder)
    case .unknownHandler(let id, let selector): unknownHandler(id, selector)
    case .noCoordinator(let id): noCoordinator(id)
    case .unknownRegistration(let id, let token): unknownRegistration(id, token)
    case .noRegistry(let id): noRegistry(id)
    case .unknownLateResponder(let id, let host): unknownLateResponder(id, host)
    case .lateResponderTaken(let id, let host, let other):
      lateResponderTaken(id, by: host, and: other)
    case .weightFixed(let id, let weight, let host): weightFixed(id, at: weight, by: host)
    case .nextOfLateResponder(let id, let host): nextOfLateResponder(id, host)
    case .notAProxy(let id): notAProxy(id)
    case .notAWindow(let id, let kind, let role): notAWindow(id, kind: kind, as: role)
    case .notInWindow(let id, let window): notInWindow(id, window)
    case .firstResponderRefused(let other, let id, let question, because: _):
      refused(other, by: id, asked: question)
    case .firstResponderRule(let id, let fault): firstResponderRule(id, fault)
    case .containment(let fault): fault.sentence
    case .coordination(let fault): fault.sentence
    case .stateIsNoObject: "The state must be an object."
    case .patch(let fault): fault.description
    case .tooLarge: "The value is nested too deeply or has too many parts; send it in pieces."
    case .unknownCommand(let id): DeclarationFault.unknownCommand(id).sentence
    case .unknownMenu(let id): DeclarationFault.unknownMenu(id).sentence
    case .notPerformed(let refusal): refusal.sentence
    case .keyNotPerformed(let resolution): resolution.sentence
    case .undo(let fault): fault.sentence
    case .noSuchLink(let id, let link, let kind): noSuchLink(id, link, kind: kind)
    case .storyboard(let fault): fault.sentence
    case .launching(let fault): fault.sentence
    case .doesNotRecognizeSelector(let receiver, let selector, let isRegistered, trace: _):
      unrecognized(receiver, selector, isRegistered: isRegistered)
    case .senderCarriesNoAction(let receiver, let selector): noAction(receiver, selector)
    case .argumentCount(let selector, let given): argumentCount(selector, given)
    case .invalidParameters(let id, let faults): invalidParameters(id, faults)
    case .noParameters(let id): noParameters(id)
    case .keyLacksParameters(let id, let faults): keyLacksParameters(id, faults)
    case .effectRule(let receiver, let selector, let fault):
      effectRule(receiver, selector, failingWith: fault)
    case .effectPatch(let receiver, let selector, let index, let fault):
      effect(index, of: selector, at: receiver, "does not fit the state: \(fault.reason).")
    case .effect(let receiver, let selector, let index, let fault):
      effect(index, of: selector, at: receiver, "failed. \(fault.sentence)")
    case .wrongAnswer(let answer, of: let id, let selector, let expected):
      wrongAnswer(answer, of: id, to: selector, insteadOf: expected)
    case .ruleOfProxy(let id, let selector):
      "\(quoted(id)) is a proxy, whose handler for \(quoted(selector)) cannot have 'canPerform': nobody "
        + "would ask it. Give the rule to the responder that is proxied."
    case .sendsTooDeep(let receiver, let selector, let limit, trace: _):
      unchanged(
        "sends stand more than \(limit) deep in one another (limits.sends), the last one "
          + "\(quoted(selector)) to \(quoted(receiver))")
    case .tooManyEffects(let limit):
      unchanged("there are more than \(limit) effects (limits.effects)")
    case .tooMuchEffort: tooMuchEffort
    case .messageQueueFull(let count): messageQueueFull(count)
    case .queuedMessage(let index, let message, from: let id, let fault):
      queuedMessage(index, message, from: id, refusedBy: fault)
    case .delivery(let fault): fault.sentence
    case .limitReached(let holding, let limit): holding.sentence(limit)
    case .inList(let index, let fault): inList(index, fault)
    }
  }
}

extension MutationFault {
  private func unknownClass(_ id: ResponderID, _ name: ClassName) -> String {
    "The class \(quoted(name)) of the responder \(quoted(id)) is not declared."
  }

  private func danglingLink(
    _ id: ResponderID, _ link: ResponderLink, to destination: ResponderID
  ) -> String {
    "The link '\(link)' of \(quoted(id)) leads to \(quoted(destination)), which the session does "
      + "not have; put that responder first."
  }

  private func otherKind(
    _ id: ResponderID, _ link: ResponderLink, to destination: ResponderID, kind: ResponderKind
  ) -> String {
    "The link '\(link)' of \(quoted(id)) leads to \(quoted(destination)) of kind '\(kind)'; it "
      + "can lead only to a responder of kind "
      + "\(list(link.destinations.map { "'\($0)'" }, "or"))."
  }

  private func noSuchLink(
    _ id: ResponderID, _ link: ResponderLink, kind: ResponderKind
  ) -> String {
    "The responder \(quoted(id)) is of kind '\(kind)' and has no '\(link)'; only those of kind "
      + "\(list(link.holders.map { "'\($0)'" }, "or")) have one."
  }

  private func linkTaken(
    _ id: ResponderID, _ link: ResponderLink, to destination: ResponderID, by owner: ResponderID
  ) -> String {
    "\(quoted(id)) and \(quoted(owner)) both have \(quoted(destination)) as their '\(link)'; only "
      + "one of them can."
  }

  private func secondApplication(_ id: ResponderID, _ existing: ResponderID) -> String {
    "\(quoted(id)) would be a second application beside \(quoted(existing))."
  }

  private func cycle(_ path: [ResponderID], _ link: ResponderLink) -> String {
    "The link '\(link)' would close a cycle: "
      + "\(path.map { quoted($0) }.joined(separator: " → "))."
  }

  private func unknownHandler(_ id: ResponderID, _ selector: Selector) -> String {
    "The responder \(quoted(id)) has no handler of its own for \(quoted(selector))."
  }

  private func noCoordinator(_ id: ResponderID) -> String {
    "The responder \(quoted(id)) hosts no coordinator; PUT it with a member 'coordinator'."
  }

  private func unknownRegistration(_ id: ResponderID, _ token: Int) -> String {
    "The coordinator of \(quoted(id)) has no registration \(token); it was removed or replaced."
  }

  private func notAWindow(
    _ id: ResponderID, kind: ResponderKind, as role: WindowRole
  ) -> String {
    "The responder \(quoted(id)) is of kind '\(kind)'; only a window can be the \(role.rawValue) "
      + "window."
  }

  private func notInWindow(_ id: ResponderID, _ window: ResponderID) -> String {
    "The responder \(quoted(id)) is not in the window \(quoted(window)), whose focus it is to take; "
      + "leave 'window' out, or name the window that it is in."
  }
}

extension MutationFault {
  private func refused(
    _ candidate: ResponderID?, by id: ResponderID, asked question: ResponderQuestion
  ) -> String {
    let what = candidate.map { "become \(quoted($0))" } ?? "be given up"
    return
      "The first responder cannot \(what): \(quoted(id)) answers '\(question.rawValue)' with no."
  }

  private func firstResponderRule(_ id: ResponderID, _ fault: RuleFault) -> String {
    "The first responder does not change, since a rule of \(quoted(id)) failed. \(fault.sentence)"
  }

  private func unrecognized(
    _ receiver: Receiver, _ selector: Selector, isRegistered: Bool
  ) -> String {
    switch receiver {
    case .undoManager:
      "\(quoted(receiver)) is not prepared to record \(quoted(selector)); send "
        + "'prepareWithInvocationTarget' before each message to it."
    case .responder, .forwarder:
      "\(quoted(receiver)) has no handler for \(quoted(selector)) and does not forward it"
        + (isRegistered
          ? "; its coordinator has one: send to '\(receiver.responder)/forwarder'." : ".")
    }
  }

  private func noAction(_ receiver: Receiver, _ selector: Selector) -> String {
    "\(quoted(receiver)) got \(quoted(selector)) from a sender without an action, and so cannot "
      + "tell which handler to run; give the sender an 'action'."
  }

  private func argumentCount(_ selector: Selector, _ given: Int) -> String {
    let count = selector.argumentCount
    return "\(quoted(selector)) takes \(count) argument\(count == 1 ? "" : "s"), not \(given)."
  }

  private func effectRule(
    _ receiver: Receiver, _ selector: Selector, failingWith fault: RuleFault
  ) -> String {
    unchanged("an effect of \(quoted(selector)) at \(quoted(receiver)) failed") + " "
      + fault.sentence
  }

  private func effect(
    _ index: Int, of selector: Selector, at receiver: Receiver, _ what: String
  ) -> String {
    "Nothing was changed, since effect \(index) of \(quoted(selector)) at \(quoted(receiver)) "
      + what
  }

  private func wrongAnswer(
    _ answer: JSON, of id: ResponderID, to selector: Selector, insteadOf expected: ExpectedAnswer
  ) -> String {
    let (wanted, reason) =
      switch expected {
      case .bool: ("true or false", nil as MutationFault?)
      case .secondary(let refused):
        ("the id of a view controller that can be the secondary, null or false", refused)
      }
    return unchanged(
      "the handler of \(quoted(id)) for \(quoted(selector)) answers \(answer.shown) instead of "
        + wanted) + (reason.map { " \($0.sentence)" } ?? "")
  }

  private func unchanged(_ reason: String) -> String { "Nothing was changed, since \(reason)." }

  private var tooMuchEffort: String {
    "The request takes more than \(Limits.effort) steps; ask for less at once, or without "
      + "'explain'."
  }

  private func inList(_ index: Int, _ fault: MutationFault) -> String {
    if fault.handlerToBlame != nil { return fault.sentence }
    return "Mutation \(index) is refused, and with it all of them. \(fault.sentence)"
  }
}
