import MenuEngine

extension ValidationReason {
  /// Returns the reason why nothing was performed, as the end of a sentence for a model, without a full stop (M10).
  ///
  /// - Parameter target: The target, in quotes.
  func clause(target: String) -> String {
    switch self {
    case .enabled: "nothing ran, although it is enabled"
    case .noTarget: "nobody can perform it"
    case .noAction: "it has no action"
    case .ruleFalse: "\(target) says no"
    case .ruleError: "a rule failed"
    case .declaredDisabled: "it is declared disabled, and \(target) does not enable it"
    case .cycle: "the chain leads back into itself"
    case .unknownCommand: "the application has no such command any more"
    case .unknownItem: "its menus have no item with this key any more"
    case .noHandler: "\(target) has no handler for its action any more"
    case .recorded: "\(target) recorded it for undo, and did not run it"
    case .proxiedGone: "the responder that \(target) stands for is gone"
    case .noMatch: "no key stands for it"
    case .pending: "another stroke is awaited"
    }
  }
}
