import JSONText

extension Performer {
  /// A send inside a send: its sender is the responder that sends, with the action it sends.
  /// Nobody there to receive it: nothing happens (R7). Answers what it answers, null by default.
  mutating func send(
    _ action: Selector, to: Receiver?, arguments: [JSON]?, in scope: EffectScope
  ) throws(MutationFault) -> JSON {
    let sender = scope.sender(of: action)
    let search = inquire(sender) { $0.search(for: action, to: to) }
    guard case .found(let target) = search else { return .null }
    let method = try scope.attributing { () throws(MutationFault) in
      try self.method(for: action, of: target.receiver)
    }
    var invocation = try scope.attributing { () throws(MutationFault) in
      try Invocation(
        action, of: sender, to: target.receiver, arguments: arguments, when: scope.invocation.when,
        in: session)
    }
    _ = try call(method, &invocation, to: target.receiver)
    return invocation.answer
  }

  /// Runs the next implementation of the running method above it (A2).
  mutating func callSuper(
    with arguments: [JSON]?, in scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let className = session.graph[scope.responder]?.className
    guard let level = scope.level, let className,
      let method = catalog.classes.method(for: scope.selector, in: className, above: level)
        ?? session.graph[scope.responder]?.undoMethod(for: scope.selector)
    else {
      throw scope.attributed(
        .doesNotRecognizeSelector(scope.receiver, scope.selector, trace: trace))
    }
    var inner = invocation
    if let arguments {
      guard arguments.count == inner.arguments.count else {
        throw scope.attributed(.argumentCount(scope.selector, given: arguments.count))
      }
      inner.replaceArguments(arguments)
    }
    inner.clearResult()
    trace.note(
      .callSuper, .responder(scope.responder), about: scope.selector,
      answer: .string(method.definer.rawValue))
    let above = RunningMethod(
      scope.selector, of: scope.responder, receivedBy: scope.receiver, at: .ofClass(method.definer))
    try run(method.handler, as: above, &inner)
    if inner.hasResult { invocation.setResult(inner.answer) }
  }
}

extension EffectScope {
  /// The responder as the sender of an action that it sends.
  func sender(of action: Selector) -> Sender {
    var members = JSONObject()
    members["action"] = .string(action.rawValue)
    return Sender(
      command: nil, description: SenderDescription(responder: responder, members: members))
  }
}
