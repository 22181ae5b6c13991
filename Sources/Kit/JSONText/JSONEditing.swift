// Edits at a place. A container is taken out of its enum case before it is changed, so that it
// has one owner and changes in place: nothing is copied that nobody else holds.

/// A value taken from its place, with where it stood among its siblings.
struct RemovedJSON {
  let value: JSON
  let position: Int
}

extension JSON {
  /// Sets the member, or inserts the element, at `path`, whose parent must exist.
  mutating func add(
    _ value: JSON, at path: JSONPointer, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault.Reason) {
    guard let last = path.tokens.last else {
      self = value
      return
    }
    try withParent(of: path) { (parent) throws(JSONPatchFault.Reason) in
      switch parent {
      case .object(var object):
        parent = .null
        object[last] = value
        parent = .object(object)
      case .array(var elements):
        let index =
          last.hasSameBytes(as: "-")
          ? elements.count : try last.index(upTo: elements.count, path)
        try budget.spend(elements.count - index)
        parent = .null
        elements.insert(value, at: index)
        parent = .array(elements)
      case .null, .bool, .int, .double, .string: throw .notAContainer(path.parent)
      }
    }
  }

  /// Takes away the value at `path`.
  mutating func remove(
    at path: JSONPointer, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault.Reason) -> RemovedJSON {
    guard !path.tokens.isEmpty else { throw .removesRoot }
    return try withParent(of: path) { (parent) throws(JSONPatchFault.Reason) in
      let position = try parent.position(of: path, at: path.tokens.count - 1)
      switch parent {
      case .object(var object):
        try budget.spend(object.count - position)
        parent = .null
        defer { parent = .object(object) }
        return RemovedJSON(value: object.remove(at: position).value, position: position)
      case .array(var elements):
        try budget.spend(elements.count - position)
        parent = .null
        defer { parent = .array(elements) }
        return RemovedJSON(value: elements.remove(at: position), position: position)
      case .null, .bool, .int, .double, .string: throw .noSuchPath(path)
      }
    }
  }

  /// Puts back what was removed from `path`, in whose parent nothing changed since.
  mutating func restore(
    _ removed: RemovedJSON, at path: JSONPointer
  ) throws(JSONPatchFault.Reason) {
    guard let last = path.tokens.last else { return }
    try withParent(of: path) { (parent) throws(JSONPatchFault.Reason) in
      switch parent {
      case .object(var object):
        parent = .null
        object.restore(.init(name: last, value: removed.value), at: removed.position)
        parent = .object(object)
      case .array(var elements):
        parent = .null
        elements.insert(removed.value, at: removed.position)
        parent = .array(elements)
      case .null, .bool, .int, .double, .string: throw .noSuchPath(path)
      }
    }
  }

  /// Puts `value` in the place of the one at `path`.
  mutating func replace(
    at path: JSONPointer, with value: JSON
  ) throws(JSONPatchFault.Reason) {
    try edit(path, from: 0) { $0 = value }
  }

  private mutating func withParent<Result>(
    of path: JSONPointer,
    _ body: (inout JSON) throws(JSONPatchFault.Reason) -> Result
  ) throws(JSONPatchFault.Reason) -> Result {
    try edit(path.parent, from: 0, body)
  }

  /// Changes the value that `path`, after its first `level` tokens, leads to from this one.
  private mutating func edit<Result>(
    _ path: JSONPointer, from level: Int,
    _ body: (inout JSON) throws(JSONPatchFault.Reason) -> Result
  ) throws(JSONPatchFault.Reason) -> Result {
    guard level < path.tokens.count else { return try body(&self) }
    let position = try position(of: path, at: level)
    switch self {
    case .object(var object):
      self = .null
      defer { self = .object(object) }
      return try object.members[position].value.edit(path, from: level + 1, body)
    case .array(var elements):
      self = .null
      defer { self = .array(elements) }
      return try elements[position].edit(path, from: level + 1, body)
    case .null, .bool, .int, .double, .string: throw .noSuchPath(path)
    }
  }

  /// Returns the position, among this value's members or elements, of the one that the path's token at `level` names.
  private func position(
    of path: JSONPointer, at level: Int
  ) throws(JSONPatchFault.Reason) -> Int {
    let token = path.tokens[level]
    switch self {
    case .object(let object):
      guard let position = object.position(of: token) else { throw .noSuchPath(path.prefix(level)) }
      return position
    case .array(let elements):
      return try token.index(upTo: elements.count - 1, path.prefix(level))
    case .null, .bool, .int, .double, .string: throw .noSuchPath(path.prefix(level))
    }
  }
}

extension JSONPointer {
  /// The place of the container; the root's is the root.
  fileprivate var parent: JSONPointer { JSONPointer(tokens.dropLast()) }

  /// The place that the tokens up to and with the one at `level` lead to.
  fileprivate func prefix(_ level: Int) -> JSONPointer { JSONPointer(Array(tokens[...level])) }
}

extension String {
  /// The token as an array index, which is at most `last`.
  fileprivate func index(
    upTo last: Int, _ place: @autoclosure () -> JSONPointer
  ) throws(JSONPatchFault.Reason) -> Int {
    guard let index = arrayIndex else {
      throw hasSameBytes(as: "-") ? .indexOutOfRange(place()) : .invalidIndex(place())
    }
    guard index <= last else { throw .indexOutOfRange(place()) }
    return index
  }
}
