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

  /// Asks the delegate of a split view controller to show something in the primary column (A6).
  public static let splitDelegateShow: Selector = "splitViewController:showViewController:sender:"
  /// Asks the delegate of a split view controller to show a detail (A6).
  public static let splitDelegateShowDetail: Selector =
    "splitViewController:showDetailViewController:sender:"
  /// Asks the delegate of a split view controller what becomes of the secondary (A8).
  public static let splitDelegateCollapse: Selector =
    "splitViewController:collapseSecondaryViewController:ontoPrimaryViewController:"
  /// Asks the delegate of a split view controller which one becomes the secondary (A8).
  public static let splitDelegateSeparate: Selector =
    "splitViewController:separateSecondaryViewControllerFromPrimaryViewController:"
}
