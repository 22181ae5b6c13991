/// The coordinating chain: the way of messages up through containers and coordinators (C1).
extension ResponderGraph {
  /// Returns the next one to get a message after a responder, or nil at the end of its chain.
  public func coordinatingNext(of id: ResponderID) -> ResponderID? {
    coordinatingStep(from: id).next
  }

  /// The coordinating chain that begins at `start`, itself included, and the part of it that leads
  /// back into itself, the first one again at the end; nil when it ends, as it should (R9).
  ///
  /// Links of coordinators that would close a cycle are refused; others can, as an explicit `next` of
  /// what a container contains.
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

  /// Returns the next step of the coordinating chain after a responder.
  ///
  /// From a view controller to its coordinator, else its container, else its presenter, else what its
  /// view is in; from a coordinator to its parent, else its continuation; from others to the next one.
  /// An owner that is no responder is not left out: what is behind it is not reached either (C3).
  ///
  /// **Decision:** a view controller or a coordinator that has none of the links of its own goes on as
  /// any responder does, to its `next`; so the root of a window goes on to the window, which in UIKit
  /// is the superview of its view.
  func coordinatingStep(from id: ResponderID) -> CoordinatingStep {
    positions[id].map { coordinatingStep(from: $0) } ?? .end
  }

  /// The same for the responder at a position.
  func coordinatingStep(from position: Int) -> CoordinatingStep {
    let links = responders[position].links
    for link in [ResponderLink.parentCoordinator, .continuation] {
      guard let owner = links[link], let position = positions[owner] else { continue }
      let isResponder = responders[position].coordinating?.isResponder ?? true
      return isResponder ? .to(owner, by: link) : .cut(owner, by: link)
    }
    if responders[position].kind == .viewController {
      for link in [ResponderLink.parent, .presentingViewController] {
        if let container = links[link] { return .to(container, by: link) }
      }
      if let superview = links[.view].flatMap({ self.link(.superview, of: $0) }) {
        return .to(superview, by: .superview)
      }
    }
    return nextPositions[position].map { .to(responders[$0].id, by: .next) } ?? .end
  }
}

/// A step of the coordinating chain.
enum CoordinatingStep: Equatable {
  /// To another one, by a link that it has, or for `superview` its view.
  case to(ResponderID, by: ResponderLink)
  /// Nowhere, since what it belongs to, or goes on to, is no responder (C3).
  case cut(ResponderID, by: ResponderLink)
  /// Nowhere, since there is nobody.
  case end

  /// The next one.
  var next: ResponderID? {
    switch self {
    case .to(let id, by: _): id
    case .cut, .end: nil
    }
  }
}
