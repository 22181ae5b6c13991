import JSONText

/// The responders of a session and where each one's chain goes on (R2).
///
/// Copies share everything that neither has changed. Changing a responder takes time in proportion
/// to its size and that of the responders it is linked to.
package struct ResponderGraph: Sendable {
  /// The responders in the order in which they joined, and the ends of registries (L1).
  package internal(set) var responders = Responders()
  /// The application, if there is one.
  package internal(set) var application: ResponderID?
  var positions = BlockDictionary<ResponderID, Int>()
  /// The holdings of all responders, kept in step as they come, go and change.
  private(set) var holdings = Holdings()
  /// The position of the next responder of each; never along a cycle (R9).
  var nextPositions = BlockArray<Int?>()
  /// The former positions of responders that are taken out; empty between two changes.
  var vacated: [Int] = []
  /// The responders that have a link to a responder.
  var holders = BlockDictionary<ResponderID, BlockSet<ResponderID>>()
  /// The holders of links that only one responder can have: the controllers of root views, the
  /// windows of root view controllers, the presented ones of presenters.
  var owners = BlockDictionary<ResponderLink, BlockDictionary<ResponderID, ResponderID>>()
  /// The hosts of those that are registered as late responders (L1).
  var registrars = BlockDictionary<ResponderID, ResponderID>()
  /// The windows that have a link to a first responder of their own (R11).
  var focusHolders = BlockSet<ResponderID>()
  /// The responders that want to be told of others (V9).
  private(set) var observers = BlockSet<ResponderID>()

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

  /// The names of all that stand in chains: of the responders, and behind each host those of the ends of its
  /// registry (L1).
  package var chainedIDs: [ResponderID] {
    ids.flatMap { id in
      registry(of: id) == nil ? [id] : [id, .lateInitial(of: id), .lateLast(of: id)]
    }
  }

  /// The responder of a name.
  package subscript(id: ResponderID) -> Responder? { positions[id].map { responders[$0] } }

  // A call of a method of the graph copies the graph, so that these are written out where they are called.

  /// Returns the destination of a link of a responder.
  @inline(__always)
  func link(_ link: ResponderLink, of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { responders[$0].links[link] }
  }

  /// The kind of a responder, read where it is.
  @inline(__always)
  func kind(of id: ResponderID) -> ResponderKind? { positions[id].map { responders[$0].kind } }

  /// The class of a responder, read where it is.
  func className(of id: ResponderID) -> ClassName? {
    positions[id].map { responders[$0].className }
  }

  /// The registry that a responder hosts, read where it is.
  func registry(of id: ResponderID) -> LateRegistry? {
    positions[id].flatMap { responders[$0].lateResponders }
  }

  /// The next responder (R2), or nil at the end of a chain.
  package func next(of id: ResponderID) -> ResponderID? {
    positions[id].flatMap { nextPositions[$0] }.map { responders[$0].id }
  }

  /// Returns the position of a responder in `responders`.
  @inline(__always)
  func position(of id: ResponderID) -> Int? { positions[id] }

  /// Returns the position of the next responder in `responders`.
  func next(of position: Int) -> Int? { nextPositions[position] }

  /// The chain that begins at `start`, itself included; it ends before a responder would come
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

extension [Responder] {
  /// The same without the marks of instances.
  fileprivate var withoutInstances: [Responder] {
    var responders = self
    for index in indices where self[index].instance != nil { responders[index].instance = nil }
    return responders
  }
}

extension Responder {
  /// True if all links to another one can lead to this one as well.
  fileprivate func canReplace(_ other: Responder) -> Bool {
    kind == other.kind && (coordinating != nil || other.coordinating == nil)
  }
}

extension ResponderGraph {
  /// Adds responders, or replaces those with the same names, and checks what that touches; answers
  /// the links to ends of registries that are gone, which are cleared. Sessions note which ones they made
  /// themselves.
  ///
  /// - Throws: `MutationFault` for a link that leads nowhere or to the wrong kind, a root view or
  ///   root view controller claimed twice, a second application, a late responder that is not there
  ///   or has another registry, and a cycle (R9). Then the graph is of no more use.
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
    for position in places {
      if let fault = connect(position).first { throw fault }
    }
    for position in places where responders[position].lateResponders != nil {
      if let fault = enroll(position).first { throw fault }
    }
    if let fault = adopt(childrenOf: new, former, &touched).first { throw fault }
    for id in ofOtherKind {
      try checkLinks(to: id)
      try checkLists(with: id)
    }
    if let fault = coordinationFaults(of: new).first { throw fault }
    for position in places { touched += dependents(on: responders[position]) }
    touched += keep(released)
    // Only one that was there already can have had a registry.
    let replaced = new.indices.map { new[$0].id }.filter { former[$0] != nil }
    let cleared = removeEnds(ofThoseWithoutRegistry: replaced, &touched)
    closeGaps(&touched)
    let derived = deriveNext(of: touched)
    let isLeafAlone = touched.allSatisfy { $0 == new.first?.id && isLeaf($0) }
    try refuseCycles(from: isLeafAlone ? [] : derived)
    return cleared
  }

  /// Removes a responder and clears the links of others to it, which are answered.
  mutating func remove(_ id: ResponderID) throws(MutationFault) -> [ClearedLink] {
    try remove([id]).flatMap(\.cleared)
  }

  /// Removes responders, one after the other, and answers the links to each, which are cleared.
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

  /// Changes a responder in ways that do not touch its links.
  ///
  /// - Parameter part: Returns the holdings that the change can alter. The default is none.
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
    holdings.responderSize += responders[propertiesAt: position].growth(merging: patch)
    responders[propertiesAt: position].merge(patch: patch)
  }

  /// Counts a responder that is there now, in place of another one or none, or one that is gone.
  mutating func count(_ responder: Responder?, insteadOf old: Responder?) {
    if let old {
      holdings -= old.holdings
      observers.remove(old.id)
    }
    guard let responder else { return }
    holdings += responder.holdings
    if !responder.observes.isEmpty { observers.insert(responder.id) }
  }

  /// Stores responders without their links.
  private init(storing responders: [Responder]) {
    self.init()
    for responder in responders {
      _ = store(responder)
      if responder.lateResponders != nil { storeRegistryEnds(of: responder.id) }
    }
  }

  /// Returns the first cycle of links between responders, whatever else is wrong with their links; nil if
  /// there is none.
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

  /// Returns the faults of the links of responders that are to be together, cycles apart.
  static func linkFaults(of responders: [Responder]) -> [MutationFault] {
    var graph = ResponderGraph(storing: responders)
    var touched: [ResponderID] = []
    let places = graph.responders.indices
    return places.flatMap { graph.connect($0) } + places.flatMap { graph.enroll($0) }
      + graph.adopt(childrenOf: responders, [:], &touched)
      + graph.coordinationFaults(of: responders) + graph.placementFaults(of: responders)
  }
}

/// Of a graph its responders are stored, in their order; where chains lead and who has links to whom
/// follows from that.
extension ResponderGraph: Codable {
  private enum CodingKeys: CodingKey {
    case responders
  }

  /// Encodes the responders, the ends of registries included.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Array(responders), forKey: .responders)
  }

  /// Decodes the responders and links them up.
  ///
  /// - Throws: `DecodingError` when they do not hold together, which no stored ones do.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let responders = try container.decode([Responder].self, forKey: .responders)
    do throws(MutationFault) {
      try self.init(restoring: responders.map { [$0] })
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .responders, in: container,
        debugDescription: "the responders do not hold together: \(error)")
    }
  }

  /// The graph of responders as they were in another graph, each alone in an array that graphs share.
  ///
  /// - Throws: `MutationFault` when they do not hold together.
  init(restoring cells: [[Responder]]) throws(MutationFault) {
    self.init()
    for cell in cells where store(cell) == nil {
      for member in cell[0].lateResponders?.members ?? [] { registrars[member] = cell[0].id }
    }
    for position in responders.indices {
      if let fault = connect(position).first { throw fault }
    }
    // The ends of registries are led to and on from by the registries.
    let derived = deriveNext(of: ids)
    try refuseCycles(from: derived)
  }
}
