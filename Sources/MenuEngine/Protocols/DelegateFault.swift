/// A reason why a responder cannot be a delegate, or a message is not sent to one (V7).
package enum DelegateFault: Error, Equatable, Sendable {
  /// A delegate does not implement these messages, which its protocol requires (V7).
  case delegateLacks([Selector], delegate: ResponderID, of: ResponderID, ProtocolName)
  /// A delegate must keep its handler for a message, which its protocol requires (V7).
  case handlerRequired(Selector, delegate: ResponderID, of: ResponderID, ProtocolName)
  /// The protocol of the delegate does not have the message.
  case messageOutsideProtocol(Selector, of: ResponderID, ProtocolName)
}

extension DelegateFault {
  /// The message or responder at fault, and its place in a session document.
  var blame: Blame {
    switch self {
    case .delegateLacks(_, delegate: let id, of: let holder, _):
      Blame(id, at: Blame.responder(holder, ["delegate"]))
    case .handlerRequired(let selector, delegate: _, of: _, _),
      .messageOutsideProtocol(let selector, of: _, _):
      Blame(selector)
    }
  }
}
