/// A coordinator that is started, but that no message and no going back of the user reaches (C4).
public struct DeadCoordinator: Equatable, Sendable {
  /// A reason why nothing reaches a coordinator.
  public enum Reason: String, CaseIterable, Sendable {
    /// It has no root view controller, or that one is gone.
    case noRootViewController
    /// Nobody owns its root view controller, since another coordinator of it was stopped; somebody
    /// has to be activated.
    case rootUnowned
    /// Its parent is not started.
    case parentNotStarted
  }

  /// The coordinator.
  public let coordinator: ResponderID
  /// The reason.
  public let reason: Reason
}

extension ResponderGraph {
  /// The coordinators that are started in vain, in the order in which they joined.
  var deadCoordinators: [DeadCoordinator] {
    responders.compactMap { responder in
      guard responder.coordinating?.isStarted == true else { return nil }
      return reasonOfDeath(of: responder).map {
        DeadCoordinator(coordinator: responder.id, reason: $0)
      }
    }
  }

  private func reasonOfDeath(of responder: Responder) -> DeadCoordinator.Reason? {
    guard let root = responder.links[.coordinatedRoot] else { return .noRootViewController }
    guard link(.parentCoordinator, of: root) != nil else { return .rootUnowned }
    guard let parent = responder.links[.parentCoordinator] else { return nil }
    return self[parent]?.coordinating?.isStarted == true ? nil : .parentNotStarted
  }
}
