package import CEL
package import JSONText

/// The steps of searching and performing, in order: each is a question and its answer (M10).
public struct Trace: Equatable, Sendable {
  /// The questions and their answers, in order.
  package private(set) var steps: [Step] = []
  /// True if steps are recorded. A trace that is not recording costs nothing.
  package let isRecording: Bool

  /// Creates an empty trace; it records steps only if `isRecording` is true.
  package init(isRecording: Bool) { self.isRecording = isRecording }

  /// One question and its answer.
  package struct Step: Equatable, Sendable {
    /// The receiver that the question is about.
    package let asked: Receiver
    package let question: Question
    /// The selector in question; nil for a question about the responder alone.
    package let selector: Selector?
    /// The answer: a Boolean, the name of a receiver, a selector, or null for none.
    package let answer: JSON
    /// The rule that failed.
    package let fault: RuleFault?
    /// The rules evaluated, in order, up to a failed one.
    package let rules: [ExplainedRule]
    /// The place of the rule that was false; nil for none.
    let refusing: String?

    /// The reasons why a rule is false, one line per condition.
    package var explanation: [String] {
      let rule = refusing.flatMap { place in rules.first { $0.place.hasSameBytes(as: place) } }
      return rule?.explanation.shortText ?? []
    }
  }

  /// The kinds of questions.
  package enum Question: String, CaseIterable, Sendable {
    /// Does the host's coordinator have a handler, so that the forwarder answers? (F2)
    case redirect
    /// Does the responder or its classes have a handler? (R3)
    case respondsToSelector
    /// Can it perform the action for this sender? (R4, F3)
    case canPerformAction
    /// The next responder. (R2)
    case next
    /// Was the responder visited before? (R9)
    case cycle
    /// The rules for the item, with their results. (M5)
    case validate
    /// The alternate of the item and its action, for the held modifiers. (M11)
    case alternate
    /// Its key commands that match the key. (K1, K4)
    case keyCommands
    /// The menu commands that match the key; the application answers for the menu. (K1, K4)
    case menuKeys
    /// The entries of the session's keymap that match the key; the application answers for it. (K9)
    case keymap
    /// Does its key command exist at present? (K5)
    case when
    /// Does its key command's own rule allow it at present? (K5)
    case enabled
    /// The reason why its match is passed over. (K3)
    case passOver
    /// Can it add a method? (F4)
    case resolveInstanceMethod
    /// The forwarding target, if any. (F4)
    case forwardingTarget
    /// The signature of the message. (F4, F5)
    case methodSignature
    /// The result of forwarding the invocation. (F5)
    case forwardInvocation
    /// The proxied responder; null if it was removed. (L10)
    case proxied
    /// Does the proxy's filter allow the action? (L8)
    case proxiedSelectors
    /// The receiver to which the proxy forwards a direct message, whatever its filter. (L9)
    case proxyForwarding
    /// The forwarder to which the proxied responder would redirect, ignored by a proxy. (L12)
    case unaskedRedirect
    /// The late responders registered with the host. (L6)
    case lateResponders
    /// The user activity. (L13)
    case userActivity
    /// The touch bar items. (L13)
    case touchBar
    /// Does it have focus? (R8)
    case hasFocus
    /// Can it get focus? (R8)
    case canBecomeFirstResponder
    /// Can it give up focus? (R8)
    case canResignFirstResponder
    /// The step of the launch. (V1)
    case launchStep
    /// The method that ran. (F4)
    case invoke
    /// The coordinator's handler that ran. (F5)
    case handler
    /// The delegate of the window or the application, searched directly after it. (R10)
    case delegate
    /// The window searched after the key window. (R10)
    case mainWindow
    /// The window that replaces the main window. (R10)
    case modalWindow
    /// The application, searched after the windows. (R10)
    case application
    /// The substitute of a responder that does not respond. (R10)
    case supplementalTarget
    /// The container. (A1)
    case parent
    /// The reason why it is not the target. (A9)
    case passOverCandidate
    /// The presenter of a view controller that no container shows. (A4)
    case presenter
    /// Does its method override that of `UIViewController`? (A2)
    case overrides
    /// The class with the next inherited implementation. (A2)
    case callSuper
    /// The answer to an optional message. (V7)
    case optionalMessage
    /// The delegate that receives the message. (V7)
    case messageDelegate
    /// The container or presenter where the search for the unwind destination begins. (V6)
    case containerOrPresenter
    /// Is it still held after the segue that made it? (V9)
    case kept
    /// The children to search for the unwind destination. (V6)
    case allowedChildrenForUnwinding
    /// Is it an unwind destination? (V6)
    case canPerformUnwind
    /// Does it implement the message, and so consume it? (C2)
    case implements
    /// The next receiver of a message that is not consumed, with the link to it. (C1, C3)
    case coordinatingNext
    /// Does it pass the message on? (C2)
    case continues
    /// Is its message queued? (C6)
    case queued
    /// Was the sender of a queued message removed, so that it is not sent? (C6)
    case senderGone
    /// The end of an unconsumed message, which is no error. (C2)
    case notHandled
    /// The end of a message without receiver. (F4)
    case doesNotRecognizeSelector
    /// The owner of the undo manager; null for the session. (U1)
    case undoManager
    /// The name of the group that it undoes; null for none, empty for an unnamed group. (U2)
    case undo
    /// The name of the group that it redoes; null for none, empty for an unnamed group. (U2)
    case redo
    /// The place where it reverts the state. (U1)
    case undoneChange
    /// A place that undoing leaves unchanged because an unregistered change followed. (U4)
    case keptChange
    /// The target of the recorded message. (U1)
    case undoneMessage
    /// The target of a recorded message that fails, so that its effects are dropped. (U4)
    case failedMessage
    /// The target for which it registers the message. (U1)
    case registerUndo
    /// The target for which it records the next message. (U3)
    case prepareWithInvocationTarget
  }

