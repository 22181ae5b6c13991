/// A change at one place of a JSON value that records the previous value, so that it can be reverted byte for
/// byte: members return to their position in the object, elements to their index.
///
/// Unlike a JSON Patch, which appends added members, an edit and its ``inverse`` revert each other exactly. An
/// edit applies only to a value with the recorded content at the place and the recorded number of elements in
/// each array on the way, since otherwise the indexes of the place mean something else.
public struct JSONEdit: Sendable, Equatable, Codable {
  /// The place of the edit.
  public let place: JSONPointer
  /// The previous value; nil for none.
  public let before: JSON?
  /// The new value; nil for none.
  public let after: JSON?
  /// The position of the value among the members or elements of its container.
  let position: Int
  /// The lengths of the arrays on the way before the edit, outermost first.
  let lengths: [Int]
  /// True if the value is an element of the last of these arrays.
  let isElement: Bool

  /// The edit that reverts this one.
  public var inverse: JSONEdit {
    var lengths = lengths
    if isElement, let last = lengths.popLast() {
      lengths.append(last + (after == nil ? 0 : 1) - (before == nil ? 0 : 1))
    }
    return JSONEdit(
      place: place, before: after, after: before, position: position, lengths: lengths,
      isElement: isElement)
  }

  /// The equivalent operation of a JSON Patch; the order of members may differ.
  public var operation: JSONPatch.Operation {
    switch (before, after) {
    case (nil, let after): .add(path: place, value: after ?? .null)
    case (_?, let after?): .replace(path: place, value: after)
    case (_?, nil): .remove(path: place)
    }
  }

  /// The position of an added member in its object, which together with `operation` gives the same bytes; nil
  /// for other edits.
  public var memberPosition: Int? { before == nil && !isElement ? position : nil }

  /// Returns the size of the edit: of both values, as `JSON.fits(depth:size:)` counts it, and of the place.
  /// Counting stops soon after `limit`.
  public func size(upTo limit: Int) -> Int {
    let place = place.tokens.reduce(16) { $0 + $1.utf8.count + 1 }
    return place + (before?.size(upTo: limit) ?? 0) + (after?.size(upTo: limit) ?? 0)
  }
}

extension JSON {
  /// Returns the number of values and the bytes of strings and names; counting stops soon after `limit`.
  public func size(upTo limit: Int) -> Int {
    var left = limit
    _ = spend(depth: .max, size: &left)
    return limit - left
  }
}

extension JSON {
  /// Applies an edit; returns false, and changes nothing, if the value differs from the recorded one.
  ///
  /// Takes time proportional to the size of the old value, which is compared, and to the number of siblings.
  public mutating func apply(_ edit: JSONEdit) -> Bool {
    guard let site = site(of: edit, isStrict: true), site.present == edit.before else {
      return false
    }
    do throws(JSONPatchFault.Reason) {
      var budget = JSONPatchBudget(JSONPatchLimits(depth: .max, work: .max))
      switch (edit.before, edit.after) {
      case (nil, nil): break
      case (nil, let after?):
        try restore(RemovedJSON(value: after, position: edit.position), at: edit.place)
      case (_?, nil): _ = try remove(at: edit.place, &budget)
      case (_?, let after?): try replace(at: edit.place, with: after)
      }
      return true
    } catch {
      return false
    }
  }
}

extension JSONEdit {
  /// The edits of what differs, if both values exist; else the edit.
  fileprivate var differences: [JSONEdit] {
    guard let before, let after else { return [self] }
    let site = JSONSite(place: place, position: position, lengths: lengths, isElement: isElement)
    return JSONDifference(from: before, to: after, at: site).edits
  }

  /// The growth of a value by the edit, in `JSON.writtenSize`.
  public var growth: Int {
    let name = isElement ? 0 : place.tokens.last?.nameSize ?? 0
    let new = after.map { $0.writtenSize + name } ?? 0
    let old = before.map { $0.writtenSize + name } ?? 0
    return new - old
  }
}

extension JSON {
  /// Applies a patch, all operations or none. Returns the growth of the value in `writtenSize`.
  ///
  /// Only changed parts are visited. The previous value is kept until the last operation has succeeded, so each array
  /// and object on the way to a change is copied (one level of it) once per patch. A patch of one operation makes no
  /// copies unless storage is shared.
  public mutating func growth(
    applying patch: JSONPatch, limits: JSONPatchLimits = .init()
  ) throws(JSONPatchFault) -> Int {
    var budget = JSONPatchBudget(limits)
    if patch.operations.count == 1 {
      return try growth(performing: patch.operations[0], at: 0, &budget)
    }
    var changed = self
    var growth = 0
    for (index, operation) in patch.operations.enumerated() {
      growth += try changed.growth(performing: operation, at: index, &budget)
    }
    self = changed
    return growth
  }

