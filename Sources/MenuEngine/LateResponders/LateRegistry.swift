package import JSONText

/// The late responders of a host, which are searched after it and before its successor (L1).
package struct LateRegistry: Equatable, Sendable, Codable {
  /// True if the host's successor follows its late responders. The default is true; else everything after the
  /// host is unreachable from it (L2).
  package private(set) var hooksLast = true
  /// The late responders in search order: lightest first, then first registered (L3).
  package internal(set) var members: [ResponderID] = []
}

/// The two ends of a registry: responders without methods. Their names have a slash, which names given by
/// clients cannot have.
extension ResponderID {
  /// Returns the initial responder of a registry, which follows the host.
  static func lateInitial(of host: ResponderID) -> ResponderID {
    ResponderID(unchecked: host.rawValue + lateInitialSuffix)
  }

  /// Returns the last responder of a registry, which leads to the host's successor.
  static func lateLast(of host: ResponderID) -> ResponderID {
    ResponderID(unchecked: host.rawValue + lateLastSuffix)
  }

  package var isRegistryEnd: Bool { rawValue.utf8.contains(UInt8(ascii: "/")) }

  /// Parses the name of a responder or of a registry's end: `detail/late-last`.
  init?(chained text: String) {
    let suffix = [lateInitialSuffix, lateLastSuffix].first(where: text.hasSuffix) ?? ""
    guard ResponderID(String(text.dropLast(suffix.count))) != nil else { return nil }
    self.init(unchecked: text)
  }
}

private let lateInitialSuffix = "/late-initial"
private let lateLastSuffix = "/late-last"

extension LateRegistry {
  /// Reads a registry, for example `{"hooksLast": false, "responders": ["listProxy"]}`; nil with faults in the
  /// log.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let hooksLast = reader.member("hooksLast", Read.bool) ?? true
    let members: [ResponderID]? = reader.list("responders", Read.identifier)
    reader.finish()
    self.init(hooksLast: hooksLast, members: members ?? [])
  }

  package var json: JSON {
    ["hooksLast": .bool(hooksLast), "responders": .array(members.map { .string($0.rawValue) })]
  }
}

extension Read {
  /// Reads the name of a responder or of a registry's end.
  static func chained(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> ResponderID? {
    if case .string(let text) = json, let id = ResponderID(chained: text) { return id }
    return refuse(.identifier, json, at: pointer, log: log)
  }
}

/// Operations on late responders and proxies.
extension Operations {
  static let ofLateResponders: [any AnyOperation] = [
    registerLateResponder, deregisterLateResponder, changeProxiedSelectors,
  ]

  static let registerLateResponder = Operation(
    "registerLateResponder", needs: .declare,
    about:
      "Registers a late responder with the registry found from a responder (L4, L6).",
    late, Member(receiver: "responder", about: "The responder from which the registry is found.")
  ) { (performer: inout Performer, id, start) throws(MutationFault) in
    performer.record(try performer.session.registerLate(id, from: start).changes)
  }

  static let deregisterLateResponder = Operation(
    "deregisterLateResponder", needs: .declare,
    about: "Removes a late responder from the registry found from a responder (L5).",
    late,
    Member(
      optional: "responder", .responder,
      about: "The responder from which the registry is found. The default is whichever it is in.")
  ) { (performer: inout Performer, id, start) throws(MutationFault) in
    performer.record(try performer.session.deregisterLate(id, from: start).changes)
  }

  static let changeProxiedSelectors = Operation(
    "changeProxiedSelectors", needs: .declare,
    about: "Changes the selectors a proxy can be found for (L8).",
    Member(receiver: "responder", about: "The proxy."),
    Member("proxiedSelectors", .proxiedSelectors, about: "The selectors; null is everything.")
  ) { (performer: inout Performer, id, selectors) throws(MutationFault) in
    performer.record(try performer.session.changeProxiedSelectors(selectors, of: id).changes)
  }

  private static let late = Member(
    "lateResponder", MemberType<ResponderID>.responder, about: "The late responder.")
}

extension Mutation {
  /// Registers a late responder with the registry found from another responder (L4, L6).
  package static func registerLate(_ id: ResponderID, from start: ResponderID) -> Mutation {
    Mutation(Operations.registerLateResponder, id, start)
  }

