/// The way in which a view controller shows its children, which its class decides.
public enum ContainerKind: String, CaseIterable, Sendable {
  /// The top of its stack only: a `UINavigationController`.
  case navigation
  /// The selected one only: a `UITabBarController`.
  case tabBar
  /// Both columns, or the first one while it is collapsed: a `UISplitViewController`.
  case split
  /// All of them, embedded in its view: any other view controller.
  case plain

  /// The class that is shown so, or inherited from.
  public var className: ClassName {
    switch self {
    case .navigation: .navigationController
    case .tabBar: .tabBarController
    case .split: .splitViewController
    case .plain: .viewController
    }
  }
}

extension Session {
  /// Returns the kind of container that a view controller is; nil for other responders.
  func containerKind(of id: ResponderID, in catalog: Catalog) -> ContainerKind? {
    guard let responder = graph[id], responder.kind == .viewController else { return nil }
    return catalog.classes.containerKind(of: responder.className)
  }

  /// The nearest container of a kind, the view controller itself included.
  func container(
    _ kind: ContainerKind, of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> ResponderID {
    guard graph[id] != nil else { throw .unknownResponder(id) }
    let found = graph.containers(from: id).first { containerKind(of: $0, in: catalog) == kind }
    guard let found else { throw .containment(.notInA(kind, id)) }
    return found
  }

  /// The children that a container has on screen.
  func displayed(by id: ResponderID, in catalog: Catalog) -> [ResponderID] {
    guard let container = graph[id], let kind = containerKind(of: id, in: catalog) else {
      return []
    }
    switch kind {
    case .navigation: return container.viewControllers.suffix(1)
    case .tabBar: return graph.selectedViewController(of: id).map { [$0] } ?? []
    case .split:
      return container.isCollapsed
        ? container.viewControllers.prefix(1) + [] : container.viewControllers
    case .plain: return container.viewControllers
    }
  }

  /// True if a responder is on screen, as far as containers decide it: none on its chain keeps a
  /// child covered that is on its chain too. A presented one is covered by no container of its presenter.
  func isOnScreen(_ id: ResponderID, in catalog: Catalog) -> Bool {
    graph.chainToPresented(from: id).allSatisfy { member in
      guard let parent = graph.link(.parent, of: member) else { return true }
      return displayed(by: parent, in: catalog).contains(member)
    }
  }
}
