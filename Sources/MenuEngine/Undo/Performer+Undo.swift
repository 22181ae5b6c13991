import JSONText

/// An undo manager and the responder that leads to it.
struct AskedUndoManager {
  /// Nil for the session's manager.
  let origin: ResponderID?
  /// Nil for the session.
  let owner: ResponderID?
}

extension Performer {
  /// Returns the undo manager of the named responder, else of the one whose handler runs, else of the one where
  /// searches begin.
  ///
  /// The responder whose handler runs may have been removed. During lifecycle messages the manager is the one
  /// that registers the mutation's effects on view controllers.
  ///
  /// - Parameter isOwn: True if it is the responder's own manager even then.
  /// - Throws: `MutationFault.unknownResponder` for an unknown name.
  mutating func manager(
    of named: ResponderID?, by receiver: ResponderID?, isOwn: Bool = false
  ) throws(MutationFault) -> AskedUndoManager {
    try session.check(named)
    let origin = named ?? receiver ?? replier ?? seen.undoOrigin
    let owner = origin.flatMap { origin in
      named == nil && !isOwn
        ? undoManagerOwner(for: origin) : session.undoManagerOwner(for: origin)
    }
    let manager = AskedUndoManager(origin: origin, owner: owner)
    noteManager(of: origin, owner)
    return manager
  }

  mutating func update(
    _ manager: AskedUndoManager, _ change: (inout UndoManager) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    try session.updateUndoManager(ownedBy: manager.owner, change)
    noteAsked(manager)
  }

  /// Records a front end's request to an undo manager.
  mutating func noteAsked(_ manager: AskedUndoManager) {
    if !phase.isInHandler { changes.append(.undoManager(manager.owner)) }
  }

  /// Prepares a manager to record the next message for a target (U3).
  mutating func prepareUndo(
    against target: ResponderID, _ manager: AskedUndoManager
  ) throws(MutationFault) {
    guard session.graph.contains(target) else { throw .unknownResponder(target) }
    try update(manager) { $0.preparedTarget = target }
    noteUndo(.prepareWithInvocationTarget, manager.origin, answer: .string(target.rawValue))
  }

  /// Sets the action name. A name set by a handler applies to its command's group, which begins now if it has
  /// not.
  mutating func setActionName(
    _ name: String, of manager: AskedUndoManager
  ) throws(MutationFault) {
    let isPerforming = phase.isInHandler
    try update(manager) { (manager) throws(MutationFault) in
      if isPerforming { manager.beginEvent(name: nil) }
      try manager.setActionName(name)
    }
  }

  /// Registers the inverse of edits of the state (U1), except at ignored places (U5).
  ///
  /// - Parameter owner: The owner of the undo manager; nil for the session.
  mutating func registerUndo(
    of edits: [JSONEdit], ownedBy owner: ResponderID?
  ) throws(MutationFault) {
    let event = session.undo.event
    guard event.isRegistered else { return }
    let ignored = session.ignoredPlaces(of: owner)
    let edits =
      ignored.isEmpty
      ? edits : edits.filter { edit in !ignored.contains { $0.contains(edit.place) } }
    guard !edits.isEmpty else { return }
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      for edit in edits {
        try manager.register(
          .edit(edit.inverse), name: event.actionName, coalescing: event.coalescingKey)
      }
    }
  }

  /// Records a message for undo, if its target has a method for it.
  mutating func recordUndo(
    _ action: Selector, arguments: [JSON]?, against target: ResponderID,
    with manager: AskedUndoManager
  ) throws(MutationFault) {
    guard session.graph.contains(target) else { throw .unknownResponder(target) }
    let invocation = try Invocation(
      action, of: nil, to: .responder(target), arguments: arguments, when: nil, in: session)
    try register(invocation, against: target, with: manager.owner, manager.origin)
  }

  /// Returns a responder's undo manager if it is prepared to record the next message (U3).
  mutating func recorder(
    for selector: Selector, with id: ResponderID
  ) throws(MutationFault) -> ResolvedMethod {
    let owner = session.undoManagerOwner(for: id)
    guard session.undoManager(ownedBy: owner)?.preparedTarget != nil else {
      let receiver = Receiver.undoManager(of: id)
      trace.note(.doesNotRecognizeSelector, receiver, about: selector, answer: .null)
      throw .message(.doesNotRecognizeSelector(receiver, selector, trace: trace))
    }
    return .recorder(id)
  }

  /// Records a message for the target that the undo manager is prepared for, once (U3).
  mutating func record(
    _ invocation: Invocation, with id: ResponderID
  ) throws(MutationFault) {
    let owner = session.undoManagerOwner(for: id)
    let target = try session.updateUndoManager(ownedBy: owner) { manager in
      defer { manager.preparedTarget = nil }
      return manager.preparedTarget
    }
    guard let target else { return }
    var recorded = invocation
    recorded.target = .responder(target)
    try register(recorded, against: target, with: owner, id)
    if !phase.isInHandler { changes.append(.undoManager(owner)) }
  }

  private mutating func register(
    _ invocation: Invocation, against target: ResponderID, with owner: ResponderID?,
    _ origin: ResponderID?
  ) throws(MutationFault) {
    var probe = self
    _ = try probe.method(for: invocation.selector, of: target)
    let event = session.undo.event
    guard event.isRegistered else { return }
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      try manager.register(
        .invocation(invocation, target: target), name: event.actionName)
    }
    noteUndo(.registerUndo, origin, answer: .string(target.rawValue), about: invocation.selector)
  }

  /// Opens a group. A handler's is inside the command's group, which begins now if it has not; a front end's
  /// has no parent.
  mutating func begin(_ owner: ResponderID?) throws(MutationFault) {
    let (isPerforming, name) = (phase.isInHandler, session.undo.event.actionName)
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      if isPerforming { manager.beginEvent(name: name) }
      try manager.beginUndoGrouping()
    }
  }

  mutating func setLevels(
    _ levels: Int, of owner: ResponderID?
  ) throws(MutationFault) {
    try session.updateUndoManager(ownedBy: owner) { $0.levelsOfUndo = levels }
    guard let owner else { return }
    try session.graph.update(owner) { $0.content.undoManager?.levelsOfUndo = levels }
  }
}

