/// What a session notes of a responder that it made itself, from a scene or of a class (V9); of those
/// that a front end put it notes nothing, and they are the front end's to remove.
struct Instance: Sendable, Codable {
  /// The view controller whose view it is, or is in; nil for a view controller.
  let owner: ResponderID?
  /// Whether its view was made.
  var isViewLoaded = false
  /// Whether it is on screen, as it was told last.
  var isVisible = false
  /// Whether a container, a presenter, a window or a coordinator had it once; who never was kept is not
  /// dropped either.
  var wasKept = false
}

extension Session {
  /// The view controllers on screen, each after its container or presenter: those of all windows but
  /// one that is not visible yet.
  ///
  /// A presentation covers nobody.
  func visibleViewControllers(
    in catalog: Catalog, besides hidden: ResponderID?
  ) -> [ResponderID] {
    let windows = graph.responders.filter { $0.kind == .window && $0.id != hidden }
    var waiting = Array(windows.compactMap { $0.links[.rootViewController] }.reversed())
    var visible: [ResponderID] = []
    var met: Set<ResponderID> = []
    while let here = waiting.popLast() {
      guard met.insert(here).inserted else { continue }
      visible.append(here)
      if let presented = graph.presentedViewController(of: here) { waiting.append(presented) }
      waiting += displayed(by: here, in: catalog).reversed()
    }
    return visible
  }

  /// Whether something holds a view controller: a container, a presenter, a window or a coordinator.
  func isKept(_ id: ResponderID) -> Bool {
    guard let responder = graph[id] else { return false }
    return responder.links[.parent] != nil || responder.links[.presentingViewController] != nil
      || graph.owners[.rootViewController]?[id] != nil
  }

  /// The first instance that nothing holds any more, or whose view controller is gone.
  func dropped() -> ResponderID? {
    graph.responders.map(\.id).first { id in
      guard let instance = instances[id] else { return false }
      guard let owner = instance.owner else { return instance.wasKept && !isKept(id) }
      return graph[owner] == nil
    }
  }

  /// Notes of each instance that something holds that it was held.
  mutating func noteKept() {
    for (id, instance) in instances where !instance.wasKept && isKept(id) {
      instances[id]?.wasKept = true
    }
  }
}
