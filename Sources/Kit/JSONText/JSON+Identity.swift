extension JSON {
  /// True if both are known to be the same, to the byte and in constant time but for the length of a
  /// string: equal scalars of one type, or arrays and objects that share their storage.
  ///
  /// Unlike with `==`, `1` and `1.0` differ, and so do objects whose members stand in another order. A
  /// no for arrays and objects says nothing: they may still be equal.
  public func isIdentical(to other: JSON) -> Bool { isSame(as: other) }

  // Inlined, it retains nothing of what it looks at.
  @inline(__always)
  fileprivate func isSame(as other: JSON) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left.span.isIdentical(to: right.span)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      false
    }
  }

  /// True if both say the same, to the byte and in the same order, wherever they are stored.
  public func isWritten(as other: JSON) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)):
      left.span.isIdentical(to: right.span)
        || left.count == right.count
          && zip(left, right).allSatisfy { $0.isWritten(as: $1) }
    case (.object(let left), .object(let right)):
      left.isIdentical(to: right)
        || left.count == right.count
          && zip(left.members, right.members).allSatisfy {
            $0.name.hasSameBytes(as: $1.name) && $0.value.isWritten(as: $1.value)
          }
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      isIdentical(to: other)
    }
  }
}

extension JSONObject {
  /// True if both share their storage, and so have the same members in the same order. A no says nothing.
  public func isIdentical(to other: JSONObject) -> Bool {
    members.span.isIdentical(to: other.members.span)
  }

  /// True if both have a member of this name at this position, with values that are known to be the same.
  /// A no says nothing.
  public func isIdentical(to other: JSONObject, at position: Int, named name: String) -> Bool {
    guard position < members.count, position < other.members.count else { return false }
    let (left, right) = (members.span, other.members.span)
    guard left[position].name.isIdentical(to: name) || left[position].name.hasSameBytes(as: name),
      right[position].name.isIdentical(to: name) || right[position].name.hasSameBytes(as: name)
    else { return false }
    return left[position].value.isSame(as: right[position].value)
  }
}

extension JSON {
  /// True if an operation of a JSON Patch can be made and leaves every byte as it is.
  public func isUnchanged(by operation: JSONPatch.Operation) -> Bool {
    switch operation {
    case .test(let path, let value): self[path] == value
    case .replace(let path, let value): isWritten(value, at: path)
    case .add(let path, let value):
      // An element that is added to an array moves others.
      if case .object? = self[JSONPointer(path.tokens.dropLast())] {
        isWritten(value, at: path)
      } else {
        false
      }
    case .remove, .move, .copy: false
    }
  }

  /// True if a merge patch leaves every byte as it is.
  public func isUnchanged(merging patch: JSON) -> Bool {
    guard case .object(let changes) = patch else { return isWritten(as: patch) }
    guard case .object(let object) = self else { return false }
    return changes.members.allSatisfy { change in
      guard let value = object[change.name] else { return change.value == .null }
      return change.value != .null && value.isUnchanged(merging: change.value)
    }
  }

  private func isWritten(_ value: JSON, at path: JSONPointer) -> Bool {
    self[path].map { $0.isWritten(as: value) } ?? false
  }
}
