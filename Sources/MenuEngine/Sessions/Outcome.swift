public import JSONText

/// The effect of an accepted mutation.
public struct Outcome: Equatable, Sendable {
  /// The changes, in order.
  public internal(set) var changes: [Change] = []
  /// The other changes of the session's document: applying the changes and then these edits to the
  /// document gives the next one (E2).
  package internal(set) var documentEdits: [DocumentEdit] = []
  /// The events, in order (M7).
  package internal(set) var events: [Event] = []
  /// The members that only some mutations have; empty for most.
  var particular: [Particular] = []

  /// The trace of a mutation that performs nothing, when that was wanted.
  package internal(set) var trace = Trace(isRecording: false)

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
  package enum Event: Equatable, Sendable {
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
    package let proxied: ResponderID?
    /// The message as it arrived.
    package let invocation: Invocation
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

extension Outcome {
  /// Completes what is told of a mutation that is over (E2).
  mutating func conclude(
    _ before: Session, _ after: Session, undoManagersOf owners: [ResponderID?]
  ) {
    for index in changes.indices {
      guard case .responder(let responder) = changes[index] else { continue }
      changes[index] = .responder(after.responder(responder.id) ?? responder)
    }
    documentEdits = DocumentDifference.edits(
      from: before, to: after, telling: changes, undoManagersOf: owners)
    // Managers that were asked, and are as they were.
    let isAskedInVain = documentEdits.isEmpty && changes.allSatisfy(\.isOfUndo)
    if isAskedInVain, !after.undo.differs(from: before.undo, in: owners) { changes = [] }
  }

  /// Adds the focus that was lost when all mutations of its list were applied (R8), windows that do not
  /// remember it any more included (R11).
  mutating func tell(_ resigned: [Change]) {
    changes += resigned
    for case .link(let window, let link, nil) in resigned {
      let place = JSONPointer(["responders", window.rawValue] + link.path)
      documentEdits.append(DocumentEdit(.remove(path: place)))
    }
  }

  /// True if the mutation changed and sent nothing; a session keeps its revision then, and no journal
  /// has a record of it.
  ///
  /// **Decision:** what is performed, sent, triggered or processed counts, whatever came of it.
  var isNothing: Bool {
    guard changes.isEmpty, documentEdits.isEmpty, events.isEmpty else { return false }
    return isPlain
      || performance == nil && launch.isEmpty && instance == nil && segue == nil
        && message == nil && processed.isEmpty
  }

  /// The effort of keeping and writing what one mutation of a list did.
  var writingEffort: Int {
    let members = changes.reduce(0) { $0 + $1.memberCount }
    return Effort.member * (members + documentEdits.count)
      + documentEdits.reduce(0) { $0 + $1.size(upTo: Limits.work) }
  }
}

extension Outcome {
  /// Everything that was asked, in order, when that was wanted.
  package var wholeTrace: Trace {
    let own =
      performance?.trace ?? segue?.trace ?? message?.trace
      ?? processed.dropFirst().reduce(processed.first?.outcome.trace) { whole, message in
        whole?.followed(by: message.outcome.trace)
      }
    guard let own else { return trace }
    return (resolution?.trace.followed(by: own) ?? own).followed(by: trace)
  }
}

extension Outcome.Change {
  fileprivate var isOfUndo: Bool { if case .undoManager = self { true } else { false } }
}

extension DocumentEdit {
  fileprivate func size(upTo limit: Int) -> Int {
    switch operation {
    case .add(path: _, let value), .replace(path: _, let value), .test(path: _, let value):
      value.size(upTo: limit)
    case .remove, .move, .copy: 0
    }
  }
}

extension Outcome {
  /// The parts of an outcome that only some mutations have. They are behind one reference, since outcomes
  /// are handed on often.
  struct Particular: Equatable, Sendable {
    var token: Int?
    var performance: Performance?
    var launch: [LaunchStep] = []
    var instance: ResponderID?
    var segue: SegueOutcome?
    var message: MessageOutcome?
    var processed: [ProcessedMessage] = []
    var resolution: KeyResolution?
  }

  /// The outcome of a registration.
  init(changes: [Change] = [], token: Int) {
    self.init()
    self.changes = changes
    self.token = token
  }

  /// The token of a new registration.
  package internal(set) var token: Int? {
    get { particular.first?.token }
    set { change(newValue != nil) { $0.token = newValue } }
  }

  /// The result of performing a command or action.
  public internal(set) var performance: Performance? {
    get { particular.first?.performance }
    set { change(newValue != nil) { $0.performance = newValue } }
  }

  /// The steps of a launch, in order (V1).
  package internal(set) var launch: [LaunchStep] {
    get { particular.first?.launch ?? [] }
    set { change(!newValue.isEmpty) { $0.launch = newValue } }
  }

  /// The name of a new instance (V2).
  package internal(set) var instance: ResponderID? {
    get { particular.first?.instance }
    set { change(newValue != nil) { $0.instance = newValue } }
  }

  /// The result of a segue (V3, V6).
  package internal(set) var segue: SegueOutcome? {
    get { particular.first?.segue }
    set { change(newValue != nil) { $0.segue = newValue } }
  }

  /// The result of a message (C2, V7).
  package internal(set) var message: MessageOutcome? {
    get { particular.first?.message }
    set { change(newValue != nil) { $0.message = newValue } }
  }

  /// The results of the messages that waited, in order (C6).
  package internal(set) var processed: [ProcessedMessage] {
    get { particular.first?.processed ?? [] }
    set { change(!newValue.isEmpty) { $0.processed = newValue } }
  }

  /// The search that led from a pressed key to its command.
  package internal(set) var resolution: KeyResolution? {
    get { particular.first?.resolution }
    set { change(newValue != nil) { $0.resolution = newValue } }
  }

  /// True if the mutation changed the session and had no other result.
  var isPlain: Bool { particular.isEmpty }

  /// Changes these parts, which stay absent if nothing is given to them.
  private mutating func change(_ isGiven: Bool, _ change: (inout Particular) -> Void) {
    guard isGiven || !particular.isEmpty else { return }
    if particular.isEmpty { particular.append(Particular()) }
    change(&particular[0])
    if !isGiven, particular[0] == Particular() { particular = [] }
  }
}

extension Outcome {
  /// About the number of bytes that it takes as JSON, for bounds of memory.
  ///
  /// Values that rules computed count as they are. What a mutation or a catalogue holds, and is shared with it, counts
  /// as a name does.
  package var size: Int {
    let results = particular.isEmpty ? 0 : 8 * Self.name
    let values =
      argumentSize(performance?.invocation.arguments) + (message?.answer.size(upTo: .max) ?? 0)
      + processed.reduce(0) { $0 + Self.name + $1.outcome.answer.size(upTo: .max) }
    return results + values + Self.name * (events.count + wholeTrace.steps.count)
      + changes.reduce(0) { $0 + Self.name + $1.size }
      + documentEdits.reduce(0) { $0 + Self.name + $1.operation.size }
  }

  /// The size of what has a name and little more.
  fileprivate static let name = 64
}

extension Outcome.Change {
  fileprivate var size: Int {
    switch self {
    case .state(let operation, position: _): operation.size
    case .mergedState(let json), .properties(_, let json): json.size(upTo: .max)
    case .responder(let responder): responder.holdings.responderSize
    case .keyCommands(_, let commands): Outcome.name * commands.count
    case .lateResponders(_, let members), .viewControllers(_, let members):
      Outcome.name * members.count
    case .messageQueue(count: _, removed: _, let added):
      added.reduce(0) { $0 + Outcome.name + argumentSize($1.arguments) }
    case .delivery(let delivery): delivery.size
    case .deliveryState(let delivery): (delivery.result ?? delivery.problem)?.size(upTo: .max) ?? 0
    case .firstResponder, .keyWindow, .mainWindow, .modalWindow, .responderRemoved, .linkCleared,
      .handler, .handlerRemoved, .registration, .registrationRemoved, .registryRemoved, .link,
      .selectedViewController, .superview, .presented, .dismissed, .isCollapsed, .isStarted,
      .undoManager, .deliveryForgotten:
      0
    }
  }
}

private func argumentSize(_ arguments: [JSON]?) -> Int {
  (arguments ?? []).reduce(0) { $0 + $1.size(upTo: .max) }
}

extension JSONPatch.Operation {
  /// The size of its value, besides its places.
  fileprivate var size: Int {
    switch self {
    case .add(path: _, let value), .replace(path: _, let value), .test(path: _, let value):
      value.size(upTo: .max)
    case .remove, .move, .copy: 0
    }
  }
}
