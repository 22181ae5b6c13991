import JSONText

extension Session {
  /// The registry that is found from a responder (L6).
  public struct RegistryAnswer: Sendable {
    /// The host of the registry, or nil when there is none.
    public let host: ResponderID?
    /// The responders that were asked.
    public let trace: Trace
  }

  /// The registry that late responders are registered with from a responder (L6).
  ///
  /// - Throws: `MutationFault.unknownResponder`.
  public func registry(
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

  /// Registers a late responder with the registry found from `start` (L4): does nothing when it is
  /// there already, moves it when it is in another one.
  mutating func registerLate(
    _ id: ResponderID, from start: ResponderID
  ) throws(MutationFault) -> Outcome {
    try check(id)
    try check(start)
    guard let host = graph.registryHost(from: start) else { throw .noRegistry(start) }
    let former = graph.host(ofLate: id)
    if former == host { return Outcome() }
    let before = graph
    try graph.move(id, toRegistryOf: host)
    var changes = [former, host].compactMap { $0 }.map(registryChange)
    changes += freeLateResponders(of: host, since: before)
    return Outcome(changes: changes)
  }

  /// Clears the `next` of responders that joined the registry of a host, which says what follows them
  /// from then on (L2); they have one since they left another registry (L5), or of their own.
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

  /// Takes a late responder out of its registry (L5); does nothing when it is in none, or in
  /// another one than the one found from `start`.
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

  /// Changes what a proxy can be found for, at once and without telling anybody (L8).
  mutating func changeProxiedSelectors(
    _ selectors: [Selector]?, of id: ResponderID
  ) throws(MutationFault) -> Outcome {
    let counted = { (responder: Responder) in Holdings(responder.proxy?.proxiedSelectors) }
    try graph.update(id, counting: counted) { (responder) throws(MutationFault) in
      guard responder.proxy != nil else { throw .notAProxy(id) }
      responder.proxy = Proxy(proxiedSelectors: selectors)
    }
    return Outcome()
  }

  /// Refuses another weight for a responder while it is registered (L3).
  func checkWeight(of responder: Responder) throws(MutationFault) {
    guard let present = graph[responder.id], present.weight != responder.weight,
      let host = graph.host(ofLate: responder.id)
    else { return }
    throw .weightFixed(responder.id, present.weight, host: host)
  }

  /// Returns the changes of registries after a responder was put or removed: of the one that it
  /// hosted, and of the one that it was in.
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
