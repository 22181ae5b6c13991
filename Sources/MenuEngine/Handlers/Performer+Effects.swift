import JSONText

extension Performer {
  /// Makes the effects of a handler happen, in order.
  mutating func run(
    _ handler: Handler, of selector: Selector, for id: ResponderID, _ receiver: Receiver,
    _ invocation: Invocation
  ) throws(MutationFault) {
    guard depth < Limits.sends else { throw .sendsTooDeep(limit: Limits.sends) }
    depth += 1
    defer { depth -= 1 }
    for (index, effect) in handler.perform.enumerated() {
      effectCount += 1
      guard effectCount <= Limits.effects else {
        throw .tooManyEffects(limit: Limits.effects)
      }
      try effort.check()
      let context = RuleContext(
        state: session.state, responder: id, sender: invocation.sender,
        arguments: invocation.arguments, responders: session.graph, effort: effort)
      let scope = EffectScope(
        index: index, selector: selector, responder: id, receiver: receiver,
        invocation: invocation, context: context)
      try make(effect, scope)
    }
  }

  private mutating func make(_ effect: Effect, _ scope: EffectScope) throws(MutationFault) {
    switch effect {
    case .state(let effect): try change(by: effect, scope)
    case .send(let action, let to, let arguments): try send(action, to, arguments, scope)
    case .firstResponder(let rule):
      let id = try scope.responder(rule, "responder")
      try scope.attributing { () throws(MutationFault) in
        changes += try session.becomeFirstResponder(id)
      }
    case .properties(of: let rule, merging: let value):
      let id = try rule.map { (rule) throws(MutationFault) in
        try scope.responder(rule, "responder")
      }
      try merge(value, intoPropertiesOf: id ?? scope.responder, scope)
    case .handleAction:
      let host = scope.responder
      guard session.graph[host]?.coordinator != nil else {
        throw scope.attributed(.noCoordinator(host))
      }
      _ = try handleAction(scope.invocation, .forwarder(host: host), host)
    }
  }

  private mutating func change(
    by effect: StateEffect, _ scope: EffectScope
  ) throws(MutationFault) {
    let operation = try scope.operation(effect)
    do throws(JSONPatchFault) {
      try session.state.apply(operation, limits: Limits.patch)
    } catch {
      throw .effectPatch(scope.receiver, scope.selector, index: scope.index, error)
    }
    guard case .object = session.state else { throw scope.attributed(.stateIsNoObject) }
    changes.append(.state(operation))
  }

  private mutating func merge(
    _ rule: Rule, intoPropertiesOf id: ResponderID, _ scope: EffectScope
  ) throws(MutationFault) {
    let patch = try scope.object(rule, "value")
    guard patch.fits(depth: Limits.depth, size: Limits.work) else {
      throw scope.attributed(.tooLarge)
    }
    try scope.attributing { () throws(MutationFault) in
      try session.graph.update(id) { (responder) throws(MutationFault) in
        responder.properties.merge(patch: patch)
      }
    }
    changes.append(.properties(id, patch))
  }

  /// A send inside a send: its sender is the responder that sends, with the action it sends.
  /// Nobody there to receive it: nothing happens (R7).
  private mutating func send(
    _ action: Rule, _ to: Rule?, _ arguments: Rule?, _ scope: EffectScope
  ) throws(MutationFault) {
    let action = try scope.name(action, "action", .selector, Selector.init(_:))
    let receiver = try to.map { (rule) throws(MutationFault) in
      try scope.name(rule, "to", .receiver, Receiver.init(_:))
    }
    let given = try arguments.map { (rule) throws(MutationFault) in
      try scope.array(rule, "arguments")
    }
    var members = JSONObject()
    members["action"] = .string(action.rawValue)
    let sender = Sender(
      command: nil,
      description: SenderDescription(responder: scope.responder, members: members))
    var inquiry = Inquiry(
      session: session, catalog: catalog, sender: sender, trace: trace, effort: effort)
    let search = inquiry.search(for: action, to: receiver)
    trace = inquiry.trace
    guard case .found(let target) = search else { return }
    let method = try scope.attributing { () throws(MutationFault) in
      try self.method(for: action, of: target.receiver)
    }
    var invocation = try scope.attributing { () throws(MutationFault) in
      try Invocation(
        action, of: sender, to: target.receiver, given, when: scope.invocation.when, in: session)
    }
    _ = try call(method, &invocation, target.receiver)
  }
}
