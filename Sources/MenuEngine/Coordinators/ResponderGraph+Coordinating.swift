/// The coordinating chain: the way of messages up through containers and coordinators (C1).
extension ResponderGraph {
  /// Whom a message goes to after a responder, or nil at the end of its chain.
  ///
  /// **Decision:** a view controller or a coordinator that has none of the links of its own goes on as
  /// any responder does, to its `next`; so the root of a window goes on to the window, which in UIKit
  /// is the superview of its view.
  public func coordinatingNext(of id: ResponderID) -> ResponderID? {
    guard let responder = self[id] else { return nil }
    switch responder.coordinatingStep(in: self) {
    case .to(let next): return next
    case .end: return nil
    case .asAnyResponder: return next(of: id)
    }
  }

  /// The coordinating chain that begins at `start`, itself included, and the part of it that leads
  /// back into itself, the first one again at the end; nil when it ends, as it should (R9).
  public func coordinatingChain(
    from start: ResponderID
  ) -> (members: [ResponderID], cycle: [ResponderID]?) {
    var members: [ResponderID] = []
    var positions: [ResponderID: Int] = [:]
    var current = self[start]?.id
    while let id = current {
      if let position = positions[id] { return (members, Array(members[position...]) + [id]) }
      positions[id] = members.count
      members.append(id)
      current = coordinatingNext(of: id)
    }
    return (members, nil)
  }
}

/// Where the coordinating chain goes on after a responder.
private enum CoordinatingStep {
  case to(ResponderID)
  /// Nowhere, since what it belongs to is no responder (C3).
  case end
  case asAnyResponder
}

extension Responder {
  /// Where the chain goes on: from a view controller to its coordinator, else its container, else its
  /// presenter, else what its view is in; from a coordinator to its parent, else its continuation. One
  /// that is no responder is not left out: what is behind it is not reached either.
  fileprivate func coordinatingStep(in graph: ResponderGraph) -> CoordinatingStep {
    let owner = links[.parentCoordinator] ?? links[.continuation]
    if let owner = owner.flatMap({ graph[$0] }) {
      return owner.coordinating?.isResponder == false ? .end : .to(owner.id)
    }
    let others: [ResponderID?] =
      switch kind {
      case .viewController:
        [
          links[.parent], links[.presentingViewController],
          links[.view].flatMap { graph[$0]?.links[.superview] },
        ]
      case .application, .delegate, .scene, .window, .view, .responder: []
      }
    return others.lazy.compactMap(\.self).first.map(CoordinatingStep.to) ?? .asAnyResponder
  }
}
