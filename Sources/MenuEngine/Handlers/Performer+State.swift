import JSONText

extension Performer {
  mutating func change(
    by operation: JSONPatch.Operation, _ scope: EffectScope
  ) throws(MutationFault) {
    let edits: [JSONEdit]
    do throws(JSONPatchFault) {
      edits = try session.state.noteEdits(of: operation, limits: Limits.patch)
    } catch {
      throw .effectPatch(scope.receiver, scope.selector, index: scope.index, error)
    }
    guard case .object = session.state else { throw scope.attributed(.stateIsNoObject) }
    session.stateSize += edits.growth
    if !operation.staysInPlace { changes.append(.state(operation)) }
    try registerUndo(of: edits, ownedBy: undoManagerOwner(for: scope.responder))
  }

  /// Changes the state by a patch. What a handler or a reply changes can be undone, and what a front end wants
  /// to be (U6).
  mutating func change(
    with patch: JSONPatch, by owner: ResponderID?, _ undo: UndoRegistration? = nil
  ) throws(MutationFault) {
    let isUnchanged = patch.operations.allSatisfy(session.state.isUnchanged(by:))
    if let owner = try registrar(of: undo, owner ?? replier) {
      if isUnchanged, undo != nil { return }
      // All operations have one bound of work together, as in a mutation.
      var trial = session.state
      do throws(JSONPatchFault) {
        _ = try trial.growth(applying: patch, limits: Limits.patch)
      } catch {
        throw .patch(error)
      }
      return try change(with: patch.operations, by: owner)
    }
    if isUnchanged { return }
    do throws(JSONPatchFault) {
      session.stateSize += try session.state.growth(applying: patch, limits: Limits.patch)
    } catch {
      throw .patch(error)
    }
    guard case .object = session.state else { throw .stateIsNoObject }
    changes += patch.operations.filter { !$0.staysInPlace }.map { .state($0) }
  }

  /// Merges an object into the state. What a handler or a reply merges can be undone.
  mutating func merge(
    _ patch: JSON, by owner: ResponderID?, _ undo: UndoRegistration? = nil
  ) throws(MutationFault) {
    guard case .object = patch else { throw .stateIsNoObject }
    guard patch.fits(depth: Limits.depth, size: Limits.work) else { throw .tooLarge }
    if session.state.isUnchanged(merging: patch) { return }
    if let owner = try registrar(of: undo, owner ?? replier) {
      return try change(with: session.state.operations(merging: patch), by: owner)
    }
    session.stateSize += session.state.growth(merging: patch)
    session.state.merge(patch: patch)
    changes.append(.mergedState(patch))
  }

  /// The responder whose undo manager registers a patch, or the session's manager.
  private enum Registrar {
    case responder(ResponderID)
    case session
  }

  /// Returns the registrar of a patch; nil if it is not registered.
  private mutating func registrar(
    of undo: UndoRegistration?, _ owner: ResponderID?
  ) throws(MutationFault) -> Registrar? {
    if let undo {
      let origin = try begin(undo)
      return (owner ?? origin).map(Registrar.responder) ?? .session
    }
    return owner.map(Registrar.responder)
  }

  private mutating func change(
    with operations: [JSONPatch.Operation], by registrar: Registrar
  ) throws(MutationFault) {
    for operation in operations {
      let edits: [JSONEdit]
      do throws(JSONPatchFault) {
        edits = try session.state.noteEdits(of: operation, limits: Limits.patch)
      } catch {
        throw .patch(error)
      }
      guard case .object = session.state else { throw .stateIsNoObject }
      session.stateSize += edits.growth
      effort.spend(Effort.effect)
      try effort.check()
      try effort.limits.check(session.holdings, grownFrom: before)
      note(operation.staysInPlace ? [] : [.state(operation)])
      switch registrar {
      case .responder(let id): try registerUndo(of: edits, ownedBy: undoManagerOwner(for: id))
      case .session: try registerUndo(of: edits, ownedBy: nil)
      }
    }
  }

  /// Merges an object into the properties of a responder, without a change when it changes nothing in a
  /// mutation.
  mutating func merge(
    _ patch: JSON, intoPropertiesOf id: ResponderID
  ) throws(MutationFault) {
    guard case .object = patch, patch.fits(depth: Limits.depth, size: Limits.work) else {
      throw .tooLarge
    }
    if !phase.isInHandler, session.graph[id]?.properties.isUnchanged(merging: patch) == true {
      return
    }
    try session.graph.merge(patch, intoPropertiesOf: id)
    changes.append(.properties(id, patch))
  }
}

extension JSON {
  /// The operations that do what a merge patch does.
  fileprivate func operations(
    merging patch: JSON, at place: JSONPointer = .root
  ) -> [JSONPatch.Operation] {
    patch.members.members.flatMap { member -> [JSONPatch.Operation] in
      let path = place.appending(member.name)
      let present = members[member.name]
      switch (member.value, present) {
      case (.null, nil): return []
      case (.null, _?): return [.remove(path: path)]
      case (.object, .object?):
        return present?.operations(merging: member.value, at: path) ?? []
      case (.object, _):
        var merged: JSON = [:]
        merged.merge(patch: member.value)
        return [.add(path: path, value: merged)]
      case (let value, _): return [.add(path: path, value: value)]
      }
    }
  }
}

extension JSONPatch.Operation {
  /// True if it moves a value onto its own place, which changes nothing here. It is no change, since a client that removes
  /// and adds would have the member behind its siblings (E1).
  fileprivate var staysInPlace: Bool {
    if case .move(let from, let path) = self { from == path } else { false }
  }
}
