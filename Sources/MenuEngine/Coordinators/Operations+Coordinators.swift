/// Operations on coordinators (C4, C5).
extension Operations {
  static let ofCoordinators: [any AnyOperation] = [
    startCoordinator, startChildCoordinator, stopChildCoordinator, stopCoordinator,
    activateCoordinator, takeoverCoordinator, coordinatorDidFinish, coordinatorShow,
    coordinatorRoot, coordinatorTop, coordinatorPop,
  ]

  static let startCoordinator = tell(
    "startCoordinator",
    about:
      "Makes a coordinator own its root view controller, and starts it (C4)."
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.start(id) }

  static let startChildCoordinator = Operation(
    "startChildCoordinator", needs: .declare,
    about:
      "Makes a coordinator a child, replacing one with the same identifier, and starts it (C4).",
    Member("coordinator", .responder, about: "The child."),
    Member(receiver: "parentCoordinator", about: "The parent."), traits: .changesScreen
  ) { (performer: inout Performer, id, parent) throws(MutationFault) in
    try performer.countEffect()
    try performer.startChild(id, of: parent)
  }

  static let stopChildCoordinator = Operation(
    "stopChildCoordinator", needs: .declare,
    about: "Removes a coordinator from its parent, and stops it (C4).",
    Member("coordinator", .responder, about: "The child."), traits: .changesScreen
  ) { (performer: inout Performer, id) throws(MutationFault) in
    try performer.countEffect()
    try performer.stopChild(id)
  }

  static let stopCoordinator = tell(
    "stopCoordinator",
    about:
      "Takes a coordinator's root view controller from its owner, whose pages leave the stack (C4)."
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.stop(id) }

  static let activateCoordinator = tell(
    "activateCoordinator",
    about: "Makes a coordinator own its root view controller again (C4)."
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.activate(id) }

  static let takeoverCoordinator = tell(
    "takeoverCoordinator",
    about: "Activates a coordinator, and sets the stack to its view controllers (C4)."
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.takeover(id) }

  static let coordinatorDidFinish = tell(
    "coordinatorDidFinish",
    about: "Finishes a coordinator: its parent stops it (C4)."
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.didFinish(id) }

  static let coordinatorShow = show(
    .pushed, "coordinatorShow",
    about: "Pushes a view controller, and appends it to the coordinator's list (C5).")

  static let coordinatorRoot = show(
    .root, "coordinatorRoot",
    about:
      "Replaces stack and coordinator's list by one view controller (C5).")

  static let coordinatorTop = show(
    .top, "coordinatorTop",
    about: "Replaces the last view controller of the coordinator's list (C5).")

  static let coordinatorPop = Operation(
    "coordinatorPop", needs: .declare,
    about: "Pops the last of the coordinator's list, or those after another one (C5).",
    coordinator,
    Member(
      optional: "to", .responder,
      about: "The view controller to pop to. The default is the last but one."),
    traits: .changesScreen
  ) { (performer: inout Performer, id, destination) throws(MutationFault) in
    try performer.countEffect()
    try performer.pop(id, backTo: destination)
  }

  private static let coordinator = Member(receiver: "coordinator", about: "The coordinator.")

  private static func tell(
    _ name: String, about: String,
    perform: @escaping Operation<ResponderID>.Action
  ) -> Operation<ResponderID> {
    Operation(
      name, needs: .declare, about: about, coordinator, traits: .changesScreen
    ) { (performer: inout Performer, id) throws(MutationFault) in
      try performer.countEffect()
      try perform(&performer, id)
    }
  }

  private static func show(
    _ place: Performer.ShownPlace, _ name: String, about: String
  ) -> Operation<ResponderID, ResponderID> {
    Operation(
      name, needs: .declare, about: about, coordinator,
      Member("viewController", .responder, about: "The view controller."),
      traits: .changesScreen
    ) { (performer: inout Performer, id, shown) throws(MutationFault) in
      try performer.countEffect()
      try performer.show(shown, at: place, by: id)
    }
  }
}

/// Starting and stopping coordinators (C4).
extension Performer {
  /// Makes a coordinator the owner of its root view controller; `didStart` is sent only if it was not started.
  mutating func start(_ id: ResponderID) throws(MutationFault) {
    try setParent(of: session.root(of: id), to: id)
    if try setStarted(id, to: true) { try tell(.didStart(id)) }
  }

  /// Links a child to its parent, then starts it.
  ///
  /// An existing child with the same identifier is replaced, not stopped: it keeps working and keeps its link
  /// to the parent.
  mutating func startChild(
    _ id: ResponderID, of parent: ResponderID
  ) throws(MutationFault) {
    let identifier = try session.coordinating(id).identifier
    _ = try session.coordinating(parent)
    effort.spend(session.graph.holders[parent]?.count ?? 0)
    let replaced = session.graph.childCoordinator(of: parent, called: identifier, besides: id)
    if let replaced { try setReplaced(replaced, under: parent) }
    try setParent(of: id, to: parent)
    try setReplaced(id, under: nil)
    try start(id)
  }

