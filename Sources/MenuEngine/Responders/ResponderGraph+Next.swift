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
      for position in responders.indices {
        switch responders[position].kind {
        case .window, .scene: dependents.append(responders[position].id)
        case .application, .delegate, .viewController, .view, .responder: break
        }
      }
    }
    return dependents
  }

  /// Finds the next responders of these anew (R2), and those of the registries around them (L2);
  /// answers all that were found.
  mutating func deriveNext(of ids: [ResponderID]) -> [ResponderID] {
    var hosts: [ResponderID] = []
    var met: Set<ResponderID> = []
    func note(_ host: ResponderID) {
      if registry(of: host) != nil, met.insert(host).inserted { hosts.append(host) }
    }
    for id in ids {
      let registrar = registrars[id]
      if registrar == nil { lead(id, to: linkedNext(of: id)) }
      note(id)
      if let registrar { note(registrar) }
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
  func surroundings(of id: ResponderID) -> [ResponderID] {
    var surroundings: [ResponderID] = []
    var current = positions[id]
    while let here = current, surroundings.count < count {
      surroundings.append(responders[here].id)
      current = responders[here].kind == .window ? nil : container(of: here)
    }
    return surroundings
  }

  private func container(of position: Int) -> Int? {
    switch responders[position].kind {
    case .view, .viewController: derivedNext(of: position).flatMap { positions[$0] }
    case .application, .delegate, .scene, .window, .responder: nextPositions[position]
    }
  }

  /// Returns the next responder by the links alone (R2).
  func linkedNext(of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { responders[$0].links[.next] ?? derivedNext(of: $0) }
  }

  /// Returns the next responder without an explicit `next` (R2).
  ///
  /// **Decision:** a view controller that no view leads away from, because it has none or its view is
  /// in no other one, goes on to the root view of its container, else to the container.
  private func derivedNext(of position: Int) -> ResponderID? {
    let (id, links) = (responders[position].id, responders[position].links)
    return switch responders[position].kind {
    case .view: owners[.view]?[id] ?? links[.superview]
    case .viewController:
      owners[.rootViewController]?[id] ?? links[.presentingViewController]
        ?? links[.view].flatMap { link(.superview, of: $0) }
        ?? links[.parent].map { link(.view, of: $0) ?? $0 }
    case .window: links[.windowScene] ?? application
    case .scene: application
    case .application: delegate(of: position)
    case .delegate, .responder: nil
    }
  }

  /// The delegate of the application when the chain does not go on to it because of its kind.
  var ignoredDelegates: [ResponderID] {
    guard let position = application.flatMap({ positions[$0] }),
      responders[position].links[.next] == nil,
      let delegate = responders[position].links[.delegate], self.delegate(of: position) == nil
    else { return [] }
    return [delegate]
  }

  private func delegate(of position: Int) -> ResponderID? {
    guard let delegate = responders[position].links[.delegate], let kind = kind(of: delegate) else {
      return nil
    }
    switch kind {
    case .view, .viewController, .application: return nil
    case .delegate, .scene, .window, .responder: return delegate
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
