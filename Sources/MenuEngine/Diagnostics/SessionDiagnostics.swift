/// The oddities of a session: nothing that stops it, but its front end will want to know them.
public struct SessionDiagnostics: Equatable, Sendable {
  /// The responders asked, in order, by a search that begins where searches begin now.
  public let chain: [ResponderID]
  /// Responders whose chain leads back into itself. Links that would close a cycle are refused, so
  /// there are none (R9).
  public let cycles: [[ResponderID]]
  /// Responders whose chain does not end where the others do: at the application or its delegate.
  public let detached: [ResponderID]
  /// Commands, their alternates and key commands that nobody can handle whatever has focus.
  public let unhandled: UnhandledActions
  /// Registries of late responders that nothing follows (L2).
  public let unhooked: [UnhookedRegistry]
  /// Hosts of registries that no chain to the application passes: their late responders are asked
  /// only while focus is at such a host or below it.
  public let unreachableRegistries: [ResponderID]
  /// Proxies whose responder is gone (L10).
  public let deadProxies: [ResponderID]
  /// Delegates of the application that its chain does not go on to, since they are views or view
  /// controllers (R2).
  public internal(set) var ignoredDelegates: [ResponderID] = []
  /// Delegates from which another catalogue took messages that their protocols require (V7).
  public internal(set) var brokenDelegates: [BrokenDelegate] = []
  /// The oddities of coordinators and messages.
  public let coordinating: CoordinatingDiagnostics
  /// Handlers on the chain that a nearer responder keeps from being asked.
  public let shadowed: [Shadow]
  /// The keys claimed more than once on the chain (K6); nil when finding them takes more than
  /// `Limits.effort`.
  public let keyConflicts: [KeyConflict]?
  /// Rules that fail as the state is now.
  public let failing: FailingRules

  /// A handler that is there but not asked, since a nearer responder can answer.
  public struct Shadow: Equatable, Sendable {
    /// The action.
    public let action: Selector
    /// The one that is asked first.
    public let winner: Receiver
    /// The one behind it.
    public let shadowed: Receiver
  }
}

extension Session {
  /// Returns the oddities of the session under a catalogue.
  public func diagnostics(in catalog: Catalog) -> SessionDiagnostics {
    let inquiry = inquiry(in: SessionContext(catalog))
    let chain = inquiry.order(from: nil)
    var answers = AnswersBySearch(session: self, catalog: catalog)
    let handled = Set(graph.ids.flatMap { answers.all(of: $0).map(\.action) })
    let detached = detached
    return SessionDiagnostics(
      chain: chain, cycles: graph.chainCycle.map { [$0] } ?? [], detached: detached,
      unhandled: unhandledActions(besides: handled, in: catalog),
      unhooked: graph.unhookedRegistries,
      unreachableRegistries: detached.filter { graph[$0]?.lateResponders != nil },
      deadProxies: graph.deadProxies, ignoredDelegates: graph.ignoredDelegates,
      brokenDelegates: brokenDelegates(in: catalog),
      coordinating: coordinatingDiagnostics,
      shadowed: shadows(on: chain, &answers), keyConflicts: keyConflicts(in: catalog),
      failing: inquiry.failingRules)
  }

  private func keyConflicts(in catalog: Catalog) -> [KeyConflict]? {
    do throws(MutationFault) {
      return try keyConflicts(from: nil, in: catalog)
    } catch {
      return nil
    }
  }

  /// The responders from which no chain leads to the application's.
  private var detached: [ResponderID] {
    guard let application = graph.application else { return [] }
    var isAttached: [ResponderID: Bool] = [:]
    for id in graph.chain(from: application) { isAttached[id] = true }
    return graph.ids.filter { start in
      var path: [ResponderID] = []
      var current: ResponderID? = start
      while let id = current, isAttached[id] == nil {
        isAttached[id] = false
        path.append(id)
        current = graph.next(of: id)
      }
      let isReached = current.flatMap { isAttached[$0] } == true
      if isReached { for id in path { isAttached[id] = true } }
      return !isReached
    }
  }

  /// For each action, those of commands in the order of declaration and then the others in
  /// alphabetical order, those behind the first. What the classes of UIKit do, as a window undoes, is
  /// left out: it is there to be behind others.
  private func shadows(
    on chain: [ResponderID], _ answers: inout AnswersBySearch
  ) -> [SessionDiagnostics.Shadow] {
    let catalog = answers.catalog
    var receivers: [Selector: [Receiver]] = [:]
    for answer in chain.flatMap({ answers.all(of: $0) }) {
      receivers[answer.action, default: []].append(answer.receiver)
    }
    let others = receivers.keys.sorted {
      $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8)
    }
    return (catalog.commands.compactMap(\.action) + others).flatMap { action in
      let receivers = receivers.removeValue(forKey: action) ?? []
      return receivers.dropFirst().filter { !isBuiltIn(action, of: $0, catalog) }.map {
        SessionDiagnostics.Shadow(action: action, winner: receivers[0], shadowed: $0)
      }
    }
  }

  private func isBuiltIn(_ action: Selector, of receiver: Receiver, _ catalog: Catalog) -> Bool {
    let inquiry = inquiry(in: SessionContext(catalog))
    guard case .responder(let id) = receiver else { return false }
    return inquiry.implementation(of: action, in: id)?.builtIn != nil
  }
}
