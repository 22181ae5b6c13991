import JSONText

extension Performer {
  /// Sends a message up the coordinating chain (C2): the nearest one that implements it, from who sends
  /// it on, consumes it. Nobody: it is not handled, which is no error.
  mutating func sendUp(
    _ request: MessageRequest, sender: Sender?
  ) throws(MutationFault) -> MessageOutcome {
    try session.check(request.from)
    let target: Inquiry.Target
    switch inquire(sender, { $0.search(for: request) }) {
    case .found(let found): target = found
    case .nobody: return MessageOutcome(reason: .notHandled, receiver: nil, answer: .null)
    case .cycle: return MessageOutcome(reason: .cycle, receiver: nil, answer: .null)
    }
    let arguments =
      request.arguments ?? request.message.arguments(endingWith: .string(request.from.rawValue))
    var invocation = try Invocation(
      request.message, of: sender, to: target.receiver, arguments: arguments, when: request.when,
      in: session)
    _ = try deliver(&invocation, to: target.receiver)
    return MessageOutcome(
      reason: .delivered, receiver: target.receiver.responder, answer: invocation.answer)
  }

  /// Lets a message go on upward, to the next one that implements it, and answers how it goes on from
  /// there. What that one answers counts unless somebody nearer answered.
  ///
  /// The chain is looked at only now, so that what the handler changed of it is seen. Nobody gets the
  /// message twice.
  ///
  /// - Parameter met: The receivers that got the message already.
  mutating func passOn(
    _ continuation: Continuation, _ invocation: inout Invocation, met: inout Set<ResponderID>
  ) throws(MutationFault) -> Continuation? {
    let scope = continuation.scope
    effort.spend(Effort.handler)
    try effort.check()
    trace.note(.continues, .responder(scope.responder), about: scope.selector, answer: .bool(true))
    let search = inquire(invocation.sender) {
      $0.coordinatingSearch(for: scope.selector, after: scope.responder)
    }
    guard case .found(let target) = search,
      case .found(let handler, let selector, of: let id, to: let receiver) = try method(
        for: scope.selector, of: target.receiver)
    else { return nil }
    guard met.insert(id).inserted else {
      trace.note(.cycle, .responder(id), answer: .bool(true))
      return nil
    }
    let (sender, when) = (invocation.sender, invocation.when)
    var inner = try scope.attributing { () throws(MutationFault) in
      try Invocation(
        scope.selector, of: sender, to: target.receiver, arguments: continuation.arguments,
        when: when,
        in: session)
    }
    inner.parameters = invocation.parameters
    let level = begin(selector, of: id, to: receiver, &inner)
    let running = RunningMethod(
      selector, of: id, receivedBy: .responder(receiver), at: level, met: met)
    let next = try runAlone(handler, as: running, &inner)
    if !invocation.hasResult, inner.hasResult { invocation.setResult(inner.answer) }
    return next
  }
}

/// The way of a message onward from a handler that received it (C2).
struct Continuation {
  /// The real arguments, as the handler got them or gave them on.
  let arguments: [JSON]
  /// The scope in which the handler ran.
  let scope: EffectScope

  /// A message that goes on with these arguments from where a handler ran.
  init(_ arguments: [JSON], _ scope: EffectScope) {
    self.arguments = arguments
    self.scope = scope
  }
}

extension Inquiry {
  fileprivate mutating func search(for request: MessageRequest) -> Search {
    coordinatingSearch(for: request.message, from: request.from)
  }
}

extension Selector {
  /// As many arguments as it has colons: nulls, and last the one given, which by convention is who
  /// sends the message (C2).
  func arguments(endingWith last: JSON) -> [JSON] {
    argumentCount == 0 ? [] : Array(repeating: .null, count: argumentCount - 1) + [last]
  }
}

/// A coordinator among the children of another one (C4).
package struct ChildCoordinator: Equatable, Sendable {
  /// The name by which its parent finds it.
  package let identifier: CoordinatorIdentifier
  /// The responder.
  package let id: ResponderID
}

