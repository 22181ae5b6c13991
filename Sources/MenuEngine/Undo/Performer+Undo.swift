import JSONText

/// An undo manager that is asked something, and the responder that it was found from.
struct AskedUndoManager {
  /// Nil when there is none, and the session's manager is asked.
  let origin: ResponderID?
  /// Nil for the session.
  let owner: ResponderID?
}

extension Performer {
  /// Finds the undo manager of the responder that is named, else of the one whose handler asks, else of the
  /// one where searches begin.
  ///
  /// The responder whose handler asks may be gone meanwhile. While view controllers hear their
  /// lifecycle, the manager is the one that registers the mutation's effects on them.
  ///
  /// - Parameter isOwn: True if it is its own manager then too.
  /// - Throws: `MutationFault.unknownResponder` for a name of nobody.
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

  /// Changes an undo manager.
  mutating func update(
    _ manager: AskedUndoManager, _ change: (inout UndoManager) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    try session.updateUndoManager(ownedBy: manager.owner, change)
    noteAsked(manager)
  }

  /// Notes that a front end asked an undo manager something.
  mutating func noteAsked(_ manager: AskedUndoManager) {
    if !phase.isInHandler { changes.append(.undoManager(manager.owner)) }
  }

  /// Prepares a manager to record the next message against a responder (U3).
  mutating func prepareUndo(
    against target: ResponderID, _ manager: AskedUndoManager
  ) throws(MutationFault) {
    guard session.graph[target] != nil else { throw .unknownResponder(target) }
    try update(manager) { $0.preparedTarget = target }
    noteUndo(.prepareWithInvocationTarget, manager.origin, answer: .string(target.rawValue))
  }

  /// A name that a handler gives is its command's group's, which begins now at the latest.
  mutating func setActionName(
    _ name: String, of manager: AskedUndoManager
  ) throws(MutationFault) {
    let isPerforming = phase.isInHandler
    try update(manager) { (manager) throws(MutationFault) in
      if isPerforming { manager.beginEvent(name: nil) }
      try manager.setActionName(name)
    }
  }

  /// Registers what takes edits of the state back (U1), but for those of places that are no part of the document
  /// (U5).
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

  /// Records a message for when it is undone, if its target has a method for it.
  mutating func recordUndo(
    _ action: Selector, arguments: [JSON]?, against target: ResponderID,
    with manager: AskedUndoManager
  ) throws(MutationFault) {
    guard session.graph[target] != nil else { throw .unknownResponder(target) }
    let invocation = try Invocation(
      action, of: nil, to: .responder(target), arguments: arguments, when: nil, in: session)
    try register(invocation, against: target, with: manager.owner, manager.origin)
  }

  /// The undo manager that a responder has, when it is prepared to record the next message (U3).
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

  /// Records a message against the target that its undo manager is prepared for, once (U3).
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

  /// A group that a handler opens stands in the one of the command, which begins now at the latest; one
  /// that a front end opens stands alone.
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
    try session.graph.update(owner) { $0.undoManager?.levelsOfUndo = levels }
  }
}

extension Performer {
  private mutating func noteManager(of origin: ResponderID?, _ owner: ResponderID?) {
    noteUndo(.undoManager, origin, answer: owner.map { .string($0.rawValue) } ?? .null)
  }

  /// Notes what the undo manager of a responder was asked.
  mutating func noteUndo(
    _ question: Trace.Question, _ origin: ResponderID?, answer: JSON,
    about selector: Selector? = nil
  ) {
    guard let origin else { return }
    trace.note(question, .undoManager(of: origin), about: selector, answer: answer)
  }
}

