/// The oddities of a session: nothing that stops it, but its front end will want to know them.
package struct SessionDiagnostics: Equatable, Sendable {
  /// The responders asked, in order, by a search that begins where searches begin now.
  package let chain: [ResponderID]
  /// Responders whose chain leads back into itself. Links that would close a cycle are refused, so
  /// there are none (R9).
  package let cycles: [[ResponderID]]
  /// Responders whose chain does not end where the others do: at the application or its delegate.
  package let detached: [ResponderID]
  /// Commands, their alternates and key commands that nobody can handle whatever has focus.
  package let unhandled: UnhandledActions
  /// Registries of late responders that nothing follows (L2).
  package let unhooked: [UnhookedRegistry]
  /// Hosts of registries that no chain to the application passes: their late responders are asked
  /// only while focus is at such a host or below it.
  package let unreachableRegistries: [ResponderID]
  /// Proxies whose responder is gone (L10).
  package let deadProxies: [ResponderID]
  /// Delegates of the application that its chain does not go on to, since they are views or view
  /// controllers (R2).
  package internal(set) var ignoredDelegates: [ResponderID] = []
  /// Delegates from which another catalogue took messages that their protocols require (V7).
  package internal(set) var brokenDelegates: [BrokenDelegate] = []
  /// The oddities of coordinators and messages.
  package let coordinating: CoordinatingDiagnostics
  /// Handlers on the chain that a nearer responder keeps from being asked.
  package let shadowed: [Shadow]
  /// The keys claimed more than once on the chain (K6); nil when finding them takes more than
  /// `Limits.effort`.
  package let keyConflicts: [KeyConflict]?
  /// Rules that fail as the state is now.
  package let failing: FailingRules

  /// A handler that is there but not asked, since a nearer responder can answer.
  package struct Shadow: Equatable, Sendable {
    /// The action.
    package let action: Selector
    /// The one that is asked first.
    package let winner: Receiver
    /// The one behind it.
    package let shadowed: Receiver
  }
}

