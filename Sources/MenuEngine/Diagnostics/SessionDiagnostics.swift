/// Problems of a session that do not stop it, for the front end's developers.
package struct SessionDiagnostics: Equatable, Sendable {
  /// The responders of a search from the default start, in order.
  package let chain: [ResponderID]
  /// The chains that are cycles. Links that would close a cycle are refused, so there are none (R9).
  package let cycles: [[ResponderID]]
  /// The responders whose chain does not end at the application or its delegate.
  package let detached: [ResponderID]
  /// The commands, alternates and key commands without a handler, whatever has focus.
  package let unhandled: UnhandledActions
  /// The registries of late responders without a successor (L2).
  package let unhooked: [UnhookedRegistry]
  /// The hosts of registries that are on no chain to the application: their late responders are searched only
  /// while focus is at or below the host.
  package let unreachableRegistries: [ResponderID]
  /// The proxies whose proxied responder was removed (L10).
  package let deadProxies: [ResponderID]
  /// The delegates of the application that are not on its chain because they are views or view controllers
  /// (R2).
  package internal(set) var ignoredDelegates: [ResponderID] = []
  /// The delegates that lack messages required by a protocol since a change of the catalogue (V7).
  package internal(set) var brokenDelegates: [BrokenDelegate] = []
  /// The problems of coordinators and queued messages.
  package let coordinating: CoordinatingDiagnostics
  /// The handlers on the chain that a nearer responder hides.
  package let shadowed: [Shadow]
  /// The conflicting keys on the chain (K6); nil if finding them takes more than `Limits.effort`.
  package let keyConflicts: [KeyConflict]?
  /// The rules that fail in the present state.
  package let failing: FailingRules
  /// The lists of items from data with omitted elements (M12).
  package internal(set) var itemsFromData: [ItemsFinding] = []

  /// A handler hidden by a nearer responder.
  package struct Shadow: Equatable, Sendable {
    package let action: Selector
    /// The receiver that is searched first.
    package let winner: Receiver
    /// The hidden receiver.
    package let shadowed: Receiver
  }
}

extension Session {
  /// Returns the problems of the session under a catalogue.
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
      failing: inquiry.failingRules, itemsFromData: itemsFindings(in: catalog))
  }

  private func keyConflicts(in catalog: Catalog) -> [KeyConflict]? {
    do throws(MutationFault) {
      return try keyConflicts(from: nil, in: catalog)
    } catch {
      return nil
    }
  }

  /// The responders without a chain to the end of the application's.
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

  /// Returns the hidden handlers, by action: those of commands in declaration order, then the others
  /// alphabetically. Handlers of UIKit's classes, such as a window's for undo, do not count, since they are
  /// meant to be overridden.
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

/// A started coordinator that neither messages nor the user's going back can reach (C4).
package struct DeadCoordinator: Equatable, Sendable {
  /// A reason why a coordinator is unreachable.
  package enum Reason: String, CaseIterable, Sendable {
    /// It has no root view controller, or it was removed.
    case noRootViewController
    /// Its root view controller has no owner, because another coordinator with the same root was stopped; a
    /// coordinator must be activated.
    case rootUnowned
    /// Its parent is not started.
    case parentNotStarted
  }

  package let coordinator: ResponderID
  package let reason: Reason
}

extension ResponderGraph {
  /// The unreachable started coordinators, in joining order.
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

/// A registry without a successor (L2).
package struct UnhookedRegistry: Equatable, Sendable {
  /// The host of the registry.
  package let host: ResponderID
  /// The responders that would follow the host without its registry, nearest first.
  package let unreachable: [ResponderID]
}

extension ResponderGraph {
  /// The registries that make their host's successors unreachable.
  var unhookedRegistries: [UnhookedRegistry] {
    responders.compactMap { host in
      guard let registry = host.lateResponders, !registry.hooksLast else { return nil }
      let unreachable = ownNext(of: host.id).map { chain(from: $0) } ?? []
      return UnhookedRegistry(host: host.id, unreachable: unreachable)
    }
  }
}

/// The items without an action, or with an action that has no handler, whatever has focus: no responder handles it,
/// directly or through a proxy, and no coordinator that the session's search finds.
///
/// Forwarded selectors do not count, because no search finds them (R3).
package struct UnhandledActions: Equatable, Sendable {
  /// The commands, by their own action, and those without an action.
  package var commands: [CommandID] = []
  /// The alternates of commands (M11).
  package var alternates: [Alternate] = []
  /// The key commands of responders, their classes' included (K1).
  package var keyCommands: [Key] = []

  /// An alternate of a command.
  package struct Alternate: Equatable, Sendable {
    package let command: CommandID
    /// The modifiers of the alternate.
    package let modifiers: KeyModifiers
    package let action: Selector
  }

  /// A key command.
  package struct Key: Equatable, Sendable {
    package let responder: ResponderID
    package let key: KeySequence
    package let action: Selector
  }
}

extension Session {
  /// Returns the items without an action, or with an action not in `handled`.
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

/// The actions for which a search finds each responder of a session. Each responder is visited once, whatever the
/// length of proxy rows (L8).
struct AnswersBySearch {
  let session: Session
  let catalog: Catalog
  private var known: [ResponderID: Set<Selector>] = [:]

  init(session: Session, catalog: Catalog) {
    self.session = session
    self.catalog = catalog
  }

  /// Returns the actions that a responder answers, its coordinator's before its own. AppKit's search finds no
  /// coordinator (R10).
  mutating func all(of id: ResponderID) -> [(action: Selector, receiver: Receiver)] {
    guard let responder = session.graph[id] else { return [] }
    let forwards = session.search == .uikit && responder.coordinator?.forwarding == .catchAll
    let registrations = forwards ? responder.coordinator?.registrations ?? [] : []
    return registrations.map { ($0.selector, .forwarder(host: id)) }
      + own(of: responder).map { ($0, .responder(id)) }
  }

  /// Returns the actions for which a responder has handlers or, as a proxy, is found.
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
      // An unchanged set is shared by all proxies in the row.
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