  /// Removes a late responder from the registry found from another responder; nil for the registry it is in
  /// (L5).
  package static func deregisterLate(_ id: ResponderID, from start: ResponderID?) -> Mutation {
    Mutation(Operations.deregisterLateResponder, id, start)
  }

  /// Changes the filter of a proxy; nil allows all selectors (L8).
  package static func changeProxiedSelectors(
    _ selectors: [Selector]?, of id: ResponderID
  ) -> Mutation {
    Mutation(Operations.changeProxiedSelectors, id, selectors)
  }
}

extension Session {
  /// The registry found from a responder (L6).
  package struct RegistryAnswer: Sendable {
    /// The host of the registry; nil if there is none.
    package let host: ResponderID?
    /// The responders visited.
    package let trace: Trace
  }

  /// Returns the registry for late responders from a responder (L6).
  ///
  /// - Throws: `MutationFault.unknownResponder`.
  package func registry(
    from start: ResponderID, isExplaining: Bool = false
  ) throws(MutationFault) -> RegistryAnswer {
    try check(start)
    var trace = Trace(isRecording: isExplaining)
    for id in graph.registrySearch(from: start) {
      let members = graph[id]?.lateResponders?.members
      let names = members?.map { JSON.string($0.rawValue) }
      trace.note(.lateResponders, .responder(id), answer: names.map(JSON.array) ?? .null)
      if members != nil { return RegistryAnswer(host: id, trace: trace) }
    }
    return RegistryAnswer(host: nil, trace: trace)
  }

  /// Registers a late responder with the registry found from `start` (L4). Has no effect if it is registered
  /// there; moves it from another registry.
  mutating func registerLate(
    _ id: ResponderID, from start: ResponderID
  ) throws(MutationFault) -> Outcome {
    try check(id)
    try check(start)
    guard let host = graph.registryHost(from: start) else {
      throw .lateResponder(.noRegistry(start))
    }
    let former = graph.host(ofLate: id)
    if former == host { return Outcome() }
    let before = graph
    try graph.move(id, toRegistryOf: host)
    var changes = [former, host].compactMap { $0 }.map(registryChange)
    changes += freeLateResponders(of: host, since: before)
    return Outcome(changes: changes)
  }

  /// Clears the `next` of responders that joined a host's registry, which determines their successors (L2). They may
  /// have kept one when they left another registry (L5), or have one of their own.
  mutating func freeLateResponders(
    of host: ResponderID, since before: ResponderGraph
  ) -> [Outcome.Change] {
    let members = graph[host]?.lateResponders?.members ?? []
    return members.compactMap { member in
      guard before.host(ofLate: member) != host, graph.link(.next, of: member) != nil else {
        return nil
      }
      graph.link(member, toNext: nil)
      return .link(member, .next, nil)
    }
  }

  /// Removes a late responder from its registry (L5). Has no effect if it is in none, or in another than the
  /// one found from `start`.
  mutating func deregisterLate(
    _ id: ResponderID, from start: ResponderID?
  ) throws(MutationFault) -> Outcome {
    try check(start)
    guard let host = graph.host(ofLate: id),
      start.map({ graph.registryHost(from: $0) == host }) ?? true
    else { return Outcome() }
    try graph.move(id, toRegistryOf: nil)
    return Outcome(changes: [registryChange(host)])
  }

  /// Changes the filter of a proxy at once, without an event (L8).
  mutating func changeProxiedSelectors(
    _ selectors: [Selector]?, of id: ResponderID
  ) throws(MutationFault) -> Outcome {
    let counted = { (responder: Responder) in Holdings(responder.proxy?.proxiedSelectors) }
    try graph.update(id, counting: counted) { (responder) throws(MutationFault) in
      guard responder.proxy != nil else { throw .handler(.notAProxy(id)) }
      responder.content.proxy = Proxy(proxiedSelectors: selectors)
    }
    return Outcome()
  }

