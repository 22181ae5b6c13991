/// The holders of links to each responder, updated together with the links.
extension ResponderGraph {
  /// Removes a responder and clears the links to it, which are returned. Adds the responders whose next one
  /// depended on it to `touched`. `closeGaps` must follow.
  mutating func erase(_ id: ResponderID, _ touched: inout [ResponderID]) -> [ClearedLink] {
    guard let position = positions[id] else { return [] }
    touched += dependents(on: responders[position])
    disconnect(responders[position])
    if let container = responders[position].links[.parent].flatMap({ positions[$0] }) {
      responders[container].content.viewControllers.removeAll { $0 == id }
    }
    var cleared: [ClearedLink] = []
    for holder in positionsOfHolders(of: id) {
      touched += dependents(on: responders[holder])
      for link in ResponderLink.allCases where responders[holder].links[link] == id {
        responders[holder].content.links[link] = nil
        owners[link][id] = nil
        if link == .firstResponder { focusHolders.remove(responders[holder].id) }
        cleared.append(
          ClearedLink(holder: responders[holder].id, link: link, destination: id))
      }
    }
    holders[id] = nil
    if responders[position].kind == .viewController { takeFromLists(id) }
    positions[id] = nil
    count(nil, insteadOf: responders[position])
    vacated.append(position)
    return cleared
  }

  /// Sets the explicit `next` of a responder.
  mutating func link(_ id: ResponderID, toNext next: ResponderID?) {
    relink(.next, of: id, to: next)
  }

  /// Changes one link of a responder; the destination must be valid.
  mutating func relink(_ link: ResponderLink, of id: ResponderID, to destination: ResponderID?) {
    guard let position = positions[id] else { return }
    disconnect(responders[position])
    responders[position].content.links[link] = destination
    _ = connect(position)
  }

  /// Stores a responder in its place and returns the previous one.
  mutating func store(_ responder: Responder) -> Responder? {
    let id = responder.id
    if let position = positions[id] {
      let old = responders[position]
      responders[position] = responder
      count(responder, insteadOf: old)
      return old
    }
    positions[id] = responders.count
    responders.append(responder)
    nextPositions.append(nil)
    count(responder, insteadOf: nil)
    return nil
  }

  /// Moves responders up into the gaps left by removed ones, and removes those from `touched`; the cost is the
  /// same for any number of gaps.
  mutating func closeGaps(_ touched: inout [ResponderID]) {
    guard let first = vacated.min() else { return }
    let gaps = Set(vacated)
    vacated = []
    var moved: [Int?] = []
    var end = first
    for position in first..<responders.count {
      guard !gaps.contains(position) else {
        moved.append(nil)
        continue
      }
      moved.append(end)
      responders.swapAt(end, position)
      nextPositions.swapAt(end, position)
      positions[responders[end].id] = end
      end += 1
    }
    responders.removeLast(gaps.count)
    nextPositions.removeLast(gaps.count)
    for index in nextPositions.indices {
      if let next = nextPositions[index], next >= first {
        nextPositions[index] = moved[next - first]
      }
    }
    touched.removeAll { positions[$0] == nil }
  }

  /// Records the destinations of the links of the responder at a position, and returns their faults.
  mutating func connect(_ position: Int) -> [MutationFault] {
    let (id, links) = (responders[position].id, responders[position].links)
    var faults: [MutationFault] = []
    if responders[position].kind == .application {
      if let application, application != id {
        faults.append(.link(.secondApplication(id, existing: application)))
      } else {
        application = id
      }
    }
    for (link, destination) in links {
      holders[destination, default: BlockSet()].insert(id)
      if link == .firstResponder { focusHolders.insert(id) }
      if let fault = fault(of: link, of: id, to: destination) { faults.append(fault) }
      guard link.isExclusive else { continue }
      if let other = owners[link].updateValue(id, forKey: destination) {
        faults.append(.link(.linkTaken(id, link, to: destination, by: other)))
      }
    }
    return faults
  }

  /// Removes the records of a responder's links.
  mutating func disconnect(_ holder: Responder) {
    if application == holder.id { application = nil }
    for (link, destination) in holder.links {
      holders[destination]?.remove(holder.id)
      if link == .firstResponder { focusHolders.remove(holder.id) }
      if owners[link][destination] == holder.id { owners[link][destination] = nil }
    }
  }

  /// Refuses links to a responder that its kind does not allow.
  func checkLinks(to id: ResponderID) throws(MutationFault) {
    for holder in positionsOfHolders(of: id).map({ responders[$0] }) {
      for link in ResponderLink.allCases where holder.links[link] == id {
        if let fault = fault(of: link, of: holder.id, to: id) { throw fault }
      }
    }
  }