extension Session {
  /// Returns the oddities of the session under a catalogue.
  package func diagnostics(in catalog: Catalog) -> SessionDiagnostics {
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

/// A coordinator that is started, but that no message and no going back of the user reaches (C4).
package struct DeadCoordinator: Equatable, Sendable {
  /// A reason why nothing reaches a coordinator.
  package enum Reason: String, CaseIterable, Sendable {
    /// It has no root view controller, or that one is gone.
    case noRootViewController
    /// Nobody owns its root view controller, since another coordinator of it was stopped; somebody
    /// has to be activated.
    case rootUnowned
    /// Its parent is not started.
    case parentNotStarted
  }

  /// The coordinator.
  package let coordinator: ResponderID
  /// The reason.
  package let reason: Reason
}

extension ResponderGraph {
  /// The coordinators that are started in vain, in the order in which they joined.
  var deadCoordinators: [DeadCoordinator] {
    responders.compactMap { responder in
      guard responder.coordinating?.isStarted == true else { return nil }
      return reasonOfDeath(of: responder).map {
        DeadCoordinator(coordinator: responder.id, reason: $0)
      }
    }
  }

  private func reasonOfDeath(of responder: Responder) -> DeadCoordinator.Reason? {
    guard let root = responder.links[.coordinatedRoot] else { return .noRootViewController }
    guard link(.parentCoordinator, of: root) != nil else { return .rootUnowned }
    guard let parent = responder.links[.parentCoordinator] else { return nil }
    return self[parent]?.coordinating?.isStarted == true ? nil : .parentNotStarted
  }
}

/// A registry that leads nowhere at its end (L2).
package struct UnhookedRegistry: Equatable, Sendable {
  /// The host of the registry.
  package let host: ResponderID
  /// The responders that would follow the host without its registry, nearest first.
  package let unreachable: [ResponderID]
}

extension ResponderGraph {
  /// The registries that keep what follows their hosts from being reached.
  var unhookedRegistries: [UnhookedRegistry] {
    responders.compactMap { host in
      guard let registry = host.lateResponders, !registry.hooksLast else { return nil }
      let unreachable = ownNext(of: host.id).map { chain(from: $0) } ?? []
      return UnhookedRegistry(host: host.id, unreachable: unreachable)
    }
  }
}

/// The items that send no action, or one that nobody can handle, whatever has focus: no responder
/// has a handler for it or stands for one that has, and no coordinator that the session's search
/// finds.
///
/// A selector that a responder only forwards does not count, since no search finds it (R3).
package struct UnhandledActions: Equatable, Sendable {
  /// Commands, by their own action, those without one among them.
  package var commands: [CommandID] = []
  /// Commands as one of their alternates (M11).
  package var alternates: [Alternate] = []
  /// Key commands of responders, those of their classes included (K1).
  package var keyCommands: [Key] = []

  /// An alternate of a command.
  package struct Alternate: Equatable, Sendable {
    /// The command.
    package let command: CommandID
    /// The modifiers with which it is the alternate.
    package let modifiers: KeyModifiers
    /// The action that it sends then.
    package let action: Selector
  }

  /// A key command.
  package struct Key: Equatable, Sendable {
    /// The responder that has it.
    package let responder: ResponderID
    /// The key.
    package let key: KeyCombination
    /// The action that it sends.
    package let action: Selector
  }
}

extension Session {
  /// Returns the items that send no action, or one that is not among `handled`.
  func unhandledActions(besides handled: Set<Selector>, in catalog: Catalog) -> UnhandledActions {
    var unhandled = UnhandledActions()
    for command in catalog.commands {
      let isHandled = command.action.map(handled.contains) ?? false
      if !isHandled { unhandled.commands.append(command.id) }
      unhandled.alternates += command.alternates.filter { !handled.contains($0.action) }.map {
        UnhandledActions.Alternate(
          command: command.id, modifiers: $0.modifiers, action: $0.action)
      }
    }
    for responder in graph.responders {
      let keyCommands =
        responder.keyCommands + catalog.classes.keyCommands(of: responder.className)
      unhandled.keyCommands += keyCommands.filter { !handled.contains($0.action) }.map {
        UnhandledActions.Key(responder: responder.id, key: $0.key, action: $0.action)
      }
    }
    return unhandled
  }
}

/// The actions that the responders of a session are found for, each looked at once however long the rows
/// of proxies are (L8).
struct AnswersBySearch {
  let session: Session
  let catalog: Catalog
  private var known: [ResponderID: Set<Selector>] = [:]

  init(session: Session, catalog: Catalog) {
    self.session = session
    self.catalog = catalog
  }

  /// The actions that a responder answers to, those of its coordinator before its own. AppKit's search
  /// finds no coordinator (R10).
  mutating func all(of id: ResponderID) -> [(action: Selector, receiver: Receiver)] {
    guard let responder = session.graph[id] else { return [] }
    let forwards = session.search == .uikit && responder.coordinator?.forwarding == .catchAll
    let registrations = forwards ? responder.coordinator?.registrations ?? [] : []
    return registrations.map { ($0.selector, .forwarder(host: id)) }
      + own(of: responder).map { ($0, .responder(id)) }
  }

  /// The actions that a responder has handlers for or, when it is a proxy, can be found for.
  private mutating func own(of responder: Responder) -> Set<Selector> {
    var row: [Responder] = []
    var current: Responder? = responder
    while let here = current, known[here.id] == nil {
      row.append(here)
      current = here.proxy == nil ? nil : here.links[.proxied].flatMap { session.graph[$0] }
    }
    var answers = current.flatMap { known[$0.id] } ?? []
    for member in row.reversed() {
      if let proxy = member.proxy, proxy.proxiedSelectors != nil {
        answers = answers.filter(proxy.isFound)
      }
      let handled = handled(by: member)
      // A set that stays the same is shared by the whole row.
      if !handled.isSubset(of: answers) { answers.formUnion(handled) }
      known[member.id] = answers
    }
    return answers
  }

  private func handled(by responder: Responder) -> Set<Selector> {
    catalog.classes.selectors(of: responder.className).union(responder.handlers.keys)
      .union(responder.undoHandlers.keys)
  }
}
