import JSONSchema
import JSONText
package import MenuEngine

// The faults of performing: of handlers, commands, messages and effects.

extension HandlerFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .unknownHandler(let id, let selector):
      FaultRow(
        .unresolvedReference, inPath: .unknownHandler,
        "The responder \(quoted(id)) has no handler of its own for \(quoted(selector)).")
    case .noCoordinator(let id):
      FaultRow(
        .unresolvedReference, inPath: .noCoordinator,
        "The responder \(quoted(id)) hosts no coordinator; PUT it with a member 'coordinator'.")
    case .unknownRegistration(let id, let token):
      FaultRow(
        .unresolvedReference, inPath: .unknownRegistration,
        "The coordinator of \(quoted(id)) has no registration \(token); it was removed or replaced."
      )
    case .notAProxy(let id):
      FaultRow(
        .invalidBody, "The responder \(quoted(id)) is no proxy; PUT it with a member 'proxied'.")
    case .ruleOfProxy(let id, let selector):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) is a proxy, whose handler for \(quoted(selector)) cannot have "
          + "'canPerform': nobody would ask it. Give the rule to the responder that is proxied.")
    }
  }
}

extension CommandFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .notPerformed(let refusal): FaultRow(.notPerformed, refusal.sentence)
    case .needsConfirmation(let item, let confirmation):
      FaultRow(
        .needsConfirmation,
        "\(quoted(item.command)) is performed only with 'confirmed' true, once a person has agreed to "
          + "“\(confirmation.title)”.")
    case .planPerformed:
      FaultRow(
        .expiredPlan, "The plan was performed already, and its answer is not kept any more.")
    case .keyNotPerformed(let resolution): FaultRow(.notPerformed, resolution.sentence)
    case .invalidParameters(let id, let faults):
      FaultRow(
        .invalidBody,
        "The parameters of the command \(quoted(id)) do not fit. \(faults.firstSentence)"
          + Problem.sentence(
            onMore: faults.values.count - 1, listing: faults.values.faults.count))
    case .noParameters(nil):
      FaultRow(.invalidBody, "An action takes no parameters; perform a command that does.")
    case .noParameters(let id?):
      FaultRow(
        .invalidBody,
        "The command \(quoted(id)) takes no parameters; it is declared without 'parameters'.")
    case .keyLacksParameters(let id, let faults):
      FaultRow(
        .invalidBody,
        "The key means the command \(quoted(id)), and gives no parameters that fit. "
          + faults.firstSentence)
    }
  }
}

extension ParameterFaults {
  /// The faults as sentences without their places. Unknown choices are explained by their rule (P4).
  var sentences: [String] { values.faults.map(sentence) }

  fileprivate var firstSentence: String { values.faults.first.map(sentence) ?? "" }

  /// The first fault with its place, as a clause.
  var clause: String {
    guard let fault = values.faults.first else { return "these parameters" }
    let place = fault.pointer.tokens.joined(separator: "/")
    let sentence = sentence(fault)
    return (place.isEmpty ? "these parameters" : "the parameter \(quoted(place))") + ": "
      + (sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)
  }

  private func sentence(_ fault: ValueFault) -> String {
    guard case .unknownChoices(let place) = fault.reason,
      let rule = rules.first(where: { $0.place.hasSameBytes(as: place) })
    else { return fault.reason.sentence }
    return "\(fault.reason.sentence) \(rule.sentence)"
  }

  /// The first failed rule for choices, if a parameter was refused because of it (P4).
  var failedRule: RuleFault? {
    let places = values.faults.compactMap { fault in
      if case .unknownChoices(let place) = fault.reason { place } else { nil }
    }
    return rules.first { rule in places.contains { rule.place.hasSameBytes(as: $0) } }
  }
}

