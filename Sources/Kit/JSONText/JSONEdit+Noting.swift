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
