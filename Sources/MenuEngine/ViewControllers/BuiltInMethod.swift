/// The built-in methods of UIKit's classes (A4, A6, V4).
package enum BuiltInMethod: String, CaseIterable, Sendable, Codable {
  /// `UIViewController`: shows in the nearest container that overrides it, else presents (A4).
  case show
  /// `UIViewController`: shows a detail in the nearest container that overrides it, else presents
  /// (A4).
  case showDetail
  /// `UINavigationController`: pushes (A6).
  case navigationShow
  /// `UISplitViewController`: its delegate shows, else the primary is replaced (A6).
  case splitShow
  /// `UISplitViewController`: its delegate shows, else the secondary is replaced (A6).
  case splitShowDetail
  /// `UIViewController`: presents its argument.
  case present
  /// `UIViewController`: dismisses.
  case dismiss
  /// `UIViewController`: leaves its container.
  case removeFromParent
  /// `UINavigationController`: pushes its argument.
  case push
  /// `UINavigationController`: pops the top.
  case pop
  /// `UINavigationController`: pops to its argument.
  case popTo
  /// `UINavigationController`: pops to the bottom.
  case popToRoot
  /// UIKit's containers: set their children.
  case setViewControllers
  /// `UITabBarController`: selects a child.
  case select
  /// `UIWindow`, `UIApplication` and responders with an undo manager of their own: undoes (U2).
  case undo
  /// `UIWindow`, `UIApplication` and responders with an undo manager of their own: redoes (U2).
  case redo
}

extension ResponderClass {
  /// The built-in classes.
  package static let builtIn: [ResponderClass] = [
    builtIn("UIResponder", superclass: nil), builtIn("UIView", superclass: "UIResponder"),
    builtIn("UIWindow", superclass: "UIView", methods: [.undo: .undo, .redo: .redo]),
    builtIn("UIScene", superclass: "UIResponder"),
    builtIn("UIApplication", superclass: "UIResponder", methods: [.undo: .undo, .redo: .redo]),
    builtIn(
      "UIViewController", superclass: "UIResponder",
      methods: [
        .show: .show, .showDetail: .showDetail,
        "presentViewController:animated:completion:": .present,
        "dismissViewControllerAnimated:completion:": .dismiss,
        "removeFromParentViewController": .removeFromParent,
      ]),
    builtIn(
      "UINavigationController", superclass: "UIViewController",
      methods: [
        .show: .navigationShow, "pushViewController:animated:": .push,
        "popViewControllerAnimated:": .pop, "popToViewController:animated:": .popTo,
        "popToRootViewControllerAnimated:": .popToRoot,
        "setViewControllers:animated:": .setViewControllers,
      ]),
    builtIn(
      "UISplitViewController", superclass: "UIViewController",
      methods: [
        .show: .splitShow, .showDetail: .splitShowDetail,
        "setViewControllers:": .setViewControllers,
      ]),
    builtIn(
      "UITabBarController", superclass: "UIViewController",
      methods: [
        "setViewControllers:animated:": .setViewControllers,
        "setSelectedViewController:": .select,
      ]),
  ]

  private static func builtIn(
    _ name: ClassName, superclass: ClassName?, methods: [Selector: BuiltInMethod] = [:]
  ) -> ResponderClass {
    ResponderClass(
      name: name, superclass: superclass, handlers: methods.mapValues(Handler.init(builtIn:)))
  }
}

extension Handler {
  /// The built-in method that it runs; nil for a declared handler.
  package var builtIn: BuiltInMethod? { perform.first?.builtInMethod }

  /// Creates a handler for a built-in method; it has no document.
  init(builtIn method: BuiltInMethod) {
    self.init(
      validate: .none, canPerform: nil, perform: [.builtIn(method)], closures: HandlerClosures())
  }
}

/// The way in which a view controller shows its children, determined by its class.
package enum ContainerKind: String, CaseIterable, Sendable {
  /// Shows the top of its stack only: a `UINavigationController`.
  case navigation
  /// Shows the selected child only: a `UITabBarController`.
  case tabBar
  /// Shows both columns, or the first one while collapsed: a `UISplitViewController`.
  case split
  /// Shows all children, embedded in its view: any other view controller.
  case plain

  /// The UIKit class of this kind.
  package var className: ClassName {
    switch self {
    case .navigation: .navigationController
    case .tabBar: .tabBarController
    case .split: .splitViewController
    case .plain: .viewController
    }
  }
}

extension Session {
  /// Returns the kind of container of a view controller; nil for other responders.
  func containerKind(of id: ResponderID, in catalog: Catalog) -> ContainerKind? {
    guard let responder = graph[id], responder.kind == .viewController else { return nil }
    return catalog.classes.containerKind(of: responder.className)
  }

  /// Returns the nearest container of a kind, the view controller itself included.
  func container(
    _ kind: ContainerKind, of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> ResponderID {
    guard graph.contains(id) else { throw .unknownResponder(id) }
    let found = graph.containers(from: id).first { containerKind(of: $0, in: catalog) == kind }
    guard let found else { throw .containment(.notInA(kind, id)) }
    return found
  }

  /// Returns the children that a container displays.
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

  /// True if no container around a responder covers it. A presented view controller is not covered by its presenter's
  /// containers.
  func isOnScreen(_ id: ResponderID, in catalog: Catalog) -> Bool {
    graph.surroundingsToPresented(of: id).allSatisfy { member in
      guard let parent = graph.link(.parent, of: member) else { return true }
      return displayed(by: parent, in: catalog).contains(member)
    }
  }
}

// The UIKit names used by the engine.

extension ClassName {
  static let viewController: ClassName = "UIViewController"
  static let navigationController: ClassName = "UINavigationController"
  static let tabBarController: ClassName = "UITabBarController"
  static let splitViewController: ClassName = "UISplitViewController"
}

extension Selector {
  /// Shows a view controller in the nearest container that overrides it (A4).
  package static let show: Selector = "showViewController:sender:"
  /// Shows a view controller in the place for details (A4).
  package static let showDetail: Selector = "showDetailViewController:sender:"

  /// Asks the delegate of a split view controller to show something in the primary column (A6).
  package static let splitDelegateShow: Selector = "splitViewController:showViewController:sender:"
  /// Asks the delegate of a split view controller to show a detail (A6).
  package static let splitDelegateShowDetail: Selector =
    "splitViewController:showDetailViewController:sender:"
  /// Asks the delegate of a split view controller to place the secondary when collapsing (A8).
  package static let splitDelegateCollapse: Selector =
    "splitViewController:collapseSecondaryViewController:ontoPrimaryViewController:"
  /// Asks the delegate of a split view controller for the secondary when expanding (A8).
  package static let splitDelegateSeparate: Selector =
    "splitViewController:separateSecondaryViewControllerFromPrimaryViewController:"
}

/// The presenter of view controllers that no container shows (A4); fixed for the life of a session.
package enum Presenter: String, CaseIterable, Sendable, Codable {
  /// The view controller that received the action.
  case receiver
  /// The root view controller of its window.
  case root
}
