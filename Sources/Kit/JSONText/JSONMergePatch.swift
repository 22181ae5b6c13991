extension JSON {
  /// Merges `patch` into the value (RFC 7396): objects are merged member by member, null removes a member, and
  /// any other value replaces the present one.
  public mutating func merge(patch: JSON) {
    guard case .object(let changes) = patch else {
      self = patch
      return
    }
    var object = JSONObject()
    if case .object(let present) = self { object = present }
    self = .null  // So that the object has one owner, and changes in place.
    object.merge(changes)
    self = .object(object)
  }
}

extension JSONObject {
  fileprivate mutating func merge(_ changes: JSONObject) {
    var removals = 0
    for change in changes {
      switch (position(of: change.name), change.value) {
      case (_, .null): removals += 1
      case (let position?, let value): members[position].value.merge(patch: value)
      case (nil, let value):
        var merged = JSON.null
        merged.merge(patch: value)
        self[change.name] = merged
      }
    }
    if removals > 0 { remove(nullsOf: changes, removals) }
  }

  /// Removes few members one by one, many in one pass.
  private mutating func remove(nullsOf changes: JSONObject, _ removals: Int) {
    guard removals > 4 else {
      for change in changes where change.value == .null { removeValue(forName: change.name) }
      return
    }
    removeAll { changes[$0.name] == .null }
  }
}