extension Performer {
  /// Undoes, or does again, the last group, and registers what takes that back (U1, U2).
  mutating func go(
    _ direction: UndoManager.Direction, with manager: AskedUndoManager
  ) throws(MutationFault) {
    let (origin, owner) = (manager.origin, manager.owner)
    let (ignored, effort) = (session.ignoredPlaces(of: owner), effort)
    let state = session.state
    let begun = try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      try manager.begin(direction, in: state, ignoring: ignored, effort: effort)
    }
    noteUndo(
      direction.question, origin,
      answer: begun.map { .string($0.group.actionName ?? "") } ?? .null)
    guard let (group, passed) = begun else { return }
    var kept = KeptPlaces()
    for group in passed { group.list(in: &kept) }
    events.append(.willUndoChange(direction, owner, actionName: group.actionName))
    let event = session.undo.event
    session.undo.event = UndoEvent(
      actionName: group.actionName, owner: owner, isReceived: true,
      isRegistered: event.isRegistered)
    defer { session.undo.event = event }
    for action in group.actions.reversed() {
      try takeBack(action, with: manager, besides: &kept, ignoring: ignored)
    }
    if group.actions.contains(where: { $0.target != nil }) { try settleWhileUndoing() }
    try session.updateUndoManager(ownedBy: owner) { $0.end() }
    changes.append(.undoManager(owner))
    events.append(
      .didUndoChange(direction, owner, actionName: group.actionName, kept: kept.listed))
  }

  private mutating func takeBack(
    _ action: UndoAction, with manager: AskedUndoManager, besides kept: inout KeptPlaces,
    ignoring ignored: [JSONPointer]
  ) throws(MutationFault) {
    effort.spend(1 + action.size / Effort.member)
    try effort.check()
    switch action {
    case .edit(let edit):
      let place = JSON.string(edit.place.description)
      guard let possible = fitting(edit, besides: kept, ignoring: ignored),
        try take(possible, with: manager.owner)
      else {
        noteUndo(.keptChange, manager.origin, answer: place)
        return kept.note(edit)
      }
      noteUndo(.undoneChange, manager.origin, answer: place)
    case .invocation(let invocation, let target):
      try send(invocation, target, from: manager.origin)
    }
  }

  /// Sends view controllers the lifecycle messages that undoing causes, so that their reactions are
  /// redone with the rest.
  private mutating func settleWhileUndoing() throws(MutationFault) {
    let outer = underway.remove(.settlingViews)
    defer { if let outer { underway.insert(outer) } }
    try settle()
  }

  /// Returns a change of the state as it can be taken back now; nil if its place is to be kept (U4).
  private func fitting(
    _ edit: JSONEdit, besides kept: KeptPlaces, ignoring ignored: [JSONPointer]
  ) -> JSONEdit? {
    kept.overlap(edit.place) ? nil : try? session.state.fitting(edit, ignoring: ignored)
  }

  /// Changes the state back; false if the edit does not fit it.
  private mutating func take(
    _ edit: JSONEdit, with owner: ResponderID?
  ) throws(MutationFault) -> Bool {
    let position = session.state.position(ofMemberAddedBy: edit)
    guard (try? session.state.apply(edit)) != nil else { return false }
    session.stateSize += edit.growth
    changes.append(.state(edit.operation, position: position))
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      try manager.register(.edit(edit.inverse), name: nil)
    }
    return true
  }

  /// Sends a recorded message, with as many effects as any message may have. A target that is gone
  /// gets nothing.
  private mutating func send(
    _ invocation: Invocation, _ target: ResponderID, from origin: ResponderID?
  ) throws(MutationFault) {
    let isThere = session.graph[target] != nil
    noteUndo(
      .undoneMessage, origin, answer: isThere ? .string(target.rawValue) : .null,
      about: invocation.selector)
    guard isThere else { return }
    let count = effectCount
    effectCount = 0
    defer { effectCount = count }
    var invocation = invocation
    _ = try deliver(&invocation, to: .responder(target))
  }
}

extension UndoGroup {
  /// Lists the places of a group that is passed over.
  fileprivate func list(in kept: inout KeptPlaces) {
    for action in actions.reversed().prefix(Limits.keptPlaces) {
      if case .edit(let edit) = action { kept.list(edit.place) }
    }
  }
}

extension JSON {
  /// Returns the position of the member that an edit adds; nil if it is behind all others.
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
