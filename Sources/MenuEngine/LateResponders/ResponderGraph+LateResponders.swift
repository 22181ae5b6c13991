extension ResponderGraph {
  /// The host of the registry that a responder is registered in.
  public func host(ofLate id: ResponderID) -> ResponderID? {
    responders.first { $0.lateResponders?.members.contains(id) == true }?.id
  }

  /// The responders that are registered anywhere.
  var registered: Set<ResponderID> { Set(responders.flatMap { $0.lateResponders?.members ?? [] }) }

  /// The host of the registry that is found from a responder (L6): itself, the nearest on its
  /// chain, or the nearest `parent` of a view controller; nil when there is none.
  public func registryHost(from id: ResponderID) -> ResponderID? {
    if let host = chain(from: id).first(where: { self[$0]?.lateResponders != nil }) { return host }
    var parent = self[id]
    while let here = parent {
      if here.lateResponders != nil { return here.id }
      parent = here.links[.parent].flatMap { self[$0] }
    }
    return nil
  }

  /// The chains of the registries: from the initial over the late responders to the last (L1).
  func linkingLateResponders(_ natural: [Int?]) -> [Int?] {
    var next = natural
    for host in responders {
      guard let registry = host.lateResponders,
        var current = position(of: .lateInitial(of: host.id))
      else { continue }
      for member in registry.members + [.lateLast(of: host.id)] {
        guard let position = position(of: member) else { continue }
        next[current] = position
        current = position
      }
    }
    return next
  }

  /// The chains with the hosts hooked to their registries, and the registries to what followed the
  /// hosts (L2).
  func hookingRegistries(_ own: [Int?]) -> [Int?] {
    var next = own
    for (position, host) in responders.enumerated() {
      guard let registry = host.lateResponders else { continue }
      next[position] = self.position(of: .lateInitial(of: host.id))
      if registry.hooksLast, let last = self.position(of: .lateLast(of: host.id)) {
        next[last] = own[position]
      }
    }
    return next
  }

  /// What is wrong with the members of registries.
  func registryFaults() -> [MutationFault] {
    var hosts: [ResponderID: ResponderID] = [:]
    var faults: [MutationFault] = []
    for host in responders {
      for member in host.lateResponders?.members ?? [] {
        if self[member] == nil {
          faults.append(.unknownLateResponder(member, host: host.id))
        } else if let other = hosts.updateValue(host.id, forKey: member) {
          faults.append(.lateResponderTaken(member, host: host.id, by: other))
        }
      }
    }
    return faults
  }
}