  private func fault(
    of link: ResponderLink, of holder: ResponderID, to destination: ResponderID
  ) -> MutationFault? {
    guard let kind = kind(of: destination) else {
      return .link(.danglingLink(holder, link, to: destination))
    }
    guard link.destinations.contains(kind) else {
      return .link(.linkToOtherKind(holder, link, to: destination, kind: kind))
    }
    if link == .parentCoordinator, self[destination]?.coordinating == nil {
      return .link(.notCoordinating(destination, parentOf: holder))
    }
    return nil
  }

  /// The windows with a first responder of their own, in joining order.
  var windowsWithFocus: [ResponderID] {
    guard !focusHolders.isEmpty else { return [] }
    return focusHolders.compactMap { positions[$0] }.sorted().map { responders[$0].id }
  }

  /// True if no links lead to a responder; if it also has no dependents, no chain leads to it.
  func isLeaf(_ id: ResponderID) -> Bool {
    holders[id]?.isEmpty != false && registrars[id] == nil && !hasRegistry(id)
  }

  /// Returns the positions of the responders with a link to a responder, in joining order.
  func positionsOfHolders(of id: ResponderID) -> [Int] {
    holders[id]?.compactMap { positions[$0] }.sorted() ?? []
  }
}

extension ResponderGraph {
  /// Returns the responder and those whose next one depends on it, except through links of their own.
  func dependents(on responder: Responder) -> [ResponderID] {
    var dependents = [responder.id]
    if let view = responder.links[.view] { dependents.append(view) }
    if let root = responder.links[.rootViewController] { dependents.append(root) }
    dependents += responder.viewControllers
    if let controller = owners[.view][responder.id] { dependents.append(controller) }
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

  /// Derives the next responders of `ids` (R2) and of the registries around them (L2) again. Returns all
  /// derived responders.
  mutating func deriveNext(of ids: [ResponderID]) -> [ResponderID] {
    var hosts: [ResponderID] = []
    var met: Set<ResponderID> = []
    func note(_ host: ResponderID) {
      if hasRegistry(host), met.insert(host).inserted { hosts.append(host) }
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

  /// Returns the window of a responder: for a view or view controller, the window it is in, whatever its
  /// explicit `next`; for others, the window on their chain.
  func window(of id: ResponderID) -> ResponderID? {
    var (current, remaining) = (positions[id], count)
    while let here = current, remaining > 0 {
      if responders[here].kind == .window { return responders[here].id }
      (current, remaining) = (container(of: here), remaining - 1)
    }
    return nil
  }

  /// Returns the view controllers around a responder, by views, containers and presenters only.
  func controllers(around id: ResponderID) -> [ResponderID] {
    surroundings(of: id).filter { $0 != id && kind(of: $0) == .viewController }
  }

  /// Returns a responder and everything it is contained in, up to the window.
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

  /// Returns the next responder by links alone (R2).
  func linkedNext(of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { responders[$0].links[.next] ?? derivedNext(of: $0) }
  }

  /// Returns the next responder without an explicit `next` (R2).
  ///
  /// **Decision:** a view controller without a view, or whose view has no superview, is followed by the root
  /// view of its container, else by the container.
  private func derivedNext(of position: Int) -> ResponderID? {
    let (id, links) = (responders[position].id, responders[position].links)
    return switch responders[position].kind {
    case .view: owners[.view][id] ?? links[.superview]
    case .viewController:
      owners[.rootViewController][id] ?? links[.presentingViewController]
        ?? links[.view].flatMap { link(.superview, of: $0) }
        ?? links[.parent].map { link(.view, of: $0) ?? $0 }
    case .window: links[.windowScene] ?? application
    case .scene: application
    case .application: delegate(of: position)
    case .delegate, .responder: nil
    }
  }

  /// The delegate of the application, if its kind keeps it out of the chain.
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
  /// Returns a responder and what it is contained in, up to the nearest presented view controller, which stays on
  /// screen whatever its presenter's container shows.
  func surroundingsToPresented(of id: ResponderID) -> [ResponderID] {
    let all = surroundings(of: id)
    let end = all.firstIndex { link(.presentingViewController, of: $0) != nil }
    return end.map { Array(all[...$0]) } ?? all
  }

  /// False if a responder is in the root view of a child view controller, and that view has no superview: only its
  /// parent contains it then (R2).
  func isAttached(_ id: ResponderID) -> Bool {
    surroundingsToPresented(of: id).allSatisfy { member in
      guard let links = self[member]?.links, let view = links[.view], links[.parent] != nil,
        links[.presentingViewController] == nil,
        owners[.rootViewController][member] == nil
      else { return true }
      return link(.superview, of: view) != nil
    }
  }
}