  /// Throws if the weight of a registered responder would change (L3).
  func checkWeight(of responder: Responder) throws(MutationFault) {
    guard let present = graph[responder.id], present.weight != responder.weight,
      let host = graph.host(ofLate: responder.id)
    else { return }
    throw .lateResponder(.weightFixed(responder.id, present.weight, host: host))
  }

  /// Returns the changes of registries after a responder was put or removed: of its own registry, and of the
  /// one it was in.
  func registryChanges(
    around id: ResponderID, since before: ResponderGraph
  ) -> [Outcome.Change] {
    [id, before.host(ofLate: id)].compactMap { $0 }.compactMap { host in
      guard let old = before[host]?.lateResponders else { return nil }
      guard let new = graph[host]?.lateResponders else { return .registryRemoved(host) }
      return new.members == old.members ? nil : registryChange(host)
    }
  }

  private func registryChange(_ host: ResponderID) -> Outcome.Change {
    .lateResponders(host, graph[host]?.lateResponders?.members ?? [])
  }
}

extension ResponderGraph {
  /// Returns the host of the registry of a late responder.
  package func host(ofLate id: ResponderID) -> ResponderID? { registrars[id] }

  /// Returns the host of the registry found from a responder (L6): itself, the nearest on its chain, else the
  /// nearest `parent` of a view controller; nil for none. A late responder without a registry of its own finds
  /// the one it is in.
  ///
  /// **Decision:** the chain comes first, since late responders are searched along it.
  package func registryHost(from id: ResponderID) -> ResponderID? {
    registrySearch(from: id).first(where: hasRegistry)
  }

  /// Returns the responders visited in search of a registry (L6), nearest first: the chain, with each late
  /// responder followed by its host, then the remaining parents.
  func registrySearch(from id: ResponderID) -> [ResponderID] {
    var asked: [ResponderID] = []
    var met: Set<ResponderID> = []
    let containers = link(.parent, of: id).map { self.containers(from: $0) } ?? []
    for here in chain(from: id) + containers where !here.isRegistryEnd {
      asked += [here, registrars[here]].compactMap { $0 }.filter { met.insert($0).inserted }
    }
    return asked
  }

  /// Removes a responder from its registry, and adds it to that of a host, if given, after those of equal
  /// weight (L3, L4, L5).
  mutating func move(
    _ id: ResponderID, toRegistryOf host: ResponderID?
  ) throws(MutationFault) {
    let next = ownNext(of: id)
    let former = leaveRegistry(id)
    if let host, let position = positions[host] {
      responders[position].content.lateResponders?.members.append(id)
      registrars[id] = host
      sortMembers(of: host)
    } else if former != nil {
      link(id, toNext: next)
    }
    let derived = deriveNext(of: [id, former, host].compactMap { $0 })
    try refuseCycles(from: derived)
  }

  /// Removes a responder from its registry, and returns the host of the registry.
  mutating func leaveRegistry(_ id: ResponderID) -> ResponderID? {
    guard let host = registrars.removeValue(forKey: id) else { return nil }
    if let position = positions[host] {
      responders[position].content.lateResponders?.members.removeAll { $0 == id }
    }
    return host
  }

  /// Records the members of the registry of the host at a position, and returns their faults.
  mutating func enroll(_ position: Int) -> [MutationFault] {
    guard let members = responders[position].lateResponders?.members else { return [] }
    let host = responders[position].id
    var faults: [MutationFault] = []
    for member in members {
      if positions[member] == nil {
        faults.append(.lateResponder(.unknownLateResponder(member, host: host)))
      } else if let other = registrars.updateValue(host, forKey: member) {
        faults.append(.lateResponder(.lateResponderTaken(member, host: host, by: other)))
      }
    }
    if faults.isEmpty { sortMembers(of: host) }
    return faults
  }

  /// Sorts late responders by weight (L3).
  private mutating func sortMembers(of host: ResponderID) {
    guard let position = positions[host],
      let members = responders[position].lateResponders?.members
    else { return }
    let sorted = members.enumerated()
      .map { (weight: self[$1]?.weight ?? 0, order: $0, id: $1) }
      .sorted { ($0.weight, $0.order) < ($1.weight, $1.order) }
    responders[position].content.lateResponders?.members = sorted.map(\.id)
  }
}
