/// A mutation of view controllers, as a front end tells it (V4, A8).
public enum ViewControllerMutation: Equatable, Sendable, Codable {
  /// Puts a view controller on top of the stack of a navigation controller.
  case push(ResponderID, onto: ResponderID)
  /// Takes the top from the stack of a navigation controller; the bottom stays.
  case pop(ResponderID)
  /// Takes what is above a view controller from the stack that it is in.
  case popTo(ResponderID)
  /// Takes everything but the bottom from the stack of a navigation controller.
  case popToRoot(ResponderID)
  /// Goes back as the user does, of which navigation coordinators hear (C5).
  case popByUser(UserPop)
  /// Gives a container these children in this order.
  case setViewControllers([ResponderID], of: ResponderID)
  /// Makes a child of a tab bar controller the one it shows.
  case select(ResponderID)
  /// Presents a view controller on another one.
  case present(ResponderID, from: ResponderID)
  /// Dismisses what a view controller presents, else the nearest one that is presented, itself or a
  /// container it is in; does nothing when there is none.
  case dismiss(ResponderID)
  /// Takes a view controller out of its container.
  case removeFromParent(ResponderID)
  /// Makes a split view controller show one column only; does nothing when it does already (A8).
  case collapse(ResponderID)
  /// Makes a split view controller show both columns again; does nothing when it does already (A8).
  case expand(ResponderID)
}

extension Session {
  mutating func change(
    by mutation: ViewControllerMutation, in catalog: Catalog, isExplaining: Bool,
    _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    switch mutation {
    case .push(let id, let container):
      Outcome(changes: try push(id, onto: container, in: catalog))
    case .pop(let container): Outcome(changes: try pop(container, in: catalog))
    case .popTo(let id):
      Outcome(changes: try pop(try stack(of: id, in: catalog), to: id, in: catalog))
    case .popToRoot(let container): Outcome(changes: try popToRoot(container, in: catalog))
    case .popByUser(let pop):
      try performing(in: catalog, isExplaining: isExplaining, effort) {
        (performer) throws(MutationFault) in
        try performer.perform(pop)
      }
    case .setViewControllers(let children, let container):
      Outcome(changes: try setViewControllers(children, of: container, in: catalog))
    case .select(let id): Outcome(changes: try select(id, in: catalog))
    case .present(let id, let presenter): Outcome(changes: try present(id, from: presenter))
    case .dismiss(let id): Outcome(changes: try dismiss(id))
    case .removeFromParent(let id): Outcome(changes: try removeFromParent(id, in: catalog))
    case .collapse(let id):
      try performing(in: catalog, isExplaining: isExplaining, effort) {
        (performer) throws(MutationFault) in
        try performer.collapse(id)
      }
    case .expand(let id):
      try performing(in: catalog, isExplaining: isExplaining, effort) {
        (performer) throws(MutationFault) in
        try performer.expand(id)
      }
    }
  }

  /// Changes the session by a performer, and answers what it did.
  mutating func performing(
    in catalog: Catalog, isExplaining: Bool, _ effort: Effort,
    _ act: (inout Performer) throws(MutationFault) -> Void
  ) throws(MutationFault) -> Outcome {
    var performer = Performer(after: inquiry(in: catalog, sender: nil, isExplaining, effort))
    try act(&performer)
    self = performer.session
    return Outcome(
      changes: performer.changes, events: performer.events, trace: performer.trace)
  }

  /// The navigation controller whose stack a view controller is in.
  func stack(
    of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> ResponderID {
    try checkViewController(id)
    guard let parent = graph[id]?.links[.parent],
      containerKind(of: parent, in: catalog) == .navigation
    else { throw .containment(.notInA(.navigation, id)) }
    return parent
  }
}
