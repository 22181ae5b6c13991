public import JSONText

/// One thing that happens when a handler performs. Every argument that is a `Rule` is evaluated
/// at that moment.
public enum Effect: Equatable, Sendable {
  /// A JSON Patch operation on the session's state, whose value is a rule's answer.
  case state(StateEffect)
  /// Sends an action, on the chain or to a responder (R7).
  case send(action: Rule, to: Rule?, arguments: Rule?)
  /// Makes a responder the first responder (R8).
  case firstResponder(Rule)
  /// Merges an object into a responder's properties (RFC 7396); the default is the receiver's.
  case properties(of: Rule?, merging: Rule)
  /// Passes the sender to the receiver's own coordinator (F8).
  case handleAction
  /// What the message answers (F9): the result of its invocation, the last one if there are more.
  case answer(Rule)
}

/// A JSON Patch operation (RFC 6902) on the session's state, with rules for values.
public enum StateEffect: Equatable, Sendable {
  case add(JSONPointer, Rule)
  case remove(JSONPointer)
  case replace(JSONPointer, Rule)
  case move(from: JSONPointer, to: JSONPointer)
  case copy(from: JSONPointer, to: JSONPointer)
  case test(JSONPointer, Rule)
}
