/// A reason why focus does not move (R8, R11).
package enum FocusFault: Error, Equatable, Sendable {
  /// The responder is no window and cannot be given this part.
  case notAWindow(ResponderID, ResponderKind, as: WindowRole)
  /// The responder is not in the window whose focus it is to take (R11).
  case notInWindow(ResponderID, ResponderID)
  /// The candidate may not become, or the old one does not resign being, first responder (R8); with
  /// what makes its rule false, a line for each condition.
  case firstResponderRefused(
    candidate: ResponderID?, by: ResponderID, ResponderQuestion, because: [String])
  /// The first responder's rule failed.
  case firstResponderRule(ResponderID, RuleFault)
}

extension FocusFault {
  /// The responder to blame, and its place in a session document.
  var blame: Blame {
    switch self {
    case .notAWindow(let id, _, as: let role): Blame(id, at: [role.member])
    case .notInWindow(let id, _): Blame(id, at: ["firstResponder"])
    case .firstResponderRefused, .firstResponderRule: Blame(at: ["firstResponder"])
    }
  }
}

/// A question to a responder about being first responder (R8).
package enum ResponderQuestion: String, Sendable {
  case canBecomeFirstResponder
  case canResignFirstResponder
}
