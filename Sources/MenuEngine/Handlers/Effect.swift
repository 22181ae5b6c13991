public import JSONText

/// One thing that happens when a handler performs. Every argument that is a `Rule` is evaluated
/// at that moment.
public enum Effect: Equatable, Sendable, Codable {
  /// A JSON Patch operation on the session's state, whose value is a rule's answer.
  case state(StateEffect)
  /// Another effect, which happens only when the rule says so.
  indirect case conditional(Effect, when: Rule)
  /// Sends an action, on the chain or to a responder (R7).
  ///
  /// With `answers`, what it answers is what this message answers, null when nobody receives it.
  case send(action: Rule, to: Rule?, arguments: Rule?, answers: Bool = false)
  /// Makes a responder the first responder (R8).
  case firstResponder(Rule)
  /// Merges an object into a responder's properties (RFC 7396); the default is the receiver's.
  case properties(of: Rule?, merging: Rule)
  /// Passes the sender to the receiver's own coordinator (F8).
  case handleAction
  /// Asks something of the receiver's undo manager (U1 to U3).
  case undo(UndoEffect)
  /// What the message answers (F9): the result of its invocation, the last one if there are more.
  case answer(Rule)
  /// Runs the next implementation of the same selector above this one (A2), and answers what it
  /// answers. The default are the same arguments.
  case callSuper(arguments: Rule?)
  /// What a built-in class does; no document describes it.
  case builtIn(BuiltInMethod)
  /// Instantiates, performs segues, links delegates and the like (V1–V7).
  case storyboard(StoryboardEffect)
  /// Shows view controllers, or asks who would.
  case viewController(ViewControllerEffect)
}

extension Effect {
  /// The effect without its condition.
  var what: Effect {
    guard case .conditional(let effect, when: _) = self else { return self }
    return effect
  }
}

/// A JSON Patch operation (RFC 6902) on the session's state, with rules for values.
public enum StateEffect: Equatable, Sendable, Codable {
  case add(JSONPointer, Rule)
  case remove(JSONPointer)
  case replace(JSONPointer, Rule)
  case move(from: JSONPointer, to: JSONPointer)
  case copy(from: JSONPointer, to: JSONPointer)
  case test(JSONPointer, Rule)
}
