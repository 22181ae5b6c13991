import JSONText

extension Performer {
  /// Makes an effect with view controllers happen.
  mutating func make(
    _ effect: ComputedViewControllerEffect, _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    switch effect {
    case .target(let action, let arguments, let otherwise):
      let isYesOrNo = if case .bool = otherwise { true } else { false }
      if try !askTarget(action, arguments, scope, &invocation, isYesOrNo: isYesOrNo) {
        invocation.setResult(otherwise)
      }
    case .show(let id, let from, let sender):
      try send(.show, of: id, to: from, sender, scope)
    case .showDetail(let id, let from, let sender):
      try send(.showDetail, of: id, to: from, sender, scope)
    case .present(let id, let from):
      try changing(scope) { (session) throws(MutationFault) in
        try session.present(id, from: from ?? scope.responder)
      }
    case .dismiss(let id):
      try changing(scope) { (session) throws(MutationFault) in
        try session.dismiss(id ?? scope.responder)
      }
    case .pop(let id, let destination, let trigger):
      let container = try scope.attributing { () throws(MutationFault) in
        try session.container(.navigation, of: id ?? scope.responder, in: catalog)
      }
      switch trigger {
      case .user:
        try attributing(scope) { (performer) throws(MutationFault) in
          try performer.popByUser(container, to: destination)
        }
      case .code:
        let catalog = catalog
        try changing(scope) { (session) throws(MutationFault) in
          try session.pop(container, to: destination, in: catalog)
        }
      }
    }
  }

  /// Asks the nearest container that overrides an action, and takes its answer (A7); answers whether
  /// there is one. The receiver itself does not count for the action that it is performing (A5).
  ///
  /// A yes-or-no question takes true or false; a container that answers nothing counts as none (V9).
  private mutating func askTarget(
    _ action: Selector?, _ arguments: [JSON]?, _ scope: EffectScope,
    _ invocation: inout Invocation, isYesOrNo: Bool
  ) throws(MutationFault) -> Bool {
    let action = action ?? scope.selector
    let target = actorTarget(for: action, from: scope.responder, sender: invocation.sender)
    guard let target, target != scope.responder || action != scope.selector else { return false }
    do throws(MutationFault) {
      let asked = try pass(&invocation, to: target, as: action, arguments: arguments)
      guard isYesOrNo, !session.isOfFirstRules else { return true }
      return try asked.yesOrNo(of: target) != nil
    } catch {
      if case .argumentCount = error { throw scope.attributed(error) }
      throw error
    }
  }

  private mutating func send(
    _ action: Selector, of id: ResponderID?, to receiver: ResponderID?, _ sender: JSON?,
    _ scope: EffectScope
  ) throws(MutationFault) {
    let id = id.map { JSON.string($0.rawValue) } ?? .null
    let sender = sender ?? scope.sender(of: action).json(in: session.graph)
    let receiver = Receiver.responder(receiver ?? scope.responder)
    try scope.attributing { () throws(MutationFault) in
      try session.check(receiver.responder)
    }
    _ = try send(action, receiver, [id, sender], scope)
  }

  /// Changes the session; faults are those of the effect.
  mutating func changing(
    _ scope: EffectScope, _ change: (inout Session) throws(MutationFault) -> [Outcome.Change]
  ) throws(MutationFault) {
    try scope.attributing { () throws(MutationFault) in note(try change(&session)) }
  }
}

extension Performer {
  /// Asks the target, and answers what a rule says when there is none; the rule is evaluated only
  /// then. One that can say nothing but true and false makes it a yes-or-no question (V9).
  mutating func make(
    _ effect: ComputedViewControllerEffect, _ scope: EffectScope, _ invocation: inout Invocation,
    _ otherwise: Rule
  ) throws(MutationFault) {
    guard case .target(let action, let arguments, otherwise: _) = effect,
      try !askTarget(
        action, arguments, scope, &invocation, isYesOrNo: otherwise.isYesOrNo)
    else { return }
    invocation.setResult(try scope.json(otherwise, "otherwise"))
  }
}
