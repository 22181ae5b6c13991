/// Changes the list of a navigation coordinator, beside the stack of its navigation controller
/// (C5).
extension Performer {
  /// The place that a view controller gets that a coordinator shows.
  enum ShownPlace {
    /// On top of the stack.
    case pushed
    /// That of all that there is.
    case root
    /// That of the last one.
    case top
  }

  /// Shows a view controller.
  mutating func show(
    _ shown: ResponderID, at place: ShownPlace, by id: ResponderID
  ) throws(MutationFault) {
    switch place {
    case .pushed: try show(shown, by: id)
    case .root: try setRoot(shown, of: id)
    case .top: try setTop(shown, of: id)
    }
  }

  /// Pushes a view controller; in the list it is the last one, wherever it was there.
  mutating func show(_ shown: ResponderID, by id: ResponderID) throws(MutationFault) {
    let container = try session.navigationController(of: id, in: catalog)
    note(try session.push(shown, onto: container, in: catalog))
    try setList(of: id, to: list(of: id).filter { $0 != shown } + [shown])
  }

  /// Makes a view controller the only one, on the stack and in the list.
  mutating func setRoot(_ shown: ResponderID, of id: ResponderID) throws(MutationFault) {
    let container = try session.navigationController(of: id, in: catalog)
    note(try session.setViewControllers([shown], of: container, in: catalog))
    try setList(of: id, to: [shown])
  }

  /// Puts a view controller in the place of the last one of the list, there and on the stack; one that
  /// is not on the stack has no place, and the new one is pushed.
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

  /// Takes what is after a view controller from the list, by default the last one, and with it from the
  /// stack all that is above it there.
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

  /// Takes view controllers from a stack, as far as they are on it.
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

  /// Gives a navigation coordinator this list.
  mutating func setList(
    of id: ResponderID, to list: [ResponderID]
  ) throws(MutationFault) {
    guard list != self.list(of: id) else { return }
    try session.graph.update(id) { (responder) throws(MutationFault) in
      responder.coordinating?.viewControllers = list
    }
    note([.viewControllers(id, list)])
  }
}

extension Session {
  /// The navigation controller of a navigation coordinator.
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
