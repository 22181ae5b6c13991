import JSONText

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
      effort.spend(1 + action.size / Effort.member)
      try effort.check()
      switch action {
      case .edit(let edit):
        guard let possible = fitting(edit, besides: kept, ignoring: ignored),
          try take(possible, with: owner)
        else {
          noteUndo(.keptChange, origin, answer: .string(edit.place.description))
          kept.note(edit)
          continue
        }
        noteUndo(.undoneChange, origin, answer: .string(edit.place.description))
      case .invocation(let invocation, let target): try send(invocation, target, from: origin)
      }
    }
    if group.actions.contains(where: { $0.target != nil }) { try settleWhileUndoing() }
    try session.updateUndoManager(ownedBy: owner) { $0.end() }
    changes.append(.undoManager(owner))
    events.append(
      .didUndoChange(direction, owner, actionName: group.actionName, kept: kept.listed))
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
