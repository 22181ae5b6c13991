import JSONText
package import MenuEngine

// The faults of the systems of a session.

extension ContainmentFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .unknownChild(let id, of: let container):
      FaultRow(
        .unresolvedReference,
        "\(quoted(container)) lists \(quoted(id)) in 'viewControllers', which the session does "
          + "not have; put that responder first.")
    case .notAViewController(let id, let kind):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) is of kind '\(kind)'; only a responder of kind 'viewController' can be "
          + "shown or show another one.")
    case .notA(let kind, let id, let name):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) is of class \(quoted(name)), which does not inherit from "
          + "\(quoted(kind.className)).")
    case .notInA(let kind, let id):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) is in no container of a class that inherits from \(quoted(kind.className)).")
    case .repeated(let id, in: let container):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) would be twice among the view controllers of \(quoted(container)).")
    case .hasParent(let id, let parent, not: let container):
      FaultRow(
        .invalidBody,
        "\(quoted(container)) lists \(quoted(id)) in 'viewControllers', whose own 'parent' is "
          + "\(quoted(parent)); leave out one of them.")
    case .notAChild(let id, of: let container):
      FaultRow(
        .invalidBody, "\(quoted(id)) is not among the view controllers of \(quoted(container)).")
    case .tooManyColumns(let id, let count):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) is a split view controller, which has two columns at most, not \(count).")
    }
  }
}

extension PresentationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .isChild(let id, of: let container):
      FaultRow(
        .linkConflict,
        "\(quoted(id)) is a child of \(quoted(container)) and cannot be presented; remove it from "
          + "there first.")
    case .isPresented(let id, by: let presenter):
      FaultRow(
        .linkConflict, "\(quoted(id)) is presented by \(quoted(presenter)); dismiss it first.")
    case .isRoot(let id, of: let window):
      FaultRow(
        .linkConflict,
        "\(quoted(id)) is the root view controller of \(quoted(window)) and cannot be shown "
          + "elsewhere.")
    case .isPresenting(let id, let presented):
      FaultRow(
        .linkConflict, "\(quoted(id)) presents \(quoted(presented)) already; dismiss that first.")
    case .changesCollapsed(let id, let isCollapsed):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) is \(isCollapsed ? "expanded" : "collapsed"), which a document does not "
          + "change; use the operation '\(isCollapsed ? "collapse" : "expand")', which asks its "
          + "delegate.")
    case .nothingToShow:
      FaultRow(
        .invalidBody,
        "There is no view controller to show: the first argument must be the id of one.")
    }
  }
}

extension CoordinationFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .notACoordinator(let id):
      FaultRow(
        .invalidBody, "\(quoted(id)) is no coordinator; put it with a member 'coordinating'.")
    case .notANavigationCoordinator(let id):
      FaultRow(
        .invalidBody,
        "\(quoted(id)) keeps no list of view controllers, since it is no coordinator of kind "
          + "'navigation'.")
    case .noRoot(let id):
      FaultRow(
        .linkConflict,
        "The coordinator \(quoted(id)) has no root view controller; put it with one in "
          + "'coordinating/rootViewController'.")
    case .noParent(let id):
      FaultRow(
        .linkConflict,
        "The coordinator \(quoted(id)) is nobody's child; stop it by 'stopCoordinator'.")
    case .identifierTaken(let id, let identifier, of: let parent, by: let other):
      FaultRow(
        .linkConflict,
        "\(quoted(parent)) would have two children of the identifier \(quoted(identifier)): "
          + "\(quoted(other)) and \(quoted(id)). Give one of them another; "
          + "'startChildCoordinator' would replace the earlier one.")
    case .unknownViewController(let id, of: let holder):
      FaultRow(
        .unresolvedReference,
        "The coordinator \(quoted(holder)) lists \(quoted(id)), which the session does not have; "
          + "put that responder first.")
    case .notAViewController(let id, let kind, of: let holder):
      FaultRow(
        .invalidBody,
        "The coordinator \(quoted(holder)) lists \(quoted(id)), which is of kind '\(kind)'; only "
          + "view controllers can be in its list.")
    case .repeated(let id, of: let holder):
      FaultRow(.invalidBody, "The coordinator \(quoted(holder)) lists \(quoted(id)) twice.")
    }
  }
}

extension StoryboardFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .unknownStoryboard(let name):
      FaultRow(.unresolvedReference, StoryboardDeclarationFault.unknownStoryboard(name).sentence)
    case .unknownScene(let it): StoryboardDeclarationFault.unknownScene(it.storyboard, it.scene).row
    case .noStoryboard(let id):
      FaultRow(
        .noStoryboard,
        "\(quoted(id)) comes from no storyboard; instantiate it from one, or PUT it with members "
          + "'storyboard' and 'scene'.")
    case .unknownSegue(let identifier, of: let id, let reference, let known):
      FaultRow(
        .unknownSegue,
        "The scene \(quoted(reference.scene)) of \(quoted(id)) has no segue \(quoted(identifier)); "
          + "it has \(known.isEmpty ? "none with an identifier" : list(known.map { quoted($0) })).")
    case .embedded(let identifier, of: let id):
      FaultRow(
        .unknownSegue,
        "The segue \(quoted(identifier)) of \(quoted(id)) embeds, which happens when "
          + "\(quoted(id)) is instantiated and not again.")
    case .nameTaken(let id):
      FaultRow(
        .linkConflict,
        "The session has a responder \(quoted(id)) already; choose another id, or leave it out.")
    case .unknownOwner(let owner, of: let id):
      FaultRow(
        .unresolvedReference,
        "The view \(quoted(id)) was made for \(quoted(owner)), but the session has no view "
          + "controller of that name; put it first, or leave out 'isInstance' and 'owner'.")
    case .nameTooLong(let name):
      FaultRow(
        .invalidBody,
        "An instance would be called \(quoted(name)), which is too long; give it an id.")
    case .destinationRemoved(let id, let source): .destinationRemoved(id, source: source)
    case .notChildren(let id, let answer): .notChildren(of: id, answer)
    }
  }
}

