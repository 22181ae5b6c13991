import JSONText

/// The operations on containers (V4). Each checks everything first, and answers what changed.
extension Session {
  /// Puts a view controller on top of a navigation controller's stack.
  mutating func push(
    _ id: ResponderID, onto navigationController: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try check(.navigation, navigationController, in: catalog)
    let stack = graph[navigationController]?.viewControllers ?? []
    guard !stack.contains(id) else {
      throw .containment(.repeated(id, in: navigationController))
    }
    return try setViewControllers(stack + [id], of: navigationController, in: catalog)
  }

  /// Takes what is above a view controller from a navigation controller's stack, by default the top;
  /// the bottom stays in any case.
  mutating func pop(
    _ navigationController: ResponderID, to id: ResponderID? = nil, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try check(.navigation, navigationController, in: catalog)
    let stack = graph[navigationController]?.viewControllers ?? []
    guard let id else {
      guard stack.count > 1 else { return [] }
      return try setViewControllers(
        stack.dropLast() + [], of: navigationController, in: catalog)
    }
    guard let index = stack.firstIndex(of: id) else {
      throw .containment(.notAChild(id, of: navigationController))
    }
    return try setViewControllers(stack[...index] + [], of: navigationController, in: catalog)
  }

  /// Takes everything but the bottom from a navigation controller's stack.
  mutating func popToRoot(
    _ navigationController: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try check(.navigation, navigationController, in: catalog)
    guard let root = graph[navigationController]?.viewControllers.first else { return [] }
    return try pop(navigationController, to: root, in: catalog)
  }

  /// Gives a container these children in this order.
  mutating func setViewControllers(
    _ children: [ResponderID], of container: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    let kind = try checkViewController(container)
    let present = graph[container]?.viewControllers ?? []
    let those = Set(present)
    var met: Set<ResponderID> = []
    for child in children {
      guard met.insert(child).inserted else {
        throw .containment(.repeated(child, in: container))
      }
      if !those.contains(child) { try checkCandidate(child, in: container) }
    }
    if catalog.classes.containerKind(of: kind) == .split, children.count > 2 {
      throw .containment(.tooManyColumns(container, children.count))
    }
    guard children != present else { return [] }
    let parents = children.compactMap { graph[$0]?.links[.parent] }
    return try rearranging([container] + parents, in: catalog) { (session) throws(MutationFault) in
      try session.graph.setViewControllers(children, of: container)
    }
  }

  /// Makes a child of a tab bar controller the one it shows.
  mutating func select(
    _ id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkViewController(id)
    guard let container = graph.link(.parent, of: id),
      containerKind(of: container, in: catalog) == .tabBar
    else { throw .containment(.notInA(.tabBar, id)) }
    guard graph.selectedViewController(of: container) != id else { return [] }
    return try rearranging([container], in: catalog) { (session) throws(MutationFault) in
      try session.graph.setLink(.selectedViewController, of: container, to: id)
    }
  }

  /// Takes a child out of its container; one that is in none stays where it is.
  mutating func removeFromParent(
    _ id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkViewController(id)
    guard let container = graph.link(.parent, of: id), let parent = graph[container] else {
      return []
    }
    return try setViewControllers(
      parent.viewControllers.filter { $0 != id }, of: container, in: catalog)
  }
}

extension Session {
  /// The class of a responder, which must be a view controller.
  @discardableResult
  func checkViewController(_ id: ResponderID) throws(MutationFault) -> ClassName {
    guard let responder = graph[id] else { throw .unknownResponder(id) }
    guard responder.kind == .viewController else {
      throw .containment(.notAViewController(id, responder.kind))
    }
    return responder.className
  }

  /// Refuses what is no container of a kind.
  func check(
    _ kind: ContainerKind, _ id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) {
    let name = try checkViewController(id)
    guard catalog.classes.containerKind(of: name) == kind else {
      throw .containment(.notA(kind, id, name))
    }
  }

  /// Refuses what cannot become a child of a container: what is on screen in another way, and the
  /// container itself and those it is in (R9).
  private func checkCandidate(
    _ id: ResponderID, in container: ResponderID
  ) throws(MutationFault) {
    try checkViewController(id)
    try checkUnbound(id)
    try checkAncestry(of: container, below: id, along: .parent)
  }

  /// Refuses a split view controller with more than two columns: a responder in its place, or the
  /// container that it joined (A6).
  func checkColumns(around id: ResponderID, in catalog: Catalog) throws(MutationFault) {
    for container in [id, graph.link(.parent, of: id)].compactMap({ $0 }) {
      guard let position = graph.position(of: container) else { continue }
      let count = graph.responders[position].viewControllers.count
      guard count > 2, containerKind(of: container, in: catalog) == .split else { continue }
      throw .containment(.tooManyColumns(container, count))
    }
  }

  /// Refuses to collapse or expand a split view controller by a document in its place (A8).
  func checkCollapsed(
    _ responder: Responder, since before: ResponderGraph, in catalog: Catalog
  ) throws(MutationFault) {
    let id = responder.id
    guard let old = before[id], old.isCollapsed != responder.isCollapsed,
      containerKind(of: id, in: catalog) == .split
    else { return }
    throw .containment(.changesCollapsed(id, to: responder.isCollapsed))
  }

  /// Refuses a view controller that is presented or the root of a window.
  func checkUnbound(_ id: ResponderID) throws(MutationFault) {
    if let presenter = graph.link(.presentingViewController, of: id) {
      throw .containment(.isPresented(id, by: presenter))
    }
    if let window = graph.owners[.rootViewController]?[id] {
      throw .containment(.isRoot(id, of: window))
    }
  }

  /// Refuses a link from `ancestor` to `start` when the way up from `start`, by containers and
  /// presenters, leads to `ancestor` (R9).
  func checkAncestry(
    of start: ResponderID, below ancestor: ResponderID, along link: ResponderLink
  ) throws(MutationFault) {
    var path: [ResponderID] = []
    var current = graph[start]
    while let here = current, path.count <= graph.count {
      path.append(here.id)
      if here.id == ancestor { throw .cycle([ancestor] + path, along: link) }
      current = (here.links[.parent] ?? here.links[.presentingViewController])
        .flatMap { graph[$0] }
    }
  }
}
