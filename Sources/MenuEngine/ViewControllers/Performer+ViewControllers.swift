import JSONText

extension Performer {
  /// Asks the nearest container that overrides an action, and takes its answer (A7); answers whether
  /// there is one. The receiver itself does not count for the action that it is performing (A5).
  ///
  /// A yes-or-no question takes true or false; a container that answers nothing counts as none (V9).
  mutating func askTarget(
    for action: Selector?, arguments: [JSON]?, in scope: EffectScope,
    _ invocation: inout Invocation, isYesOrNo: Bool
  ) throws(MutationFault) -> Bool {
    let action = action ?? scope.selector
    let target = actorTarget(for: action, from: scope.responder, sender: invocation.sender)
    guard let target, target != scope.responder || action != scope.selector else { return false }
    do throws(MutationFault) {
      let asked = try pass(&invocation, to: target, as: action, arguments: arguments)
      guard isYesOrNo else { return true }
      return try asked.yesOrNo(of: target) != nil
    } catch {
      if case .argumentCount = error { throw scope.attributed(error) }
      throw error
    }
  }

  /// Sends an action about a view controller to a responder.
  mutating func send(
    _ action: Selector, of id: ResponderID?, to receiver: ResponderID?, sender: JSON?,
    in scope: EffectScope
  ) throws(MutationFault) {
    let id = id.map { JSON.string($0.rawValue) } ?? .null
    let sender = sender ?? scope.sender(of: action).json(in: session.graph)
    let receiver = Receiver.responder(receiver ?? scope.responder)
    try scope.attributing { () throws(MutationFault) in
      try session.check(receiver.responder)
    }
    _ = try send(action, to: receiver, arguments: [id, sender], in: scope)
  }

  /// Changes the session; faults are those of the effect.
  mutating func changing(
    _ scope: EffectScope, _ change: (inout Session) throws(MutationFault) -> [Outcome.Change]
  ) throws(MutationFault) {
    try scope.attributing { () throws(MutationFault) in note(try change(&session)) }
  }
}