/// The faults of handlers in segues.
extension FaultRow {
  fileprivate static func destinationRemoved(_ id: ResponderID, source: ResponderID) -> FaultRow {
    FaultRow(
      .effectFailed,
      "Nothing was changed, since the segue from \(quoted(source)) leads to \(quoted(id)), which a "
        + "handler has removed.")
  }

  fileprivate static func notChildren(of id: ResponderID, _ answer: JSON) -> FaultRow {
    FaultRow(
      .effectFailed,
      "\(quoted(id)) answers '\(Selector.allowedChildrenForUnwinding)' with \(answer.shown) "
        + "instead of a list of the ids of its children.")
  }
}

extension DelegateFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .delegateLacks(let messages, let delegate, of: let holder, let name):
      FaultRow(
        .delegateRefused,
        "\(quoted(delegate)) cannot be the delegate of \(quoted(holder)): it has no handler for "
          + "\(list(messages.map { quoted($0) })), which the protocol \(quoted(name)) requires.")
    case .handlerRequired(let message, let delegate, of: let holder, let name):
      FaultRow(
        .delegateRefused,
        "\(quoted(delegate)) keeps its handler for \(quoted(message)): it is the delegate of "
          + "\(quoted(holder)), and the protocol \(quoted(name)) requires it; give "
          + "\(quoted(holder)) another delegate first.")
    case .messageOutsideProtocol(let message, of: let holder, let name):
      FaultRow(
        .invalidBody,
        "\(quoted(holder)) cannot send \(quoted(message)) to its delegate: the protocol "
          + "\(quoted(name)) does not have it.")
    }
  }
}

extension LaunchFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .launchedAlready(let application):
      FaultRow(
        .launchedAlready,
        "The session has the application \(quoted(application)) already; open another session to "
          + "launch in.")
    case .nothingToLaunch:
      FaultRow(
        .invalidBody,
        "Neither the request nor the catalogue's session says what to launch; give a "
          + "'storyboard', a 'delegate' or both.")
    case .notAWindow(let id, let kind):
      FaultRow(
        .invalidBody, "\(quoted(id)) is of kind '\(kind)'; only a window can become visible.")
    }
  }
}

extension UndoFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .noGroup:
      FaultRow(
        .undoRefused,
        "No undo group is open that was opened by 'beginUndoGrouping'; open one first.")
    case .groupsOpen(let count):
      FaultRow(
        .undoRefused,
        "Nothing is undone or done again while \(count) undo groups are open; close them by "
          + "'endUndoGrouping' until one is left at most.")
    case .groupsTooDeep(let limit):
      FaultRow(
        .undoRefused,
        "Undo groups stand more than \(limit) deep inside each other; close some by "
          + "'endUndoGrouping'.")
    case .inProgress:
      FaultRow(.undoRefused, "The undo manager is undoing already, and so cannot be told to undo.")
    case .registrationEnabled:
      FaultRow(.undoRefused, "Undo registration is enabled; only what was disabled can be enabled.")
    case .groupFull(let limit):
      FaultRow(
        .undoRefused,
        "The undo group would hold more than \(limit) values and bytes; close it by "
          + "'endUndoGrouping', or disable undo registration for what is as large as this.")
    }
  }
}

extension DeliveryFault: TabulatedFault {
  package var row: FaultRow {
    switch self {
    case .unknown(let id):
      FaultRow(
        .unresolvedReference, inPath: .unknownDelivery,
        "The session has no delivery \(id); there never was one, or it was settled and is kept no "
          + "longer.")
    case .alreadyClaimed(let id, by: let name, let until):
      FaultRow(
        .deliveryConflict,
        "The delivery \(id) is claimed\(name.map { " by \(quoted($0))" } ?? "") until "
          + "\(InternetTimestamp(milliseconds: until).text); claim another one, or this one if it "
          + "is open again then.")
    case .alreadySettled(let id, let state):
      FaultRow(
        .deliveryConflict,
        "The delivery \(id) is settled already: it is \(state.rawValue). Nothing more can become "
          + "of it.")
    case .notClaimed(let id, let claim):
      FaultRow(
        .deliveryConflict,
        "The delivery \(id) has no claim \(claim) yet; claim it first, and give the number in the "
          + "answer.")
    case .claimLost(let id, let claim):
      FaultRow(
        .deliveryConflict,
        "The claim \(claim) of the delivery \(id) has expired; what was done under it does not "
          + "count. Claim the delivery again if it is open, and renew the claim in time.")
    }
  }
}
