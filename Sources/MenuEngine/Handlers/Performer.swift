import JSONText

/// Sends messages and makes their effects happen, on a copy of the session that replaces it when
/// all went well.
struct Performer {
  var session: Session
  let catalog: Catalog
  var trace: Trace
  var changes: [Outcome.Change] = []
  var depth = 0
  var effectCount = 0
  let effort: Effort

  /// A performer that goes on from an inquiry.
  init(after inquiry: Inquiry) {
    session = inquiry.session
    catalog = inquiry.catalog
    trace = inquiry.trace
    effort = inquiry.effort
  }

  /// Sends a message to its target (F4): its method, else what it forwards to. Answers whether a
  /// handler ran.
  ///
  /// - Throws: `MutationFault.doesNotRecognizeSelector` when there is neither.
  mutating func deliver(_ invocation: inout Invocation, to receiver: Receiver) throws(MutationFault)
    -> Bool
  {
    try call(try method(for: invocation.selector, of: receiver), &invocation, receiver)
  }

  /// What a receiver has for a message (F4).
  enum Method {
    /// The handler, and whose it is: the receiver's or, when that is a proxy, its responder's.
    case found(Handler, of: ResponderID)
    /// There is nobody any more behind the proxy that receives it (L10).
    case gone
    case catchAll(host: ResponderID)
  }

  func method(
    for selector: Selector, of receiver: Receiver
  ) throws(MutationFault) -> Method {
    guard let responder = session.graph[receiver.responder] else {
      throw .unknownResponder(receiver.responder)
    }
    switch receiver {
    case .responder(let id):
      let inquiry = session.inquiry(in: catalog, sender: nil, false)
      if let (implementer, handler) = inquiry.delivery(of: selector, to: id) {
        return .found(handler, of: implementer)
      }
      guard responder.proxy != nil else { throw .doesNotRecognizeSelector(receiver, selector) }
      guard let proxied = session.graph.proxied(by: id) else { return .gone }
      throw .doesNotRecognizeSelector(.responder(proxied), selector)
    case .forwarder(let host):
      guard responder.coordinator != nil else { throw .noCoordinator(host) }
      return .catchAll(host: host)
    }
  }

  mutating func call(
    _ method: Method, _ invocation: inout Invocation, _ receiver: Receiver
  ) throws(MutationFault) -> Bool {
    switch method {
    case .found(let handler, of: let id):
      let selector = invocation.selector
      if id != receiver.responder {
        trace.note(.forwardingTarget, receiver, about: selector, .string(id.rawValue))
      }
      let implementer = Receiver.responder(id)
      trace.note(.invoke, implementer, about: selector, .string(selector.rawValue))
      try run(handler, of: selector, for: id, receiver, invocation)
      return true
    case .gone:
      trace.note(.proxied, receiver, .null)
      return false
    case .catchAll(let host):
      return try forward(&invocation, to: receiver, host)
    }
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
  mutating func handleAction(
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
