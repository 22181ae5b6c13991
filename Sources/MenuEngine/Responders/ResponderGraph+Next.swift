extension ResponderGraph {
  /// The responder and those whose next one depends on it, as far as links of theirs do not say.
  func dependents(on responder: Responder) -> [ResponderID] {
    var dependents = [responder.id]
    dependents += [responder.links[.view], responder.links[.rootViewController]].compactMap(\.self)
    if let controller = owners[.view]?[responder.id] { dependents.append(controller) }
    if let application, self[application]?.links[.delegate] == responder.id {
      dependents.append(application)
    }
    if responder.kind == .application {
      dependents += responders.filter { $0.kind == .window || $0.kind == .scene }.map(\.id)
    }
    return dependents
  }

  /// Finds the next responders of these anew (R2).
  mutating func deriveNext(of ids: [ResponderID]) {
    for position in ids.compactMap({ positions[$0] }) {
      let responder = responders[position]
      let next = responder.links[.next] ?? derivedNext(of: responder)
      nextPositions[position] = next.flatMap { positions[$0] }
    }
  }

  /// Where a chain goes on without an explicit `next` (R2).
  private func derivedNext(of responder: Responder) -> ResponderID? {
    switch responder.kind {
    case .view: owners[.view]?[responder.id] ?? responder.links[.superview]
    case .viewController:
      owners[.rootViewController]?[responder.id] ?? responder.links[.presentingViewController]
        ?? responder.links[.view].flatMap { self[$0]?.links[.superview] }
    case .window: responder.links[.windowScene] ?? application
    case .scene: application
    case .application: delegate(of: responder)
    case .delegate, .responder: nil
    }
  }

  private func delegate(of application: Responder) -> ResponderID? {
    guard let delegate = application.links[.delegate].flatMap({ self[$0] }) else {
      return nil
    }
    switch delegate.kind {
    case .view, .viewController, .application: return nil
    case .delegate, .scene, .window, .responder: return delegate.id
    }
  }
}
