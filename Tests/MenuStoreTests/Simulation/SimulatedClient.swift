import JSONText
import MenuEngine

@testable import MenuStore

/// A client of a store, which does one request after the other by small steps, as the API does: others do
/// theirs in between.
struct SimulatedClient {
  struct Request: CustomStringConvertible {
    enum Kind { case open, change, close, expire, changeCatalog, read }

    let number: Int
    let kind: Kind
    let session: SessionID
    let key: [UInt8]?
    /// True if the writer makes the change again when it is outdated; if not, the client looks again.
    let isRemade: Bool

    var description: String {
      let key = key.map { " with key " + String(decoding: $0, as: UTF8.self) } ?? ""
      return "request \(number), \(kind) \(session)\(key)"
    }
  }

  /// A change that the writer has, and its result.
  final class Attempt: @unchecked Sendable {
    let request: Request
    /// The change as it was made last.
    var proposal: Proposal
    var result: Result<CommitResult, JournalFault>?

    init(_ request: Request, _ proposal: Proposal) {
      (self.request, self.proposal) = (request, proposal)
    }
  }

  private enum Phase {
    case looking
    case looked(StoreSnapshot)
    case made(Proposal)
    case waiting(Attempt)
  }

  /// The number of sessions that may be open.
  static let mostSessions = 3

  /// The revision of the catalogue that a session was made under, and the number of its changes.
  static let (seen, changes) = (JSONPointer(["seen"]), JSONPointer(["changes"]))

  let name: Int
  /// The request that it is about, if there is one.
  private var request: Request?
  private var phase = Phase.looking

  init(_ name: Int) { self.name = name }

  /// Does the next step.
  mutating func step(in simulation: Simulation, on store: SessionStore) {
    guard let request else {
      request = simulation.nextRequest()
      return simulation.trace("client \(name) begins \(request, default: "")")
    }
    switch phase {
    case .looking: look(request, simulation, store)
    case .looked(let look):
      guard let proposal = request.proposal(after: look, in: simulation, on: store) else {
        return end(in: simulation)
      }
      phase = .made(proposal)
    case .made(let proposal): commit(request, proposal, simulation, store)
    case .waiting(let attempt):
      switch attempt.result {
      case nil: return
      case .success(.outdated)?, .success(.unchanged)?: phase = .looking
      case .success?: end(in: simulation)
      case .failure?: end(isRepeated: true, in: simulation)
      }
    }
  }

  private mutating func look(_ request: Request, _ simulation: Simulation, _ store: SessionStore) {
    if let key = request.key, let entry = store.answer(under: key) {
      simulation.reply(with: entry)
      return end(in: simulation)
    }
    let id = request.session
    let look = request.kind == .expire ? store.withWorld { $0.snapshot(of: id) } : store.read(id)
    simulation.check(look, at: id)
    if request.kind == .read { end(in: simulation) } else { phase = .looked(look) }
  }

  private mutating func commit(
    _ request: Request, _ proposal: Proposal, _ simulation: Simulation, _ store: SessionStore
  ) {
    let attempt = Attempt(request, proposal)
    let make = { @Sendable [unowned simulation] (draft: Draft) -> Proposal? in
      let look = draft.snapshot(of: request.session)
      let made =
        simulation.plant == .lostUpdate
        ? proposal.asOfNow(look) : request.proposal(after: look, in: simulation, on: draft.store)
      if let made { attempt.proposal = made }
      return made
    }
    do throws(JournalFault) {
      _ = try store.commit(proposal, remaking: request.isRemade ? make : nil) {
        [unowned simulation] in simulation.settle(attempt, $0)
      }
      phase = .waiting(attempt)
      simulation.worker?.isGathering = true
      if simulation.plant == .earlyAcknowledgement {
        simulation.settle(attempt, .success(.committed))
      }
    } catch {
      simulation.trace("client \(name) is refused: \(error)")
      end(isRepeated: true, in: simulation)
    }
  }

  /// Ends its request, which somebody sends again if asked and it has a key.
  mutating func end(isRepeated: Bool = false, in simulation: Simulation) {
    if isRepeated, let request, request.key != nil { simulation.repeats.append(request) }
    (request, phase) = (nil, .looking)
  }
}

extension SimulatedClient.Request {
  /// The change that it asks for, made of what a snapshot or a draft has; nil if there is nothing to change.
  fileprivate func proposal(
    after look: StoreSnapshot, in simulation: Simulation, on store: SessionStore
  ) -> Proposal? {
    let catalog = look.catalog
    let entry = entry(in: simulation, on: store)
    switch (kind, look.session) {
    case (.open, nil):
      var template = SessionTemplate()
      template.state = [
        "seen": .int(Int64(catalog.catalog.revision)), "changes": 0, "by": .int(Int64(number)),
      ]
      guard let session = try? Session(session, opening: template, in: catalog.catalog) else {
        return nil
      }
      // Made under the catalogue that it saw, and opened under the present one.
      let base =
        simulation.plant == .openingUnderAnotherCatalog ? store.catalogEdition : catalog
      return .open(
        session, as: store.newOpening(), under: base, atMost: SimulatedClient.mostSessions,
        entry: entry)
    case (.change, let edition?):
      var change = SessionChange(of: edition, under: catalog, store.figures)
      guard case .int(let count)? = edition.session.state[SimulatedClient.changes] else {
        return nil
      }
      let state: JSON = [
        "seen": .int(Int64(catalog.catalog.revision)), "changes": .int(count + 1),
        "by": .int(Int64(number)),
      ]
      guard (try? change.apply(.mergeState(state))) != nil else { return nil }
      change.entry = entry
      return change.proposal
    case (.close, let edition?): return .close(edition, under: catalog, entry: entry)
    case (.expire, let edition?):
      let moment = store.now() - Int64(number * 97 % 3000)
      guard edition.opening.isIdle(since: moment) else { return nil }
      return Proposal(
        action: .close(edition, unlessReadSince: moment), catalog: catalog, entry: nil)
    case (.changeCatalog, _):
      let mutation = simulation.mutation(of: catalog.catalog)
      var changed = catalog.catalog
      guard (try? changed.apply(mutation)) != nil else { return nil }
      return .changeCatalog(catalog, by: mutation, to: changed, entry: entry)
    case (.open, .some), (.change, nil), (.close, nil), (.expire, nil), (.read, _): return nil
    }
  }

  private func entry(in simulation: Simulation, on store: SessionStore) -> IdempotencyEntry? {
    key.map { key in
      IdempotencyEntry(
        key: key, fingerprint: [1], status: 200, headers: [],
        body: Array("answer to \(number) at \(simulation.stepNumber)".utf8),
        expiry: store.retentionClock.expiry)
    }
  }
}

extension Proposal {
  /// The same change as if it had been made of what is there now.
  fileprivate func asOfNow(_ look: StoreSnapshot) -> Proposal {
    guard case .change(_, to: let session, by: let mutations, let outcomes) = action,
      let present = look.session
    else { return self }
    return Proposal(
      action: .change(present, to: session, by: mutations, outcomes), catalog: look.catalog,
      entry: entry)
  }
}
