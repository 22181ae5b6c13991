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
