import JSONSchema
import JSONText
package import MenuEngine

extension MutationFault: TabulatedFault {
  /// The row of the fault; its sentence names both sides. The session is unchanged.
  package var row: FaultRow {
    switch self {
    case .unknownResponder(let id):
      FaultRow(
        .unresolvedReference, inPath: .unknownResponder,
        "The session has no responder \(quoted(id)).")
    case .unknownClass(let id, let name):
      FaultRow(
        .unresolvedReference,
        "The class \(quoted(name)) of the responder \(quoted(id)) is not declared.")
    case .danglingLink(let id, let link, let other):
      FaultRow(
        .unresolvedReference,
        "The link '\(link)' of \(quoted(id)) leads to \(quoted(other)), which the session does "
          + "not have; put that responder first.")
    case .linkToOtherKind(let id, let link, let other, let kind):
      FaultRow(
        .invalidBody,
        "The link '\(link)' of \(quoted(id)) leads to \(quoted(other)) of kind '\(kind)'; it can "
          + "lead only to a responder of kind \(names(of: link.destinations)).")
    case .linkTaken(let id, let link, let other, let owner):
      FaultRow(
        .linkConflict,
        "\(quoted(id)) and \(quoted(owner)) both have \(quoted(other)) as their '\(link)'; only "
          + "one of them can.")
    case .secondApplication(let id, let existing):
      FaultRow(
        .linkConflict, "\(quoted(id)) would be a second application beside \(quoted(existing)).")
    case .cycle(let path, let link):
      FaultRow(.linkConflict, "The link '\(link)' would close a cycle: \(chain(path)).")
    case .coordinatingCycle(let path):
      FaultRow(.linkConflict, "The coordinating chain would lead back into itself: \(chain(path)).")
    case .notCoordinating(let id, let holder):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) cannot be the parent coordinator of \(quoted(holder)), since it "
          + "coordinates nothing; put it with a member 'coordinating' first.")
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
    case .noRegistry(let id):
      FaultRow(
        .unresolvedReference, inPath: .noRegistry,
        "Neither \(quoted(id)) nor anybody on its chain or among its parents has a registry of "
          + "late responders; PUT one of them with a member 'lateResponders'.")
    case .unknownLateResponder(let id, let host):
      FaultRow(
        .unresolvedReference,
        "The registry of \(quoted(host)) lists \(quoted(id)), which the session does not have; "
          + "put that responder first.")
    case .lateResponderTaken(let id, let host, let other) where host == other:
      FaultRow(.linkConflict, "The registry of \(quoted(host)) lists \(quoted(id)) twice.")
    case .lateResponderTaken(let id, let host, let other):
      FaultRow(
        .linkConflict,
        "\(quoted(id)) is in the registries of \(quoted(other)) and \(quoted(host)); register it "
          + "with one of them to move it there.")
    case .weightFixed(let id, let weight, let host):
      FaultRow(
        .linkConflict,
        "The weight of \(quoted(id)) is \(weight) and cannot change while it is registered with "
          + "\(quoted(host)); deregister it first.")
    case .nextOfLateResponder(let id, let host):
      FaultRow(
        .linkConflict,
        "\(quoted(id)) is registered with \(quoted(host)), whose registry says what follows it; "
          + "leave out 'next', or deregister it first.")
    case .notAProxy(let id):
      FaultRow(
        .invalidBody, "The responder \(quoted(id)) is no proxy; PUT it with a member 'proxied'.")
    case .notAWindow(let id, let kind, let role):
      FaultRow(
        .invalidBody,
        "The responder \(quoted(id)) is of kind '\(kind)'; only a window can be the "
          + "\(role.rawValue) window.")
    case .notInWindow(let id, let window):
      FaultRow(
        .linkConflict,
        "The responder \(quoted(id)) is not in the window \(quoted(window)), whose focus it is to "
          + "take; leave 'window' out, or name the window that it is in.")
    case .noSuchLink(let id, let link, let kind):
      FaultRow(
        .invalidBody,
        "The responder \(quoted(id)) is of kind '\(kind)' and has no '\(link)'; only those of "
          + "kind \(names(of: link.holders)) have one.")
    case .launching(let fault): fault.row.within()
    case .storyboard(let fault): fault.row
    case .containment(let fault): fault.row
    case .coordination(let fault): fault.row
    case .firstResponderRefused(let candidate, let id, let question, because: _):
      FaultRow(
        .firstResponderRefused,
        "The first responder cannot "
          + (candidate.map { "become \(quoted($0))" } ?? "be given up")
          + ": \(quoted(id)) answers '\(question.rawValue)' with no.")
    case .firstResponderRule(let id, let fault):
      FaultRow(
        .firstResponderRefused,
        "The first responder does not change, since a rule of \(quoted(id)) failed. "
          + fault.sentence)
    case .stateIsNoObject: FaultRow(.invalidBody, "The state must be an object.")
    case .patch(let fault): FaultRow(.patchConflict, fault.description)
    case .ruleOfProxy(let id, let selector):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) is a proxy, whose handler for \(quoted(selector)) cannot have "
          + "'canPerform': nobody would ask it. Give the rule to the responder that is proxied.")
    case .tooLarge:
      FaultRow(
        .patchConflict, "The value is nested too deeply or has too many parts; send it in pieces.")
    case .unknownCommand(let id): DeclarationFault.unknownCommand(id).row
    case .unknownMenu(let id): DeclarationFault.unknownMenu(id).row
    case .notPerformed(let refusal): FaultRow(.notPerformed, refusal.sentence)
    case .keyNotPerformed(let resolution): FaultRow(.notPerformed, resolution.sentence)
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
    case .invalidParameters(let id, let faults):
      FaultRow(
        .invalidBody,
        "The parameters of the command \(quoted(id)) do not fit. \(first(of: faults))"
          + Problem.sentence(onMore: faults.count - 1, listing: faults.faults.count))
    case .noParameters(nil):
      FaultRow(.invalidBody, "An action takes no parameters; perform a command that does.")
    case .noParameters(let id?):
      FaultRow(
        .invalidBody,
        "The command \(quoted(id)) takes no parameters; it is declared without 'parameters'.")
    case .keyLacksParameters(let id, let faults):
      FaultRow(
        .invalidBody,
        "The key means the command \(quoted(id)), which cannot be performed without parameters. "
          + first(of: faults))
    case .effectRule(let receiver, let selector, let fault):
      unchanged("an effect of \(quoted(selector)) at \(quoted(receiver)) failed. \(fault.sentence)")
    case .effectPatch(let receiver, let selector, let index, let fault):
      unchanged(
        "effect \(index) of \(quoted(selector)) at \(quoted(receiver)) does not fit the state: "
          + "\(fault.reason).")
    case .effect(let receiver, let selector, let index, let fault):
      unchanged(
        "effect \(index) of \(quoted(selector)) at \(quoted(receiver)) failed. \(fault.sentence)",
        fault.typeInEffect)
    case .wrongAnswer(let answer, of: let id, let selector, let expected):
      unchanged(
        "the handler of \(quoted(id)) for \(quoted(selector)) answers \(answer.shown) instead of "
          + expected.clause)
    case .sendsTooDeep(let receiver, let selector, let limit, trace: _):
      unchanged(
        "sends stand more than \(limit) deep in one another (limits.sends), the last one "
          + "\(quoted(selector)) to \(quoted(receiver)).")
    case .tooManyEffects(let limit):
      unchanged("there are more than \(limit) effects (limits.effects).")
    case .undo(let fault): fault.row
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
    case .delivery(let fault): fault.row
    case .tooMuchEffort:
      FaultRow(
        .tooMuchEffort,
        "The request takes more than \(Limits.effort) steps; ask for less at once, or without "
          + "'explain'.")
    case .limitReached(let holding, let limit): FaultRow(.limitReached, holding.sentence(limit))
    case .inList(index: _, let fault) where fault.handlerToBlame != nil: fault.row.within()
    case .inList(let index, let fault):
      fault.row.within { "Mutation \(index) is refused, and with it all of them. \($0)" }
    }
  }
}

extension MutationFault {
  /// The kind of problem if the fault stops an effect.
  private var typeInEffect: ProblemType {
    switch self {
    case .storyboard(.delegateLacks), .storyboard(.handlerRequired): .delegateRefused
    case .limitReached: .limitReached
    default: type == .firstResponderRefused ? .firstResponderRefused : .effectFailed
    }
  }

  private func unchanged(_ reason: String, _ type: ProblemType = .effectFailed) -> FaultRow {
    FaultRow(type, "Nothing was changed, since \(reason)")
  }

  private func chain(_ path: [ResponderID]) -> String {
    path.map { quoted($0) }.joined(separator: " → ")
  }

  private func names(of kinds: [ResponderKind]) -> String { list(kinds.map { "'\($0)'" }, "or") }

  private func first(of faults: ValueFault.List) -> String {
    faults.faults.first?.reason.sentence ?? ""
  }
}

extension ExpectedAnswer {
  /// The allowed values, and the reason why a view controller is not one of them.
  fileprivate var clause: String {
    switch self {
    case .bool: "true or false."
    case .secondary(let refused):
      "the id of a view controller that can be the secondary, null or false."
        + (refused.map { " \($0.sentence)" } ?? "")
    }
  }
}
