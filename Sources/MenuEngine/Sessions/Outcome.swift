public import JSONText

/// The effect of an accepted mutation.
public struct Outcome: Equatable, Sendable {
  /// The changes, in order.
  public internal(set) var changes: [Change] = []
  /// The other changes of the session's document: applying the changes and then these edits to the
  /// document gives the next one (E2).
  public internal(set) var documentEdits: [DocumentEdit] = []
  /// The events, in order (M7).
  public internal(set) var events: [Event] = []
  /// The members that only some mutations have; empty for most.
  var particular: [Particular] = []

  /// The trace of a mutation that performs nothing, when that was wanted.
  public internal(set) var trace = Trace(isRecording: false)

  /// One change of a session.
  public enum Change: Equatable, Sendable {
    /// An operation on the state, its value computed. A member that it adds stands at this position
    /// among the others, or for nil behind them.
    case state(JSONPatch.Operation, position: Int? = nil)
    /// The state was changed by a merge patch.
    case mergedState(JSON)
    /// The first responder is another one, or none.
    case firstResponder(ResponderID?)
    /// The key window is another one, or none.
    case keyWindow(ResponderID?)
    /// The main window is another one, or none.
    case mainWindow(ResponderID?)
    /// The modal window is another one, or none.
    case modalWindow(ResponderID?)
    /// A responder joined or was replaced; it is as it was when the mutation was over.
    indirect case responder(Responder)
    /// A responder is gone.
    case responderRemoved(ResponderID)
    /// A link was cleared, since what it led to is gone.
    case linkCleared(ClearedLink)
    /// The properties of a responder.
    case properties(ResponderID, JSON)
    /// A handler of a responder's own was added or replaced.
    indirect case handler(ResponderID, Selector, Handler)
    /// A handler of a responder's own is gone.
    case handlerRemoved(ResponderID, Selector)
    /// The key commands of a responder's own.
    case keyCommands(ResponderID, [KeyCommand])
    /// A registration with a coordinator was made.
    indirect case registration(ResponderID, Selector, Handler, token: Int)
    /// A registration is gone; it was removed or replaced.
    case registrationRemoved(ResponderID, Selector, token: Int)
    /// The late responders of a host are these now (L4, L5).
    case lateResponders(ResponderID, [ResponderID])
    /// A host has no registry any more (L10).
    case registryRemoved(ResponderID)
    /// A link leads somewhere else now, or nowhere (V1, V7).
    case link(ResponderID, ResponderLink, ResponderID?)
    /// The children of a container, or the list of a navigation coordinator, are these now, in order (V4,
    /// C5).
    case viewControllers(ResponderID, [ResponderID])
    /// A container shows this child of it now.
    case selectedViewController(ResponderID, ResponderID?)
    /// A view is in another one now, or in none.
    case superview(ResponderID, ResponderID?)
    /// A view controller is presented.
    case presented(ResponderID, by: ResponderID)
    /// A view controller is presented no more.
    case dismissed(ResponderID, by: ResponderID)
    /// A split view controller shows one column, or both again (A8).
    case isCollapsed(ResponderID, Bool)
    /// A coordinator was started or stopped (C4).
    case isStarted(ResponderID, Bool)
    /// So many messages wait now: the first ones are gone, and others came behind the rest (C6).
    case messageQueue(count: Int, removed: Int = 0, added: [MessageRequest] = [])
    /// There is a delivery more (D1).
    case delivery(Delivery)
    /// A delivery is in another state, or its claim is another one (D2).
    case deliveryState(Delivery)
    /// A settled delivery is kept no longer (D3).
    case deliveryForgotten(Int)
    /// The undo manager of a responder, or for nil the session's, undid something or was asked
    /// something else by a front end. The edits of the document say what it can undo now.
    case undoManager(ResponderID?)
  }

  /// An event of a command that is performed, of a view controller, of a segue or the like (M7).
  public enum Event: Equatable, Sendable {
    /// The action is about to be sent.
    case willSendAction(CommandID, Selector, target: Receiver)
    /// The action was sent, whether or not somebody received it.
    case didSendAction(CommandID, Selector, target: Receiver, isPerformed: Bool)
    /// A stage in the life of a view controller, and those who were told of it (V9).
    case lifecycle(LifecycleStage, ResponderID, told: [ResponderID])
    /// A segue was performed, or was not (V3, V6).
    case segue(SegueOutcome)
    /// A step of a launch (V1).
    case launch(LaunchStep)
    /// Details may be shown elsewhere from now on (A8): a split view controller has collapsed or
    /// expanded.
    case showDetailTargetDidChange(ResponderID)
    /// An event of a coordinator, and the one that was told of it (C4, C5).
    case coordinator(CoordinatorEvent, told: ResponderID?)
    /// The undo manager of a responder, or for nil the session's, is about to undo or redo.
    case willUndoChange(UndoManager.Direction, ResponderID?, actionName: String?)
    /// It has; these places it left as they are, since something unregistered had changed them (U4).
    case didUndoChange(
      UndoManager.Direction, ResponderID?, actionName: String?, kept: [JSONPointer] = [])
  }

  /// The result of performing a command or an action.
  public struct Performance: Equatable, Sendable {
    /// True if somebody received it and a handler ran.
    public let isPerformed: Bool
    /// The reason why nothing ran, or `enabled`.
    public let reason: ValidationReason
    /// The receiver; when it forwards the message, the invocation's target is where that arrived.
    public let target: Receiver
    /// The responder that the target stands for, when that is a proxy (L11).
    public let proxied: ResponderID?
    /// The message as it arrived.
    public let invocation: Invocation
    /// The trace, when that was wanted.
    public let trace: Trace
  }
}

extension Outcome.Change {
  /// The length of the list that a container, a coordinator or a registry got, or the size of a
  /// document that a change tells again.
  var memberCount: Int {
    switch self {
    case .viewControllers(_, let members), .lateResponders(_, let members): members.count
    case .responder(let responder): responder.holdings.responderSize / Effort.member
    default: 0
    }
  }
}
