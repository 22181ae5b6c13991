/// A reason why focus does not move (R8, R11).
package enum FocusFault: Error, Equatable, Sendable {
  /// The responder is not a window and cannot have this role.
  case notAWindow(ResponderID, ResponderKind, as: WindowRole)
  /// The responder is not in the window whose focus it should take (R11).
  case notInWindow(ResponderID, ResponderID)
  /// The candidate cannot become first responder, or the present one does not resign (R8); with the reasons why the
  /// rule is false, one line per condition.
  case firstResponderRefused(
    candidate: ResponderID?, by: ResponderID, ResponderQuestion, because: [String])
  /// The first responder's rule failed.
  case firstResponderRule(ResponderID, RuleFault)
}

extension FocusFault {
  /// The responder at fault, and its place in a session document.
  var blame: Blame {
    switch self {
    case .notAWindow(let id, _, as: let role): Blame(id, at: [role.member])
    case .notInWindow(let id, _): Blame(id, at: ["firstResponder"])
    case .firstResponderRefused, .firstResponderRule: Blame(at: ["firstResponder"])
    }
  }
}

/// A question to a responder about its role as first responder (R8).
package enum ResponderQuestion: String, Sendable {
  case canBecomeFirstResponder
  case canResignFirstResponder
}
