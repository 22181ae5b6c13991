extension ResponderGraph {
  /// The host of the registry that a responder is registered in.
  public func host(ofLate id: ResponderID) -> ResponderID? { registrars[id] }

  /// The host of the registry that is found from a responder (L6): itself, the nearest on its
  /// chain, else the nearest `parent` of a view controller; nil when there is none. A late responder
  /// without a registry of its own finds the one that it stands in.
  ///
  /// **Decision:** the chain comes first, since late responders are asked along it.
  public func registryHost(from id: ResponderID) -> ResponderID? {
    registrySearch(from: id).first { registry(of: $0) != nil }
  }

  /// Returns the responders that are asked for a registry (L6), the nearest first: the chain of a
  /// responder, each late responder on it followed by its host, then its parents that are not among
  /// them.
  func registrySearch(from id: ResponderID) -> [ResponderID] {
    var asked: [ResponderID] = []
    var met: Set<ResponderID> = []
    let containers = link(.parent, of: id).map { self.containers(from: $0) } ?? []
    for here in chain(from: id) + containers where !here.isRegistryEnd {
      asked += [here, registrars[here]].compactMap { $0 }.filter { met.insert($0).inserted }
    }
    return asked
  }

  /// Takes a responder out of the registry it is in, and puts it behind its equals in that of a
  /// host, if one is given (L3, L4, L5).
  mutating func move(
    _ id: ResponderID, toRegistryOf host: ResponderID?
  ) throws(MutationFault) {
    let next = ownNext(of: id)
    let former = leaveRegistry(id)
    if let host, let position = positions[host] {
      responders[position].lateResponders?.members.append(id)
      registrars[id] = host
      sortMembers(of: host)
    } else if former != nil {
      link(id, toNext: next)
    }
    let derived = deriveNext(of: [id, former, host].compactMap { $0 })
    try refuseCycles(from: derived)
  }

  /// Takes a responder out of the registry it is in, and answers the host of that.
  mutating func leaveRegistry(_ id: ResponderID) -> ResponderID? {
    guard let host = registrars.removeValue(forKey: id) else { return nil }
    if let position = positions[host] {
      responders[position].lateResponders?.members.removeAll { $0 == id }
    }
    return host
  }

  /// Notes the members of the registry that the responder at a position hosts, in their order, and answers
  /// what is wrong with them.
  mutating func enroll(_ position: Int) -> [MutationFault] {
    guard let members = responders[position].lateResponders?.members else { return [] }
    let host = responders[position].id
    var faults: [MutationFault] = []
    for member in members {
      if positions[member] == nil {
        faults.append(.unknownLateResponder(member, host: host))
      } else if let other = registrars.updateValue(host, forKey: member) {
        faults.append(.lateResponderTaken(member, host: host, by: other))
      }
    }
    if faults.isEmpty { sortMembers(of: host) }
    return faults
  }

  /// Brings late responders into the order in which they are asked (L3).
  private mutating func sortMembers(of host: ResponderID) {
    guard let position = positions[host],
      let members = responders[position].lateResponders?.members
    else { return }
    let sorted = members.enumerated()
      .map { (weight: self[$1]?.weight ?? 0, order: $0, id: $1) }
      .sorted { ($0.weight, $0.order) < ($1.weight, $1.order) }
    responders[position].lateResponders?.members = sorted.map(\.id)
  }
}
