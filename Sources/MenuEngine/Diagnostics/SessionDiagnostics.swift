/// What is odd about a session: nothing that stops it, but what its front end will want to know.
public struct SessionDiagnostics: Equatable, Sendable {
  /// The chain from where a search begins now.
  public let chain: [ResponderID]
  /// Responders whose chain leads back into itself. Links that would close a cycle are refused, so
  /// there are none (R9).
  public let cycles: [[ResponderID]]
  /// Responders whose chain does not end where the others do: at the application or its delegate.
  public let detached: [ResponderID]
  /// Commands whose action nobody in the session has a handler for.
  public let unhandled: [CommandID]
  /// Registries of late responders that nothing follows (L2).
  public let unhooked: [UnhookedRegistry]
  /// Handlers on the chain that a nearer responder keeps from being asked.
  public let shadowed: [Shadow]

  /// A handler that is there but not asked, since a nearer responder can answer.
  public struct Shadow: Equatable, Sendable {
    /// The action.
    public let action: Selector
    /// Who is asked first.
    public let winner: Receiver
    /// Who is behind.
    public let shadowed: Receiver
  }
}

extension Session {
  /// What is odd about the session under a catalogue.
  public func diagnostics(in catalog: Catalog) -> SessionDiagnostics {
    let inquiry = inquiry(in: catalog, sender: nil, false)
    let chain = inquiry.start(from: nil).map { graph.chain(from: $0) } ?? []
    return SessionDiagnostics(
      chain: chain, cycles: graph.chainCycle.map { [$0] } ?? [], detached: detached,
      unhandled: catalog.commands.filter { !isHandled($0, inquiry) }.map(\.id),
      unhooked: graph.unhookedRegistries,
      shadowed: actions(of: catalog).flatMap { shadows($0, chain, inquiry) })
  }

  private var detached: [ResponderID] {
    guard let application = graph.application else { return [] }
    let trunk = Set(graph.chain(from: application))
    return graph.ids.filter { id in !graph.chain(from: id).contains(where: trunk.contains) }
  }

  private func actions(of catalog: Catalog) -> [Selector] {
    var met: Set<Selector> = []
    return catalog.commands.compactMap(\.action).filter { met.insert($0).inserted }
  }

  private func isHandled(_ command: Command, _ inquiry: Inquiry) -> Bool {
    guard let action = command.action else { return true }
    return graph.ids.contains { !answering(action, $0, inquiry).isEmpty }
  }

  private func shadows(
    _ action: Selector, _ chain: [ResponderID], _ inquiry: Inquiry
  ) -> [SessionDiagnostics.Shadow] {
    let answering = chain.flatMap { self.answering(action, $0, inquiry) }
    guard let winner = answering.first else { return [] }
    return answering.dropFirst().map {
      SessionDiagnostics.Shadow(action: action, winner: winner, shadowed: $0)
    }
  }

  /// What a responder has for an action: its coordinator's handler, its own, both or neither.
  private func answering(
    _ action: Selector, _ id: ResponderID, _ inquiry: Inquiry
  ) -> [Receiver] {
    guard let responder = graph[id] else { return [] }
    var receivers: [Receiver] = []
    if let coordinator = responder.coordinator, coordinator.forwarding == .catchAll,
      coordinator[action] != nil
    {
      receivers.append(.forwarder(host: id))
    }
    if inquiry.canBeFound(id, for: action) { receivers.append(.responder(id)) }
    return receivers
  }
}
