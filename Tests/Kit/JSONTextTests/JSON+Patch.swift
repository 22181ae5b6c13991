@testable import JSONText

extension JSON {
  /// Applies a patch, all operations or none.
  ///
  /// The previous value is kept until the last operation has succeeded, so each array and object on the way to
  /// a change is copied (one level of it) once per patch. A patch of one operation makes no copies unless
  /// storage is shared.
  mutating func apply(
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

  /// Applies one operation in place, or throws and changes nothing.
  ///
  /// Makes no copies unless storage is shared.
  mutating func apply(
    _ operation: JSONPatch.Operation, limits: JSONPatchLimits = .init()
  ) throws(JSONPatchFault) {
    var budget = JSONPatchBudget(limits)
    try perform(operation, at: nil, &budget)
  }
}
