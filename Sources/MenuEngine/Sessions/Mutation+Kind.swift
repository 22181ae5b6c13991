extension Mutation {
  /// Which of the cases a mutation is, without what it carries; for counting them.
  public enum Kind: Int, CaseIterable, Sendable {
    case patchState
    case mergeState
    case putResponder
    case removeResponder
    case putHandler
    case removeHandler
    case register
    case changeRegistration
    case removeRegistration
    case registerLate
    case deregisterLate
    case changeProxiedSelectors
    case putKeyCommands
    case becomeFirstResponder
    case resignFirstResponder
    case makeWindow
    case storyboard
    case viewController
    case coordinator
    case undo
    case messages
    case perform
    case pressKey
    case invoke
  }

  /// Which of the cases it is.
  public var kind: Kind {
    switch self {
    case .patchState: .patchState
    case .mergeState: .mergeState
    case .putResponder: .putResponder
    case .removeResponder: .removeResponder
    case .putHandler: .putHandler
    case .removeHandler: .removeHandler
    case .register: .register
    case .changeRegistration: .changeRegistration
    case .removeRegistration: .removeRegistration
    case .registerLate: .registerLate
    case .deregisterLate: .deregisterLate
    case .changeProxiedSelectors: .changeProxiedSelectors
    case .putKeyCommands: .putKeyCommands
    case .becomeFirstResponder: .becomeFirstResponder
    case .resignFirstResponder: .resignFirstResponder
    case .makeWindow: .makeWindow
    case .storyboard: .storyboard
    case .viewController: .viewController
    case .coordinator: .coordinator
    case .undo: .undo
    case .messages: .messages
    case .perform: .perform
    case .pressKey: .pressKey
    case .invoke: .invoke
    }
  }
}
