extension ResponderGraph {
  /// A chain that leads back into itself, the first responder again at the end (R9).
  var chainCycle: [ResponderID]? { cycle(from: ids) { next(of: $0) } }

  /// A coordinating chain that leads back into itself, the first responder again at the end (R9).
  var coordinatingCycle: [ResponderID]? { cycle(from: ids) { coordinatingNext(of: $0) } }

  /// True if coordinators close a cycle. One of containers and explicit links alone may be there: it
  /// hinders nobody who sends no messages, and those it hinders are told by their trace.
  private func isClosedByCoordinators(_ cycle: [ResponderID]) -> Bool {
    cycle.contains { id in
      switch coordinatingStep(from: id) {
      case .to(_, by: .parentCoordinator), .to(_, by: .continuation): true
      case .to, .cut, .end: false
      }
    }
  }

  /// Refuses links that lead from one of `starts` back to it, by the kind of link where it is one
  /// (R9).
  func refuseCycles(from starts: [ResponderID]) throws(MutationFault) {
    for link in [
      ResponderLink.superview, .parent, .presentingViewController, .forwardingTarget, .proxied,
      .parentCoordinator,
    ] {
      if let cycle = cycle(from: starts, following: { self.link(link, of: $0) }) {
        throw .cycle(cycle, along: link)
      }
    }
    if let cycle = cycle(from: starts, following: forwardsTo) {
      throw .cycle(cycle, along: .forwardingTarget)
    }
    if let cycle = cycle(from: starts, following: { next(of: $0) }) {
      throw .cycle(cycle, along: .next)
    }
    let coordinating = cycle(
      from: starts, following: { coordinatingNext(of: $0) }, where: isClosedByCoordinators)
    if let coordinating { throw .coordinatingCycle(coordinating) }
  }

  /// The first cycle of a relation in which each responder has at most one successor: its members
  /// in order, the first one again at the end. By default every cycle counts.
  private func cycle(
    from starts: [ResponderID], following successor: (ResponderID) -> ResponderID?,
    where counts: ([ResponderID]) -> Bool = { _ in true }
  ) -> [ResponderID]? {
    var finished: Set<ResponderID> = []
    for start in starts where successor(start) != nil {
      var path: [ResponderID] = []
      var positions: [ResponderID: Int] = [:]
      var current: ResponderID? = start
      while let id = current, !finished.contains(id) {
        if let position = positions[id] {
          let cycle = Array(path[position...]) + [id]
          if counts(cycle) { return cycle }
          break
        }
        positions[id] = path.count
        path.append(id)
        current = successor(id)
      }
      finished.formUnion(path)
    }
    return nil
  }

  /// The responder that gets the messages that this one has no method for: of a proxy the responder
  /// that it stands for (L9), else the forwarding target (F4).
  private func forwardsTo(from id: ResponderID) -> ResponderID? {
    guard let position = positions[id] else { return nil }
    let isProxy = responders[position].proxy != nil
    return responders[position].links[isProxy ? .proxied : .forwardingTarget]
  }
}
