public import JSONText

/// The questions that were asked, in order, and their answers (M10).
public struct Trace: Equatable, Sendable {
  /// What was asked and answered.
  public private(set) var steps: [Step] = []
  /// Whether steps are kept; a trace that is not wanted costs nothing.
  public let isRecording: Bool

  /// An empty trace.
  public init(isRecording: Bool) { self.isRecording = isRecording }

  /// One question and its answer.
  public struct Step: Equatable, Sendable {
    /// Who was asked.
    public let asked: Receiver
    /// What was asked.
    public let question: Question
    /// What the question was about; nil where it is about the responder alone.
    public let selector: Selector?
    /// The answer: yes or no, the name of a receiver, a selector, or null for nothing.
    public let answer: JSON
    /// The rule that failed to answer.
    public let fault: RuleFault?
    /// What made a rule false, a line for each condition.
    public let explanation: [String]
  }

  /// The questions that can be asked.
  public enum Question: String, CaseIterable, Sendable {
    /// Has the host's coordinator a handler, so that the forwarder answers? (F2)
    case redirect
    /// Is there a handler, of the responder or its classes? (R3)
    case respondsToSelector
    /// Can it perform the action for this sender? (R4, F3)
    case canPerformAction
    /// Who is asked next? (R2)
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
    /// What becomes of the invocation? (F5)
    case forwardInvocation
    /// Whom does the proxy stand for? Nobody when that one is gone. (L10)
    case proxied
    /// Does the proxy's filter let the action through? (L8)
    case proxiedSelectors
    /// To whom does the proxy forward a message that is sent to it, whatever its filter says? (L9)
    case proxyForwarding
    /// Which forwarder would the proxied responder redirect to? A proxy does not ask it. (L12)
    case unaskedRedirect
    /// Which late responders are registered with it, when it hosts a registry? (L6)
    case lateResponders
    /// What is its user doing? (L13)
    case userActivity
    /// What does it add to the touch bar? (L13)
    case touchBar
    /// Which method ran? (F4)
    case invoke
    /// Which handler of the coordinator ran? (F5)
    case handler
    /// Who is asked right after the window, or the application: its delegate? (R10)
    case delegate
    /// Which window is searched after the key window? (R10)
    case mainWindow
    /// Which window takes the main window's place? (R10)
    case modalWindow
    /// Who is asked after the windows? (R10)
    case application
    /// Who is asked in its place, since it does not respond? (R10)
    case supplementalTarget
    /// Which container is it in? (A1)
    case parent
    /// Why is it not the target? (A9)
    case passOverCandidate
    /// Who presents what no container takes from it? (A4)
    case presenter
    /// Is its method another one than that of every view controller? (A2)
    case overrides
    /// Which class has the next implementation above the running one? (A2)
    case callSuper
    /// What does it answer to a message that it need not implement? (V7)
    case optionalMessage
    /// Who is its delegate, to whom the message goes? (V7)
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
    /// Who gets the message when it does not consume it, and by which link? (C1, C3)
    case coordinatingNext
    /// Does it let the message go on upward? (C2)
    case continues
    /// Who consumes the message that it sends, or lets go on? Nobody, which is no error. (C2)
    case notHandled
    /// What becomes of a message that nobody takes? (F4)
    case doesNotRecognizeSelector
    /// Whose undo manager is it? Null for the session's. (U1)
    case undoManager
    /// What does it undo? Null for nothing, empty for what has no name. (U2)
    case undo
    /// What does it do again? Null for nothing, empty for what has no name. (U2)
    case redo
    /// Against whom does it register the message? (U1)
    case registerUndo
    /// Against whom does it record the next message? (U3)
    case prepareWithInvocationTarget
  }

  /// The steps of this trace, then those of another one.
  public func followed(by later: Trace) -> Trace {
    var whole = self
    whole.append(later)
    return whole
  }

  /// Adds the steps of another one.
  mutating func append(_ later: Trace) { steps += later.steps }

  mutating func note(
    _ question: Question, _ asked: Receiver, about selector: Selector? = nil,
    _ answer: @autoclosure () -> JSON, fault: RuleFault? = nil,
    explanation: @autoclosure () -> [String] = []
  ) {
    guard isRecording else { return }
    steps.append(
      Step(
        asked: asked, question: question, selector: selector, answer: answer(), fault: fault,
        explanation: explanation()))
  }
}
