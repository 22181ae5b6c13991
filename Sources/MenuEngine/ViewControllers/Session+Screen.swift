/// Follows views and focus when containers change.
extension Session {
  /// Makes a change of these containers, brings the views of their children on screen and off it, and
  /// takes focus from what left it (R8); answers what changed.
  ///
  /// A child that comes on screen has its root view in the container's root view, if both have one; of
  /// one that leaves, it is in none.
  mutating func rearranging(
    _ containers: [ResponderID], in catalog: Catalog,
    _ change: (inout Session) throws(MutationFault) -> Void
  ) throws(MutationFault) -> [Outcome.Change] {
    var containers = containers
    var met: Set<ResponderID> = []
    containers.removeAll { !met.insert($0).inserted }
    let before = self
    try change(&self)
    var changes: [Outcome.Change] = []
    for container in containers {
      changes += listChanges(of: container, since: before)
    }
    changes += try moveViews(of: containers, since: before, in: catalog)
    return changes + resignIfHidden(since: before, in: catalog)
  }

  /// Takes the view of a view controller that is deleted off the screen, however it got there, and
  /// brings the views of those on screen that it covered.
  mutating func uncover(
    _ view: ResponderID?, _ container: ResponderID?, since before: Session, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    var changes: [Outcome.Change] = []
    if let view, graph[view]?.links[.superview] != nil {
      try graph.setLink(.superview, of: view, to: nil)
      changes.append(.superview(view, nil))
    }
    let containers = [container].compactMap(\.self).filter { graph[$0] != nil }
    changes += try moveViews(of: containers, since: before, in: catalog)
    return changes + resignIfHidden(since: before, in: catalog)
  }

  private func listChanges(of id: ResponderID, since before: Session) -> [Outcome.Change] {
    guard let old = before.graph[id], let new = graph[id] else { return [] }
    var changes: [Outcome.Change] = []
    if new.viewControllers != old.viewControllers {
      changes.append(.viewControllers(id, new.viewControllers))
    }
    if new.links[.selectedViewController] != old.links[.selectedViewController] {
      changes.append(
        .selectedViewController(id, graph.selectedViewController(of: id)))
    }
    if new.isCollapsed != old.isCollapsed { changes.append(.isCollapsed(id, new.isCollapsed)) }
    return changes
  }

  private mutating func moveViews(
    of containers: [ResponderID], since before: Session, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    let old = before.displayed(by: containers, in: catalog)
    let new = displayed(by: containers, in: catalog)
    var changes: [Outcome.Change] = []
    for (child, _) in old where !new.contains(where: { $0.child == child }) {
      changes += try move(viewOf: child, to: nil)
    }
    for (child, container) in new
    where !old.contains(where: { $0 == (child, container) }) {
      let view = graph[container]?.links[.view]
      let isMoved = old.contains { $0.child == child }
      if view != nil || isMoved { changes += try move(viewOf: child, to: view) }
    }
    return changes
  }

  /// Takes the views of the children off the screen that a container displays no more since its list was
  /// replaced, and puts those of the others into its own, unless they are in another one already.
  mutating func showChildren(
    of container: ResponderID, since before: Session, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    let (old, new) = (
      before.displayed(by: container, in: catalog), displayed(by: container, in: catalog)
    )
    var changes: [Outcome.Change] = []
    for child in old where !new.contains(child) { changes += try move(viewOf: child, to: nil) }
    for child in new where !old.contains(child) {
      guard let superview = graph[container]?.links[.view], let view = graph[child]?.links[.view],
        graph[view]?.links[.superview] == nil
      else { continue }
      changes += try move(viewOf: child, to: superview)
    }
    return changes
  }

  private func displayed(
    by containers: [ResponderID], in catalog: Catalog
  ) -> [(child: ResponderID, container: ResponderID)] {
    containers.flatMap { container in
      displayed(by: container, in: catalog).map { ($0, container) }
    }
  }

  private mutating func move(
    viewOf id: ResponderID, to superview: ResponderID?
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let view = graph[id]?.links[.view], graph[view]?.links[.superview] != superview else {
      return []
    }
    try graph.setLink(.superview, of: view, to: superview)
    return [.superview(view, superview)]
  }
}

extension Session {
  /// Returns the changes of other containers after a responder was put or removed: of those that
  /// it, or a child that it lists, was in or is in now.
  func containerChanges(
    around responder: Responder, since before: ResponderGraph
  ) -> [Outcome.Change] {
    let members = [responder.id] + responder.viewControllers
    let parents = members.flatMap { member in
      [before, graph].compactMap { $0[member]?.links[.parent] }
    }
    var met: Set<ResponderID> = [responder.id]
    return parents.compactMap { container in
      guard met.insert(container).inserted, let old = before[container],
        let new = graph[container], new.viewControllers != old.viewControllers
      else { return nil }
      return .viewControllers(container, new.viewControllers)
    }
  }
}
