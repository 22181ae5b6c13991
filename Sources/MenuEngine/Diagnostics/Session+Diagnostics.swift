extension Session {
  /// What is odd about the session under a catalogue.
  ///
  /// Each kind of oddity is found by a function of its own, in this folder.
  public func diagnostics(in catalog: Catalog) -> SessionDiagnostics {
    let inquiry = inquiry(in: catalog, sender: nil, false)
    let chain = inquiry.order
    return SessionDiagnostics(
      chain: chain, cycles: graph.chainCycle.map { [$0] } ?? [], detached: detached,
      unhandled: catalog.commands.filter { !isHandled($0, inquiry) }.map(\.id),
      shadowed: actions(of: catalog).flatMap { shadows($0, chain, inquiry) },
      failing: inquiry.failingRules)
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

  /// What a responder has for an action: its coordinator's handler, its own, both or neither. AppKit's
  /// search finds no coordinator (R10).
  private func answering(
    _ action: Selector, _ id: ResponderID, _ inquiry: Inquiry
  ) -> [Receiver] {
    guard let responder = graph[id] else { return [] }
    var receivers: [Receiver] = []
    if search == .uikit, let coordinator = responder.coordinator,
      coordinator.forwarding == .catchAll, coordinator[action] != nil
    {
      receivers.append(.forwarder(host: id))
    }
    if inquiry.implementation(of: action, in: id) != nil { receivers.append(.responder(id)) }
    return receivers
  }
}

extension Inquiry {
  /// Whom a search asks that begins where searches begin now, as long as nobody answers.
  fileprivate var order: [ResponderID] {
    let start = start(from: nil)
    switch session.search {
    case .uikit: return start.map { session.graph.chain(from: $0) } ?? []
    case .appkit: return WindowOrder(of: session, from: start).stops.map(\.responder)
    }
  }
}
