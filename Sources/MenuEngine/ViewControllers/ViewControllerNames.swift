// The names of UIKit that the engine itself knows.

extension ClassName {
  static let viewController: ClassName = "UIViewController"
  static let navigationController: ClassName = "UINavigationController"
  static let tabBarController: ClassName = "UITabBarController"
  static let splitViewController: ClassName = "UISplitViewController"
}

extension Selector {
  /// Shows a view controller in the nearest container that knows how (A4).
  public static let show: Selector = "showViewController:sender:"
  /// Shows a view controller where details are shown (A4).
  public static let showDetail: Selector = "showDetailViewController:sender:"

  // What the delegate of a split view controller can be asked (A6, A8).

  static let splitDelegateShow: Selector = "splitViewController:showViewController:sender:"
  static let splitDelegateShowDetail: Selector =
    "splitViewController:showDetailViewController:sender:"
  static let splitDelegateCollapse: Selector =
    "splitViewController:collapseSecondaryViewController:ontoPrimaryViewController:"
  static let splitDelegateSeparate: Selector =
    "splitViewController:separateSecondaryViewControllerFromPrimaryViewController:"
}
