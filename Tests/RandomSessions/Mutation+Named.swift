package import JSONText

@testable package import MenuEngine

/// Mutations that clients send as documents only, by their names.
extension Mutation {
  /// Makes a coordinator the owner of its root view controller, and starts it if it is not started.
  package static func start(_ id: ResponderID) -> Mutation {
    Mutation(Operations.startCoordinator, id)
  }

  /// Makes a coordinator the child of another, replacing one with the same identifier, and starts it.
  package static func startChild(_ id: ResponderID, of parent: ResponderID) -> Mutation {
    Mutation(Operations.startChildCoordinator, id, parent)
  }

  /// Removes a coordinator from its parent, and stops it.
  package static func stopChild(_ id: ResponderID) -> Mutation {
    Mutation(Operations.stopChildCoordinator, id)
  }

  /// Takes a coordinator's root view controller from its present owner.
  package static func stop(_ id: ResponderID) -> Mutation {
    Mutation(Operations.stopCoordinator, id)
  }

  /// Makes a coordinator the owner of its root view controller again.
  package static func activate(_ id: ResponderID) -> Mutation {
    Mutation(Operations.activateCoordinator, id)
  }

  /// Activates a coordinator, and makes its view controllers the whole stack.
  package static func takeover(_ id: ResponderID) -> Mutation {
    Mutation(Operations.takeoverCoordinator, id)
  }

  /// Reports that a coordinator finished; its parent stops it.
  package static func didFinish(_ id: ResponderID) -> Mutation {
    Mutation(Operations.coordinatorDidFinish, id)
  }

  /// Pushes a view controller and appends it to the coordinator's list.
  package static func show(_ shown: ResponderID, by id: ResponderID) -> Mutation {
    Mutation(Operations.coordinatorShow, id, shown)
  }

  /// Makes a view controller the only one on the stack and in the coordinator's list.
  package static func root(_ shown: ResponderID, of id: ResponderID) -> Mutation {
    Mutation(Operations.coordinatorRoot, id, shown)
  }

  /// Replaces the last view controller of the coordinator's list.
  package static func top(_ shown: ResponderID, of id: ResponderID) -> Mutation {
    Mutation(Operations.coordinatorTop, id, shown)
  }

  /// Pops the last view controller of the coordinator's list, unless it is the only one; or those after
  /// `destination`.
  package static func pop(_ id: ResponderID, to destination: ResponderID?) -> Mutation {
    Mutation(Operations.coordinatorPop, id, destination)
  }

  /// Pushes a view controller onto the stack of a navigation controller.
  package static func push(_ id: ResponderID, onto container: ResponderID) -> Mutation {
    Mutation(Operations.pushViewController, id, container)
  }

  /// Pops the top of a navigation controller's stack; the bottom stays.
  package static func pop(
    _ container: ResponderID, by trigger: SegueRequest.Trigger = .code, isCancelled: Bool = false
  ) -> Mutation {
    Mutation(Operations.popViewController, container, trigger, isCancelled)
  }

  /// Pops to a view controller in its navigation controller's stack.
  package static func popTo(
    _ id: ResponderID, by trigger: SegueRequest.Trigger = .code
  ) -> Mutation {
    Mutation(Operations.popToViewController, id, trigger)
  }

  /// Pops a navigation controller's stack to its bottom.
  package static func popToRoot(
    _ container: ResponderID, by trigger: SegueRequest.Trigger = .code
  ) -> Mutation {
    Mutation(Operations.popToRootViewController, container, trigger)
  }

  /// Sets the children of a container.
  package static func setViewControllers(
    _ children: [ResponderID], of container: ResponderID
  ) -> Mutation {
    Mutation(Operations.setViewControllers, container, children)
  }

  /// Selects a child of a tab bar controller.
  package static func select(_ id: ResponderID) -> Mutation {
    Mutation(Operations.selectViewController, id)
  }

  /// Presents a view controller on another one.
  package static func present(_ id: ResponderID, from presenter: ResponderID) -> Mutation {
    Mutation(Operations.present, id, presenter)
  }

  /// Dismisses what a view controller presents; else the nearest presented view controller, itself or a
  /// container around it. Has no effect if there is none.
  package static func dismiss(_ id: ResponderID) -> Mutation { Mutation(Operations.dismiss, id) }

  /// Removes a view controller from its container.
  package static func removeFromParent(_ id: ResponderID) -> Mutation {
    Mutation(Operations.removeFromParent, id)
  }

  /// Collapses a split view controller to one column; has no effect if it is collapsed (A8).
  package static func collapse(_ id: ResponderID) -> Mutation { Mutation(Operations.collapse, id) }

  /// Expands a split view controller to both columns; has no effect if it is expanded (A8).
  package static func expand(_ id: ResponderID) -> Mutation { Mutation(Operations.expand, id) }

  /// Opens a group inside the open one (U2).
  package static func beginUndoGrouping(of id: ResponderID? = nil) -> Mutation {
    Mutation(Operations.beginUndoGrouping, id, nil)
  }

  /// Closes the innermost open group, and merges it into its parent (U2).
  package static func endUndoGrouping(of id: ResponderID? = nil) -> Mutation {
    Mutation(Operations.endUndoGrouping, id, nil)
  }

  /// Sets the number of groups that are kept; 0 for no limit (U2).
  package static func setLevelsOfUndo(_ levels: Int, of id: ResponderID? = nil) -> Mutation {
    Mutation(Operations.setLevelsOfUndo, id, nil, levels)
  }

  /// Names the open group, or else the next group to undo; an empty name is none (U2).
  package static func setUndoActionName(_ name: String, of id: ResponderID? = nil) -> Mutation {
    Mutation(Operations.setUndoActionName, id, nil, name)
  }

  /// Records a message to a responder, to be sent by undo (U1).
  package static func registerUndo(
    target: ResponderID, _ action: Selector, arguments: [JSON]? = nil, of id: ResponderID? = nil
  ) -> Mutation {
    Mutation(Operations.registerUndo, id, nil, target, action, arguments)
  }

  /// Records the next message to the manager for a target instead of running it (U3).
  package static func prepareWithInvocationTarget(
    _ target: ResponderID, of id: ResponderID? = nil
  ) -> Mutation {
    Mutation(Operations.prepareWithInvocationTarget, id, nil, target)
  }

  /// Disables registration until it is enabled the same number of times.
  package static func disableUndoRegistration(of id: ResponderID? = nil) -> Mutation {
    Mutation(Operations.disableUndoRegistration, id, nil)
  }

  /// Reverts one `disableUndoRegistration`.
  package static func enableUndoRegistration(of id: ResponderID? = nil) -> Mutation {
    Mutation(Operations.enableUndoRegistration, id, nil)
  }

  /// Makes an instance of a scene (V2). It stays as long as no container, presenter or window has held it.
  package static func instantiate(_ scene: SceneReference, id: ResponderID?) -> Mutation {
    Mutation(Operations.instantiate, scene, id)
  }

  /// Sets the delegate of a responder; nil for none (V7).
  package static func setDelegate(_ delegate: ResponderID?, of holder: ResponderID) -> Mutation {
    Mutation(Operations.setDelegate, holder, delegate)
  }

  /// Settles a claimed delivery with a result, and applies mutations with it (D2).
  package static func replyToDelivery(
    _ id: Int, claim: Int, result: JSON = .null, mutations: [Mutation] = [], at time: Int64? = nil,
    isUndoable: Bool = true
  ) -> Mutation {
    Mutation(
      Operations.replyToDelivery, id, claim, result, MutationList(mutations), time,
      isUndoable ? nil : false)
  }
}
