extension JSON {
  /// Makes the patch's changes in order, all of them or, when one fails, none.
  ///
  /// The value before the patch is kept until the last operation has succeeded; so each array
  /// and object on the way to a change is copied (one level of it) once for the whole patch. A
  /// patch of one operation copies nothing that nobody else holds.
  public mutating func apply(
    _ patch: JSONPatch, limits: JSONPatchLimits = .init()
  ) throws(JSONPatchFault) {
    var budget = JSONPatchBudget(limits)
    if patch.operations.count == 1 {
      try perform(patch.operations[0], at: 0, &budget)
    } else {
      var changed = self
      for (index, operation) in patch.operations.enumerated() {
        try changed.perform(operation, at: index, &budget)
      }
      self = changed
    }
  }

  /// Makes one change in place, or throws and changes nothing.
  ///
  /// No array or object is copied that nobody else holds.
  public mutating func apply(
    _ operation: JSONPatch.Operation, limits: JSONPatchLimits = .init()
  ) throws(JSONPatchFault) {
    var budget = JSONPatchBudget(limits)
    try perform(operation, at: nil, &budget)
  }

  mutating func perform(
    _ operation: JSONPatch.Operation, at index: Int?, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault) {
    do throws(JSONPatchFault.Reason) {
      try perform(operation, &budget)
    } catch {
      throw JSONPatchFault(operation: index, reason: error)
    }
  }

  private mutating func perform(
    _ operation: JSONPatch.Operation, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault.Reason) {
    switch operation {
    case .add(let path, let value):
      try budget.spend(on: value, at: path)
      try add(value, at: path, &budget)
    case .remove(let path): _ = try remove(at: path, &budget)
    case .replace(let path, let value):
      try budget.spend(on: value, at: path)
      try replace(at: path, with: value)
    case .move(let from, let path): try move(from, to: path, &budget)
    case .copy(let from, let path):
      let value = try present(at: from)
      try budget.spend(on: value, at: path)
      try add(value, at: path, &budget)
    case .test(let path, let value):
      guard try present(at: path) == value else { throw .testFailed(path) }
    }
  }

  private func present(at path: JSONPointer) throws(JSONPatchFault.Reason) -> JSON {
    guard let value = value(at: path) else { throw .noSuchPath(path) }
    return value
  }

  private mutating func move(
    _ from: JSONPointer, to path: JSONPointer, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault.Reason) {
    if path.tokens.count > from.tokens.count || from == path {
      let value = try present(at: from)
      if from == path { return }
      try budget.spend(on: value, at: path)
    }
    guard !from.contains(path) else { throw .movesIntoItself(from) }
    let removed = try remove(at: from, &budget)
    do throws(JSONPatchFault.Reason) {
      try add(removed.value, at: path, &budget)
    } catch {
      try restore(removed, at: from)
      throw error
    }
  }
}
