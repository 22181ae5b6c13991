package import JSONText

/// A reason why the effects of a handler fail. None of them is applied.
package enum EffectFault: Error, Equatable, Sendable {
  /// A rule of an effect failed.
  case rule(Receiver, Selector, RuleFault)
  /// An effect on the state could not be applied.
  case patch(Receiver, Selector, index: Int, JSONPatchFault)
  /// An effect names a responder that is missing or refuses.
  indirect case mutation(Receiver, Selector, index: Int, MutationFault)
  /// A handler returned a value that the question does not allow.
  case wrongAnswer(JSON, of: ResponderID, Selector, expected: ExpectedAnswer)
  /// Nested sends exceed the maximum depth; with the message beyond the limit, and the trace, if requested.
  case sendsTooDeep(
    Receiver, Selector, limit: Int, trace: Trace = Trace(isRecording: false))
  /// One performed command had more effects than the limit.
  case tooManyEffects(limit: Int)
}

/// The values that a question allows as its answer.
package enum ExpectedAnswer: Equatable, Sendable {
  /// True or false: a yes-or-no question (V9).
  case bool
  /// The id of a view controller that can become the secondary, null or false (A8); `refused` is the reason why the
  /// named one cannot.
  indirect case secondary(refused: MutationFault?)
}
