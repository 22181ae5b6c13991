extension Session {
  /// Returns the owner of the undo manager of a responder: itself, else the nearest on its chain
  /// that has its own, else nil for the session.
  public func undoManagerOwner(for id: ResponderID) -> ResponderID? {
    var current = graph.position(of: id)
    var remaining = graph.count
    while let position = current, remaining > 0 {
      if graph.responders[position].undoManager != nil { return graph.responders[position].id }
      current = graph.next(of: position)
      remaining -= 1
    }
    return nil
  }

  /// The undo manager of a responder that has its own, or for nil the session's.
  public func undoManager(ownedBy owner: ResponderID?) -> UndoManager? {
    if let manager = undo[owner] { return manager }
    guard let owner, let declaration = graph[owner]?.undoManager else { return nil }
    return UndoManager(levelsOfUndo: declaration.levelsOfUndo)
  }

  /// The owners of undo managers: the session, which is nil, and responders in the order in which
  /// they joined.
  public var undoManagerOwners: [ResponderID?] {
    let responders = graph.responders
    var owners: [ResponderID?] = [nil]
    for position in responders.indices where responders[position].undoManager != nil {
      owners.append(responders[position].id)
    }
    return owners
  }

  /// The responder whose undo manager is meant when none is named: where searches begin.
  ///
  /// **Decision:** the first responder, as shaking a device asks it for its undo manager.
  public var undoOrigin: ResponderID? { firstResponder ?? focusOfKeyWindow ?? graph.application }

  /// Changes an undo manager.
  mutating func updateUndoManager<Answer>(
    ownedBy owner: ResponderID?, _ change: (inout UndoManager) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer {
    let declaration = owner.flatMap { graph[$0]?.undoManager }
    return try undo.update(owner, levelsOfUndo: declaration?.levelsOfUndo ?? 0, change)
  }

  /// Keeps undo in step with a mutation that was made: ends groups that began with it, and follows
  /// responders that came or went. Returns whose managers were asked something.
  @discardableResult
  mutating func concludeUndo(_ changes: [Outcome.Change]) -> [ResponderID?] {
    undo.endEvents()
    for change in changes {
      if case .responder(let responder) = change { undo.follow(responder.id, graph[responder.id]) }
      if case .responderRemoved(let id) = change, graph[id] == nil { undo.follow(id, nil) }
    }
    return undo.takeTouched()
  }
}
