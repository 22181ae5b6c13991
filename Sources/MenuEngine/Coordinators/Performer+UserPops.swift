/// Going back by the user. Navigation coordinators are told of it, but not of pops by code (C5).
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

  /// Pops to a view controller, by default by one, and tells the coordinators whose view controllers
  /// are there or were there.
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

  /// Tells the owner of a navigation controller that the user went back to a view controller, when that
  /// is one of its own; else it has finished, its parent activates itself, and the same is asked of the
  /// parent.
  ///
  /// **Decision:** the parent is active when it is told, so that what its method starts stays on
  /// top. If a method shows another view controller, or changes the owner, no further coordinator
  /// is told.
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

  /// Tells view controllers that the top was about to go and the one below it to come, and that they did not
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
  /// The navigation coordinator that owns a navigation controller.
  func navigationCoordinator(owning container: ResponderID) -> ResponderID? {
    guard let owner = graph.link(.parentCoordinator, of: container),
      let coordinating = graph[owner]?.coordinating
    else { return nil }
    switch coordinating.kind {
    case .coordinator: return nil
    case .navigation: return owner
    }
  }

  /// The navigation controller whose stack a view controller is in.
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
