import JSONText

extension Performer {
  /// Performs a command or sends an action (M7, R7).
  mutating func perform(_ request: ActionRequest) throws(MutationFault) {
    try inWindow(request.window) { (performer) throws(MutationFault) in
      try performer.performHere(request)
    }
  }

  /// Performs a request in the window that is as if it were key.
  private mutating func performHere(_ request: ActionRequest) throws(MutationFault) {
    try session.check(request.from)
    try session.check(request.to?.responder)
    try session.check(request.sender?.responder)
    switch request.subject {
    case .command(let id):
      guard let command = catalog.command(id) else { throw .unknownCommand(id) }
      try check(request.parameters, of: command)
      try perform(command.whileHolding(request.modifiers), request)
    case .action(let action):
      try check(request.parameters, of: nil)
      let sender = request.sender.map { Sender(command: nil, description: $0) }
      let search = inquire(sender) { $0.search(for: action, from: request.from, to: request.to) }
      try send(action, asRequested: request, sender, to: found(search, action))
    }
  }

  /// Sends a message again (F9): to its target, else to whom the chain has for it.
  mutating func invoke(_ invocation: Invocation) throws(MutationFault) {
    let search = inquire(invocation.sender) {
      $0.search(for: invocation.selector, to: invocation.target)
    }
    try deliver(invocation, to: found(search, invocation.selector))
  }

  private mutating func perform(
    _ command: Command, _ request: ActionRequest
  ) throws(MutationFault) {
    let sender = Sender(command: command, description: request.sender)
    let (item, target) = inquire(sender) {
      $0.validate(command, from: request.from, to: request.to)
    }
    guard item.isEnabled, let target, let action = command.action else {
      throw .notPerformed(
        Refusal(
          item: item, action: command.action, reason: item.reason, fault: item.fault, trace: trace))
    }
    if !phase.isInHandler {
      let isComposed = target.composes(item.title, of: command)
      session.nameUndoGroup(after: item.title, of: command, isComposed: isComposed)
    }
    events.append(.willSendAction(command.id, action, target: target.receiver))
    let isPerformed = try send(action, asRequested: request, sender, to: target)
    if isPerformed, !phase.isInHandler { session.noteUse(of: command.id) }
    events.append(
      .didSendAction(command.id, action, target: target.receiver, isPerformed: isPerformed))
  }

  private func found(
    _ search: Inquiry.Search, _ action: Selector
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

  @discardableResult
  private mutating func send(
    _ action: Selector, asRequested request: ActionRequest, _ sender: Sender?,
    to target: Inquiry.Target
  ) throws(MutationFault) -> Bool {
    var invocation = try Invocation(
      action, of: sender, to: target.receiver, arguments: request.arguments, when: request.when,
      in: session)
    invocation.parameters = request.parameters ?? JSONObject()
    return try deliver(invocation, to: target)
  }

  /// Delivers a message to the target that was found; answers whether a handler ran.
  @discardableResult
  private mutating func deliver(
    _ invocation: Invocation, to target: Inquiry.Target
  ) throws(MutationFault) -> Bool {
    if !phase.isInHandler, session.undo.event.actionName == nil,
      let title = invocation.sender?.title
    {
      session.nameUndoGroup(after: title, of: invocation.sender?.command)
    }
    var invocation = invocation
    invocation.target = target.receiver
    invocation.clearResult()
    let reason = try deliver(&invocation, to: target.receiver)
    guard !phase.isInHandler else { return reason == .enabled }
    outcome.performance = Outcome.Performance(
      isPerformed: reason == .enabled, reason: reason, target: target.receiver,
      proxied: target.proxied, invocation: invocation, trace: trace)
    return reason == .enabled
  }
}

extension Session {
  /// An inquiry into this session on behalf of a sender, by default nobody.
  func inquiry(in context: SessionContext, sender: Sender? = nil) -> Inquiry {
    Inquiry(
      session: self, catalog: context.catalog, source: .sender(sender),
      trace: Trace(isRecording: context.isExplaining), effort: context.effort)
  }

  /// Refuses names of responders that are not there.
  func check(_ responder: ResponderID?) throws(MutationFault) {
    if let responder, graph[responder] == nil { throw .unknownResponder(responder) }
  }
}

extension Inquiry.Target {
  /// True if a title is neither that of the command nor spelled out in the rule for it, so that it tells of its moment.
  fileprivate func composes(_ title: String, of command: Command) -> Bool {
    guard !title.hasSameBytes(as: command.title) else { return false }
    return handler?.validate.title?.spellsOut(title) != true
  }
}
