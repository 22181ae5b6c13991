import JSONText

/// An event of a coordinator; listeners with a method for it are told (C4, C5).
package enum CoordinatorEvent: Equatable, Sendable {
  /// It was started: `didStart`.
  case didStart(ResponderID)
  /// It was stopped: `didStop`.
  case didStop(ResponderID)
  /// It became the owner of its root view controller again: `didActivate`.
  case didActivate(ResponderID)
  /// It finished, and this is told to its parent, who has stopped it, else to its continuation:
  /// `coordinatorDidFinish:` with its name.
  case didFinish(ResponderID, to: ResponderID?)
  /// The user went back to one of its view controllers: `handlePopBackToViewController:` with the name
  /// of that one.
  case handlePopBack(ResponderID, to: ResponderID)

  /// The coordinator of the event.
  package var coordinator: ResponderID {
    switch self {
    case .didStart(let id), .didStop(let id), .didActivate(let id), .didFinish(let id, to: _),
      .handlePopBack(let id, to: _):
      id
    }
  }

  /// The message that tells it.
  package var selector: Selector {
    switch self {
    case .didStart: "didStart"
    case .didStop: "didStop"
    case .didActivate: "didActivate"
    case .didFinish: "coordinatorDidFinish:"
    case .handlePopBack: "handlePopBackToViewController:"
    }
  }

  /// The listener: the coordinator itself, or the one that hears that it finished.
  var listener: ResponderID? {
    switch self {
    case .didStart(let id), .didStop(let id), .didActivate(let id), .handlePopBack(let id, to: _):
      id
    case .didFinish(_, to: let listener): listener
    }
  }

  var arguments: [JSON] {
    switch self {
    case .didStart, .didStop, .didActivate: []
    case .didFinish(let id, to: _), .handlePopBack(_, to: let id): [.string(id.rawValue)]
    }
  }
}

extension Performer {
  /// Tells of a coordinator; the sender is the coordinator itself.
  mutating func tell(_ event: CoordinatorEvent) throws(MutationFault) {
    try countEffect()
    let inquiry = session.inquiry(in: context)
    let told = event.listener.flatMap {
      inquiry.implementation(of: event.selector, in: $0) == nil ? nil : $0
    }
    events.append(.coordinator(event, told: told))
    let sender = Sender(
      command: nil,
      description: SenderDescription(
        responder: event.coordinator, members: ["action": .string(event.selector.rawValue)]))
    _ = try ask(
      told, event.selector, arguments: event.arguments, sending: Sending(by: sender))
  }
}

/// A reason why a coordinator cannot do what it is told (C4, C5).
public enum CoordinationFault: Error, Equatable, Sendable {
  /// The responder is no coordinator.
  case notACoordinator(ResponderID)
  /// The coordinator keeps no list of view controllers.
  case notANavigationCoordinator(ResponderID)
  /// The coordinator has no root view controller, or that one is gone.
  case noRoot(ResponderID)
  /// The coordinator is nobody's child.
  case noParent(ResponderID)
  /// A coordinator has two children of the same identifier.
  case identifierTaken(ResponderID, CoordinatorIdentifier, of: ResponderID, by: ResponderID)
  /// A coordinator lists a view controller that is not there.
  case unknownViewController(ResponderID, of: ResponderID)
  /// A coordinator lists what is no view controller.
  case notAViewController(ResponderID, ResponderKind, of: ResponderID)
  /// A coordinator lists a view controller twice.
  case repeated(ResponderID, of: ResponderID)
}

extension CoordinationFault {
  /// The coordinator or view controller to blame, and the place in a session document.
  var blame: Blame {
    switch self {
    case .notACoordinator(let id): Blame(id, at: Blame.responder(id))
    case .notANavigationCoordinator(let id):
      Blame(id, at: Blame.responder(id, ["coordinating", "kind"]))
    case .noRoot(let id):
      Blame(id, at: Blame.responder(id, ["coordinating", "rootViewController"]))
    case .noParent(let id): Blame(id, at: Blame.responder(id, ["parentCoordinator"]))
    case .identifierTaken(let id, _, of: _, by: _):
      Blame(id, at: Blame.responder(id, ["coordinating", "identifier"]))
    case .unknownViewController(let id, of: let holder),
      .notAViewController(let id, _, of: let holder), .repeated(let id, of: let holder):
      Blame(id, at: Blame.responder(holder, ["coordinating", "viewControllers"]))
    }
  }

  /// The place in the responder's document, as a pointer's tokens.
  package var path: [String] { Array(blame.place.dropFirst(2)) }
}

extension Trace.Step {
  /// The next step of the coordinating chain, as a clause (C1, C3).
  var coordinatingClause: String {
    let here = "'\(asked)'"
    guard case .object(let step) = answer, case .string(let id)? = step["responder"],
      case .string(let link)? = step["link"]
    else { return "after \(here) the coordinating chain ends" }
    let relation = link == "superview" ? "which its view is in" : "its '\(link)'"
    return isCut
      ? "the coordinating chain ends after \(here), since '\(id)', \(relation), is no responder"
      : "after \(here) the message goes to '\(id)', \(relation)"
  }

  /// True if the coordinating chain ends before somebody who is no responder (C3).
  var isCut: Bool {
    guard case .object(let step) = answer else { return false }
    return step["isResponder"] != nil
  }
}
