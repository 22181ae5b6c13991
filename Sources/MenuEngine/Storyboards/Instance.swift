/// The notes of a session about a responder that it made itself, from a scene or of a class (V9);
/// it has none about those that a front end put, which are the front end's to remove.
struct Instance: Sendable, Codable {
  /// The view controller whose view it is, or is in; nil for a view controller.
  let owner: ResponderID?
  /// True if a container, a presenter, a window or a coordinator had it once; who never was kept is not
  /// dropped either.
  var wasKept = false

  /// One that nothing holds yet.
  init(owner: ResponderID?) { self.owner = owner }
}

extension Session {
  /// True if something holds a view controller: a container, a presenter, a window or one of those that
  /// coordinators keep (C4, C5).
  func isKept(_ id: ResponderID, _ coordinated: Set<ResponderID>) -> Bool {
    guard let responder = graph[id] else { return false }
    return responder.links[.parent] != nil || responder.links[.presentingViewController] != nil
      || graph.owners[.rootViewController]?[id] != nil || coordinated.contains(id)
  }

  /// The first instance that nothing holds any more, or whose view controller is gone.
  func dropped() -> ResponderID? {
    let coordinated = graph.coordinatedViewControllers
    return graph.responders.map(\.id).first { id in
      guard let instance = instances[id] else { return false }
      guard let owner = instance.owner else {
        return instance.wasKept && !isKept(id, coordinated)
      }
      return graph[owner] == nil
    }
  }

  /// The views that were made for a view controller, which may be gone.
  func views(of owner: ResponderID) -> [ResponderID] {
    graph.responders.map(\.id).filter { instances[$0]?.owner == owner }
  }

  /// Notes of each instance that something holds that it was held.
  mutating func noteKept() {
    let coordinated = graph.coordinatedViewControllers
    for (id, instance) in instances where !instance.wasKept && isKept(id, coordinated) {
      instances[id]?.wasKept = true
    }
  }
}
