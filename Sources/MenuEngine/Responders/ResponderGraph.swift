import JSONText

/// The responders of a session and their next responders (R2).
///
/// Copies share everything that neither has changed. Changing a responder takes time in proportion
/// to its size and that of the responders it is linked to.
package struct ResponderGraph: Sendable {
  /// The responders in the order in which they joined, and the ends of registries (L1).
  package internal(set) var responders: Responders {
    _read { yield content.value.responders }
    _modify { yield &content.value.responders }
  }
  /// The application, if there is one.
  package internal(set) var application: ResponderID? {
    get { content.value.application }
    set { content.value.application = newValue }
  }
  var positions: BlockDictionary<ResponderID, Int> {
    _read { yield content.value.positions }
    _modify { yield &content.value.positions }
  }
  /// The resources used by all responders, updated with each change.
  private(set) var holdings: Holdings {
    _read { yield content.value.holdings }
    _modify { yield &content.value.holdings }
  }
  /// The position of each next responder; never a cycle (R9).
  var nextPositions: BlockArray<Int?> {
    _read { yield content.value.nextPositions }
    _modify { yield &content.value.nextPositions }
  }
  /// The positions of removed responders; empty between changes.
  var vacated: [Int] {
    _read { yield content.value.vacated }
    _modify { yield &content.value.vacated }
  }
  /// The contents of the graph, which copies share.
  private(set) var content = Content.none

  /// A graph without responders.
  package init() {}

  /// The number of responders, ends of registries included.
  package var count: Int { responders.count }

  /// The names of the responders in the order in which they joined.
  package var ids: [ResponderID] {
    var ids: [ResponderID] = []
    ids.reserveCapacity(count)
    for position in responders.indices where !responders[position].id.isRegistryEnd {
      ids.append(responders[position].id)
    }
    return ids
  }

  /// The names in chains: of the responders and, after each host, of the ends of its registry (L1).
  package var chainedIDs: [ResponderID] {
    ids.flatMap { id in
      hasRegistry(id) ? [id, .lateInitial(of: id), .lateLast(of: id)] : [id]
    }
  }

  /// The responder of a name; nil when there is none.
  package subscript(id: ResponderID) -> Responder? { positions[id].map { responders[$0] } }

  // Inlined: a call would retain and release the graph.

  /// Returns the destination of a link of a responder.
  @inline(__always)
  func link(_ link: ResponderLink, of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { responders[$0].links[link] }
  }

  /// Returns the kind of a responder.
  func kind(of id: ResponderID) -> ResponderKind? { positions[id].map { responders[$0].kind } }

  /// Returns the class of a responder.
  func className(of id: ResponderID) -> ClassName? {
    positions[id].map { responders[$0].className }
  }

  /// Returns the registry of a host.
  func registry(of id: ResponderID) -> LateRegistry? {
    positions[id].flatMap { responders[$0].lateResponders }
  }

  /// True if a responder is the host of a registry. Unlike `registry(of:)`, this copies nothing.
  func hasRegistry(_ id: ResponderID) -> Bool {
    positions[id].map { responders[$0].lateResponders != nil } ?? false
  }

  /// Returns the next responder (R2), as `nextResponder` does; nil at the end of a chain.
  package func next(of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { nextPositions[$0] }.map { responders[$0].id }
  }

  /// True if there is a responder of a name.
  @inline(__always)
  package func contains(_ id: ResponderID) -> Bool { positions[id] != nil }

  /// Returns the position of a responder in `responders`.
  @inline(__always)
  func position(of id: ResponderID) -> Int? { positions[id] }

  /// Returns the position of the next responder in `responders`.
  func next(of position: Int) -> Int? { nextPositions[position] }

  /// Returns the chain that begins at `start`, itself included; it ends before a responder would come
  /// twice (R9).
  package func chain(from start: ResponderID) -> [ResponderID] {
    var chain: [ResponderID] = []
    var position = positions[start]
    while let here = position, chain.count < count {
      chain.append(responders[here].id)
      position = nextPositions[here]
    }
    return chain
  }
}

extension ResponderGraph {
  struct Content {
    var responders = Responders()
    var application: ResponderID?
    var positions = BlockDictionary<ResponderID, Int>()
    var holdings = Holdings()
    var nextPositions = BlockArray<Int?>()
    var vacated: [Int] = []
    var holders = BlockDictionary<ResponderID, BlockSet<ResponderID>>()
    var owners = LinkOwners()
    var registrars = BlockDictionary<ResponderID, ResponderID>()
    var focusHolders = BlockSet<ResponderID>()
    var observers = BlockSet<ResponderID>()

