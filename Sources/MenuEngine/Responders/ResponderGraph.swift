/// The responders of a session and where each one's chain goes on (R2).
public struct ResponderGraph: Sendable {
  /// The responders in the order in which they joined, and the ends of registries (L1).
  public internal(set) var responders: [Responder] = []
  /// The application, if there is one.
  public private(set) var application: ResponderID?
  private(set) var positions: [ResponderID: Int] = [:]
  /// Where the next responder of each stands; never along a cycle (R9).
  var nextPositions: [Int?] = []
  /// Who has a link to a responder.
  private(set) var holders: [ResponderID: Set<ResponderID>] = [:]
  /// Who has a link to a responder that only one can have: the controllers of root views, the
  /// windows of root view controllers, whom presenters present.
  private(set) var owners: [ResponderLink: [ResponderID: ResponderID]] = [:]
  /// The hosts of those that are registered as late responders (L1).
  var registrars: [ResponderID: ResponderID] = [:]

  /// A graph without responders.
  public init() {}

  /// The number of responders, ends of registries included.
  public var count: Int { responders.count }

  /// The names of the responders in the order in which they joined.
  public var ids: [ResponderID] { responders.map(\.id).filter { !$0.isRegistryEnd } }

  /// The responder of a name.
  public subscript(id: ResponderID) -> Responder? { positions[id].map { responders[$0] } }

  /// The next responder (R2), or nil at the end of a chain.
  public func next(of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { nextPositions[$0] }.map { responders[$0].id }
  }

  /// Where a responder stands in `responders`.
  func position(of id: ResponderID) -> Int? { positions[id] }

  /// Where the next responder stands in `responders`.
  func next(of position: Int) -> Int? { nextPositions[position] }

  /// The chain that begins at `start`, itself included; it ends before a responder would come
  /// twice (R9).
  public func chain(from start: ResponderID) -> [ResponderID] {
    var chain: [ResponderID] = []
    var position = positions[start]
    while let here = position, chain.count < count {
      chain.append(responders[here].id)
      position = nextPositions[here]
    }
    return chain
  }

  /// The window on a responder's chain.
  func window(of id: ResponderID) -> ResponderID? {
    chain(from: id).first { self[$0]?.kind == .window }
  }
}

extension ResponderGraph {
  /// Adds responders, or replaces those with the same names, and checks what that touches; answers
  /// the links to ends of registries that are gone, which are cleared.
  ///
  /// - Throws: `MutationFault` for a link that leads nowhere or to the wrong kind, a root view or
  ///   root view controller claimed twice, a second application, a late responder that is not there
  ///   or has another registry, and a cycle (R9). Then the graph is of no more use.
  @discardableResult
  mutating func put(_ new: [Responder]) throws(MutationFault) -> [ClearedLink] {
    let released = nextOfReleased(by: new)
    var touched: [ResponderID] = []
    var ofOtherKind: [ResponderID] = []
    var former: [ResponderID: Responder] = [:]
    for responder in new {
      let old = store(responder)
      storeRegistryEnds(of: responder)
      guard let old else { continue }
      former[old.id] = old
      touched += dependents(on: old)
      disconnect(old)
      if old.kind != responder.kind { ofOtherKind.append(old.id) }
    }
    for responder in new {
      if let fault = connect(responder).first { throw fault }
    }
    for responder in new {
      if let fault = enroll(responder).first { throw fault }
    }
    if let fault = adopt(childrenOf: new, former, &touched).first { throw fault }
    for id in ofOtherKind { try checkLinks(to: id) }
    for responder in new { touched += dependents(on: self[responder.id] ?? responder) }
    touched += keep(released)
    let cleared = removeEnds(ofThoseWithoutRegistry: new.map(\.id), &touched)
    let derived = deriveNext(of: touched)
    let isLeafAlone = touched.allSatisfy { $0 == new.first?.id && isLeaf($0) }
    try refuseCycles(from: isLeafAlone ? [] : derived)
    return cleared
  }

  /// Removes a responder and clears the links of others to it, which are answered.
  mutating func remove(_ id: ResponderID) throws(MutationFault) -> [ClearedLink] {
    guard positions[id] != nil else { throw .unknownResponder(id) }
    var touched = keep(nextOfReleased(byRemoving: id))
    if let host = leaveRegistry(id) { touched.append(host) }
    var cleared = erase(id, &touched)
    cleared += removeEnds(ofThoseWithoutRegistry: [id], &touched)
    let derived = deriveNext(of: touched)
    try refuseCycles(from: derived)
    return cleared
  }

