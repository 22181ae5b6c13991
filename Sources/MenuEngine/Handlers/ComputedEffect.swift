public import JSONText

/// One thing that happens when a handler performs, its values computed: what an ``Effect`` comes to,
/// and what a closure answers.
public enum ComputedEffect: Equatable, Sendable {
  /// A JSON Patch operation on the session's state.
  case state(JSONPatch.Operation)
  /// Sends an action, on the chain or to a receiver (R7). Without arguments the sender is the first
  /// one, and the others are null.
  case send(Selector, to: Receiver? = nil, arguments: [JSON]? = nil)
  /// Makes a responder the first responder (R8).
  case firstResponder(ResponderID)
  /// Merges an object into a responder's properties (RFC 7396); the default is the receiver's.
  case properties(of: ResponderID? = nil, merging: JSON)
  /// Passes the sender to the receiver's own coordinator (F8).
  case handleAction
  /// What the message answers (F9): the invocation's result.
  case answer(JSON)
}

extension EffectScope {
  /// An effect with its values computed.
  func computed(_ effect: Effect) throws(MutationFault) -> ComputedEffect {
    switch effect {
    case .state(let effect): return .state(try operation(effect))
    case .send(let action, let to, let arguments):
      let action = try name(action, "action", .selector, Selector.init(_:))
      let receiver = try to.map { (rule) throws(MutationFault) in
        try name(rule, "to", .receiver, Receiver.init(_:))
      }
      let given = try arguments.map { (rule) throws(MutationFault) in
        try array(rule, "arguments")
      }
      return .send(action, to: receiver, arguments: given)
    case .firstResponder(let rule): return .firstResponder(try responder(rule, "responder"))
    case .properties(of: let rule, merging: let value):
      let id = try rule.map { (rule) throws(MutationFault) in try responder(rule, "responder") }
      return .properties(of: id, merging: try object(value, "value"))
    case .handleAction: return .handleAction
    case .answer(let rule): return .answer(try json(rule, "value"))
    }
  }
}