extension Performer {
  private mutating func noteManager(of origin: ResponderID?, _ owner: ResponderID?) {
    noteUndo(.undoManager, origin, answer: owner.map { .string($0.rawValue) } ?? .null)
  }

  /// Records a question to a responder's undo manager in the trace.
  mutating func noteUndo(
    _ question: Trace.Question, _ origin: ResponderID?, answer: JSON,
    about selector: Selector? = nil
  ) {
    guard let origin else { return }
    trace.note(question, .undoManager(of: origin), about: selector, answer: answer)
  }
}

extension Performer {
  /// Undoes or redoes the last group, and registers the inverse (U1, U2). If no part of a group can be reverted, the
  /// group is dropped, and the next one is tried (U4).
  mutating func go(
    _ direction: UndoManager.Direction, with manager: AskedUndoManager
  ) throws(MutationFault) {
    var dropped: [UndoGroup] = []
    while let (group, passed) = try begin(direction, with: manager) {
      var kept = KeptPlaces()
      dropped += passed
      for group in dropped { group.list(in: &kept) }
      let (first, name) = (events.count, group.actionName)
      if try takeBack(group, with: manager, besides: &kept) {
        events.insert(.willUndoChange(direction, manager.owner, actionName: name), at: first)
        changes.append(.undoManager(manager.owner))
        return events.append(
          .didUndoChange(direction, manager.owner, actionName: name, kept: kept.listed))
      }
      dropped.append(group)
    }
    if !dropped.isEmpty { changes.append(.undoManager(manager.owner)) }
  }

  /// Begins to undo or redo the next group, if there is one.
  private mutating func begin(
    _ direction: UndoManager.Direction, with manager: AskedUndoManager
  ) throws(MutationFault) -> (group: UndoGroup, passed: [UndoGroup])? {
    let (ignored, effort) = (session.ignoredPlaces(of: manager.owner), effort)
    let state = session.state
    let begun = try session.updateUndoManager(ownedBy: manager.owner) {
      (manager) throws(MutationFault) in
      try manager.begin(direction, in: state, ignoring: ignored, effort: effort)
    }
    noteUndo(
      direction.question, manager.origin,
      answer: begun.map { .string($0.group.actionName ?? "") } ?? .null)
    return begun
  }

  /// Reverts a group as far as possible. Returns false if nothing was reverted.
  ///
  /// Failed messages are rare; only then is the group reverted again, with a copy before each message.
  private mutating func takeBack(
    _ group: UndoGroup, with manager: AskedUndoManager, besides kept: inout KeptPlaces
  ) throws(MutationFault) -> Bool {
    guard group.sendsMessages else {
      return try takeBack(group, with: manager, besides: &kept, skippingFailures: false)
    }
    var (trial, places) = (self, kept)
    do throws(MutationFault) {
      let isTaken = try trial.takeBack(
        group, with: manager, besides: &places, skippingFailures: false)
      (self, kept) = (trial, places)
      return isTaken
    } catch {
      try effort.check()
      if error.isOfLimit { throw error }
      return try takeBack(group, with: manager, besides: &kept, skippingFailures: true)
    }
  }