  /// Applies one operation of a patch, and returns the growth of the value.
  private mutating func growth(
    performing operation: JSONPatch.Operation, at index: Int, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault) -> Int {
    if case .move = operation { return try noteEdits(of: operation, at: index, &budget).growth }
    let change = change(by: operation)
    try perform(operation, at: index, &budget)
    return change?.growth ?? 0
  }

  /// Returns the growth of the value by a merge patch.
  ///
  /// Only the parts named by the patch are visited.
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
  /// The total growth of a value by the edits.
  public var growth: Int { reduce(0) { $0 + $1.growth } }
}

extension JSON {
  /// Applies one operation of a JSON Patch in place, and returns the equivalent edits, in order; or throws and
  /// changes nothing.
  ///
  /// A replaced value is recorded by its differences, if they are few. An operation without effect, such as
  /// `test`, gives no edit.
  public mutating func noteEdits(
    of operation: JSONPatch.Operation, limits: JSONPatchLimits = .init()
  ) throws(JSONPatchFault) -> [JSONEdit] {
    var budget = JSONPatchBudget(limits)
    return try noteEdits(of: operation, at: nil, &budget)
  }

  /// Applies one operation of a patch.
  mutating func noteEdits(
    of operation: JSONPatch.Operation, at index: Int?, _ budget: inout JSONPatchBudget
  ) throws(JSONPatchFault) -> [JSONEdit] {
    if case .move(let from, let path) = operation {
      let before = self
      try perform(operation, at: index, &budget)
      return from == path ? [] : before.move(from, to: path)
    }
    let change = change(by: operation)
    try perform(operation, at: index, &budget)
    return change?.differences ?? []
  }

  /// Returns the edits of a valid move, for this value before it.
  private func move(_ from: JSONPointer, to path: JSONPointer) -> [JSONEdit] {
    guard let removal = replacement(of: from, with: nil), let value = removal.before else {
      return []
    }
    var rest = self
    do throws(JSONPatchFault.Reason) {
      var budget = JSONPatchBudget(JSONPatchLimits(depth: .max, work: .max))
      _ = try rest.remove(at: from, &budget)
    } catch {
      return []
    }
    return [removal] + (rest.addition(of: value, at: path)?.differences ?? [])
  }

  /// Returns the edit of the whole value that an operation changes; nil if it changes none, or is not possible.
  private func change(by operation: JSONPatch.Operation) -> JSONEdit? {
    switch operation {
    case .add(let path, let value): addition(of: value, at: path)
    case .copy(let from, let path): value(at: from).flatMap { addition(of: $0, at: path) }
    case .replace(let path, let value): replacement(of: path, with: value)
    case .remove(let path): replacement(of: path, with: nil)
    case .move, .test: nil
    }
  }

  private func replacement(of path: JSONPointer, with value: JSON?) -> JSONEdit? {
    guard case (let site, let old?)? = site(of: path) else { return nil }
    return site.edit(from: old, to: value)
  }

  private func addition(of value: JSON, at path: JSONPointer) -> JSONEdit? {
    guard let (site, old) = site(of: path) else { return nil }
    return site.edit(from: site.isElement ? nil : old, to: value)
  }

  /// Returns the site of the value at `path`, which is `present`, or the site that a new value would have.
  private func site(of path: JSONPointer) -> (JSONSite, present: JSON?)? {
    var (container, lengths) = (self, [Int]())
    guard let last = path.tokens.last else {
      return (JSONSite(place: .root, position: 0, lengths: [], isElement: false), self)
    }
    for token in path.tokens.dropLast() {
      if case .array(let elements) = container { lengths.append(elements.count) }
      guard let child = container.child(token) else { return nil }
      container = child
    }
    switch container {
    case .object(let object):
      let position = object.position(of: last)
      let site = JSONSite(
        place: path, position: position ?? object.count, lengths: lengths, isElement: false)
      return (site, position.map { object.members[$0].value })
    case .array(let elements):
      let isNext = last.hasSameBytes(as: "-")
      guard let index = isNext ? elements.count : last.arrayIndex else { return nil }
      let place = isNext ? JSONPointer(path.tokens.dropLast() + [index.description]) : path
      let site = JSONSite(
        place: place, position: index, lengths: lengths + [elements.count], isElement: true)
      return (site, index < elements.count ? elements[index] : nil)
    case .null, .bool, .int, .double, .string: return nil
    }
  }
}

/// The position of a value, as recorded by an edit.
struct JSONSite {
  let place: JSONPointer
  let position: Int
  let lengths: [Int]
  let isElement: Bool

  func edit(from before: JSON?, to after: JSON?) -> JSONEdit {
    // An edit is kept and compared often: its place has its tokens, and shares no other pointer.
    JSONEdit(
      place: JSONPointer(place.tokens), before: before, after: after, position: position,
      lengths: lengths, isElement: isElement)
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