extension MessageFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .doesNotRecognizeSelector(.undoManager(let id), let selector, isRegistered: _, trace: _):
      FaultRow(
        .doesNotRecognizeSelector,
        "\(quoted(Receiver.undoManager(of: id))) is not prepared to record \(quoted(selector)); "
          + "send 'prepareWithInvocationTarget' before each message to it.")
    case .doesNotRecognizeSelector(let receiver, let selector, let isRegistered, trace: _):
      FaultRow(
        .doesNotRecognizeSelector,
        "\(quoted(receiver)) has no handler for \(quoted(selector)) and does not forward it"
          + (isRegistered
            ? "; its coordinator has one: send to '\(receiver.responder)/forwarder'." : "."))
    case .senderCarriesNoAction(let receiver, let selector):
      FaultRow(
        .senderCarriesNoAction,
        "\(quoted(receiver)) got \(quoted(selector)) from a sender without an action, and so "
          + "cannot tell which handler to run; give the sender an 'action'.")
    case .argumentCount(let selector, let given):
      FaultRow(
        .invalidBody,
        "\(quoted(selector)) takes \(selector.argumentCount) "
          + "argument\(selector.argumentCount == 1 ? "" : "s"), not \(given).")
    case .messageQueueFull(let count):
      FaultRow(
        .messageQueueFull,
        "\(count) messages wait already, and there is no room for another one; process them, or "
          + "remove some.")
    case .queuedMessage(let index, let message, from: let id, let fault):
      fault.row.within {
        "Message \(index) of those that wait, \(quoted(message)) from \(quoted(id)), cannot be "
          + "sent, and so all of them wait still; remove it, or process those before it with a "
          + "'limit'. \($0)"
      }
    }
  }
}

extension EffectFault: TabulatedFault {
  package var row: FaultRow {
    let type: ProblemType =
      if case .mutation(_, _, index: _, let fault) = self { fault.typeInEffect } else {
        .effectFailed
      }
    return FaultRow(type, "Nothing was changed, since \(clause)")
  }

  /// The reason, to be read after "since".
  fileprivate var clause: String {
    switch self {
    case .rule(let receiver, let selector, let fault):
      "an effect of \(quoted(selector)) at \(quoted(receiver)) failed. \(fault.sentence)"
    case .patch(let receiver, let selector, let index, let fault):
      "effect \(index) of \(quoted(selector)) at \(quoted(receiver)) does not fit the state: "
        + "\(fault.reason)."
    case .mutation(let receiver, let selector, let index, let fault):
      "effect \(index) of \(quoted(selector)) at \(quoted(receiver)) failed. \(fault.sentence)"
    case .wrongAnswer(let answer, of: let id, let selector, let expected):
      "the handler of \(quoted(id)) for \(quoted(selector)) answers \(answer.shown) instead of "
        + expected.clause
    case .sendsTooDeep(let receiver, let selector, let limit, trace: _):
      "sends stand more than \(limit) deep in one another (limits.sends), the last one "
        + "\(quoted(selector)) to \(quoted(receiver))."
    case .tooManyEffects(let limit): "there are more than \(limit) effects (limits.effects)."
    }
  }
}

extension FailedMessage {
  /// The reason, as a sentence for people.
  var sentence: String {
    if case .effect(let fault) = fault { return "The message had no effect, since \(fault.clause)" }
    return fault.sentence
  }
}

extension MutationFault {
  /// The kind of problem when the fault stops an effect.
  fileprivate var typeInEffect: ProblemType {
    switch self {
    case .delegate(.delegateLacks), .delegate(.handlerRequired): .delegateRefused
    case .limitReached: .limitReached
    default: type == .firstResponderRefused ? .firstResponderRefused : .effectFailed
    }
  }
}

extension ExpectedAnswer {
  /// The allowed values, and the reason why a view controller is not among them.
  fileprivate var clause: String {
    switch self {
    case .bool: "true or false."
    case .secondary(let refused):
      "the id of a view controller that can be the secondary, null or false."
        + (refused.map { " \($0.sentence)" } ?? "")
    }
  }
}
