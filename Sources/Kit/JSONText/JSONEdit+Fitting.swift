/// Edits of a value that may have changed since they were recorded.
extension JSON {
  /// Returns an edit as it can be made in this value, if its place still is as the edit expects it.
  ///
  /// An array on the way must have as many elements as before, since otherwise the index of the place means
  /// something else. Only a whole element that is replaced or removed may stand in an array of another
  /// length: it is compared itself.
  ///
  /// - Parameter ignored: Places whose values are compared with nothing and stay as they are.
  /// - Throws: `JSONEditFault` when the place is not as the edit expects it.
  public func fitting(
    _ edit: JSONEdit, ignoring ignored: [JSONPointer] = []
  ) throws(JSONEditFault) -> JSONEdit {
    let (lengths, position, present) = try site(of: edit)
    guard let before = edit.before else {
      guard present == nil else { throw .taken(edit.place) }
      return edit.moved(before: nil, after: edit.after, position: position, lengths: lengths)
    }
    guard let present else { throw .missing(edit.place) }
    let parts = ignored.compactMap { pointer -> ArraySlice<String>? in
      guard edit.place.contains(pointer), pointer != edit.place else { return nil }
      return pointer.tokens[edit.place.tokens.count...]
    }
    let isSame =
      parts.isEmpty
      ? before == present
      : parts.reduce(before, Self.leavingOut) == parts.reduce(present, Self.leavingOut)
    guard isSame else { throw .different(edit.place) }
    let after = edit.after.map { after in parts.reduce(after) { $0.taking($1, from: present) } }
    return edit.moved(before: present, after: after, position: position, lengths: lengths)
  }

  /// Returns the lengths of the arrays on the way to an edit's place, the position of the value there or the one
  /// that it would have, and the value; nil for none.
  private func site(
    of edit: JSONEdit
  ) throws(JSONEditFault) -> (lengths: [Int], position: Int, present: JSON?) {
    var value = self
    var (lengths, expected) = ([Int](), edit.lengths[...])
    var position = edit.position
    for (level, token) in edit.place.tokens.enumerated() {
      let isLast = level == edit.place.tokens.count - 1
      let container = JSONPointer(Array(edit.place.tokens[..<level]))
      switch value {
      case .array(let elements):
        guard let length = expected.popFirst() else { throw .different(container) }
        let mayDiffer = isLast && edit.before != nil
        guard length == elements.count || mayDiffer else {
          throw .resized(container, count: elements.count, expected: length)
        }
        lengths.append(elements.count)
        if isLast {
          guard edit.isElement else { throw .different(container) }
          return (lengths, edit.position, edit.before == nil ? nil : value.child(token))
        }
      case .object(let object):
        if isLast {
          guard !edit.isElement, expected.isEmpty else { throw .different(container) }
          position = object.position(of: token) ?? min(edit.position, object.count)
          return (lengths, position, object[token])
        }
      case .null, .bool, .int, .double, .string: throw .missing(edit.place)
      }
      guard let child = value.child(token) else { throw .missing(edit.place) }
      value = child
    }
    return (lengths, position, value)
  }

  /// The value without what is at a place; an element becomes null, so that the others keep their indexes.
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

  /// The value with what another one has at a place.
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
  /// The place whose values mean something else without the edit: the array if an element comes or goes, since
  /// that moves others, else the place.
  public var reach: JSONPointer {
    isElement && (before == nil || after == nil) ? JSONPointer(place.tokens.dropLast()) : place
  }

  /// Returns one edit that does what this one, which replaces a value, and then a later one of the same place do; nil
  /// if they are of two places.
  public func joined(with later: JSONEdit) -> JSONEdit? {
    guard place == later.place, lengths == later.lengths, isElement == later.isElement,
      before != nil, after != nil, later.before != nil
    else { return nil }
    return moved(before: before, after: later.after, position: later.position, lengths: lengths)
  }

  fileprivate func moved(
    before: JSON?, after: JSON?, position: Int, lengths: [Int]
  ) -> JSONEdit {
    JSONEdit(
      place: place, before: before, after: after, position: position, lengths: lengths,
      isElement: isElement)
  }
}
