/// The work that a patch may still do.
struct JSONPatchBudget {
  private let limits: JSONPatchLimits
  private var work: Int

  init(_ limits: JSONPatchLimits) {
    self.limits = limits
    work = limits.work
  }

  /// Pays for moving `count` elements.
  mutating func spend(_ count: Int) throws(JSONPatchFault.Reason) {
    work -= count
    guard work >= 0 else { throw .tooMuchWork(limit: limits.work) }
  }

  /// Pays for putting `value` at `path`.
  mutating func spend(on value: JSON, at path: JSONPointer) throws(JSONPatchFault.Reason) {
    switch value.spend(depth: limits.depth - path.tokens.count, size: &work) {
    case .fits: break
    case .tooDeep: throw .tooDeep(path, limit: limits.depth)
    case .tooLarge: throw .tooMuchWork(limit: limits.work)
    }
  }
}
