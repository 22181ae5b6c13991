package import JSONText
package import Languages

/// The effect of an accepted mutation.
public struct Outcome: Equatable, Sendable {
  /// The changes, in order.
  package internal(set) var changes: [Change] = []
  /// The remaining changes of the session's document: applying the changes and then these edits gives the next
  /// document (E2).
  package internal(set) var documentEdits: [DocumentEdit] = []
  /// The events, in order (M7).
  package internal(set) var events: [Event] = []
  /// The name in "Undo X" of the registered undo group; nil if it has none, or if nothing was registered.
  package internal(set) var undoName: String?
  /// The members that only some mutations have; empty for most.
  var particular: [Particular] = []

  /// The trace of a mutation without a result, if requested.
  package internal(set) var trace = Trace(isRecording: false)

  /// One change of a session.
  package enum Change: Equatable, Sendable {
    /// An operation on the state with its computed value. `position` is the position of an added member among the
    /// others; nil for the end.
    case state(JSONPatch.Operation, position: Int? = nil)
    /// The state was changed by a merge patch.
    case mergedState(JSON)
    /// The first responder changed; nil is none.
    case firstResponder(ResponderID?)
    /// The key window changed; nil is none.
    case keyWindow(ResponderID?)
    /// The main window changed; nil is none.
    case mainWindow(ResponderID?)
    /// The modal window changed; nil is none.
    case modalWindow(ResponderID?)
    /// The session uses another keymap, or none (K9).
    case keymap(KeymapName?)
    /// The session has another language, or none (M14).
    case locale(LanguageTag?)
    /// A responder joined or was replaced; the value is its state after the mutation.
    case responder(Responder)
    /// A responder was removed.
    case responderRemoved(ResponderID)
    /// A link was cleared because its destination was removed.
    case linkCleared(ClearedLink)
    /// The new properties of a responder.
    case properties(ResponderID, JSON)
    /// A handler of a responder itself was added or replaced.
    indirect case handler(ResponderID, Selector, Handler)
    /// A handler of a responder itself was removed.
    case handlerRemoved(ResponderID, Selector)
    /// The new key commands of a responder itself.
    case keyCommands(ResponderID, [KeyCommand])
    /// A registration was added to a coordinator.
    indirect case registration(ResponderID, Selector, Handler, token: Int)
    /// A registration was removed or replaced.
    case registrationRemoved(ResponderID, Selector, token: Int)
    /// The new list of late responders of a host (L4, L5).
    case lateResponders(ResponderID, [ResponderID])
    /// The registry of a host was removed (L10).
    case registryRemoved(ResponderID)
    /// A link has a new destination, or none (V1, V7).
    case link(ResponderID, ResponderLink, ResponderID?)
    /// The new children of a container, or list of a navigation coordinator, in order (V4, C5).
    case viewControllers(ResponderID, [ResponderID])
    /// A container shows another child.
    case selectedViewController(ResponderID, ResponderID?)
    /// A view has another superview, or none.
    case superview(ResponderID, ResponderID?)
    /// A view controller is presented.
    case presented(ResponderID, by: ResponderID)
    /// A view controller is no longer presented.
    case dismissed(ResponderID, by: ResponderID)
    /// A split view controller collapsed or expanded (A8).
    case isCollapsed(ResponderID, Bool)
    /// A coordinator was started or stopped (C4).
    case isStarted(ResponderID, Bool)
    /// The message queue changed: its new length, the number of messages removed at the front, and those added
    /// at the end (C6).
    case messageQueue(count: Int, removed: Int = 0, added: [MessageRequest] = [])
    /// A delivery was added (D1).
    case delivery(Delivery)
    /// The state or the claim of a delivery changed (D2).
    case deliveryState(Delivery)
    /// A settled delivery was dropped (D3).
    case deliveryForgotten(Int)
    /// The undo manager of a responder (nil: the session's) changed by undoing or by a request. The document
    /// edits have its new stacks.
    case undoManager(ResponderID?)
  }

  /// An event of a performed command, a view controller, a segue and so on (M7).
  package enum Event: Equatable, Sendable {
    /// The action is about to be sent.
    case willSendAction(CommandID, Selector, target: Receiver)
    /// The action was sent, whether or not it was received.
    case didSendAction(CommandID, Selector, target: Receiver, isPerformed: Bool)
    /// A stage in the life of a view controller, with the responders that were notified (V9).
    case lifecycle(LifecycleStage, ResponderID, told: [ResponderID])
    /// A segue was performed, or was not (V3, V6).
    case segue(SegueOutcome)
    /// A step of a launch (V1).
    case launch(LaunchStep)
    /// The place where details are shown may have changed (A8): a split view controller collapsed or expanded.
    case showDetailTargetDidChange(ResponderID)
    /// An event of a coordinator, with the responder that was notified (C4, C5).
    case coordinator(CoordinatorEvent, told: ResponderID?)
    /// The undo manager of a responder (nil: the session's) is about to undo or redo.
    case willUndoChange(UndoManager.Direction, ResponderID?, actionName: String?)
    /// The undo manager undid or redid. `kept` has the places it left unchanged because an unregistered change
    /// followed (U4).
    case didUndoChange(
      UndoManager.Direction, ResponderID?, actionName: String?, kept: [JSONPointer] = [])
  }

  /// The result of performing a command or an action.
  public struct Performance: Equatable, Sendable {
    /// True if a receiver was found and a handler ran.
    public let isPerformed: Bool
    /// The reason why nothing ran, or `enabled`.
    public let reason: ValidationReason
    /// The receiver. If it forwarded the message, the invocation's target is the final receiver.
    public let target: Receiver
    /// The proxied responder, if the target is a proxy (L11).
    package let proxied: ResponderID?
    /// The message as it arrived.
    package let invocation: Invocation
    /// The trace, if requested.
    public internal(set) var trace: Trace
    /// The confirmation that the command requires; nil for none (W4).
    package internal(set) var confirmation: Confirmation?
    /// The title of the command's item; nil if no command was performed.
    package internal(set) var title: String?
  }
}

