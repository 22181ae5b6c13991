/// Changes of a navigation coordinator's list, together with the stack of its navigation controller (C5).
extension Performer {
  /// The place of a view controller shown by a coordinator.
  enum ShownPlace {
    /// On top of the stack.
    case pushed
    /// In place of all others.
    case root
    /// In place of the last one.
    case top
  }

  mutating func show(
    _ shown: ResponderID, at place: ShownPlace, by id: ResponderID
  ) throws(MutationFault) {
    switch place {
    case .pushed: try show(shown, by: id)
    case .root: try setRoot(shown, of: id)
    case .top: try setTop(shown, of: id)
    }
  }

  /// Pushes a view controller; in the list it moves to the end.
  mutating func show(_ shown: ResponderID, by id: ResponderID) throws(MutationFault) {
    let container = try session.navigationController(of: id, in: catalog)
    note(try session.push(shown, onto: container, in: catalog))
    try setList(of: id, to: list(of: id).filter { $0 != shown } + [shown])
  }

  /// Makes a view controller the only one on the stack and in the list.
  mutating func setRoot(_ shown: ResponderID, of id: ResponderID) throws(MutationFault) {
    let container = try session.navigationController(of: id, in: catalog)
    note(try session.setViewControllers([shown], of: container, in: catalog))
    try setList(of: id, to: [shown])
  }

  /// Replaces the last view controller of the list, there and on the stack; if it is not on the stack, the new
  /// one is pushed.
  mutating func setTop(_ shown: ResponderID, of id: ResponderID) throws(MutationFault) {
    let container = try session.navigationController(of: id, in: catalog)
    let list = list(of: id)
    guard let last = list.last else { return try setRoot(shown, of: id) }
    guard last != shown else { return }
    var stack = session.graph[container]?.viewControllers ?? []
    if let index = stack.firstIndex(of: last) { stack[index] = shown } else { stack.append(shown) }
    note(try session.setViewControllers(stack, of: container, in: catalog))
    try setList(of: id, to: list.dropLast().filter { $0 != shown } + [shown])
  }

  /// Removes the view controllers after `destination` from the list, by default the last one, and pops them and
  /// everything above them from the stack.
  mutating func pop(_ id: ResponderID, backTo destination: ResponderID?) throws(MutationFault) {
    let container = try session.navigationController(of: id, in: catalog)
    if let destination { try session.checkViewController(destination) }
    let list = list(of: id)
    guard let destination = destination ?? list.dropLast().last,
      let index = list.firstIndex(of: destination), index < list.count - 1
    else { return }
    try setList(of: id, to: list[...index] + [])
    guard session.graph[container]?.viewControllers.contains(destination) == true else {
      return try takeFromStack(list[(index + 1)...] + [], of: container)
    }
    note(try session.pop(container, to: destination, in: catalog))
  }

  /// Removes view controllers from a stack, if they are on it.
  mutating func takeFromStack(
    _ list: [ResponderID], of container: ResponderID
  ) throws(MutationFault) {
    guard !list.isEmpty, session.containerKind(of: container, in: catalog) == .navigation else {
      return
    }
    let stack = session.graph[container]?.viewControllers ?? []
    let leaving = Set(list)
    note(
      try session.setViewControllers(
        stack.filter { !leaving.contains($0) }, of: container, in: catalog))
  }

  func list(of id: ResponderID) -> [ResponderID] {
    let list = session.graph[id]?.coordinating?.viewControllers ?? []
    effort.spend(list.count)
    return list
  }

  /// Sets the list of a navigation coordinator.
  mutating func setList(
    of id: ResponderID, to list: [ResponderID]
  ) throws(MutationFault) {
    guard list != self.list(of: id) else { return }
    try session.graph.update(id) { (responder) throws(MutationFault) in
      responder.content.coordinating?.viewControllers = list
    }
    note([.viewControllers(id, list)])
  }
}

