import JSONText

extension Trace.Step {
  /// The rule of the documentation that the step follows, which for some questions depends on who is
  /// asked: a responder or a coordinator's forwarder.
  public var rule: String {
    switch question {
    case .redirect: "F2"
    case .respondsToSelector: isAboutForwarder ? "F3" : "R3"
    case .canPerformAction: isAboutForwarder ? "F3" : "R4"
    case .next: "R2"
    case .cycle: "R9"
    case .validate: isAboutForwarder ? "F7" : "M5"
    case .alternate: "M11"
    case .keyCommands, .menuKeys: "K1"
    case .when, .enabled: "K5"
    case .passOver: "K3"
    case .passOverCandidate: "A9"
    case .parent: "A1"
    case .overrides, .callSuper: "A2"
    case .optionalMessage, .messageDelegate: "V7"
    case .presenter: "A4"
    case .containerOrPresenter, .allowedChildrenForUnwinding, .canPerformUnwind: "V6"
    case .kept: "V9"
    case .hasFocus, .canBecomeFirstResponder, .canResignFirstResponder: "R8"
    case .launchStep: "V1"
    case .queued, .senderGone: "C6"
    case .implements, .continues, .notHandled: "C2"
    case .coordinatingNext: isCut ? "C3" : "C1"
    case .proxied: answer == .null ? "L10" : "L8"
    case .proxiedSelectors: "L8"
    case .proxyForwarding: "L9"
    case .unaskedRedirect: "L12"
    case .lateResponders: "L6"
    case .userActivity, .touchBar: "L13"
    case .resolveInstanceMethod, .doesNotRecognizeSelector: "F4"
    case .forwardingTarget: answer == .null ? "F4" : "F10"
    case .methodSignature: isAboutForwarder ? "F5" : answer == .null ? "F4" : "F10"
    case .forwardInvocation: isAboutForwarder ? "F5" : "F10"
    case .invoke: isAboutForwarder ? "F5" : "F4"
    case .handler: answer == .null ? "F6" : "F5"
    case .undoManager, .registerUndo, .undoneChange, .undoneMessage: "U1"
    case .keptChange: "U4"
    case .undo, .redo: "U2"
    case .prepareWithInvocationTarget: "U3"
    case .delegate, .mainWindow, .modalWindow, .application, .supplementalTarget: "R10"
    }
  }

  var isAboutForwarder: Bool {
    switch asked {
    case .responder, .undoManager: false
    case .forwarder: true
    }
  }
}
