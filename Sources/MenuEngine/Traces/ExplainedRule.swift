public import CEL
import JSONText

/// A rule that was asked, and what its parts were worth then (M10).
public struct ExplainedRule: Sendable {
  /// The rule in its handler or responder: `validate/enabled`, `canPerform`, `keyCommands/0/when`.
  public let place: String
  /// Its value or fault, and those of its parts.
  public let explanation: Explanation
}

extension ExplainedRule: Equatable {
  /// True if both are of the same rule at the same place, and read the same.
  public static func == (left: ExplainedRule, right: ExplainedRule) -> Bool {
    left.place.hasSameBytes(as: right.place)
      && left.explanation.source.hasSameBytes(as: right.explanation.source)
      && left.explanation.text().hasSameBytes(as: right.explanation.text())
  }
}
