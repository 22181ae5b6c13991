/// One change at one place of a JSON value that remembers what was there, so that it can be taken
/// back byte for byte: members return to where they stood in their object, elements to their index.
///
/// Unlike a JSON Patch, which appends the members it adds, an edit and its ``inverse`` undo each other
/// exactly. An edit fits a value only as it was: with the same thing at the place, and the same number
/// of elements in each array on the way, since otherwise the indexes of the place mean something else.
public struct JSONEdit: Sendable, Equatable, Codable {
  /// The place of the edit.
  public let place: JSONPointer
  /// The value before; nil when there was none.
  public let before: JSON?
  /// The value afterwards; nil when there is none.
  public let after: JSON?
  /// The position of the value among the members or elements of its container.
  let position: Int
  /// The lengths of the arrays on the way, from the outermost on, before the edit.
  let lengths: [Int]
  /// True if the value is an element of the last of these arrays.
  let isElement: Bool

  /// The edit that takes this one back.
  public var inverse: JSONEdit {
    var lengths = lengths
    if isElement, let last = lengths.popLast() {
      lengths.append(last + (after == nil ? 0 : 1) - (before == nil ? 0 : 1))
    }
    return JSONEdit(
      place: place, before: after, after: before, position: position, lengths: lengths,
      isElement: isElement)
  }

  /// The change as an operation of a JSON Patch, which comes to an equal value; the order of members
  /// may differ.
  public var operation: JSONPatch.Operation {
    switch (before, after) {
    case (nil, let after): .add(path: place, value: after ?? .null)
    case (_?, let after?): .replace(path: place, value: after)
    case (_?, nil): .remove(path: place)
    }
  }

  /// The position of the member that it adds among the others of its object, so that `operation` and this together come
  /// to the same bytes; nil for anything else.
  public var memberPosition: Int? { before == nil && !isElement ? position : nil }

  /// Returns the size of the edit: that of both values, as `JSON.fits(depth:size:)` counts it, and
  /// of the place. Counting a value stops a little beyond `limit`.
  public func size(upTo limit: Int) -> Int {
    let place = place.tokens.reduce(16) { $0 + $1.utf8.count + 1 }
    return place + (before?.size(upTo: limit) ?? 0) + (after?.size(upTo: limit) ?? 0)
  }
}

extension JSON {
  /// The number of values in it and of the bytes of its strings and names, as far as it takes to see
  /// that it is more than `limit`.
  public func size(upTo limit: Int) -> Int {
    var left = limit
    _ = spend(depth: .max, size: &left)
    return limit - left
  }
}

/// A reason why an edit does not fit a value any more.
public enum JSONEditFault: Error, Equatable, Sendable {
  /// There is nothing at the place where there was something.
  case missing(JSONPointer)
  /// There is something else at the place.
  case different(JSONPointer)
  /// There is something at the place where there was nothing.
  case taken(JSONPointer)
  /// The array at the place has another number of elements.
  case resized(JSONPointer, count: Int, expected: Int)
}

extension JSONEditFault: CustomStringConvertible {
  /// The obstacle, as a clause without a full stop.
  public var description: String {
    switch self {
    case .missing(let place): "there is no value at \(quoted(place)) any more"
    case .different(let place): "the value at \(quoted(place)) is another one now"
    case .taken(let place): "there is a value at \(quoted(place)) now"
    case .resized(let place, let count, let expected):
      "the array at \(quoted(place)) has \(count) elements now instead of \(expected)"
    }
  }

  private func quoted(_ place: JSONPointer) -> String { JSON.string(place.description).text() }
}

extension JSON {
  /// Makes an edit, or throws and changes nothing.
  ///
  /// Takes time in proportion to the size of the old value, which is compared, and to the number of
  /// its sibling members or elements.
  public mutating func apply(_ edit: JSONEdit) throws(JSONEditFault) {
    try check(edit)
    do throws(JSONPatchFault.Reason) {
      var budget = JSONPatchBudget(JSONPatchLimits(depth: .max, work: .max))
      switch (edit.before, edit.after) {
      case (nil, nil): break
      case (nil, let after?):
        try restore(RemovedJSON(value: after, position: edit.position), at: edit.place)
      case (_?, nil): _ = try remove(at: edit.place, &budget)
      case (_?, let after?): try replace(at: edit.place, with: after)
      }
    } catch {
      throw .missing(edit.place)
    }
  }

  /// Refuses an edit of a value that was different where it changes something.
  private func check(_ edit: JSONEdit) throws(JSONEditFault) {
    var value = self
    var lengths = edit.lengths[...]
    for (level, token) in edit.place.tokens.enumerated() {
      let isLast = level == edit.place.tokens.count - 1
      if case .array(let elements) = value {
        let place = JSONPointer(Array(edit.place.tokens[..<level]))
        guard let length = lengths.popFirst() else { throw .different(place) }
        guard length == elements.count else {
          throw .resized(place, count: elements.count, expected: length)
        }
        if isLast, edit.before == nil { return try check(isElement: edit.isElement, place) }
      }
      if isLast, edit.isElement, case .object = value {
        throw .different(JSONPointer(edit.place.tokens.dropLast()))
      }
      guard let child = value.child(token) else {
        guard isLast, edit.before == nil, case .object = value, !edit.isElement else {
          throw .missing(edit.place)
        }
        return
      }
      value = child
    }
    guard let before = edit.before else { throw .taken(edit.place) }
    guard before == value, lengths.isEmpty else { throw .different(edit.place) }
  }