    static let none = Shared(Content())
  }

  /// True if both are copies of one value without later changes. False means unknown.
  func isIdentical(to other: ResponderGraph) -> Bool { content.isIdentical(to: other.content) }
}

extension ResponderGraph {
  /// The holders of links to each responder.
  var holders: BlockDictionary<ResponderID, BlockSet<ResponderID>> {
    _read { yield content.value.holders }
    _modify { yield &content.value.holders }
  }

  /// The holders of exclusive links.
  var owners: LinkOwners {
    _read { yield content.value.owners }
    _modify { yield &content.value.owners }
  }

  /// The hosts of registered late responders (L1).
  var registrars: BlockDictionary<ResponderID, ResponderID> {
    _read { yield content.value.registrars }
    _modify { yield &content.value.registrars }
  }

  /// The windows with a first responder of their own (R11).
  var focusHolders: BlockSet<ResponderID> {
    _read { yield content.value.focusHolders }
    _modify { yield &content.value.focusHolders }
  }

  /// The responders that observe others (V9).
  private(set) var observers: BlockSet<ResponderID> {
    _read { yield content.value.observers }
    _modify { yield &content.value.observers }
  }
}

extension [Responder] {
  /// The responders without the marks of instances.
  fileprivate var withoutInstances: [Responder] {
    var responders = self
    for index in indices where self[index].instance != nil {
      responders[index].content.instance = nil
    }
    return responders
  }
}

extension Responder {
  /// True if this responder is a valid destination for all links to the other.
  fileprivate func canReplace(_ other: Responder) -> Bool {
    kind == other.kind && (coordinating != nil || other.coordinating == nil)
  }
}

extension ResponderGraph {
  /// Adds responders of different names or replaces those with the same names, and checks everything affected.
  /// Returns the cleared links to ends of removed registries.
  ///
  /// - Throws: `MutationFault` for an invalid destination, a root view or root view controller with two owners,
  ///   a second application, a late responder that is missing or in another registry, and a cycle (R9). The
  ///   graph is unusable after an error.
  @discardableResult
  mutating func put(_ new: [Responder]) throws(MutationFault) -> [ClearedLink] {
    let new = new.withoutInstances
    let released = nextOfReleased(by: new)
    var touched: [ResponderID] = []
    var ofOtherKind: [ResponderID] = []
    var former: [ResponderID: Responder] = [:]
    for index in new.indices {
      let old = store(new[index])
      if new[index].lateResponders != nil { storeRegistryEnds(of: new[index].id) }
      guard let old else { continue }
      former[old.id] = old
      touched += dependents(on: old)
      disconnect(old)
      if !new[index].canReplace(old) { ofOtherKind.append(old.id) }
    }
    let places = new.indices.compactMap { positions[new[$0].id] }
    try connectAndEnroll(places)
    if let fault = adopt(childrenOf: new, former, &touched).first { throw fault }
    for id in ofOtherKind {
      try checkLinks(to: id)
      try checkLists(with: id)
    }
    if let fault = coordinationFaults(of: new).first { throw fault }
    if new.count == responders.count {
      // All are new or replaced, and no registry has ends.
      touched = new.map(\.id)
    } else {
      touched += places.flatMap { dependents(on: responders[$0]) } + keep(released)
    }
    // Only replaced responders can have had a registry.
    let replaced = new.indices.map { new[$0].id }.filter { former[$0] != nil }
    let cleared = removeEnds(ofThoseWithoutRegistry: replaced, &touched)
    closeGaps(&touched)
    let derived = deriveNext(of: touched)
    let isLeafAlone = touched.allSatisfy { $0 == new.first?.id && isLeaf($0) }
    try refuseCycles(from: isLeafAlone ? [] : derived)
    return cleared
  }

  /// Records the links of the responders at positions, then the members of their registries.
  private mutating func connectAndEnroll(_ places: [Int]) throws(MutationFault) {
    for position in places {
      if let fault = connect(position).first { throw fault }
    }
    for position in places where responders[position].lateResponders != nil {
      if let fault = enroll(position).first { throw fault }
    }
  }

