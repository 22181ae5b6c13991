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
    changes.append(.state(operation))
    try registerUndo(of: edits, by: scope.responder)
  }

  mutating func merge(
    _ patch: JSON, intoPropertiesOf id: ResponderID, _ scope: EffectScope
  ) throws(MutationFault) {
    guard case .object = patch, patch.fits(depth: Limits.depth, size: Limits.work) else {
      throw scope.attributed(.tooLarge)
    }
    try scope.attributing { () throws(MutationFault) in
      try session.graph.merge(patch, intoPropertiesOf: id)
    }
    changes.append(.properties(id, patch))
  }
}
