import JSONText

/// Hooking registries into chains (L2), and the successors of late responders that leave one (L5).
extension ResponderGraph {
  /// Returns the registry of a host from its initial to its last responder; empty without a registry.
  func registryChain(of host: ResponderID) -> [ResponderID] {
    guard let registry = registry(of: host) else { return [] }
    return [.lateInitial(of: host)] + registry.members + [.lateLast(of: host)]
  }

  /// Sets the successor of a responder and, for a host, that of its registry.
  mutating func lead(_ id: ResponderID, to next: ResponderID?) {
    guard let position = positions[id] else { return }
    let next = next.flatMap { positions[$0] }
    if let registry = responders[position].lateResponders {
      lead(position, to: positions[.lateInitial(of: id)])
      guard let last = positions[.lateLast(of: id)] else { return }
      lead(last, to: registry.hooksLast ? next : nil)
    } else {
      lead(position, to: next)
    }
  }

  /// An unchanged successor is not written, to avoid a copy.
  private mutating func lead(_ position: Int, to next: Int?) {
    if nextPositions[position] != next { nextPositions[position] = next }
  }

  /// Returns the successor of a responder without the registry that it hosts; of a late responder, the next in
  /// its registry.
  func ownNext(of id: ResponderID) -> ResponderID? {
    if let host = id.hostOfRegistryEnd {
      guard id == .lateLast(of: host) else { return following(id, inRegistryOf: host) }
      return self[host]?.lateResponders?.hooksLast == true ? ownNext(of: host) : nil
    }
    return registrars[id].map { following(id, inRegistryOf: $0) } ?? linkedNext(of: id)
  }

  private func following(_ id: ResponderID, inRegistryOf host: ResponderID) -> ResponderID? {
    let chain = registryChain(of: host)
    guard let index = chain.firstIndex(of: id), index + 1 < chain.count else { return nil }
    return chain[index + 1]
  }

  /// Adds the two ends of a host's registry to the responders (L1).
  mutating func storeRegistryEnds(of host: ResponderID) {
    for end in [ResponderID.lateInitial(of: host), .lateLast(of: host)]
    where positions[end] == nil {
      _ = store(Responder(bare: end, of: .responder))
    }
  }

  /// Removes the ends of removed registries; returns the links to them, which are cleared.
  mutating func removeEnds(
    ofThoseWithoutRegistry hosts: [ResponderID], _ touched: inout [ResponderID]
  ) -> [ClearedLink] {
    var cleared: [ClearedLink] = []
    for host in hosts where !hasRegistry(host) {
      cleared += erase(.lateInitial(of: host), &touched)
      cleared += erase(.lateLast(of: host), &touched)
    }
    return cleared
  }

  /// A responder that left a registry, with its former successor.
  typealias Released = (id: ResponderID, next: ResponderID?)

  /// Returns the members that new documents of hosts leave out, with their present successors. All members
  /// leave their registries until they are enrolled again.
  mutating func nextOfReleased(by new: [Responder]) -> [Released] {
    guard !registrars.isEmpty else { return [] }
    var released: [Released] = []
    for index in new.indices {
      let remaining = Set(new[index].lateResponders?.members ?? [])
      released += nextOfReleased(byRemoving: new[index].id).filter { !remaining.contains($0.id) }
    }
    return released
  }

  /// Returns the members of a host that is to be removed, with their present successors.
  mutating func nextOfReleased(byRemoving host: ResponderID) -> [Released] {
    let members = registryChain(of: host).dropFirst()
    let released: [Released] = zip(members, members.dropFirst()).map { ($0, $1) }
    for member in released { registrars[member.id] = nil }
    return released
  }

  /// Sets the successors of responders that left their registries (L5), and returns the responders.
  mutating func keep(_ released: [Released]) -> [ResponderID] {
    for (id, next) in released { link(id, toNext: next) }
    return released.map(\.id)
  }
}

extension ResponderID {
  /// The host of the registry whose end it is.
  fileprivate var hostOfRegistryEnd: ResponderID? {
    guard isRegistryEnd, let slash = rawValue.firstIndex(of: "/") else { return nil }
    return ResponderID(unchecked: String(rawValue[..<slash]))
  }
}

extension Responder {
  /// Creates an end of a registry.
  init(bare id: ResponderID, of kind: ResponderKind) {
    self.init(
      Content(
        id: id, kind: kind, className: kind.defaultClass, links: [:],
        properties: .object(JSONObject()), canBecomeFirstResponder: nil,
        canResignFirstResponder: nil, handlers: [:], keyCommands: [], coordinator: nil,
        catchAll: nil, supplementalTargetRule: nil, weight: 0, proxy: nil, lateResponders: nil,
        userActivity: nil, touchBar: nil, observes: []))
  }
}
