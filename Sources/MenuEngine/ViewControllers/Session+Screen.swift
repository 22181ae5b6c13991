/// The views of view controllers when containers change.
extension Session {
  /// Changes containers and updates which views of their children are on screen. Returns the changes.
  ///
  /// A child that appears has its root view in the container's root view, if both have one; that of a child
  /// that disappears has no superview.
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
    return changes + (try moveViews(of: containers, since: before, in: catalog))
  }

  /// Removes the view of a deleted view controller from the screen, and adds the views that it covered.
  mutating func uncover(
    _ view: ResponderID?, _ container: ResponderID?, since before: Session, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    var changes: [Outcome.Change] = []
    if let view, graph.link(.superview, of: view) != nil {
      try graph.setLink(.superview, of: view, to: nil)
      changes.append(.superview(view, nil))
    }
    let containers = [container].compactMap { $0 }
    return changes + (try moveViews(of: containers, since: before, in: catalog))
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

  /// Removes the views of children that containers no longer display, and adds those of the others to the
  /// container's view.
  mutating func moveViews(
    of containers: [ResponderID], since before: Session, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    let old = before.displayed(by: containers, in: catalog)
    let new = displayed(by: containers, in: catalog)
    let (former, present) = (Dictionary(pairs: old), Dictionary(pairs: new))
    var changes: [Outcome.Change] = []
    for (child, _) in old where present[child] == nil {
      changes += try move(viewOf: child, to: nil)
    }
    for (child, container) in new where former[child] != container {
      let view = graph.link(.view, of: container)
      if view != nil || former[child] != nil { changes += try move(viewOf: child, to: view) }
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
    guard let view = graph.link(.view, of: id), graph.link(.superview, of: view) != superview else {
      return []
    }
    try graph.setLink(.superview, of: view, to: superview)
    return [.superview(view, superview)]
  }
}

extension [ResponderID: ResponderID] {
  /// Creates a dictionary of containers by displayed child; no child has two.
  fileprivate init(pairs: [(child: ResponderID, container: ResponderID)]) {
    self.init(pairs.map { ($0.child, $0.container) }) { first, _ in first }
  }
}

extension Session {
  /// Returns the changes of other containers after a responder was put or removed: those that it or its listed
  /// children left or joined.
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

/// Presenting and dismissing view controllers (V4).
extension Session {
  /// Presents a view controller on another one.
  ///
  /// **Decision:** presenting does not cover the presenter: focus stays, unless it is in the presented view
  /// controller and the presenter has no window (R8).
  mutating func present(
    _ id: ResponderID, from presenter: ResponderID
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkViewController(id)
    try checkViewController(presenter)
    try checkAncestry(of: presenter, below: id, along: .presentingViewController)
    try checkUnbound(id)
    if let parent = graph.link(.parent, of: id) { throw .presentation(.isChild(id, of: parent)) }
    if let presented = graph.presentedViewController(of: presenter) {
      throw .presentation(.isPresenting(presenter, presented))
    }
    try graph.setLink(.presentingViewController, of: id, to: presenter)
    return [.presented(id, by: presenter)]
  }

  /// Dismisses the view controller that a view controller presents, with everything presented from there; if it
  /// presents none, the nearest presented view controller, itself or a container around it. Has no effect if there is
  /// none.
  mutating func dismiss(_ id: ResponderID) throws(MutationFault) -> [Outcome.Change] {
    try checkViewController(id)
    let presented =
      graph.presentedViewController(of: id)
      ?? graph.containers(from: id).first {
        graph[$0]?.links[.presentingViewController] != nil
      }
    guard let presented else { return [] }
    var changes: [Outcome.Change] = []
    for member in graph.presentations(from: presented).reversed() {
      guard let presenter = graph.link(.presentingViewController, of: member) else { continue }
      try graph.setLink(.presentingViewController, of: member, to: nil)
      changes.append(.dismissed(member, by: presenter))
    }
    return changes
  }
}

extension ResponderGraph {
  /// Returns a presented view controller with everything presented from inside it, presenters first.
  func presentations(from id: ResponderID) -> [ResponderID] {
    var presentations = [id]
    var waiting = [id]
    var met: Set<ResponderID> = [id]
    while let here = waiting.popLast() {
      let presented = presentedViewController(of: here)
      let children = self[here]?.viewControllers ?? []
      for next in children + [presented].compactMap({ $0 }) where met.insert(next).inserted {
        waiting.append(next)
        if next == presented { presentations.append(next) }
      }
    }
    return presentations
  }
}
