import JSONText

/// An event of a coordinator; listeners with a method for it receive it (C4, C5).
package enum CoordinatorEvent: Equatable, Sendable {
  /// The coordinator started: `didStart`.
  case didStart(ResponderID)
  /// The coordinator stopped: `didStop`.
  case didStop(ResponderID)
  /// The coordinator became the owner of its root view controller again: `didActivate`.
  case didActivate(ResponderID)
  /// The coordinator finished. `coordinatorDidFinish:` with its name is sent to its parent, which stopped it,
  /// else to its continuation.
  case didFinish(ResponderID, to: ResponderID?)
  /// The user went back to one of its view controllers: `handlePopBackToViewController:` with the name of the
  /// view controller.
  case handlePopBack(ResponderID, to: ResponderID)

  package var coordinator: ResponderID {
    switch self {
    case .didStart(let id), .didStop(let id), .didActivate(let id), .didFinish(let id, to: _),
      .handlePopBack(let id, to: _):
      id
    }
  }

  /// The message of the event.
  package var selector: Selector {
    switch self {
    case .didStart: "didStart"
    case .didStop: "didStop"
    case .didActivate: "didActivate"
    case .didFinish: "coordinatorDidFinish:"
    case .handlePopBack: "handlePopBackToViewController:"
    }
  }

  /// The receiver of the message: the coordinator itself, or the parent or continuation of one that finished.
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
  /// Sends the message of an event; the sender is the coordinator.
  mutating func tell(_ event: CoordinatorEvent) throws(MutationFault) {
    try countEffect()
    let inquiry = session.inquiry(in: context)
    let told = event.listener.flatMap {
      inquiry.implementation(of: event.selector, in: $0) == nil ? nil : $0
    }
    events.append(.coordinator(event, told: told))
    let sender = Sender(of: event.selector, from: event.coordinator)
    _ = try ask(told, event.selector, arguments: event.arguments, sending: Sending(by: sender))
  }
}

/// A reason why an operation on a coordinator fails (C4, C5).
package enum CoordinationFault: Error, Equatable, Sendable {
  /// The responder is not a coordinator.
  case notACoordinator(ResponderID)
  /// The coordinator has no list of view controllers.
  case notANavigationCoordinator(ResponderID)
  /// The coordinator has no root view controller, or it was removed.
  case noRoot(ResponderID)
  /// The coordinator has no parent.
  case noParent(ResponderID)
  /// A coordinator has two children of the same identifier.
  case identifierTaken(ResponderID, CoordinatorIdentifier, of: ResponderID, by: ResponderID)
  /// A coordinator lists a missing view controller.
  case unknownViewController(ResponderID, of: ResponderID)
  /// A coordinator lists a responder that is not a view controller.
  case notAViewController(ResponderID, ResponderKind, of: ResponderID)
  /// A coordinator lists a view controller twice.
  case repeated(ResponderID, of: ResponderID)
}

extension CoordinationFault {
  /// The coordinator or view controller at fault, with its place in a session document.
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

  /// The place in the responder's document, as tokens of a pointer.
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

  /// True if the coordinating chain ends at an owner that is not a responder (C3).
  var isCut: Bool {
    guard case .object(let step) = answer else { return false }
    return step["isResponder"] != nil
  }
}
