// Edits at a place. A container is moved out of its enum case before it is changed, so that it has one owner
// and changes in place, without copies.

/// A removed value, with its position among its siblings.
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

  /// Removes the value at `path`.
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

  /// Restores a value removed from `path`, whose parent must be unchanged since.
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

  /// Replaces the value at `path`.
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

  /// Changes the value at `path`, starting from this one after the first `level` tokens.
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

  /// Returns the position, among this value's members or elements, for the token at `level`.
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
  /// The place of the container; the root is its own parent.
  fileprivate var parent: JSONPointer { JSONPointer(tokens.dropLast()) }

  /// Returns the place of the tokens up to `level`, inclusive.
  fileprivate func prefix(_ level: Int) -> JSONPointer { JSONPointer(Array(tokens[...level])) }
}

extension String {
  /// Returns the token as an array index of at most `last`.
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

/// Edits of a value that may have changed since they were recorded.
extension JSON {
  /// Returns an edit adjusted to this value; nil if its place is not as the edit expects it.
  ///
  /// Arrays on the way must have the recorded number of elements, since otherwise the index means something
  /// else. Only an element that is replaced or removed as a whole may be in an array of another length: it is
  /// compared itself.
  ///
  /// - Parameter ignored: Places whose values are not compared and stay as they are.
  public func fitting(_ edit: JSONEdit, ignoring ignored: [JSONPointer] = []) -> JSONEdit? {
    guard let (lengths, position, present) = site(of: edit, isStrict: false) else { return nil }
    guard let before = edit.before, let present else {
      guard edit.before == nil, present == nil else { return nil }
      return edit.moved(before: nil, after: edit.after, position: position, lengths: lengths)
    }
    let parts = ignored.compactMap { pointer -> ArraySlice<String>? in
      guard edit.place.contains(pointer), pointer != edit.place else { return nil }
      return pointer.tokens[edit.place.tokens.count...]
    }
    let isSame =
      parts.isEmpty
      ? before == present
      : parts.reduce(before, Self.leavingOut) == parts.reduce(present, Self.leavingOut)
    guard isSame else { return nil }
    let after = edit.after.map { after in parts.reduce(after) { $0.taking($1, from: present) } }
    return edit.moved(before: present, after: after, position: position, lengths: lengths)
  }

  /// Returns the lengths of the arrays on the way to an edit's place, the present or new position of the value,
  /// and the value, nil for none; or nil if the containers on the way are not as the edit expects them.
  ///
  /// - Parameter isStrict: True if the array of an element must have the recorded number of elements too.
  func site(
    of edit: JSONEdit, isStrict: Bool
  ) -> (lengths: [Int], position: Int, present: JSON?)? {
    var value = self
    var (lengths, expected) = ([Int](), edit.lengths[...])
    var position = edit.position
    for (level, token) in edit.place.tokens.enumerated() {
      let isLast = level == edit.place.tokens.count - 1
      switch value {
      case .array(let elements):
        let mayDiffer = !isStrict && isLast && edit.before != nil
        guard let length = expected.popFirst(), length == elements.count || mayDiffer else {
          return nil
        }
        lengths.append(elements.count)
        if isLast {
          guard edit.isElement else { return nil }
          return (lengths, edit.position, edit.before == nil ? nil : value.child(token))
        }
      case .object(let object):
        if isLast {
          guard !edit.isElement, expected.isEmpty else { return nil }
          position = object.position(of: token) ?? min(edit.position, object.count)
          return (lengths, position, object[token])
        }
      case .null, .bool, .int, .double, .string: return nil
      }
      guard let child = value.child(token) else { return nil }
      value = child
    }
    return (lengths, position, value)
  }

  /// Returns the value without that at a place; an element becomes null, so that the others keep their indexes.
  private static func leavingOut(_ value: JSON, _ place: ArraySlice<String>) -> JSON {
    guard let token = place.first else { return .null }
    let rest = place.dropFirst()
    switch value {
    case .object(var object):
      guard let child = object[token] else { return value }
      if rest.isEmpty {
        object.removeValue(forName: token)
      } else {
        object[token] = leavingOut(child, rest)
      }
      return .object(object)
    case .array(var elements):
      guard let index = token.arrayIndex, elements.indices.contains(index) else { return value }
      elements[index] = leavingOut(elements[index], rest)
      return .array(elements)
    case .null, .bool, .int, .double, .string: return value
    }
  }

  /// Returns the value with that of another one at a place.
  private func taking(_ place: ArraySlice<String>, from other: JSON) -> JSON {
    guard let token = place.first else { return other }
    let rest = place.dropFirst()
    switch (self, other) {
    case (.object(var object), .object(let present)):
      if rest.isEmpty {
        if let value = present[token] {
          object[token] = value
        } else {
          object.removeValue(forName: token)
        }
      } else if let mine = object[token], let value = present[token] {
        object[token] = mine.taking(rest, from: value)
      }
      return .object(object)
    case (.array(var elements), .array(let present)):
      guard let index = token.arrayIndex, elements.indices.contains(index),
        present.indices.contains(index)
      else { return self }
      elements[index] = elements[index].taking(rest, from: present[index])
      return .array(elements)
    default: return self
    }
  }
}

extension JSONEdit {
  /// The place whose values depend on the edit: the array if an element is added or removed, since that moves
  /// others, else the place.
  public var reach: JSONPointer {
    isElement && (before == nil || after == nil) ? JSONPointer(place.tokens.dropLast()) : place
  }

  /// Returns one edit equivalent to this one, which replaces a value, and a later one that begins with its result; nil
  /// for different places, and if the value was another one in between.
  public func joined(with later: JSONEdit) -> JSONEdit? {
    guard place == later.place, lengths == later.lengths, isElement == later.isElement,
      before != nil, after != nil, after == later.before
    else { return nil }
    return moved(before: before, after: later.after, position: later.position, lengths: lengths)
  }

  /// True if the edit reverts one that comes directly before it, to the byte.
  public func reverts(_ earlier: JSONEdit) -> Bool {
    var inverse = earlier.inverse
    if after == nil, !isElement {
      // A member that was added is gone wherever it stood.
      inverse = inverse.moved(
        before: inverse.before, after: inverse.after, position: position, lengths: inverse.lengths)
    }
    guard self == inverse else { return false }
    return (before ?? .null).isWritten(as: earlier.after ?? .null)
      && (after ?? .null).isWritten(as: earlier.before ?? .null)
  }

  fileprivate func moved(
    before: JSON?, after: JSON?, position: Int, lengths: [Int]
  ) -> JSONEdit {
    JSONEdit(
      place: place, before: before, after: after, position: position, lengths: lengths,
      isElement: isElement)
  }
}
