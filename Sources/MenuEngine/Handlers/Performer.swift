import JSONText

/// Sends messages and makes their effects happen, on a copy of the session that replaces it when
/// all went well.
struct Performer {
  var session: Session
  let catalog: Catalog
  var trace: Trace
  var changes: [Outcome.Change] = []
  private var depth = 0
  private var effectCount = 0

  init(session: Session, catalog: Catalog, trace: Trace) {
    self.session = session
    self.catalog = catalog
    self.trace = trace
  }

  /// Sends a message to its target (F4): its method, else what it forwards to. Answers whether a
  /// handler ran.
  ///
  /// - Throws: `MutationFault.doesNotRecognizeSelector` when there is neither.
  mutating func deliver(_ invocation: inout Invocation, to receiver: Receiver) throws(MutationFault)
    -> Bool
  {
    let inquiry = Inquiry(
      session: session, catalog: catalog, sender: invocation.sender,
      trace: Trace(isRecording: false))
    guard let responder = session.graph[receiver.responder] else {
      throw .unknownResponder(receiver.responder)
    }
    switch receiver {
    case .responder(let id):
      let selector = invocation.selector
      guard let handler = inquiry.implementation(of: selector, in: id) else {
        noteNoForwarding(receiver, selector)
        throw .doesNotRecognizeSelector(receiver, selector)
      }
      trace.note(.invoke, receiver, about: selector, .string(selector.rawValue))
      try run(handler, of: selector, for: id, receiver, invocation)
      return true
    case .forwarder(let host):
      guard responder.coordinator != nil else { throw .noCoordinator(host) }
      return try forward(&invocation, to: receiver, host)
    }
  }

  private mutating func noteNoForwarding(_ receiver: Receiver, _ selector: Selector) {
    trace.note(.resolveInstanceMethod, receiver, about: selector, .bool(false))
    trace.note(.forwardingTarget, receiver, about: selector, .null)
    trace.note(.methodSignature, receiver, about: selector, .null)
  }
}

extension Performer {
  /// The catch-all (F5): whatever the selector, the forwarder has the signature of `handleAction:`,
  /// to which the invocation is changed.
  private mutating func forward(
    _ invocation: inout Invocation, to forwarder: Receiver, _ host: ResponderID
  ) throws(MutationFault) -> Bool {
    let selector = invocation.selector
    if selector != .handleAction {
      let catchAll = JSON.string(Selector.handleAction.rawValue)
      trace.note(.resolveInstanceMethod, forwarder, about: selector, .bool(false))
      trace.note(.forwardingTarget, forwarder, about: selector, .null)
      trace.note(.methodSignature, forwarder, about: selector, catchAll)
      trace.note(.forwardInvocation, forwarder, about: selector, catchAll)
      invocation.selector = .handleAction
    }
    trace.note(.invoke, forwarder, about: .handleAction, .string(Selector.handleAction.rawValue))
    return try handleAction(invocation, forwarder, host)
  }

  /// Runs the coordinator's handler for the sender's own action (F5); nothing, and an answer of
  /// false, when there is none (any more) (F6).
  private mutating func handleAction(
    _ invocation: Invocation, _ receiver: Receiver, _ host: ResponderID
  ) throws(MutationFault) -> Bool {
    guard let action = invocation.sender?.action else {
      throw .senderCarriesNoAction(receiver, invocation.originalSelector)
    }
    guard let registration = session.graph[host]?.coordinator?[action] else {
      trace.note(.handler, receiver, about: action, .null)
      return false
    }
    trace.note(.handler, receiver, about: action, .string(action.rawValue))
    try run(registration.handler, of: action, for: host, receiver, invocation)
    return true
  }
}

extension Performer {
  private mutating func run(
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
      let context = RuleContext(
        state: session.state, responder: id, sender: invocation.sender,
        arguments: invocation.arguments, responders: session.graph)
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
    _ = try send(action, sender: sender, to: receiver, given, when: scope.invocation.when)
  }

  private mutating func send(
    _ action: Selector, sender: Sender, to explicit: Receiver?, _ arguments: [JSON]?, when: Int64?
  ) throws(MutationFault) -> Bool {
    var inquiry = Inquiry(session: session, catalog: catalog, sender: sender, trace: trace)
    let search = inquiry.search(for: action, to: explicit)
    trace = inquiry.trace
    guard case .found(let target) = search else { return false }
    var invocation = try Invocation(
      action, of: sender, to: target.receiver, arguments, when: when, in: session)
    return try deliver(&invocation, to: target.receiver)
  }
}

extension Invocation {
  /// A message with the arguments given, else with its sender as the first and nulls for the rest.
  init(
    _ action: Selector, of sender: Sender?, to target: Receiver?, _ arguments: [JSON]?,
    when: Int64?, in session: Session
  ) throws(MutationFault) {
    let count = action.argumentCount
    var real = arguments ?? Array(repeating: .null, count: count)
    if arguments == nil, count > 0 { real[0] = sender?.json(in: session.graph) ?? .null }
    do throws(InvocationFault) {
      try self.init(
        target: target, selector: action, arguments: real, sender: sender, when: when)
    } catch {
      throw .argumentCount(action, given: real.count)
    }
  }
}
