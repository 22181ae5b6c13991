package import JSONText

/// A reason why nothing that a handler does is done.
package enum EffectFault: Error, Equatable, Sendable {
  /// A rule of an effect failed.
  case rule(Receiver, Selector, RuleFault)
  /// An effect on the state could not be applied.
  case patch(Receiver, Selector, index: Int, JSONPatchFault)
  /// An effect names a responder that is not there, or one that refuses.
  indirect case mutation(Receiver, Selector, index: Int, MutationFault)
  /// A handler answered something else to a question than what it can be answered with.
  case wrongAnswer(JSON, of: ResponderID, Selector, expected: ExpectedAnswer)
  /// Sends inside sends went deeper than the limit: the message that was one too many, and what was
  /// asked until then, when that was wanted.
  case sendsTooDeep(
    Receiver, Selector, limit: Int, trace: Trace = Trace(isRecording: false))
  /// One performed command had more effects than the limit.
  case tooManyEffects(limit: Int)
}

/// The values that a question can be answered with.
package enum ExpectedAnswer: Equatable, Sendable {
  /// True or false: a yes-or-no question (V9).
  case bool
  /// The id of a view controller that can become the secondary, null or false (A8); with why the one that
  /// was named cannot.
  indirect case secondary(refused: MutationFault?)
}
