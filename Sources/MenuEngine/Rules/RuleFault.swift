package import CEL

/// A rule that failed, or answered with a value of the wrong type; it never enables anything.
public struct RuleFault: Error, Equatable, Sendable {
  /// The rule in its handler or responder: `validate/enabled`, `canPerform`, `perform/0/value`.
  public let place: String
  /// The rule's text.
  public let source: String
  /// The reason.
  package let reason: Reason
  /// True if the rule reads the state, of which patches remove members.
  package let readsState: Bool

  /// A fault; by default of a rule that does not read the state.
  init(place: String, source: String, reason: Reason, readsState: Bool = false) {
    self.place = place
    self.source = source
    self.reason = reason
    self.readsState = readsState
  }

  /// A reason why a rule gave no usable answer.
  package enum Reason: Equatable, Sendable {
    /// Its evaluation failed.
    case evaluation(EvaluationFault)
    /// It answered with this instead of what was expected.
    case answered(ValueType, expected: Expectation)
    /// It answered with a string that is no name or place of the kind that was expected.
    case misnamed(String, expected: Expectation)
    /// It is no rule but a closure, which failed for this reason.
    case closure(String)
  }

  /// The values that a rule had to answer.
  package enum Expectation: String, Sendable {
    case bool = "true or false"
    case state = "true, false, \"on\", \"off\" or \"mixed\""
    case string = "a string"
    case object = "an object"
    case identifier = "the id of a responder"
    case receiver = "the id of a responder, or of a coordinator's forwarder"
    case selector = "a selector"
    case array = "an array"
    case integer = "an integer"
    case pointer = "a JSON Pointer or the list of its tokens"
    case selectors = "an array of selectors, or null"
    case json = "a value that JSON can carry"
    case count = "an integer from 0"
    case identifiers = "an array of the ids of responders"
    case patch = "a JSON Patch"
    case key = "a key with its modifiers"
    case modifiers = "an array of modifiers"
    case sender = "the description of a sender"
    case invocation = "a message"
  }
}

extension RuleFault {
  /// A closure's failure, as if a rule had failed.
  init(_ failure: HandlerFailure, at place: String) {
    self.init(place: place, source: "", reason: .closure(failure.message))
  }
}
