/// The edits that turn one value into another, to the byte: few small ones for similar values, else one that
/// replaces the whole.
///
/// Objects are similar if their common names have the same order, arrays if they have the same number of
/// elements.
struct JSONDifference {
  private(set) var edits: [JSONEdit] = []

  /// The maximum number of edits of an array or object; beyond it, the whole is replaced.
  private static let mostEdits = 16
  /// The maximum number of members that the edits of an object may move; beyond it, the whole is replaced.
  private static let mostMoves = 1 << 14

  init(from old: JSON, to new: JSON, at site: JSONSite) {
    compare(old, with: new, at: site)
  }

  private mutating func compare(_ old: JSON, with new: JSON, at site: JSONSite) {
    let count = edits.count
    let isAlike =
      switch (old, new) {
      case (.array(let old), .array(let new)): compareElements(of: old, and: new, at: site)
      case (.object(let old), .object(let new)): compareMembers(of: old, and: new, at: site)
      default: old.isIdentical(to: new)
      }
    if isAlike, edits.count - count <= Self.mostEdits { return }
    edits.removeLast(edits.count - count)
    edits.append(site.edit(from: old, to: new))
  }

  /// Compares the elements, and returns true if the arrays are similar.
  private mutating func compareElements(
    of old: [JSON], and new: [JSON], at site: JSONSite
  ) -> Bool {
    guard old.count == new.count else { return false }
    let limit = edits.count + Self.mostEdits
    let length = new.count
    for (index, (old, new)) in zip(old, new).enumerated() {
      compare(old, with: new, at: site.element(index, of: length))
      if edits.count > limit { return false }
    }
    return true
  }

  /// Removes old members from the end backward, changes the remaining ones, and adds new members from the
  /// beginning forward, so that each position is valid when it is used. Returns true if the objects are
  /// similar.
  private mutating func compareMembers(
    of old: JSONObject, and new: JSONObject, at site: JSONSite
  ) -> Bool {
    guard let kept = old.positions(of: new),
      let moves = Moves(from: old, to: new, keeping: kept)
    else { return false }
    let limit = edits.count + Self.mostEdits
    for position in moves.removed.reversed() {
      let member = old.members[position]
      edits.append(site.member(member.name, at: position).edit(from: member.value, to: nil))
    }
    for (position, origin) in kept.enumerated() {
      guard let origin else { continue }
      let member = new.members[position]
      let change = site.member(member.name, at: position)
      compare(old.members[origin].value, with: member.value, at: change)
      if edits.count > limit { return false }
    }
    for position in moves.added {
      let member = new.members[position]
      edits.append(site.member(member.name, at: position).edit(from: nil, to: member.value))
    }
    return true
  }

  /// The removed and added members, if they are few.
  private struct Moves {
    let removed: [Int]
    let added: [Int]

    init?(from old: JSONObject, to new: JSONObject, keeping kept: [Int?]) {
      let keptCount = kept.count { $0 != nil }
      let count = old.count + new.count - 2 * keptCount
      guard count <= mostEdits, count == 0 || max(old.count, new.count) * count <= mostMoves
      else { return nil }
      var isKept = Array(repeating: false, count: old.count)
      for case let origin? in kept { isKept[origin] = true }
      removed = isKept.indices.filter { !isKept[$0] }
      added = kept.indices.filter { kept[$0] == nil }
    }
  }
}

extension JSONObject {
  /// Returns the positions in this object of another's members, nil for missing ones; nil if the order differs.
  fileprivate func positions(of other: JSONObject) -> [Int?]? {
    var positions: [Int?] = []
    positions.reserveCapacity(other.count)
    var last = -1
    for (guess, member) in other.members.enumerated() {
      let isHere = guess < count && members[guess].name.hasSameBytes(as: member.name)
      let position = isHere ? guess : position(of: member.name)
      positions.append(position)
      guard let position else { continue }
      guard position > last else { return nil }
      last = position
    }
    return positions
  }
}