  private mutating func takeBack(
    _ group: UndoGroup, with manager: AskedUndoManager, besides kept: inout KeptPlaces,
    skippingFailures: Bool
  ) throws(MutationFault) -> Bool {
    let (event, ignored) = (session.undo.event, session.ignoredPlaces(of: manager.owner))
    session.undo.event = UndoEvent(
      actionName: group.actionName, owner: manager.owner, isReceived: true,
      isRegistered: event.isRegistered)
    defer { session.undo.event = event }
    var isTaken = false
    for action in group.actions.reversed() {
      effort.spend(1 + action.size / Effort.member)
      try effort.check()
      switch action {
      case .edit(let edit):
        if try takeBack(edit, with: manager, besides: &kept, ignoring: ignored) { isTaken = true }
      case .invocation(let invocation, let target) where skippingFailures:
        if try trySending(invocation, to: target, from: manager.origin) { isTaken = true }
      case .invocation(let invocation, let target):
        try send(invocation, to: target, from: manager.origin)
        isTaken = true
      }
    }
    if isTaken, group.sendsMessages { try settleWhileUndoing() }
    try session.updateUndoManager(ownedBy: manager.owner) { $0.end() }
    return isTaken
  }

  /// Reverts an edit; returns false if its place is kept.
  private mutating func takeBack(
    _ edit: JSONEdit, with manager: AskedUndoManager, besides kept: inout KeptPlaces,
    ignoring ignored: [JSONPointer]
  ) throws(MutationFault) -> Bool {
    let place = JSON.string(edit.place.description)
    guard let possible = fitting(edit, besides: kept, ignoring: ignored),
      try take(possible, with: manager.owner)
    else {
      noteUndo(.keptChange, manager.origin, answer: place)
      kept.note(edit)
      return false
    }
    noteUndo(.undoneChange, manager.origin, answer: place)
    return true
  }

  /// Sends view controllers the lifecycle messages that undoing causes, so that their reactions are
  /// redone with the rest.
  private mutating func settleWhileUndoing() throws(MutationFault) {
    let outer = underway.remove(.settlingViews)
    defer { if let outer { underway.insert(outer) } }
    try settle()
  }

  /// Returns an inverse edit that fits the present state; nil if its place is kept (U4).
  private func fitting(
    _ edit: JSONEdit, besides kept: KeptPlaces, ignoring ignored: [JSONPointer]
  ) -> JSONEdit? {
    kept.overlap(edit.place) ? nil : session.state.fitting(edit, ignoring: ignored)
  }

  /// Applies an inverse edit; returns false if it does not fit.
  private mutating func take(
    _ edit: JSONEdit, with owner: ResponderID?
  ) throws(MutationFault) -> Bool {
    let position = session.state.position(ofMemberAddedBy: edit)
    guard session.state.apply(edit) else { return false }
    session.stateSize += edit.growth
    changes.append(.state(edit.operation, position: position))
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      try manager.register(.edit(edit.inverse), name: nil)
    }
    return true
  }

  /// Sends a recorded message, with the effect limit of any message.
  private mutating func send(
    _ invocation: Invocation, to target: ResponderID, from origin: ResponderID?
  ) throws(MutationFault) {
    noteUndo(
      .undoneMessage, origin, answer: .string(target.rawValue), about: invocation.selector)
    let count = effectCount
    effectCount = 0
    defer { effectCount = count }
    var invocation = invocation
    _ = try deliver(&invocation, to: .responder(target))
  }

  /// Sends a recorded message. If it fails, its effects are rolled back, so that earlier actions can be undone (U4);
  /// returns false then. A target without a method for it is a failure too.
  private mutating func trySending(
    _ invocation: Invocation, to target: ResponderID, from origin: ResponderID?
  ) throws(MutationFault) -> Bool {
    // A copy copies what the message changes: at most one array of the state, and parts of the responders.
    effort.spend(session.stateSize / Effort.handler)
    var trial = self
    trace = Trace(isRecording: false)
    do throws(MutationFault) {
      try trial.send(invocation, to: target, from: origin)
      self = trial
      return true
    } catch {
      trace = trial.trace
      try effort.check()
      if error.isOfLimit { throw error }
      noteUndo(
        .failedMessage, origin, answer: .string(target.rawValue), about: invocation.selector)
      if outcome.failedMessages.count < Limits.keptPlaces {
        outcome.failedMessages.append(
          FailedMessage(selector: invocation.selector, target: target, fault: error))
      }
      return false
    }
  }
}

extension UndoGroup {
  fileprivate var sendsMessages: Bool { actions.contains { $0.target != nil } }

  /// Lists the places of a skipped group.
  fileprivate func list(in kept: inout KeptPlaces) {
    for action in actions.reversed().prefix(Limits.keptPlaces) {
      if case .edit(let edit) = action { kept.list(edit.place) }
    }
  }
}

extension JSON {
  /// Returns the position of the member that an edit adds; nil for the end.
  fileprivate func position(ofMemberAddedBy edit: JSONEdit) -> Int? {
    guard let position = edit.memberPosition,
      case .object(let object)? = value(at: JSONPointer(edit.place.tokens.dropLast()))
    else { return nil }
    return position < object.count ? position : nil
  }
}

extension UndoManager.Direction {
  fileprivate var question: Trace.Question {
    switch self {
    case .undo: .undo
    case .redo: .redo
    }
  }
}
