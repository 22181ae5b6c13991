package import CEL
package import JSONText

/// The questions that were asked, in order, and their answers (M10).
public struct Trace: Equatable, Sendable {
  /// The questions and their answers, in order.
  public private(set) var steps: [Step] = []
  /// True if steps are kept; a trace that is not wanted costs nothing.
  package let isRecording: Bool

  /// An empty trace, which keeps steps if it is recording.
  public init(isRecording: Bool) { self.isRecording = isRecording }

  /// One question and its answer.
  public struct Step: Equatable, Sendable {
    /// The one that was asked.
    public let asked: Receiver
    /// The question.
    package let question: Question
    /// The selector that the question was about; nil where it is about the responder alone.
    package let selector: Selector?
    /// The answer: yes or no, the name of a receiver, a selector, or null for nothing.
    package let answer: JSON
    /// The rule that failed to answer.
    package let fault: RuleFault?
    /// The rules that were asked, in order, up to one that failed.
    package let rules: [ExplainedRule]
    /// The place of the rule that said no; nil if none did.
    let refusing: String?

    /// The reasons for which a rule is false, a line for each condition.
    public var explanation: [String] {
      let rule = refusing.flatMap { place in rules.first { $0.place.hasSameBytes(as: place) } }
      return rule?.explanation.shortText ?? []
    }
  }

  /// The questions that can be asked.
  package enum Question: String, CaseIterable, Sendable {
    /// Has the host's coordinator a handler, so that the forwarder answers? (F2)
    case redirect
    /// Is there a handler, of the responder or its classes? (R3)
    case respondsToSelector
    /// Can it perform the action for this sender? (R4, F3)
    case canPerformAction
    /// The next one to be asked. (R2)
    case next
    /// Was it met before? (R9)
    case cycle
    /// Its rules for the item: which, and what they say. (M5)
    case validate
    /// Which alternate is the item, and of which action, with these modifiers held? (M11)
    case alternate
    /// Which of its key commands match the key? (K1, K4)
    case keyCommands
    /// Which commands of the menu, which it keeps, match the key? (K1, K4)
    case menuKeys
    /// Is its key command there now? (K5)
    case when
    /// Can its key command be performed now, as far as it is concerned? (K5)
    case enabled
    /// Why does its match not get the key? (K3)
    case passOver
    /// Can it add a method now? (F4)
    case resolveInstanceMethod
    /// Is there somebody else to ask? (F4)
    case forwardingTarget
    /// Which signature has the message? (F4, F5)
    case methodSignature
    /// The fate of the invocation. (F5)
    case forwardInvocation
    /// The responder that the proxy stands for; null when that one is gone. (L10)
    case proxied
    /// Does the proxy's filter let the action through? (L8)
    case proxiedSelectors
    /// To whom does the proxy forward a message that is sent to it, whatever its filter says? (L9)
    case proxyForwarding
    /// Which forwarder would the proxied responder redirect to? A proxy does not ask it. (L12)
    case unaskedRedirect
    /// Which late responders are registered with it, when it hosts a registry? (L6)
    case lateResponders
    /// The activity of its user. (L13)
    case userActivity
    /// The items that it adds to the touch bar. (L13)
    case touchBar
    /// Has it focus already? (R8)
    case hasFocus
    /// Can it get focus? (R8)
    case canBecomeFirstResponder
    /// Can it give up focus? (R8)
    case canResignFirstResponder
    /// Which step of the launch is it about? (V1)
    case launchStep
    /// Which method ran? (F4)
    case invoke
    /// Which handler of the coordinator ran? (F5)
    case handler
    /// The delegate of the window or the application, which is asked right after it. (R10)
    case delegate
    /// Which window is searched after the key window? (R10)
    case mainWindow
    /// Which window takes the main window's place? (R10)
    case modalWindow
    /// The application, which is asked after the windows. (R10)
    case application
    /// The one that is asked in its place, since it does not respond. (R10)
    case supplementalTarget
    /// Which container is it in? (A1)
    case parent
    /// Why is it not the target? (A9)
    case passOverCandidate
    /// The presenter of what no container takes from it. (A4)
    case presenter
    /// Is its method another one than that of every view controller? (A2)
    case overrides
    /// Which class has the next implementation above the running one? (A2)
    case callSuper
    /// The answer to a message that it need not implement. (V7)
    case optionalMessage
    /// Its delegate, to which the message goes. (V7)
    case messageDelegate
    /// Which container or presenter has it, where the search for who is unwound to begins? (V6)
    case containerOrPresenter
    /// Does anything keep it, now that the segue is over that made it? (V9)
    case kept
    /// Which of its children can be searched for who is unwound to? (V6)
    case allowedChildrenForUnwinding
    /// Can it be unwound to? (V6)
    case canPerformUnwind
    /// Does it implement the message, so that it consumes it? (C2)
    case implements
    /// The next one to get the message when it does not consume it, and the link to it. (C1, C3)
    case coordinatingNext
    /// Does it let the message go on upward? (C2)
    case continues
    /// Does its message wait until messages are processed? (C6)
    case queued
    /// Is it gone, so that its message, which waited, goes nowhere? (C6)
    case senderGone
    /// The end of a message that nobody consumes, which is no error. (C2)
    case notHandled
    /// The end of a message that nobody takes. (F4)
    case doesNotRecognizeSelector
    /// The owner of the undo manager; null for the session. (U1)
    case undoManager
    /// The name of the group that it undoes; null for none, empty for a group without name. (U2)
    case undo
    /// The name of the group that it does again; null for none, empty for a group without name.
    /// (U2)
    case redo
    /// Where does it change the state back? (U1)
    case undoneChange
    /// Undoing leaves a place of the state as it is, since something unregistered has changed it (U4).
    case keptChange
    /// To whom does it send the message that it recorded? Nobody when that one is gone. (U1)
    case undoneMessage
    /// Against whom does it register the message? (U1)
    case registerUndo
    /// Against whom does it record the next message? (U3)
    case prepareWithInvocationTarget
  }

  /// The steps of this trace, then those of another one.
  package func followed(by later: Trace) -> Trace {
    var whole = self
    whole.append(later)
    return whole
  }

  /// Adds the steps of another one.
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

/// A rule that was asked, and what its parts were worth then (M10).
package struct ExplainedRule: Sendable {
  /// The rule in its handler or responder: `validate/enabled`, `canPerform`, `keyCommands/0/when`.
  package let place: String
  /// Its value or fault, and those of its parts.
  package let explanation: Explanation
}

extension ExplainedRule: Equatable {
  /// True if both are of the same rule at the same place, and read the same.
  package static func == (left: ExplainedRule, right: ExplainedRule) -> Bool {
    left.place.hasSameBytes(as: right.place)
      && left.explanation.source.hasSameBytes(as: right.explanation.source)
      && left.explanation.text().hasSameBytes(as: right.explanation.text())
  }
}
