/// The responders of a session and where each one's chain goes on (R2).
public struct ResponderGraph: Sendable {
  /// The responders in the order in which they joined, and the ends of registries (L1).
  public internal(set) var responders: [Responder] = []
  /// The application, if there is one.
  public private(set) var application: ResponderID?
  private(set) var positions: [ResponderID: Int] = [:]
  private var nextPositions: [Int?] = []
  /// As `nextPositions`, but for what hosts of late responders would lead to without them.
  private var ownNextPositions: [Int?] = []

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

  /// What follows a responder and, when it is a host, its late responders (L2).
  func ownNext(of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { ownNextPositions[$0] }.map { responders[$0].id }
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
  /// Adds responders, or replaces those with the same names, and checks the whole.
  ///
  /// - Throws: `MutationFault` for a link that leads nowhere or to the wrong kind, a root view or
  ///   root view controller claimed twice, a second application, and a cycle (R9).
  @discardableResult
  mutating func put(_ new: [Responder]) throws(MutationFault) -> [ClearedLink] {
    let before = self
    for responder in new {
      if let position = positions[responder.id] {
        responders[position] = responder
      } else {
        positions[responder.id] = responders.count
        responders.append(responder)
      }
    }
    return try settle(since: before)
  }

  /// What is wrong with the links of responders that are to be together, cycles apart.
  static func linkFaults(of responders: [Responder]) -> [MutationFault] {
    var graph = ResponderGraph()
    graph.responders = responders
    graph.placeRegistryEnds()
    graph.index()
    return graph.linkFaults()
  }

  /// Removes a responder and clears the links of others to it, which are answered.
  mutating func remove(_ id: ResponderID) throws(MutationFault) -> [ClearedLink] {
    guard let position = positions[id] else { throw .unknownResponder(id) }
    let before = self
    responders.remove(at: position)
    for position in responders.indices {
      responders[position].lateResponders?.members.removeAll { $0 == id }
    }
    return try settle(since: before)
  }

  /// Takes a responder out of the registry it is in, and puts it behind its equals in that of a
  /// host, if one is given (L3, L4, L5).
  mutating func move(
    _ id: ResponderID, toRegistryOf host: ResponderID?
  ) throws(MutationFault) {
    let before = self
    for position in responders.indices {
      responders[position].lateResponders?.members.removeAll { $0 == id }
      if responders[position].id == host {
        responders[position].lateResponders?.members.append(id)
      }
    }
    _ = try settle(since: before)
  }

  /// Changes a responder in ways that do not touch its links.
  mutating func update(
    _ id: ResponderID, _ change: (inout Responder) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    guard let position = positions[id] else { throw .unknownResponder(id) }
    try change(&responders[position])
  }

  /// Brings everything in line with a change; answers the links to what is gone, which are cleared.
  private mutating func settle(since before: ResponderGraph) throws(MutationFault) -> [ClearedLink]
  {
    placeRegistryEnds()
    index()
    sortRegistries()
    keepNext(ofThoseReleasedSince: before)
    let cleared = clearLinks(toThoseGoneSince: before)
    try check()
    try deriveNext()
    return cleared
  }

  private mutating func index() {
    positions = [:]
    for (position, responder) in responders.enumerated() { positions[responder.id] = position }
  }

  private mutating func check() throws(MutationFault) {
    application = nil
    if let fault = linkFaults().first { throw fault }
  }

  /// What is wrong with links; finds the application on the way.
  private mutating func linkFaults() -> [MutationFault] {
    var faults: [MutationFault] = []
    var taken: [ResponderLink: [ResponderID: ResponderID]] = [:]
    for holder in responders {
      if holder.kind == .application {
        if let application {
          faults.append(.secondApplication(holder.id, existing: application))
        } else {
          application = holder.id
        }
      }
      for link in ResponderLink.allCases {
        guard let destination = holder.links[link] else { continue }
        if let fault = fault(of: link, of: holder, to: destination) { faults.append(fault) }
        guard link.isExclusive else { continue }
        if let other = taken[link, default: [:]].updateValue(holder.id, forKey: destination) {
          faults.append(.linkTaken(holder.id, link, to: destination, by: other))
        }
      }
    }
    return faults + registryFaults()
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

  private mutating func deriveNext() throws(MutationFault) {
    var rootViewOwners: [ResponderID: ResponderID] = [:]
    var windowsOfRoots: [ResponderID: ResponderID] = [:]
    for responder in responders {
      if let view = responder.links[.view] { rootViewOwners[view] = responder.id }
      if let root = responder.links[.rootViewController] { windowsOfRoots[root] = responder.id }
    }
    let natural = responders.map { responder in
      let next =
        responder.links[.next] ?? derivedNext(of: responder, rootViewOwners, windowsOfRoots)
      return next.flatMap { positions[$0] }
    }
    ownNextPositions = linkingLateResponders(natural)
    nextPositions = hookingRegistries(ownNextPositions)
    try refuseCycles()
  }

  /// Where a chain goes on without an explicit `next` (R2).
  private func derivedNext(
    of responder: Responder, _ rootViewOwners: [ResponderID: ResponderID],
    _ windowsOfRoots: [ResponderID: ResponderID]
  ) -> ResponderID? {
    switch responder.kind {
    case .view: rootViewOwners[responder.id] ?? responder.links[.superview]
    case .viewController:
      windowsOfRoots[responder.id] ?? responder.links[.presentingViewController]
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
