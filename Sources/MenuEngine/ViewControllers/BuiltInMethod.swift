/// The methods of UIKit's classes that are there without being declared (A4, A6, V4).
public enum BuiltInMethod: String, CaseIterable, Sendable, Codable {
  /// `UIViewController`: shows in the nearest container that overrides it, else presents (A4).
  case show
  /// `UIViewController`: shows a detail in the nearest container that overrides it, else presents
  /// (A4).
  case showDetail
  /// `UINavigationController`: pushes (A6).
  case navigationShow
  /// `UISplitViewController`: its delegate shows, else the primary is replaced (A6).
  case splitShow
  /// `UISplitViewController`: its delegate shows, else the secondary (A6).
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
  /// Any container of UIKit's: takes these children.
  case setViewControllers
  /// `UITabBarController`: selects a child.
  case select
  /// `UIWindow`, `UIApplication` and responders with an undo manager of their own: undoes (U2).
  case undo
  /// The same: does again what was undone (U2).
  case redo
}

extension ResponderClass {
  /// The classes that are there without being declared.
  public static let builtIn: [ResponderClass] = [
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
  /// The built-in method that it runs; nil when it was declared.
  public var builtIn: BuiltInMethod? { perform.first?.builtInMethod }

  /// A handler that runs a built-in method; no document describes one.
  init(builtIn method: BuiltInMethod) {
    self.init(
      validate: .none, canPerform: nil, perform: [.builtIn(method)], closures: HandlerClosures())
  }
}
