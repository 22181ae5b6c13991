extension Session {
  mutating func register(
    _ handler: Handler, for selector: Selector, with host: ResponderID
  ) throws(MutationFault) -> Outcome {
    let token = nextToken()
    let replaced = graph[host]?.coordinator?[selector]
    try changeCoordinator(of: host) { (coordinator) throws(MutationFault) in
      coordinator.register(handler, for: selector, token: token)
    }
    return Outcome(
      changes: removal(of: replaced, host)
        + [.registration(host, selector, handler, token: token)],
      token: token)
  }

  mutating func changeRegistration(
    _ token: Int, with host: ResponderID, selector: Selector?, handler: Handler?
  ) throws(MutationFault) -> Outcome {
    let old = graph[host]?.coordinator?.registration(token)
    if let old, selector ?? old.selector == old.selector,
      handler?.isWritten(as: old.handler) != false
    {
      return Outcome(token: token)
    }
    let new = nextToken()
    let replaced = (selector ?? old?.selector).flatMap { graph[host]?.coordinator?[$0] }
    try changeCoordinator(of: host) { (coordinator) throws(MutationFault) in
      guard coordinator.change(token, to: new, selector: selector, handler: handler) else {
        throw .unknownRegistration(host, token: token)
      }
    }
    guard let old else { throw .unknownRegistration(host, token: token) }
    var changes = removal(of: old, host)
    if replaced?.token != token { changes += removal(of: replaced, host) }
    changes.append(
      .registration(host, selector ?? old.selector, handler ?? old.handler, token: new))
    return Outcome(changes: changes, token: new)
  }

  mutating func removeRegistration(
    _ token: Int, with host: ResponderID
  ) throws(MutationFault) -> Outcome {
    let old = graph[host]?.coordinator?.registration(token)
    try changeCoordinator(of: host) { (coordinator) throws(MutationFault) in
      coordinator.remove(token)
    }
    return Outcome(changes: removal(of: old, host))
  }

  private func removal(
    of registration: MenuCoordinator.Registration?, _ host: ResponderID
  ) -> [Outcome.Change] {
    guard let registration else { return [] }
    return [.registrationRemoved(host, registration.selector, token: registration.token)]
  }

  private mutating func changeCoordinator(
    of host: ResponderID, _ change: (inout MenuCoordinator) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    let counted = { (responder: Responder) in responder.coordinator?.holdings ?? Holdings() }
    try graph.update(host, counting: counted) { (responder) throws(MutationFault) in
      guard var coordinator = responder.coordinator else { throw .noCoordinator(host) }
      try change(&coordinator)
      responder.coordinator = coordinator
    }
  }
}