  /// Returns this trace followed by another one.
  package func followed(by later: Trace) -> Trace {
    var whole = self
    whole.append(later)
    return whole
  }

  mutating func append(_ later: Trace) { steps += later.steps }

  mutating func note(
    _ question: Question, _ asked: Receiver, about selector: Selector? = nil,
    answer: @autoclosure () -> JSON, fault: RuleFault? = nil,
    rules: @autoclosure () -> [ExplainedRule] = [], refusing: String? = nil
  ) {
    guard isRecording else { return }
    steps.append(
      Step(
        asked: asked, question: question, selector: selector, answer: answer(), fault: fault,
        rules: rules(), refusing: refusing))
  }
}

extension Trace.Step {
  /// The rule of the documentation that the step follows. For some questions it depends on the receiver: a responder
  /// or a coordinator's forwarder.
  package var rule: String {
    switch question {
    case .redirect: "F2"
    case .respondsToSelector: isAboutForwarder ? "F3" : "R3"
    case .canPerformAction: isAboutForwarder ? "F3" : "R4"
    case .next: "R2"
    case .cycle: "R9"
    case .validate: isAboutForwarder ? "F7" : "M5"
    case .alternate: "M11"
    case .keyCommands, .menuKeys: "K1"
    case .keymap: "K9"
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
    case .keptChange, .failedMessage: "U4"
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

/// An evaluated rule with the values of its parts (M10).
package struct ExplainedRule: Sendable {
  /// The rule in its handler or responder: `validate/enabled`, `canPerform`, `keyCommands/0/when`.
  package let place: String
  /// The values or faults of the rule and its parts.
  package let explanation: Explanation
}

extension ExplainedRule: Equatable {
  /// True if both are of the same rule at the same place, with the same text.
  package static func == (left: ExplainedRule, right: ExplainedRule) -> Bool {
    left.place.hasSameBytes(as: right.place)
      && left.explanation.source.hasSameBytes(as: right.explanation.source)
      && left.explanation.text().hasSameBytes(as: right.explanation.text())
  }
}
