extension Session {
  /// The view controllers on screen, each after its container or presenter: those of all windows but
  /// one that is not visible yet.
  ///
  /// A presentation covers nobody, and stays while its presenter's container does, whatever that shows.
  func visibleViewControllers(
    in context: SessionContext, besides hidden: ResponderID?
  ) -> [ResponderID] {
    var visible: [ResponderID] = []
    var met: Set<ResponderID> = []
    var waiting = roots(besides: hidden)
    while let root = waiting.popLast() {
      let covered = noteVisible(from: root, in: context.catalog, &visible, &met)
      waiting += presented(byCovered: covered, &met, effort: context.effort).reversed()
    }
    context.effort.spend(met.count)
    return visible
  }

  /// Notes a view controller and those that it displays or presents; answers the children that containers
  /// among them cover.
  private func noteVisible(
    from id: ResponderID, in catalog: Catalog, _ visible: inout [ResponderID],
    _ met: inout Set<ResponderID>
  ) -> [ResponderID] {
    var covered: [ResponderID] = []
    var waiting = [id]
    while let here = waiting.popLast() {
      guard met.insert(here).inserted else { continue }
      visible.append(here)
      if let presented = graph.presentedViewController(of: here) { waiting.append(presented) }
      let displayed = displayed(by: here, in: catalog)
      waiting += displayed.reversed()
      let children = graph[here]?.viewControllers ?? []
      if hasPresentations, displayed.count < children.count {
        let shown = Set(displayed)
        covered += children.filter { !shown.contains($0) }
      }
    }
    return covered
  }

  /// Those who are presented by covered view controllers and by those in them, in the order in which their
  /// presenters joined.
  private func presented(
    byCovered covered: [ResponderID], _ met: inout Set<ResponderID>, effort: Effort
  ) -> [ResponderID] {
    var presenters: [ResponderID] = []
    var waiting = covered
    while let here = waiting.popLast() {
      guard met.insert(here).inserted else { continue }
      if graph.presentedViewController(of: here) != nil { presenters.append(here) }
      waiting += graph[here]?.viewControllers ?? []
    }
    effort.spend(presenters.count)
    return presenters.sorted {
      graph.position(of: $0) ?? 0 < graph.position(of: $1) ?? 0
    }.compactMap(graph.presentedViewController(of:))
  }

  private var hasPresentations: Bool {
    graph.owners[.presentingViewController]?.isEmpty == false
  }

  /// The root view controllers of all windows but one, the first one last.
  private func roots(besides hidden: ResponderID?) -> [ResponderID] {
    let owners = graph.owners[.rootViewController]?.filter { $0.value != hidden } ?? []
    return owners.sorted {
      graph.position(of: $0.value) ?? 0 > graph.position(of: $1.value) ?? 0
    }.map(\.key)
  }
}
