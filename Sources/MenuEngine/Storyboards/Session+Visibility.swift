extension Session {
  /// The view controllers on screen, each after its container or presenter: those of all windows but
  /// one that is not visible yet.
  ///
  /// A presentation covers nobody, and stays while its presenter's outermost container does, whatever
  /// that shows.
  func visibleViewControllers(
    in catalog: Catalog, besides hidden: ResponderID?
  ) -> [ResponderID] {
    var visible: [ResponderID] = []
    var met: Set<ResponderID> = []
    let presented = presentedByContainer
    var outermost = roots(besides: hidden)
    while let container = outermost.popLast() {
      noteVisible(from: container, in: catalog, &visible, &met)
      outermost += (presented[container] ?? []).reversed().filter { !met.contains($0) }
    }
    return visible
  }

  /// Notes a view controller and those that it displays or presents.
  private func noteVisible(
    from id: ResponderID, in catalog: Catalog, _ visible: inout [ResponderID],
    _ met: inout Set<ResponderID>
  ) {
    var waiting = [id]
    while let here = waiting.popLast() {
      guard met.insert(here).inserted else { continue }
      visible.append(here)
      if let presented = graph.presentedViewController(of: here) { waiting.append(presented) }
      waiting += displayed(by: here, in: catalog).reversed()
    }
  }

  /// The root view controllers of all windows but one, the first one last.
  private func roots(besides hidden: ResponderID?) -> [ResponderID] {
    let owners = graph.owners[.rootViewController]?.filter { $0.value != hidden } ?? []
    return owners.sorted {
      graph.position(of: $0.value) ?? 0 > graph.position(of: $1.value) ?? 0
    }.map(\.key)
  }

  /// Those who are presented, by the outermost containers of their presenters, in the order in which they
  /// joined.
  private var presentedByContainer: [ResponderID: [ResponderID]] {
    let pairs = (graph.owners[.presentingViewController].map(Array.init) ?? []).sorted {
      graph.position(of: $0.value) ?? 0 < graph.position(of: $1.value) ?? 0
    }
    var outermost: [ResponderID: ResponderID] = [:]
    return pairs.reduce(into: [:]) { presented, pair in
      presented[outermostContainer(of: pair.key, &outermost), default: []].append(pair.value)
    }
  }

  private func outermostContainer(
    of id: ResponderID, _ known: inout [ResponderID: ResponderID]
  ) -> ResponderID {
    var path: [ResponderID] = []
    var current = id
    while known[current] == nil, let parent = graph[current]?.links[.parent] {
      path.append(current)
      current = parent
    }
    let container = known[current] ?? current
    for member in path { known[member] = container }
    return container
  }
}