  /// Removes a child from its parent, then stops it.
  ///
  /// **Decision:** stopping a replaced child does not affect its successor, so that its finishing cannot stop
  /// the successor. It does not become a child again when the successor is stopped.
  mutating func stopChild(_ id: ResponderID) throws(MutationFault) {
    _ = try session.coordinating(id)
    guard session.graph.link(.parentCoordinator, of: id) != nil else {
      throw .coordination(.noParent(id))
    }
    try setParent(of: id, to: nil)
    try setReplaced(id, under: nil)
    try stop(id)
  }

  /// Takes the root view controller from its present owner, which can `activate` itself.
  ///
  /// **Decision:** a navigation coordinator's view controllers leave the stack and the list. Its children stay; the
  /// handler that started them stops them.
  mutating func stop(_ id: ResponderID) throws(MutationFault) {
    let list = try session.coordinating(id).viewControllers
    try setList(of: id, to: [])
    if let root = session.graph.link(.coordinatedRoot, of: id) {
      try setParent(of: root, to: nil)
      try takeFromStack(list, of: root)
    }
    if try setStarted(id, to: false) { try tell(.didStop(id)) }
  }

  /// Makes a coordinator the owner of its root view controller without starting it.
  mutating func activate(_ id: ResponderID) throws(MutationFault) {
    try setParent(of: session.root(of: id), to: id)
    try tell(.didActivate(id))
  }

  /// Activates a coordinator and makes its list, if any, the stack.
  mutating func takeover(_ id: ResponderID) throws(MutationFault) {
    let coordinating = try session.coordinating(id)
    switch coordinating.kind {
    case .coordinator: break
    case .navigation:
      let container = try session.navigationController(of: id, in: catalog)
      note(
        try session.setViewControllers(
          coordinating.viewControllers, of: container, in: catalog))
    }
    try activate(id)
  }

  /// Stops a coordinator and notifies its parent.
  ///
  /// **Decision:** a coordinator without parent stays started, and its continuation is notified.
  mutating func didFinish(_ id: ResponderID) throws(MutationFault) {
    _ = try session.coordinating(id)
    let links = session.graph[id]?.links
    guard let parent = links?[.parentCoordinator] else {
      return try tell(.didFinish(id, to: links?[.continuation]))
    }
    try stopChild(id)
    try tell(.didFinish(id, to: parent))
  }
}

extension Performer {
  /// Sets the parent of a coordinator, or the owner of a view controller.
  private mutating func setParent(
    of id: ResponderID, to parent: ResponderID?
  ) throws(MutationFault) {
    guard session.graph.link(.parentCoordinator, of: id) != parent else { return }
    try session.graph.setLink(.parentCoordinator, of: id, to: parent)
    // The whole chain was checked for cycles.
    effort.spend(Effort.chain * session.graph.coordinatingChain(from: id).members.count)
    changes.append(.link(id, .parentCoordinator, parent))
  }

  /// Sets the parent under which another child replaced a coordinator.
  private mutating func setReplaced(
    _ id: ResponderID, under parent: ResponderID?
  ) throws(MutationFault) {
    guard try session.coordinating(id).replacedUnder != parent else { return }
    try session.graph.update(id) { (responder) throws(MutationFault) in
      responder.content.coordinating?.replacedUnder = parent
    }
    if let responder = session.graph[id] { changes.append(.responder(responder)) }
  }

  /// Sets `isStarted`; returns true if it changed.
  private mutating func setStarted(
    _ id: ResponderID, to isStarted: Bool
  ) throws(MutationFault) -> Bool {
    guard try session.coordinating(id).isStarted != isStarted else { return false }
    try session.graph.update(id) { (responder) throws(MutationFault) in
      responder.content.coordinating?.isStarted = isStarted
    }
    changes.append(.isStarted(id, isStarted))
    return true
  }
}

extension Session {
  /// Returns the coordinator part of a responder.
  func coordinating(_ id: ResponderID) throws(MutationFault) -> Coordinating {
    guard let responder = graph[id] else { throw .unknownResponder(id) }
    guard let coordinating = responder.coordinating else {
      throw .coordination(.notACoordinator(id))
    }
    return coordinating
  }

  /// Returns the root view controller of a coordinator.
  func root(of id: ResponderID) throws(MutationFault) -> ResponderID {
    _ = try coordinating(id)
    guard let root = graph.link(.coordinatedRoot, of: id) else {
      throw .coordination(.noRoot(id))
    }
    return root
  }
}
