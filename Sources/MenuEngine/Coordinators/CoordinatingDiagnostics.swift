/// The oddities of a session's coordinating chains and of the messages that wait in it.
public struct CoordinatingDiagnostics: Equatable, Sendable {
  /// Responders whose coordinating chain leads back into itself (R9). Links of coordinators that would
  /// close a cycle are refused; containers with an explicit `next` in what they contain can close one.
  public let cycles: [[ResponderID]]
  /// Responders after which the chain ends because what they belong to is no responder (C3).
  public let cut: [ResponderID]
  /// Coordinators without a root view controller, or whose root is gone (C4).
  public let rootless: [ResponderID]
  /// The senders of waiting messages that are gone (C6).
  public let goneSenders: [ResponderID]
  /// Coordinators in whose place among the children of their parent another one with the same identifier
  /// was started (C4).
  public internal(set) var replaced: [ResponderID] = []
  /// Coordinators that are started, but that nothing reaches (C4).
  public internal(set) var dead: [DeadCoordinator] = []
}

extension Session {
  /// The oddities of coordinators and messages.
  var coordinatingDiagnostics: CoordinatingDiagnostics {
    let responders = graph.responders
    var met: Set<ResponderID> = []
    return CoordinatingDiagnostics(
      cycles: graph.coordinatingCycle.map { [$0] } ?? [],
      cut: responders.map(\.id).filter { graph.coordinatingStep(from: $0).isCut },
      rootless: responders.filter { $0.coordinating != nil && $0.links[.coordinatedRoot] == nil }
        .map(\.id),
      goneSenders: messageQueue.messages.map(\.from)
        .filter { graph[$0] == nil && met.insert($0).inserted },
      replaced: responders.filter(\.isReplaced).map(\.id),
      dead: graph.deadCoordinators)
  }
}

extension CoordinatingStep {
  fileprivate var isCut: Bool {
    switch self {
    case .cut: true
    case .to, .end: false
    }
  }
}