  /// Removes responders one after the other. Returns the links to each, which are cleared.
  mutating func remove(
    _ ids: [ResponderID]
  ) throws(MutationFault) -> [(id: ResponderID, cleared: [ClearedLink])] {
    var touched: [ResponderID] = []
    var removed: [(id: ResponderID, cleared: [ClearedLink])] = []
    for id in ids {
      guard positions[id] != nil else { throw .unknownResponder(id) }
      touched += keep(nextOfReleased(byRemoving: id))
      if let host = leaveRegistry(id) { touched.append(host) }
      var cleared = erase(id, &touched)
      cleared += removeEnds(ofThoseWithoutRegistry: [id], &touched)
      removed.append((id, cleared))
    }
    closeGaps(&touched)
    let derived = deriveNext(of: touched)
    try refuseCycles(from: derived)
    return removed
  }

  /// Changes a responder without changing its links.
  ///
  /// - Parameter part: Returns the usage that the change can alter. The default is none.
  mutating func update(
    _ id: ResponderID, counting part: (Responder) -> Holdings = { _ in Holdings() },
    _ change: (inout Responder) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    guard let position = positions[id] else { throw .unknownResponder(id) }
    let before = part(responders[position])
    try change(&responders[position])
    holdings += part(responders[position]) - before
  }

  /// Merges an object into a responder's properties.
  mutating func merge(_ patch: JSON, intoPropertiesOf id: ResponderID) throws(MutationFault) {
    guard let position = positions[id] else { throw .unknownResponder(id) }
    holdings[.responderSize] += responders[propertiesAt: position].growth(merging: patch)
    responders[propertiesAt: position].merge(patch: patch)
  }

  /// Updates the usage for a responder that replaces another, joins (`old` is nil) or leaves (`responder` is nil).
  mutating func count(_ responder: Responder?, insteadOf old: Responder?) {
    if let old {
      holdings -= old.holdings
      observers.remove(old.id)
    }
    guard let responder else { return }
    holdings += responder.holdings
    if !responder.observes.isEmpty { observers.insert(responder.id) }
  }

  /// Stores responders without connecting their links.
  private init(storing responders: [Responder]) {
    self.init()
    for responder in responders {
      _ = store(responder)
      if responder.lateResponders != nil { storeRegistryEnds(of: responder.id) }
    }
  }

  /// Returns the first cycle of links, ignoring other faults; nil if there is none.
  static func cycle(of responders: [Responder]) -> MutationFault? {
    var graph = ResponderGraph(storing: responders)
    for position in graph.responders.indices { _ = graph.connect(position) }
    do throws(MutationFault) {
      let derived = graph.deriveNext(of: responders.map(\.id))
      try graph.refuseCycles(from: derived)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the faults of the links of responders, except cycles.
  static func linkFaults(of responders: [Responder]) -> [MutationFault] {
    var graph = ResponderGraph(storing: responders)
    var touched: [ResponderID] = []
    let places = graph.responders.indices
    return places.flatMap { graph.connect($0) } + places.flatMap { graph.enroll($0) }
      + graph.adopt(childrenOf: responders, [:], &touched)
      + graph.coordinationFaults(of: responders) + graph.placementFaults(of: responders)
  }
}

/// The coded form has the responders in order; chains and holders are derived.
extension ResponderGraph: Codable {
  private enum CodingKeys: CodingKey {
    case responders
  }

  /// Encodes the responders, the ends of registries included.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Array(responders), forKey: .responders)
  }

  /// Decodes the responders and links them.
  ///
  /// - Throws: `DecodingError` if they are inconsistent, which stored ones never are.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let responders = try container.decode([Responder].self, forKey: .responders)
    do throws(MutationFault) {
      try self.init(restoring: responders)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .responders, in: container,
        debugDescription: "the responders do not hold together: \(error)")
    }
  }

  /// Creates a graph from responders of another graph.
  ///
  /// - Throws: `MutationFault` if they are inconsistent.
  init(restoring restored: [Responder]) throws(MutationFault) {
    self.init()
    for responder in restored where store(responder) == nil {
      for member in responder.lateResponders?.members ?? [] { registrars[member] = responder.id }
    }
    for position in responders.indices {
      if let fault = connect(position).first { throw fault }
    }
    // The links of registry ends are set by their registries.
    let derived = deriveNext(of: ids)
    try refuseCycles(from: derived)
  }
}