extension Session {
  /// Returns the navigation controller of a navigation coordinator.
  func navigationController(
    of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> ResponderID {
    switch try coordinating(id).kind {
    case .coordinator: throw .coordination(.notANavigationCoordinator(id))
    case .navigation:
      let root = try root(of: id)
      try check(.navigation, root, in: catalog)
      return root
    }
  }
}

/// Going back by the user. Navigation coordinators are notified of it, but not of pops by code (C5).
extension Performer {
  /// Pops to a view controller, by default by one.
  mutating func pop(
    _ container: ResponderID, to destination: ResponderID?, by trigger: SegueRequest.Trigger
  ) throws(MutationFault) {
    switch trigger {
    case .user: try popByUser(container, to: destination)
    case .code: record(try session.pop(container, to: destination, in: catalog))
    }
  }

  /// Pops to a view controller, by default by one, and notifies the coordinators of the view controllers
  /// removed or shown.
  mutating func popByUser(
    _ container: ResponderID, to destination: ResponderID? = nil
  ) throws(MutationFault) {
    let popped = try session.pop(container, to: destination, in: catalog)
    guard !popped.isEmpty else { return }
    note(popped)
    try settleViews()
    guard let top = session.graph[container]?.viewControllers.last else { return }
    try finishCoordinators(of: container, backTo: top)
  }

  /// Notifies the owner of a navigation controller that the user went back to a view controller, if the owner lists
  /// it. Otherwise the owner has finished: its parent activates itself, and is treated in the same way.
  ///
  /// **Decision:** the parent is active when notified, so that view controllers shown by its method stay on top. If a
  /// method shows another view controller or changes the owner, no further coordinator is notified.
  private mutating func finishCoordinators(
    of container: ResponderID, backTo top: ResponderID
  ) throws(MutationFault) {
    while let id = session.navigationCoordinator(owning: container),
      session.graph[container]?.viewControllers.last == top
    {
      let list = list(of: id)
      if let index = list.lastIndex(of: top) {
        try setList(of: id, to: list[...index] + [])
        return try tell(.handlePopBack(id, to: top))
      }
      guard let parent = session.graph.link(.parentCoordinator, of: id) else {
        let stack = Set(session.graph[container]?.viewControllers ?? [])
        try setList(of: id, to: list.filter { stack.contains($0) })
        return try didFinish(id)
      }
      try stopChild(id)
      if session.graph.link(.coordinatedRoot, of: parent) != nil { try activate(parent) }
      try tell(.didFinish(id, to: parent))
      guard session.navigationCoordinator(owning: container) == parent else { return }
    }
  }

  /// Notifies view controllers of a cancelled swipe: the top was about to disappear and the one below to appear
  /// (V9); nothing else happens.
  mutating func cancelSwipe(in container: ResponderID) throws(MutationFault) {
    try session.check(.navigation, container, in: catalog)
    let stack = session.graph[container]?.viewControllers ?? []
    guard let top = stack.last, let below = stack.dropLast().last,
      session.visibleViewControllers(in: context, besides: hiddenWindow).contains(top)
    else { return }
    let stages: [(LifecycleStage, ResponderID)] = [
      (.viewWillDisappear, top), (.viewWillAppear, below), (.viewWillDisappear, below),
      (.viewDidDisappear, below), (.viewWillAppear, top), (.viewDidAppear, top),
    ]
    for (stage, id) in stages where session.hearsOfItself(id) {
      if id == below { try loadView(of: below) }
      try tell(stage, of: id)
    }
  }
}

extension Session {
  /// Returns the navigation coordinator that owns a navigation controller.
  func navigationCoordinator(owning container: ResponderID) -> ResponderID? {
    guard let owner = graph.link(.parentCoordinator, of: container),
      let coordinating = graph[owner]?.coordinating
    else { return nil }
    switch coordinating.kind {
    case .coordinator: return nil
    case .navigation: return owner
    }
  }

  /// Returns the navigation controller whose stack contains a view controller.
  func stack(
    of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> ResponderID {
    try checkViewController(id)
    guard let parent = graph.link(.parent, of: id),
      containerKind(of: parent, in: catalog) == .navigation
    else { throw .containment(.notInA(.navigation, id)) }
    return parent
  }
}