  private func check(isElement: Bool, _ place: JSONPointer) throws(JSONEditFault) {
    guard isElement else { throw .different(place) }
  }
}

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

extension JSON {
  /// Makes one change of a JSON Patch in place, and answers the edits that it came to, in order; or
  /// throws and changes nothing.
  ///
  /// A value that takes another one's place is noted by what is different in it, as long as that is
  /// little. An operation that changes nothing, such as `test`, makes no edit.
  public mutating func noteEdits(
    of operation: JSONPatch.Operation, limits: JSONPatchLimits = .init()
  ) throws(JSONPatchFault) -> [JSONEdit] {
    var budget = JSONPatchBudget(limits)
    return try noteEdits(of: operation, at: nil, &budget)
  }

  /// The same as one operation of a patch.
  mutating func noteEdits(
    of operation: JSONPatch.Operation, at index: Int?, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault) -> [JSONEdit] {
    switch operation {
    case .move(let from, let path):
      let before = self
      try perform(operation, at: index, &budget)
      return from == path ? [] : before.move(from, to: path)
    case .add(let path, let value):
      let edits = addition(of: value, at: path)
      try perform(operation, at: index, &budget)
      return edits
    case .copy(let from, let path):
      let edits = value(at: from).map { addition(of: $0, at: path) }
      try perform(operation, at: index, &budget)
      return edits ?? []
    case .replace(let path, let value):
      let edits = replacement(of: path, with: value)
      try perform(operation, at: index, &budget)
      return edits
    case .remove(let path):
      let edit = removal(at: path)
      try perform(operation, at: index, &budget)
      return edit.map { [$0] } ?? []
    case .test:
      try perform(operation, at: index, &budget)
      return []
    }
  }

  /// The edits of a move that is known to be possible, in this value as it was before.
  private func move(_ from: JSONPointer, to path: JSONPointer) -> [JSONEdit] {
    guard let removal = removal(at: from), let value = removal.before else { return [] }
    var rest = self
    do throws(JSONPatchFault.Reason) {
      var budget = JSONPatchBudget(JSONPatchLimits(depth: .max, work: .max))
      _ = try rest.remove(at: from, &budget)
    } catch {
      return []
    }
    return [removal] + rest.addition(of: value, at: path)
  }

  private func removal(at path: JSONPointer) -> JSONEdit? {
    guard let value = value(at: path), let site = site(of: path) else { return nil }
    return site.edit(from: value, to: nil)
  }

  private func replacement(of path: JSONPointer, with value: JSON) -> [JSONEdit] {
    guard let old = self.value(at: path), let site = site(of: path) else { return [] }
    return JSONDifference(from: old, to: value, at: site).edits
  }

  /// None when it is not possible.
  private func addition(of value: JSON, at path: JSONPointer) -> [JSONEdit] {
    guard let site = site(of: path) else { return [] }
    guard !site.isElement, let old = self.value(at: path) else {
      return [site.edit(from: nil, to: value)]
    }
    return JSONDifference(from: old, to: value, at: site).edits
  }

  /// The site of a value at `path` or, when there is none, the site that it would have.
  private func site(of path: JSONPointer) -> JSONSite? {
    var site = JSONSite(place: .root, position: 0, lengths: [], isElement: false)
    var value = self
    for (level, token) in path.tokens.enumerated() {
      guard let next = site.child(token, of: value) else { return nil }
      site = next
      guard level < path.tokens.count - 1 else { break }
      guard let child = value.child(token) else { return nil }
      value = child
    }
    return site
  }
}

/// The position of a value, as an edit remembers it.
struct JSONSite {
  let place: JSONPointer
  let position: Int
  let lengths: [Int]
  let isElement: Bool

  func edit(from before: JSON?, to after: JSON?) -> JSONEdit {
    JSONEdit(
      place: place, before: before, after: after, position: position, lengths: lengths,
      isElement: isElement)
  }

  /// The site of a member or element of the value that stands here.
  func child(_ token: String, of value: JSON) -> JSONSite? {
    switch value {
    case .object(let object):
      return member(token, at: object.position(of: token) ?? object.count)
    case .array(let elements):
      let index = token.hasSameBytes(as: "-") ? elements.count : token.arrayIndex
      return index.map { element($0, of: elements.count) }
    case .null, .bool, .int, .double, .string: return nil
    }
  }

  func member(_ name: String, at position: Int) -> JSONSite {
    JSONSite(
      place: place.appending(name), position: position, lengths: lengths, isElement: false)
  }

  func element(_ index: Int, of count: Int) -> JSONSite {
    JSONSite(
      place: place.appending(index), position: index, lengths: lengths + [count], isElement: true)
  }
}
