import JSONText

extension Session {
  /// Performs a command or sends an action (M7, R7).
  mutating func perform(
    _ request: ActionRequest, in catalog: Catalog, _ isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    try checkResponders(of: request)
    switch request.subject {
    case .command(let id):
      guard let command = catalog.command(id) else { throw .unknownCommand(id) }
      return try perform(
        command.whileHolding(request.modifiers), request, in: catalog, isExplaining, effort)
    case .action(let action):
      let sender = request.sender.map { Sender(command: nil, description: $0) }
      var inquiry = inquiry(in: catalog, sender: sender, isExplaining, effort)
      let search = inquiry.search(for: action, from: request.from, to: request.to)
      let target = try Self.found(search, action, inquiry.trace)
      return try send(action, request, target, inquiry)
    }
  }

  /// Sends a message again (F9): to its target, else to whom the chain has for it.
  mutating func invoke(
    _ invocation: Invocation, in catalog: Catalog, _ isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    var inquiry = inquiry(in: catalog, sender: invocation.sender, isExplaining, effort)
    let search = inquiry.search(for: invocation.selector, to: invocation.target)
    let target = try Self.found(search, invocation.selector, inquiry.trace)
    return try deliver(invocation, target, inquiry)
  }

  /// An inquiry into this session.
  func inquiry(
    in catalog: Catalog, sender: Sender?, _ isExplaining: Bool, _ effort: Effort = Effort()
  ) -> Inquiry {
    Inquiry(
      session: self, catalog: catalog, source: .sender(sender),
      trace: Trace(isRecording: isExplaining), effort: effort)
  }

  /// Refuses names of responders that are not there.
  func check(_ responder: ResponderID?) throws(MutationFault) {
    if let responder, graph[responder] == nil { throw .unknownResponder(responder) }
  }

  private func checkResponders(of request: ActionRequest) throws(MutationFault) {
    try check(request.from)
    try check(request.to?.responder)
    try check(request.sender?.responder)
  }

  private mutating func perform(
    _ command: Command, _ request: ActionRequest, in catalog: Catalog, _ isExplaining: Bool,
    _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    let sender = Sender(command: command, description: request.sender)
    var inquiry = inquiry(in: catalog, sender: sender, isExplaining, effort)
    let (item, target) = inquiry.validate(command, from: request.from, to: request.to)
    guard item.isEnabled, let target, let action = command.action else {
      throw .notPerformed(
        Refusal(
          item: item, action: command.action, reason: item.reason, fault: item.fault,
          trace: inquiry.trace))
    }
    var outcome = try send(action, request, target, inquiry, titled: item.title)
    outcome.events.insert(.willSendAction(command.id, action, target: target.receiver), at: 0)
    outcome.events.append(
      .didSendAction(
        command.id, action, target: target.receiver,
        isPerformed: outcome.performance?.isPerformed == true))
    return outcome
  }

  private static func found(
    _ search: Inquiry.Search, _ action: Selector, _ trace: Trace
  ) throws(MutationFault) -> Inquiry.Target {
    switch search {
    case .found(let target): return target
    case .nobody(let fault):
      throw .notPerformed(
        Refusal(
          item: nil, action: action, reason: fault == nil ? .noTarget : .ruleError, fault: fault,
          trace: trace))
    case .cycle:
      throw .notPerformed(
        Refusal(item: nil, action: action, reason: .cycle, fault: nil, trace: trace))
    }
  }

  private mutating func send(
    _ action: Selector, _ request: ActionRequest, _ target: Inquiry.Target, _ inquiry: Inquiry,
    titled title: String? = nil
  ) throws(MutationFault) -> Outcome {
    let invocation = try Invocation(
      action, of: inquiry.sender, to: target.receiver, request.arguments, when: request.when,
      in: self)
    return try deliver(invocation, target, inquiry, titled: title)
  }

  private mutating func deliver(
    _ invocation: Invocation, _ target: Inquiry.Target, _ inquiry: Inquiry,
    titled title: String? = nil
  ) throws(MutationFault) -> Outcome {
    var performer = Performer(after: inquiry)
    if let title { performer.session.undo.event.actionName = title }
    var invocation = invocation
    invocation.target = target.receiver
    invocation.clearResult()
    let reason = try performer.deliver(&invocation, to: target.receiver)
    self = performer.session
    return Outcome(
      changes: performer.changes, events: performer.events,
      performance: Outcome.Performance(
        isPerformed: reason == .enabled, reason: reason, target: target.receiver,
        proxied: target.proxied, invocation: invocation, trace: performer.trace))
  }
}
