/// The holders of links to each responder, kept in step with the links.
extension ResponderGraph {
  /// Takes a responder out, clears the links to it, which are answered, and adds those whose next
  /// one depended on it; `closeGaps` must follow.
  mutating func erase(_ id: ResponderID, _ touched: inout [ResponderID]) -> [ClearedLink] {
    guard let position = positions[id] else { return [] }
    touched += dependents(on: responders[position])
    disconnect(responders[position])
    if let container = responders[position].links[.parent].flatMap({ positions[$0] }) {
      responders[container].viewControllers.removeAll { $0 == id }
    }
    var cleared: [ClearedLink] = []
    for holder in positionsOfHolders(of: id) {
      touched += dependents(on: responders[holder])
      for link in ResponderLink.allCases where responders[holder].links[link] == id {
        responders[holder].links[link] = nil
        owners[link]?[id] = nil
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

  /// Changes where a responder leads to, whatever its other links say.
  mutating func link(_ id: ResponderID, toNext next: ResponderID?) {
    relink(.next, of: id, to: next)
  }

  /// Changes one link of a responder, which leads to a responder that can be linked to.
  mutating func relink(_ link: ResponderLink, of id: ResponderID, to destination: ResponderID?) {
    guard let position = positions[id] else { return }
    disconnect(responders[position])
    responders[position].links[link] = destination
    _ = connect(position)
  }

  /// Puts a responder in its place and answers the one that was there.
  mutating func store(_ responder: Responder) -> Responder? { store([responder]) }

  /// The same with a responder that is alone in an array, which graphs share.
  mutating func store(_ cell: [Responder]) -> Responder? {
    let id = cell[0].id
    if let position = positions[id] {
      let old = responders[position]
      responders[position] = cell[0]
      count(cell[0], insteadOf: old)
      return old
    }
    positions[id] = responders.count
    responders.append(cell)
    nextPositions.append(nil)
    count(cell[0], insteadOf: nil)
    return nil
  }

  /// Moves the others up to where responders were taken out, and forgets those among `touched`; all
  /// gaps together cost no more than one.
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

  /// Notes where the links of the responder at a position lead to, and answers what is wrong with them.
  mutating func connect(_ position: Int) -> [MutationFault] {
    let (id, links) = (responders[position].id, responders[position].links)
    var faults: [MutationFault] = []
    if responders[position].kind == .application {
      if let application, application != id {
        faults.append(.secondApplication(id, existing: application))
      } else {
        application = id
      }
    }
    for (link, destination) in links {
      holders[destination, default: BlockSet()].insert(id)
      if link == .firstResponder { focusHolders.insert(id) }
      if let fault = fault(of: link, of: id, to: destination) { faults.append(fault) }
      guard link.isExclusive else { continue }
      if let other = owners[link, default: BlockDictionary()].updateValue(id, forKey: destination) {
        faults.append(.linkTaken(id, link, to: destination, by: other))
      }
    }
    return faults
  }

  /// Forgets where the links of a responder lead to.
  mutating func disconnect(_ holder: Responder) {
    if application == holder.id { application = nil }
    for (link, destination) in holder.links {
      holders[destination]?.remove(holder.id)
      if link == .firstResponder { focusHolders.remove(holder.id) }
      if owners[link]?[destination] == holder.id { owners[link]?[destination] = nil }
    }
  }

  /// Refuses links to a responder that cannot lead to its kind.
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
      return .danglingLink(holder, link, to: destination)
    }
    guard link.destinations.contains(kind) else {
      return .linkToOtherKind(holder, link, to: destination, kind: kind)
    }
    if link == .parentCoordinator, self[destination]?.coordinating == nil {
      return .notCoordinating(destination, parentOf: holder)
    }
    return nil
  }

  /// The windows that have a link to a first responder of their own, in the order in which they joined.
  var windowsWithFocus: [ResponderID] {
    focusHolders.compactMap { positions[$0] }.sorted().map { responders[$0].id }
  }

  /// True if nobody links to a responder; if it has no dependents either, no chain leads to it.
  func isLeaf(_ id: ResponderID) -> Bool {
    holders[id]?.isEmpty != false && registrars[id] == nil && registry(of: id) == nil
  }

  /// Returns the positions of the responders that have a link to a responder, in the order in which
  /// they joined.
  func positionsOfHolders(of id: ResponderID) -> [Int] {
    holders[id]?.compactMap { positions[$0] }.sorted() ?? []
  }
}
