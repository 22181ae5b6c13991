import JSONText

extension Performer {
  /// Sends a message to a receiver. Returns it with its answer.
  @discardableResult
  mutating func send(
    _ message: Selector, to receiver: Receiver, arguments: [JSON]?, sending: Sending
  ) throws(MutationFault) -> Invocation {
    var invocation = try Invocation(
      message, of: sending.sender, to: receiver, arguments: arguments, when: sending.when,
      in: session)
    _ = try deliver(&invocation, to: receiver)
    return invocation
  }

  /// Sends a message up the coordinating chain (C2). The nearest implementer, starting with the sender, consumes it.
  /// Without an implementer it is not handled, which is not an error.
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
    let invocation = try send(
      request.message, to: target.receiver, arguments: arguments,
      sending: Sending(by: sender, when: request.when))
    return MessageOutcome(
      reason: .delivered, receiver: target.receiver.responder, answer: invocation.answer)
  }

  /// Passes a message on to the next implementer, and returns its continuation from there. The result of a nearer
  /// responder has precedence.
  ///
  /// The chain is read only now, so that changes by the handler count. No responder receives the message twice.
  ///
  /// - Parameter met: The responders that received the message.
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
    if invocation.result == nil { invocation.result = inner.result }
    return next
  }
}

/// The continuation of a message after a handler (C2).
struct Continuation {
  /// The arguments after target and selector, as the handler got them or passed them on.
  let arguments: [JSON]
  /// The scope in which the handler ran.
  let scope: EffectScope

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
  /// Returns as many arguments as it has colons: nulls, then the given one, by convention the sender (C2).
  func arguments(endingWith last: JSON) -> [JSON] {
    argumentCount == 0 ? [] : Array(repeating: .null, count: argumentCount - 1) + [last]
  }
}

/// A child of a coordinator (C4).
package struct ChildCoordinator: Equatable, Sendable {
  /// The name by which its parent finds it.
  package let identifier: CoordinatorIdentifier
  package let id: ResponderID
}

extension ResponderGraph {
  /// Returns the children of a coordinator, sorted by identifier: the coordinators with it as
  /// `parentCoordinator`, except replaced ones.
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

  /// Returns the child of a coordinator with an identifier; never `other`.
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

  /// Returns the faults in lists and identifiers of new coordinators.
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

  /// Throws if a responder of another kind would replace a view controller that a coordinator lists.
  func checkLists(with id: ResponderID) throws(MutationFault) {
    guard let kind = self.kind(of: id), kind != .viewController else { return }
    if let holder = coordinators(listing: id).first {
      throw .coordination(.notAViewController(id, kind, of: holder))
    }
  }

  /// Returns the coordinators that list a view controller, in joining order.
  func coordinators(listing id: ResponderID) -> [ResponderID] {
    responders.indices.filter {
      responders[$0].coordinating?.viewControllers.contains(id) == true
    }.map { responders[$0].id }
  }

  /// Removes a view controller from the lists of coordinators.
  mutating func takeFromLists(_ id: ResponderID) {
    for position in coordinators(listing: id).compactMap({ positions[$0] }) {
      responders[position].content.coordinating?.viewControllers.removeAll { $0 == id }
    }
  }

  /// The view controllers kept by coordinators: roots and listed ones.
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
  /// Returns the changes with the present lists of coordinators.
  func listChanges(of coordinators: [ResponderID]) -> [Outcome.Change] {
    coordinators.compactMap { id in
      (graph[id]?.coordinating?.viewControllers).map { .viewControllers(id, $0) }
    }
  }
}