extension Outcome.Change {
  /// The length of the new list of a container, coordinator or registry, or the size of a document contained in the
  /// change.
  var memberCount: Int {
    switch self {
    case .viewControllers(_, let members), .lateResponders(_, let members): members.count
    case .responder(let responder): responder.holdings[.responderSize] / Effort.member
    default: 0
    }
  }
}

extension Outcome {
  /// Completes the outcome once the mutation is over (E2).
  mutating func conclude(
    _ before: Session, _ after: Session, undoManagersOf owners: [ResponderID?]
  ) {
    for index in changes.indices {
      guard case .responder(let responder) = changes[index] else { continue }
      changes[index] = .responder(after.responder(responder.id) ?? responder)
    }
    documentEdits = DocumentDifference.edits(
      from: before, to: after, telling: changes, undoManagersOf: owners)
    // Drop requests to undo managers that changed nothing.
    let isAskedInVain = documentEdits.isEmpty && changes.allSatisfy(\.isOfUndo)
    if isAskedInVain, !after.undo.differs(from: before.undo, in: owners) { changes = [] }
  }

  /// Adds the loss of focus found after all mutations of the list were applied (R8), including windows whose stored
  /// focus was cleared.
  mutating func tell(_ resigned: [Change]) {
    changes += resigned
    for case .link(let window, let link, nil) in resigned {
      let place = JSONPointer(["responders", window.rawValue] + link.path)
      documentEdits.append(DocumentEdit(.remove(path: place)))
    }
  }

  /// True if the mutation changed and sent nothing. The session then keeps its revision, and the journal gets
  /// no record.
  ///
  /// **Decision:** performing, sending, triggering and processing always count, whatever the result.
  var isNothing: Bool {
    guard changes.isEmpty, documentEdits.isEmpty, events.isEmpty else { return false }
    return isPlain
      || performance == nil && launch.isEmpty && instance == nil && segue == nil
        && message == nil && processed.isEmpty
  }

  /// The effort of keeping and writing the outcome of one mutation of a list.
  var writingEffort: Int {
    let members = changes.reduce(0) { $0 + $1.memberCount }
    return Effort.member * (members + documentEdits.count)
      + documentEdits.reduce(0) { $0 + $1.size(upTo: Limits.work) }
  }
}

extension Outcome {
  /// The trace of everything that the mutation did, in order, if requested.
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

extension [Outcome] {
  /// The outcomes without their traces.
  package var withoutTraces: [Outcome] {
    contains(where: \.isTraced) ? map(\.withoutTrace) : self
  }
}

extension Outcome {
  fileprivate var withoutTrace: Outcome {
    var copy = self
    copy.trace = Trace(isRecording: false)
    copy.performance?.trace = Trace(isRecording: false)
    (copy.segue, copy.message, copy.resolution, copy.processed) = (nil, nil, nil, [])
    return copy
  }
}

extension Outcome {
  /// The approximate size as JSON, in bytes, for memory limits.
  ///
  /// Values computed by rules count in full; values shared with a mutation or the catalogue count as a name.
  package var size: Int {
    let results = particular.isEmpty ? 0 : particular[0].size
    return results + Self.name * (events.count + trace.steps.count)
      + changes.reduce(0) { $0 + Self.name + $1.size }
      + documentEdits.reduce(0) { $0 + Self.name + $1.operation.size }
  }

  /// The size counted for an element with a name and little else.
  fileprivate static let name = 64
}

extension Outcome.Particular {
  fileprivate var size: Int {
    let traces =
      (performance?.trace.steps.count ?? 0) + (segue?.trace.steps.count ?? 0)
      + (message?.trace.steps.count ?? 0) + (resolution?.trace.steps.count ?? 0)
    return Outcome.name * (8 + traces + failedMessages.count)
      + argumentSize(performance?.invocation.arguments)
      + (message?.answer.size(upTo: .max) ?? 0)
      + processed.reduce(0) { sum, message in
        sum + Outcome.name * (1 + message.outcome.trace.steps.count)
          + message.outcome.answer.size(upTo: .max)
      }
  }
}

extension Outcome.Change {
  fileprivate var size: Int {
    switch self {
    case .state(let operation, position: _): operation.size
    case .mergedState(let json), .properties(_, let json): json.size(upTo: .max)
    case .responder(let responder): responder.holdings[.responderSize]
    case .keyCommands(_, let commands): Outcome.name * commands.count
    case .lateResponders(_, let members), .viewControllers(_, let members):
      Outcome.name * members.count
    case .messageQueue(count: _, removed: _, let added):
      added.reduce(0) { $0 + Outcome.name + argumentSize($1.arguments) }
    case .delivery(let delivery): delivery.size
    case .deliveryState(let delivery): (delivery.result ?? delivery.problem)?.size(upTo: .max) ?? 0
    case .firstResponder, .keyWindow, .mainWindow, .modalWindow, .keymap, .locale,
      .responderRemoved,
      .linkCleared, .handler, .handlerRemoved, .registration, .registrationRemoved,
      .registryRemoved, .link,
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
  /// The size of the operation's value, without its paths.
  fileprivate var size: Int {
    switch self {
    case .add(path: _, let value), .replace(path: _, let value), .test(path: _, let value):
      value.size(upTo: .max)
    case .remove, .move, .copy: 0
    }
  }
}
