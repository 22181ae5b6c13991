import JSONText

/// Hooking registries into chains (L2), and late responders that leave one (L5).
extension ResponderGraph {
  /// The registry of a host from its initial to its last; empty when it hosts none.
  func registryChain(of host: ResponderID) -> [ResponderID] {
    guard let registry = registry(of: host) else { return [] }
    return [.lateInitial(of: host)] + registry.members + [.lateLast(of: host)]
  }

  /// Sets where a chain goes on after a responder and, when that is a host, its registry.
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

  /// A responder that leads where it led before is not copied.
  private mutating func lead(_ position: Int, to next: Int?) {
    if nextPositions[position] != next { nextPositions[position] = next }
  }

  /// Returns the next responder of a chain, without the registry that the responder hosts: for a late responder the one
  /// behind it.
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

  /// Puts the two ends of a host's registry among the responders (L1).
  mutating func storeRegistryEnds(of host: ResponderID) {
    for end in [ResponderID.lateInitial(of: host), .lateLast(of: host)]
    where positions[end] == nil {
      _ = store(Responder(bare: end, of: .responder))
    }
  }

  /// Takes the ends of registries that are gone; answers the links to them, which are cleared.
  mutating func removeEnds(
    ofThoseWithoutRegistry hosts: [ResponderID], _ touched: inout [ResponderID]
  ) -> [ClearedLink] {
    var cleared: [ClearedLink] = []
    for host in hosts where registry(of: host) == nil {
      cleared += erase(.lateInitial(of: host), &touched)
      cleared += erase(.lateLast(of: host), &touched)
    }
    return cleared
  }

  /// A responder that is in no registry any more, and the one that followed it there.
  typealias Released = (id: ResponderID, next: ResponderID?)

  /// The members that the documents of hosts leave out, with what follows them now; they are in no
  /// registry any more, nor are those that stay until they are enrolled again.
  mutating func nextOfReleased(by new: [Responder]) -> [Released] {
    var released: [Released] = []
    for index in new.indices {
      guard let members = registry(of: new[index].id)?.members else { continue }
      let remaining = new[index].lateResponders?.members ?? []
      for member in members where !remaining.contains(member) {
        released.append((member, ownNext(of: member)))
      }
      for member in members { registrars[member] = nil }
    }
    return released
  }

  /// The members of a host that is to be removed, with what follows them now.
  mutating func nextOfReleased(byRemoving host: ResponderID) -> [Released] {
    let members = self[host]?.lateResponders?.members ?? []
    let released: [Released] = members.map { ($0, ownNext(of: $0)) }
    for member in members { registrars[member] = nil }
    return released
  }

  /// Leaves their next ones to responders that are in no registry any more (L5), and answers them.
  mutating func keep(_ released: [Released]) -> [ResponderID] {
    for (id, next) in released { link(id, toNext: next) }
    return released.map(\.id)
  }
}

extension ResponderID {
  /// The host of the registry that it is an end of.
  fileprivate var hostOfRegistryEnd: ResponderID? {
    guard isRegistryEnd, let slash = rawValue.firstIndex(of: "/") else { return nil }
    return ResponderID(unchecked: String(rawValue[..<slash]))
  }
}

extension Responder {
  /// An end of a registry.
  init(bare id: ResponderID, of kind: ResponderKind) {
    self.init(
      id: id, kind: kind, className: kind.defaultClass, links: [:],
      properties: .object(JSONObject()), canBecomeFirstResponder: nil,
      canResignFirstResponder: nil, handlers: [:], keyCommands: [], coordinator: nil,
      catchAll: nil, supplementalTargetRule: nil, weight: 0, proxy: nil, lateResponders: nil,
      userActivity: nil, touchBar: nil, observes: [])
  }
}
