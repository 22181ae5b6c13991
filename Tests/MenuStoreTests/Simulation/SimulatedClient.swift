import JSONText
import MenuEngine
import StoreSupport

@testable import MenuStore

/// A client of a store, which does one request after the other by small steps, as the API does: others do
/// theirs in between.
struct SimulatedClient {
  struct Request: CustomStringConvertible {
    enum Kind: CaseIterable { case open, change, close, changeCatalog, read }

    let number: Int
    let kind: Kind
    let session: SessionID
    let key: [UInt8]?

    var description: String {
      let key = key.map { " with key " + String(decoding: $0, as: UTF8.self) } ?? ""
      return "request \(number), \(kind) \(session)\(key)"
    }
  }

  private enum Phase {
    case idle
    case looking(Request)
    case looked(Request, StoreSnapshot)
    case made(Request, Proposal)
    /// Waits with an answer until what it shows is durable: some writes, and its body if a key has it.
    case waiting(Request, [Ticket], shows: [Int], body: [UInt8]?, isWrite: Bool)
  }

  let name: Int
  private var phase = Phase.idle

  init(_ name: Int) { self.name = name }

  /// The request that it is about, if there is one.
  var request: Request? {
    switch phase {
    case .idle: nil
    case .looking(let request), .looked(let request, _), .made(let request, _),
      .waiting(let request, _, shows: _, body: _, isWrite: _):
      request
    }
  }

  /// Does the next step.
  mutating func step(in simulation: Simulation, on store: SessionStore) {
    switch phase {
    case .idle:
      let request = simulation.nextRequest()
      simulation.trace("client \(name) begins \(request)")
      phase = .looking(request)
    case .looking(let request): look(request, simulation, store)
    case .looked(let request, let look): make(request, look, simulation, store)
    case .made(let request, let proposal): commit(request, proposal, simulation, store)
    case .waiting(let request, let tickets, let shows, let body, let isWrite):
      wait(request, tickets, shows, body, isWrite, simulation)
    }
  }

  private mutating func look(
    _ request: Request, _ simulation: Simulation, _ store: SessionStore
  ) {
    if let key = request.key, let (entry, ticket) = store.answer(under: key) {
      phase = .waiting(request, [ticket], shows: [], body: entry.body, isWrite: false)
      return
    }
    let look = store.read(request.session)
    simulation.check(look, at: request.session)
    phase = .looked(request, look)
    if request.kind == .read { answer(request, look, simulation) }
  }

  /// Answers what it saw: the session, or that there is none.
  private mutating func answer(_ request: Request, _ look: StoreSnapshot, _ simulation: Simulation)
  {
    let tickets = [look.catalog.ticket, look.session?.ticket ?? look.membership]
    phase = .waiting(
      request, tickets, shows: simulation.history.lines(showing: request.session), body: nil,
      isWrite: false)
  }

  private mutating func make(
    _ request: Request, _ look: StoreSnapshot, _ simulation: Simulation, _ store: SessionStore
  ) {
    let entry = request.key.map { key in
      IdempotencyEntry(
        key: key, fingerprint: [1], status: 200, headers: [],
        body: Array("answer to \(request.number) at \(simulation.stepNumber)".utf8),
        expiry: store.retentionClock.expiry)
    }
    if let proposal = proposal(request, look, entry, simulation, store) {
      phase = .made(request, proposal)
    } else {
      // It looks once more, since what it saw may be of an earlier moment than the line of history.
      let look = store.read(request.session)
      simulation.check(look, at: request.session)
      answer(request, look, simulation)
    }
  }

  private func proposal(
    _ request: Request, _ look: StoreSnapshot, _ entry: IdempotencyEntry?, _ simulation: Simulation,
    _ store: SessionStore
  ) -> Proposal? {
    let catalog = look.catalog
    switch (request.kind, look.session) {
    case (.open, nil):
      var template = SessionTemplate()
      template.state = ["seen": .int(Int64(catalog.catalog.revision)), "changes": 0]
      guard let session = try? Session(request.session, opening: template, in: catalog.catalog)
      else { return nil }
      // As it was once: made under the catalogue that it saw, and opened under the present one.
      let base = simulation.plant == .openingUnderAnotherCatalog ? store.catalogEdition : catalog
      return .open(session, as: store.newOpening(), under: base, atMost: 3, entry: entry)
    case (.change, let edition?):
      var change = SessionChange(of: edition, under: catalog, store.figures)
      let changes = edition.session.state[JSONPointer(["changes"])]
      guard case .int(let count)? = changes else { return nil }
      let seen = Int64(catalog.catalog.revision)
      guard
        (try? change.apply(.mergeState(["seen": .int(seen), "changes": .int(count + 1)]))) != nil
      else { return nil }
      change.entry = entry
      return change.proposal
    case (.close, let edition?): return .close(edition, under: catalog, entry: entry)
    case (.changeCatalog, _):
      let mutation = simulation.mutation(of: catalog.catalog)
      var changed = catalog.catalog
      guard (try? changed.apply(mutation)) != nil else { return nil }
      return .changeCatalog(catalog, by: mutation, to: changed, entry: entry)
    case (.open, .some), (.change, nil), (.close, nil), (.read, _): return nil
    }
  }

  private mutating func commit(
    _ request: Request, _ proposal: Proposal, _ simulation: Simulation, _ store: SessionStore
  ) {
    var proposal = proposal
    if simulation.plant == .lostUpdate { proposal = proposal.asOfNow(in: store) }
    let before = simulation.nextWrite
    do throws(JournalFault) {
      switch try store.commit(proposal) {
      case .committed(let ticket):
        simulation.trace("client \(name) commits write \(before)")
        simulation.check(store.read(request.session), at: request.session)
        phase = .waiting(
          request, [ticket], shows: [before], body: proposal.entry?.body, isWrite: true)
      case .outdated, .repeated: phase = .looking(request)
      }
    } catch {
      simulation.trace("client \(name) is refused: \(error)")
      end(request, isRepeated: true, simulation)
    }
  }

  private mutating func wait(
    _ request: Request, _ tickets: [Ticket], _ shows: [Int], _ body: [UInt8]?, _ isWrite: Bool,
    _ simulation: Simulation
  ) {
    for ticket in tickets {
      switch ticket.outcome {
      case nil: return
      case .durable: continue
      case .failed(let fault):
        simulation.trace("client \(name) fails: \(fault)")
        if isWrite { end(request, isRepeated: true, simulation) } else { phase = .looking(request) }
        return
      }
    }
    simulation.trace("client \(name) is answered, shown \(shows)")
    for line in shows { simulation.expect(simulation.history.tell(line)) }
    if let key = request.key, let body { simulation.expect(simulation.history.reply(key, body)) }
    end(request, isRepeated: false, simulation)
  }

  private mutating func end(_ request: Request, isRepeated: Bool, _ simulation: Simulation) {
    phase = .idle
    simulation.end(request, isRepeated: isRepeated)
  }

  /// Stops where it is, since the process ended; what it asked for may have happened or not.
  mutating func abandon(in simulation: Simulation) {
    if let request { end(request, isRepeated: true, simulation) }
  }
}

extension Proposal {
  /// The same change as if it had been made from what is there now.
  fileprivate func asOfNow(in store: SessionStore) -> Proposal {
    guard case .change(let base, to: let session, by: let mutations, let outcomes) = action else {
      return self
    }
    let look = store.read(base.session.id)
    guard let present = look.session else { return self }
    return Proposal(
      action: .change(present, to: session, by: mutations, outcomes), catalog: look.catalog,
      entry: entry)
  }
}
