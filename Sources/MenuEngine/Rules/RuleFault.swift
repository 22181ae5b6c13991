package import CEL

/// A rule or closure that failed, or returned a value of the wrong type; it never enables anything.
public struct RuleFault: Error, Equatable, Sendable {
  /// The rule or closure in its handler or responder: `validate/enabled`, `canPerform`, `perform/0/value`.
  public let place: String
  /// The rule's text; empty for a closure.
  public let source: String
  /// The index of the element of a list that the fault is about; nil for none.
  package var index: Int?
  package let reason: Reason
  /// True if the rule reads the state, from which patches can remove members.
  package let readsState: Bool

  /// Creates a fault, by default of a rule that does not read the state.
  init(place: String, source: String, reason: Reason, readsState: Bool = false) {
    self.place = place
    self.source = source
    self.reason = reason
    self.readsState = readsState
  }

  /// A reason why a rule has no usable value.
  package enum Reason: Equatable, Sendable {
    /// Its evaluation failed.
    case evaluation(EvaluationFault)
    /// The value has the wrong type.
    case answered(ValueType, expected: Expectation)
    /// The value has no JSON form.
    case unrepresentable(Value.Unrepresentable)
    /// The string is not a name or place of the expected kind.
    case misnamed(String, expected: Expectation)
    /// The command does not accept the parameters; nil if it takes none at all.
    case unfit(ParameterFaults?)
    /// A closure failed, with its message.
    case closure(String)
  }

  /// The expected values.
  package enum Expectation: String, Sendable {
    case bool = "true or false"
    case state = "true, false, \"on\", \"off\" or \"mixed\""
    case string = "a string"
    case object = "an object"
    case identifier = "the id of a responder"
    case locale = "the tag of a language, such as \"de\" or \"pt-BR\""
    case receiver = "the id of a responder, or of a coordinator's forwarder"
    case selector = "a selector"
    case array = "an array"
    case integer = "an integer"
    case pointer = "a JSON Pointer or the list of its tokens"
    case selectors = "an array of selectors, or null"
    case count = "an integer from 0"
    case identifiers = "an array of the ids of responders"
    case patch = "a JSON Patch"
    case key = "a key with its modifiers"
    case modifiers = "an array of modifiers"
    case sender = "the description of a sender"
    case invocation = "a message"
    case texts =
      "a list of at most 1000 strings, or of objects with 'const', a string, and maybe 'title'"
    case choices = "a list of at most 1000 values, or of objects with 'const' and maybe 'title'"
    case choiceMember = "'const' or 'title'"
    case itemKey = "a key of 1 to 1024 bytes"
    case time = "a time in milliseconds since 1970, of the years 0 to 9999"
    case boundedValue = "a value of at most 262144 values and bytes"
  }
}

extension RuleFault {
  /// Returns the fault with the index of a list's element.
  func about(element index: Int) -> RuleFault {
    var copy = self
    copy.index = index
    return copy
  }

  /// Creates a fault from the error of a closure.
  init(_ error: any Error, at place: String) {
    let message = (error as? HandlerFailure)?.message ?? String(describing: error)
    self.init(place: place, source: "", reason: .closure(message))
  }
}

extension RuleFault {
  /// The message of a closure's ``HandlerFailure``; nil for a rule.
  public var message: String? {
    if case .closure(let message) = reason { message } else { nil }
  }
}

extension RuleFault: CustomStringConvertible {
  /// The place and the reason.
  public var description: String { "\(place): \(message ?? describe(reason))" }
}
