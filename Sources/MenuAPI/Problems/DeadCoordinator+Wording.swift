package import MenuEngine

extension DeadCoordinator {
  /// The coordinator and why nothing reaches it, as a sentence.
  package var sentence: String {
    "Nothing reaches the coordinator \(quoted(coordinator)): \(reason.clause)."
  }
}

extension DeadCoordinator.Reason {
  fileprivate var clause: String {
    switch self {
    case .noRootViewController: "it has no root view controller"
    case .rootUnowned: "nobody owns its root view controller"
    case .parentNotStarted: "its parent is not started"
    }
  }
}