extension ResponderGraph {
  /// The children of a coordinator, in the alphabetical order of their identifiers: the coordinators
  /// that have it for their `parentCoordinator`, apart from those that another one replaced.
  package func childCoordinators(of id: ResponderID) -> [ChildCoordinator] {
    let children = (holders[id] ?? BlockSet()).compactMap { holder -> ChildCoordinator? in
      guard let responder = self[holder], let coordinating = responder.coordinating,
        responder.links[.parentCoordinator] == id, !responder.isReplaced
      else { return nil }
      return ChildCoordinator(identifier: coordinating.identifier, id: holder)
    }
    return children.sorted {
      $0.identifier.rawValue.utf8.lexicographicallyPrecedes($1.identifier.rawValue.utf8)
    }
  }

  /// The child of a coordinator that has an identifier; never `other`.
  func childCoordinator(
    of id: ResponderID, called identifier: CoordinatorIdentifier, besides other: ResponderID
  ) -> ResponderID? {
    (holders[id] ?? BlockSet()).first { holder in
      guard holder != other, let position = positions[holder],
        let coordinating = responders[position].coordinating, !responders[position].isReplaced,
        coordinating.identifier == identifier
      else { return false }
      return responders[position].links[.parentCoordinator] == id
    }
  }

  /// Returns the faults of coordinators among responders that join: in their lists, and in their
  /// identifiers.
  func coordinationFaults(of new: [Responder]) -> [MutationFault] {
    guard new.contains(where: { $0.coordinating != nil }) else { return [] }
    let names = Set(new.map(\.id))
    var faults: [CoordinationFault] = []
    var taken: [ResponderID: [CoordinatorIdentifier: ResponderID]] = [:]
    for responder in new {
      guard let coordinating = responder.coordinating else { continue }
      faults += listFaults(of: responder.id, coordinating.viewControllers)
      guard let parent = responder.links[.parentCoordinator], !responder.isReplaced else {
        continue
      }
      if taken[parent] == nil { taken[parent] = children(of: parent, besides: names) }
      if let other = taken[parent]?[coordinating.identifier] {
        faults.append(
          .identifierTaken(responder.id, coordinating.identifier, of: parent, by: other))
      } else {
        taken[parent]?[coordinating.identifier] = responder.id
      }
    }
    return faults.map(MutationFault.coordination)
  }

  private func children(
    of id: ResponderID, besides names: Set<ResponderID>
  ) -> [CoordinatorIdentifier: ResponderID] {
    Dictionary(
      childCoordinators(of: id).filter { !names.contains($0.id) }.map { ($0.identifier, $0.id) },
      uniquingKeysWith: { first, _ in first })
  }

  private func listFaults(of id: ResponderID, _ list: [ResponderID]) -> [CoordinationFault] {
    var met: Set<ResponderID> = []
    return list.compactMap { member in
      guard met.insert(member).inserted else { return .repeated(member, of: id) }
      guard let kind = self.kind(of: member) else { return .unknownViewController(member, of: id) }
      return kind == .viewController ? nil : .notAViewController(member, kind, of: id)
    }
  }

  /// Refuses a responder in the place of a view controller that coordinators list.
  func checkLists(with id: ResponderID) throws(MutationFault) {
    guard let kind = self.kind(of: id), kind != .viewController else { return }
    if let holder = coordinators(listing: id).first {
      throw .coordination(.notAViewController(id, kind, of: holder))
    }
  }

  /// The coordinators that have a view controller in their lists, in the order in which they joined.
  func coordinators(listing id: ResponderID) -> [ResponderID] {
    responders.indices.filter {
      responders[$0].coordinating?.viewControllers.contains(id) == true
    }.map { responders[$0].id }
  }

  /// Takes a view controller that goes out of the lists of coordinators.
  mutating func takeFromLists(_ id: ResponderID) {
    for position in coordinators(listing: id).compactMap({ positions[$0] }) {
      responders[position].coordinating?.viewControllers.removeAll { $0 == id }
    }
  }

  /// The view controllers that coordinators keep: their roots, and those in their lists.
  var coordinatedViewControllers: Set<ResponderID> {
    var kept: Set<ResponderID> = []
    for position in responders.indices {
      guard let coordinating = responders[position].coordinating else { continue }
      kept.formUnion(coordinating.viewControllers)
      if let root = responders[position].links[.coordinatedRoot] { kept.insert(root) }
    }
    return kept
  }
}

extension Session {
  /// The lists of coordinators as they are now.
  func listChanges(of coordinators: [ResponderID]) -> [Outcome.Change] {
    coordinators.compactMap { id in
      (graph[id]?.coordinating?.viewControllers).map { .viewControllers(id, $0) }
    }
  }
}
