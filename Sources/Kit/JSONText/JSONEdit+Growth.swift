extension JSONEdit {
  /// By how much a value grows with the edit, as `JSON.writtenSize` counts it.
  public var growth: Int {
    let name = isElement ? 0 : place.tokens.last?.nameSize ?? 0
    let new = after.map { $0.writtenSize + name } ?? 0
    let old = before.map { $0.writtenSize + name } ?? 0
    return new - old
  }
}

extension JSON {
  /// Makes the patch's changes in order, all of them or, when one fails, none; answers by how much the
  /// value grows with them, as `writtenSize` counts it.
  ///
  /// Looks at what is changed only.
  public mutating func growth(
    applying patch: JSONPatch, limits: JSONPatchLimits = .init()
  ) throws(JSONPatchFault) -> Int {
    var budget = JSONPatchBudget(limits)
    if patch.operations.count == 1 {
      return try noteEdits(of: patch.operations[0], at: 0, &budget).growth
    }
    var changed = self
    var growth = 0
    for (index, operation) in patch.operations.enumerated() {
      growth += try changed.noteEdits(of: operation, at: index, &budget).growth
    }
    self = changed
    return growth
  }

  /// By how much the value would grow with a merge patch.
  ///
  /// Looks at what the patch names only.
  public func growth(merging patch: JSON) -> Int {
    guard case .object(let changes) = patch else {
      return patch.writtenSize - writtenSize
    }
    guard case .object(let object) = self else {
      return JSON.object(JSONObject()).growth(merging: patch) + Self.emptySize - writtenSize
    }
    return changes.reduce(0) { growth, change in
      let name = change.name.nameSize
      switch (object[change.name], change.value) {
      case (nil, .null): return growth
      case (let old?, .null): return growth - name - old.writtenSize
      case (let old?, let value): return growth + old.growth(merging: value)
      case (nil, let value):
        return growth + name + JSON.null.writtenSize + JSON.null.growth(merging: value)
      }
    }
  }
}

extension [JSONEdit] {
  /// By how much a value grows with all of them.
  public var growth: Int { reduce(0) { $0 + $1.growth } }
}
