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
