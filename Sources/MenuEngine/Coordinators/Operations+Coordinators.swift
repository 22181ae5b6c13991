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
    "startChildCoordinator",
    about:
      "Makes a coordinator a child, replacing one with the same identifier, and starts it (C4).",
    Member("coordinator", .responder, about: "The child."),
    Member(receiver: "parentCoordinator", about: "The parent."), traits: .changesScreen
  ) { (performer: inout Performer, id, parent) throws(MutationFault) in
    try performer.countEffect()
    try performer.startChild(id, of: parent)
  }

  static let stopChildCoordinator = Operation(
    "stopChildCoordinator", about: "Removes a coordinator from its parent, and stops it (C4).",
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
    "coordinatorPop",
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
      name, about: about, coordinator, traits: .changesScreen
    ) { (performer: inout Performer, id) throws(MutationFault) in
      try performer.countEffect()
      try perform(&performer, id)
    }
  }

  private static func show(
    _ place: Performer.ShownPlace, _ name: String, about: String
  ) -> Operation<ResponderID, ResponderID> {
    Operation(
      name, about: about, coordinator,
      Member("viewController", .responder, about: "The view controller."),
      traits: .changesScreen
    ) { (performer: inout Performer, id, shown) throws(MutationFault) in
      try performer.countEffect()
      try performer.show(shown, at: place, by: id)
    }
  }
}

extension Mutation {
  /// Makes a coordinator the owner of its root view controller, and starts it unless it is started.
  public static func start(_ id: ResponderID) -> Mutation {
    Mutation(Operations.startCoordinator, id)
  }

  /// Makes a coordinator the child of another one, in place of one with the same identifier, and starts
  /// it.
  public static func startChild(_ id: ResponderID, of parent: ResponderID) -> Mutation {
    Mutation(Operations.startChildCoordinator, id, parent)
  }

  /// Takes a coordinator from its parent, and stops it.
  public static func stopChild(_ id: ResponderID) -> Mutation {
    Mutation(Operations.stopChildCoordinator, id)
  }

  /// Takes the root view controller of a coordinator from its present owner.
  public static func stop(_ id: ResponderID) -> Mutation {
    Mutation(Operations.stopCoordinator, id)
  }

  /// Makes a coordinator the owner of its root view controller again.
  public static func activate(_ id: ResponderID) -> Mutation {
    Mutation(Operations.activateCoordinator, id)
  }

  /// Activates a coordinator, and makes its view controllers the whole stack.
  public static func takeover(_ id: ResponderID) -> Mutation {
    Mutation(Operations.takeoverCoordinator, id)
  }

  /// Says that a coordinator has done what it is for: its parent stops it.
  public static func didFinish(_ id: ResponderID) -> Mutation {
    Mutation(Operations.coordinatorDidFinish, id)
  }

  /// Pushes a view controller, which becomes the last one of the coordinator's list.
  public static func show(_ shown: ResponderID, by id: ResponderID) -> Mutation {
    Mutation(Operations.coordinatorShow, id, shown)
  }

  /// Makes a view controller all that there is, on the stack and in the coordinator's list.
  public static func root(_ shown: ResponderID, of id: ResponderID) -> Mutation {
    Mutation(Operations.coordinatorRoot, id, shown)
  }

  /// Puts a view controller in the place of the last one of the coordinator's list.
  public static func top(_ shown: ResponderID, of id: ResponderID) -> Mutation {
    Mutation(Operations.coordinatorTop, id, shown)
  }

  /// Pops the last one of the coordinator's list, unless it is the only one; or those after another one.
  public static func pop(_ id: ResponderID, to destination: ResponderID?) -> Mutation {
    Mutation(Operations.coordinatorPop, id, destination)
  }
}
