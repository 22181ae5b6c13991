extension ResponderGraph {
  /// The responder and those whose next one depends on it, as far as links of theirs do not say.
  func dependents(on responder: Responder) -> [ResponderID] {
    var dependents = [responder.id]
    if let view = responder.links[.view] { dependents.append(view) }
    if let root = responder.links[.rootViewController] { dependents.append(root) }
    dependents += responder.viewControllers
    if let controller = owners[.view]?[responder.id] { dependents.append(controller) }
    if let application, link(.delegate, of: application) == responder.id {
      dependents.append(application)
    }
    if responder.kind == .application {
      dependents += responders.filter { $0.kind == .window || $0.kind == .scene }.map(\.id)
    }
    return dependents
  }

  /// Finds the next responders of these anew (R2), and those of the registries around them (L2);
  /// answers all that were found.
  mutating func deriveNext(of ids: [ResponderID]) -> [ResponderID] {
    var hosts: [ResponderID] = []
    var met: Set<ResponderID> = []
    for id in ids {
      if registrars[id] == nil { lead(id, to: linkedNext(of: id)) }
      for host in [id, registrars[id]] {
        if let host, registry(of: host) != nil, met.insert(host).inserted {
          hosts.append(host)
        }
      }
    }
    guard !hosts.isEmpty else { return ids }
    let chains = hosts.map(registryChain)
    for chain in chains {
      for (id, next) in zip(chain, chain.dropFirst()) { lead(id, to: next) }
    }
    return ids + chains.flatMap { $0 }
  }

  /// The window that a responder is in: for a view or a view controller the one that it stands in,
  /// whatever an explicit `next` says, for others the one on their chain.
  func window(of id: ResponderID) -> ResponderID? {
    surroundings(of: id).last { kind(of: $0) == .window }
  }

  /// The view controllers that a responder is in, by views, containers and presenters alone.
  func controllers(around id: ResponderID) -> [ResponderID] {
    surroundings(of: id).filter { $0 != id && kind(of: $0) == .viewController }
  }

  /// A responder and where it stands, up to the window.
  private func surroundings(of id: ResponderID) -> [ResponderID] {
    var surroundings: [ResponderID] = []
    var current = self[id]
    while let here = current, surroundings.count < count {
      surroundings.append(here.id)
      current = here.kind == .window ? nil : container(of: here).flatMap { self[$0] }
    }
    return surroundings
  }

  private func container(of responder: Responder) -> ResponderID? {
    switch responder.kind {
    case .view, .viewController: derivedNext(of: responder)
    case .application, .delegate, .scene, .window, .responder: next(of: responder.id)
    }
  }

  /// Where a chain goes on by the links alone (R2).
  func linkedNext(of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { responders[$0].links[.next] ?? derivedNext(of: responders[$0]) }
  }

  /// Where a chain goes on without an explicit `next` (R2).
  ///
  /// **Decision:** a view controller that no view leads away from, because it has none or its view is
  /// in no other one, goes on to the root view of its container, else to the container.
  private func derivedNext(of responder: Responder) -> ResponderID? {
    switch responder.kind {
    case .view: owners[.view]?[responder.id] ?? responder.links[.superview]
    case .viewController:
      owners[.rootViewController]?[responder.id] ?? responder.links[.presentingViewController]
        ?? responder.links[.view].flatMap { link(.superview, of: $0) }
        ?? responder.links[.parent].map { link(.view, of: $0) ?? $0 }
    case .window: responder.links[.windowScene] ?? application
    case .scene: application
    case .application: delegate(of: responder)
    case .delegate, .responder: nil
    }
  }

  /// The delegate of the application when the chain does not go on to it because of its kind.
  var ignoredDelegates: [ResponderID] {
    guard let application = application.flatMap({ self[$0] }), application.links[.next] == nil,
      let delegate = application.links[.delegate], self.delegate(of: application) == nil
    else { return [] }
    return [delegate]
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

extension ResponderGraph {
  /// The chain up to the nearest view controller that is presented, which stays on screen whatever its
  /// presenter's container shows.
  func chainToPresented(from id: ResponderID) -> [ResponderID] {
    let chain = chain(from: id)
    let end = chain.firstIndex { link(.presentingViewController, of: $0) != nil }
    return end.map { Array(chain[...$0]) } ?? chain
  }

  /// True if no view on the chain from a responder is the root view of a child and in no other one, so
  /// that only containment, and no view, leads on from there (R2).
  func isAttached(_ id: ResponderID) -> Bool {
    chainToPresented(from: id).allSatisfy { member in
      guard let links = self[member]?.links, let view = links[.view], links[.parent] != nil,
        links[.next] == nil, links[.presentingViewController] == nil,
        owners[.rootViewController]?[member] == nil
      else { return true }
      return link(.superview, of: view) != nil
    }
  }
}