  /// Changes a responder in ways that do not touch its links.
  mutating func update(
    _ id: ResponderID, _ change: (inout Responder) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    guard let position = positions[id] else { throw .unknownResponder(id) }
    try change(&responders[position])
  }

  /// What is wrong with the links of responders that are to be together, cycles apart.
  static func linkFaults(of responders: [Responder]) -> [MutationFault] {
    var graph = ResponderGraph()
    for responder in responders {
      _ = graph.store(responder)
      graph.storeRegistryEnds(of: responder)
    }
    var touched: [ResponderID] = []
    return responders.flatMap { graph.connect($0) } + responders.flatMap { graph.enroll($0) }
      + graph.adopt(childrenOf: responders, [:], &touched)
  }
}

extension ResponderGraph {
  /// Takes a responder out, clears the links to it, which are answered, and adds those whose next
  /// one depended on it.
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
        cleared.append(
          ClearedLink(holder: responders[holder].id, link: link, destination: id))
      }
    }
    holders[id] = nil
    takeOut(position)
    touched.removeAll { $0 == id }
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
    _ = connect(responders[position])
  }

  /// Puts a responder in its place and answers the one that was there.
  mutating func store(_ responder: Responder) -> Responder? {
    if let position = positions[responder.id] {
      let old = responders[position]
      responders[position] = responder
      return old
    }
    positions[responder.id] = responders.count
    responders.append(responder)
    nextPositions.append(nil)
    return nil
  }

  private mutating func takeOut(_ position: Int) {
    positions[responders[position].id] = nil
    responders.remove(at: position)
    nextPositions.remove(at: position)
    for later in position..<responders.count { positions[responders[later].id] = later }
    for (index, next) in nextPositions.enumerated() {
      guard let next, next >= position else { continue }
      nextPositions[index] = next == position ? nil : next - 1
    }
  }

  /// Notes where the links of a responder lead to, and answers what is wrong with them.
  private mutating func connect(_ holder: Responder) -> [MutationFault] {
    var faults: [MutationFault] = []
    if holder.kind == .application {
      if let application, application != holder.id {
        faults.append(.secondApplication(holder.id, existing: application))
      } else {
        application = holder.id
      }
    }
    for link in ResponderLink.allCases {
      guard let destination = holder.links[link] else { continue }
      holders[destination, default: []].insert(holder.id)
      if let fault = fault(of: link, of: holder, to: destination) { faults.append(fault) }
      guard link.isExclusive else { continue }
      if let other = owners[link, default: [:]].updateValue(holder.id, forKey: destination) {
        faults.append(.linkTaken(holder.id, link, to: destination, by: other))
      }
    }
    return faults
  }

  private mutating func disconnect(_ holder: Responder) {
    if application == holder.id { application = nil }
    for (link, destination) in holder.links {
      holders[destination]?.remove(holder.id)
      if owners[link]?[destination] == holder.id { owners[link]?[destination] = nil }
    }
  }

  private func checkLinks(to id: ResponderID) throws(MutationFault) {
    for holder in positionsOfHolders(of: id).map({ responders[$0] }) {
      for link in ResponderLink.allCases where holder.links[link] == id {
        if let fault = fault(of: link, of: holder, to: id) { throw fault }
      }
    }
  }

  private func fault(
    of link: ResponderLink, of holder: Responder, to destination: ResponderID
  ) -> MutationFault? {
    guard let responder = self[destination] else {
      return .danglingLink(holder.id, link, to: destination)
    }
    guard link.destinations.contains(responder.kind) else {
      return .linkToOtherKind(holder.id, link, to: destination, kind: responder.kind)
    }
    return nil
  }

  /// Whether nobody links to a responder; if it has no dependents either, no chain leads to it.
  private func isLeaf(_ id: ResponderID) -> Bool {
    holders[id]?.isEmpty != false && registrars[id] == nil && self[id]?.lateResponders == nil
  }

  private func positionsOfHolders(of id: ResponderID) -> [Int] {
    (holders[id] ?? []).compactMap { positions[$0] }.sorted()
  }
}
