import JSONText
package import MenuEngine

extension MutationFault {
  /// Why the session was left as it was, as a sentence that names both sides.
  package var sentence: String {
    switch self {
    case .unknownResponder(let id): "The session has no responder \(quoted(id))."
    case .unknownHandler(let id, let selector):
      "The responder \(quoted(id)) has no handler of its own for \(quoted(selector))."
    case .noCoordinator(let id):
      "The responder \(quoted(id)) hosts no coordinator; PUT it with a member 'coordinator'."
    case .unknownRegistration(let id, let token):
      "The coordinator of \(quoted(id)) has no registration \(token); it was removed or replaced."
    case .noRegistry, .unknownLateResponder, .lateResponderTaken, .weightFixed, .notAProxy:
      lateSentence
    case .notAWindow(let id, let kind, as: let role):
      "The responder \(quoted(id)) is of kind '\(kind)'; only a window can be the \(role.rawValue) window."
    case .stateIsNoObject: "The state must be an object."
    case .tooLarge: "The value is nested too deeply or has too many parts; send it in pieces."
    case .tooMuchEffort:
      "The request takes more than \(Limits.effort) steps; ask for less at once, or without "
        + "'explain'."
    case .patch(let fault): fault.description
    case .unknownCommand(let id): DeclarationFault.unknownCommand(id).sentence
    case .notPerformed(let refusal): refusal.sentence
    case .keyNotPerformed(let resolution): resolution.sentence
    case .argumentCount(let selector, let given):
      "\(quoted(selector)) takes \(counted(selector.argumentCount, "argument")), not \(given)."
    case .inList(let index, let fault):
      "Mutation \(index) is refused, and with it all of them. \(fault.sentence)"
    case .unknownClass, .danglingLink, .linkToOtherKind, .linkTaken, .secondApplication, .cycle:
      graphSentence
    case .firstResponderRefused, .firstResponderRule: focusSentence
    case .doesNotRecognizeSelector, .senderCarriesNoAction, .effectRule, .effectPatch, .effect,
      .sendsTooDeep, .tooManyEffects:
      messageSentence
    }
  }

  private var graphSentence: String {
    switch self {
    case .unknownClass(let id, let name):
      "The class \(quoted(name)) of the responder \(quoted(id)) is not declared."
    case .danglingLink(let id, let link, let destination):
      "The link '\(link)' of \(quoted(id)) leads to \(quoted(destination)), which the session does "
        + "not have; put that responder first."
    case .linkToOtherKind(let id, let link, let destination, let kind):
      "The link '\(link)' of \(quoted(id)) leads to \(quoted(destination)) of kind '\(kind)'; it "
        + "can lead only to a responder of kind "
        + "\(list(link.destinations.map { "'\($0)'" }, "or"))."
    case .linkTaken(let id, let link, let destination, let other):
      "\(quoted(id)) and \(quoted(other)) both have \(quoted(destination)) as their '\(link)'; only "
        + "one of them can."
    case .secondApplication(let id, let existing):
      "\(quoted(id)) would be a second application beside \(quoted(existing))."
    case .cycle(let path, let link):
      "The link '\(link)' would close a cycle: "
        + "\(path.map { quoted($0) }.joined(separator: " → "))."
    default: ""
    }
  }

  private var focusSentence: String {
    switch self {
    case .firstResponderRefused(let candidate?, by: let id, let question, because: _):
      "The first responder cannot become \(quoted(candidate)): \(quoted(id)) answers "
        + "'\(question.rawValue)' with no."
    case .firstResponderRefused(nil, by: let id, let question, because: _):
      "The first responder cannot be given up: \(quoted(id)) answers '\(question.rawValue)' with no."
    case .firstResponderRule(let id, let fault):
      "The first responder does not change, since a rule of \(quoted(id)) failed. \(fault.sentence)"
    default: ""
    }
  }

  private var messageSentence: String {
    switch self {
    case .doesNotRecognizeSelector(let receiver, let selector, trace: _):
      "\(quoted(receiver)) has no handler for \(quoted(selector)) and does not forward it."
    case .senderCarriesNoAction(let receiver, let selector):
      "\(quoted(receiver)) got \(quoted(selector)) from a sender without an action, and so cannot "
        + "tell which handler to run; give the sender an 'action'."
    case .effectRule(let receiver, let selector, let fault):
      "Nothing was changed, since an effect of \(quoted(selector)) at \(quoted(receiver)) failed. "
        + fault.sentence
    case .effectPatch(let receiver, let selector, let index, let fault):
      "Nothing was changed, since effect \(index) of \(quoted(selector)) at \(quoted(receiver)) "
        + "does not fit the state: \(fault.reason)."
    case .effect(let receiver, let selector, let index, let fault):
      "Nothing was changed, since effect \(index) of \(quoted(selector)) at \(quoted(receiver)) "
        + "failed. \(fault.sentence)"
    case .sendsTooDeep(let limit):
      "Nothing was changed, since sends stand more than \(limit) deep in one another."
    case .tooManyEffects(let limit):
      "Nothing was changed, since there are more than \(limit) effects."
    default: ""
    }
  }
}

private func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
