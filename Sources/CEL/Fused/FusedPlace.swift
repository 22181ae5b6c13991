import JSONText
import Synchronization

/// A place in a document: the names of the fields that lead there.
final class FusedPlace: Sendable {
  private let names: [String]
  /// The first field that is selected optionally, as by `.?`; if none is, how many fields there are.
  private let firstOptional: Int
  /// The steps of finding it, with the variable.
  let cost: Int
  /// The steps of finding that the fields from the first optional one on are absent.
  private let absentCosts: [Int]
  /// Where each name stood among its object's members last, a byte for each.
  ///
  /// Evaluations at the same time may take each other's word or lose it: it is checked before it is
  /// believed.
  private let positions = Atomic<UInt64>(0)

  /// Nil when there are too many names, or none.
  init?(_ names: [String], firstOptional: Int) {
    guard 1...Self.maximumNames ~= names.count else { return nil }
    self.names = names
    self.firstOptional = firstOptional
    // Selecting is a step and the name; optionally, a step more, unless the value is absent already.
    let steps = names.enumerated().map { depth, name in
      1 + Meter.cost(ofName: name) + (depth < firstOptional ? 0 : 1)
    }
    cost = steps.reduce(1, +)
    absentCosts = names.indices.map { last in
      steps[...last].reduce(1, +) + names.count - 1 - last
    }
  }

  /// As many as there are bytes for.
  static let maximumNames = 8

  /// The member that the names lead to.
  @unsafe struct Finding {
    /// The member, which stays where it is as long as its document is held unchanged.
    let member: UnsafePointer<JSONObject.Member>?
    /// Otherwise which name is missing in its object, or -1 when what should be an object is none.
    let missing: Int
  }

  // Inlined, nothing that is met on the way is retained: that would be half of the work.
  @inline(__always)
  func find(in document: JSONObject) -> Finding {
    let positions = self.positions.load(ordering: .relaxed)
    var found = unsafe member(0, of: document, positions)
    var depth = 1
    while depth < names.count {
      guard let member = unsafe found else {
        return unsafe Finding(member: nil, missing: depth - 1)
      }
      guard case .object(let object) = unsafe member.pointee.value else {
        return unsafe Finding(member: nil, missing: -1)
      }
      unsafe found = self.member(depth, of: object, positions)
      depth += 1
    }
    return unsafe Finding(member: found, missing: depth - 1)
  }

  @inline(__always)
  private func member(
    _ depth: Int, of object: JSONObject, _ positions: UInt64
  ) -> UnsafePointer<JSONObject.Member>? {
    let position = Int(truncatingIfNeeded: positions &>> UInt64(8 &* depth) & 0xFF)
    if position < object.members.count {
      // The members stay where they are as long as the caller holds the document unchanged.
      let members = unsafe object.members.withUnsafeBufferPointer { $0.baseAddress }
      if let member = unsafe members.map({ unsafe $0 + position }),
        unsafe member.pointee.name.isIdentical(to: names[depth])
      {
        return unsafe member
      }
    }
    return unsafe search(depth, of: object)
  }

  @inline(never)
  private func search(
    _ depth: Int, of object: JSONObject
  ) -> UnsafePointer<JSONObject.Member>? {
    guard let position = position(depth, of: object) else { return nil }
    return unsafe object.members.withUnsafeBufferPointer { members in
      unsafe members.baseAddress.map { unsafe $0 + position }
    }
  }

  private func position(_ depth: Int, of object: JSONObject) -> Int? {
    let shift = UInt64(8 * depth)
    let positions = self.positions.load(ordering: .relaxed)
    let last = Int(positions >> shift & 0xFF)
    if last < object.count, object.members[last].name.hasSameBytes(as: names[depth]) { return last }
    guard let position = object.position(of: names[depth]) else { return nil }
    if position <= 0xFF {
      let others = positions & ~(0xFF << shift)
      self.positions.store(others | UInt64(position) << shift, ordering: .relaxed)
    }
    return position
  }

  /// Returns the cost of finding that the value is absent and that another one takes its place; nil
  /// when it may not be absent.
  func costOfAbsence(_ finding: Finding) -> Int? {
    let missing = unsafe finding.missing
    return missing >= firstOptional ? absentCosts[missing] + 1 : nil
  }

  /// True if it is the last name that is missing, which is what `has` tests.
  func isLast(_ missing: Int) -> Bool { missing == names.count - 1 }
}

/// Reads the value at a place, or another one where that is absent, as with `orValue`.
final class FusedRead: FusedCode {
  private let place: FusedPlace
  private let other: JSON?
  private let cost: Int

  init(_ place: FusedPlace, or other: JSON?) {
    self.place = place
    self.other = other
    cost = place.cost + (other == nil ? 0 : 1)
  }

  func value(in document: JSONObject, _ steps: inout Int) -> Value? {
    let finding = unsafe place.find(in: document)
    guard let member = unsafe finding.member else {
      guard let other, let cost = unsafe place.costOfAbsence(finding) else { return nil }
      steps += cost
      return Value(other)
    }
    steps += cost
    return unsafe Value(member.pointee.value)
  }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    let finding = unsafe place.find(in: document)
    guard let member = unsafe finding.member else {
      guard case .bool(let bool)? = other, let cost = unsafe place.costOfAbsence(finding) else {
        return nil
      }
      steps += cost
      return bool
    }
    steps += cost
    guard case .bool(let bool) = unsafe member.pointee.value else { return nil }
    return bool
  }
}

/// `has(a.b)`
final class FusedPresence: FusedCondition {
  private let place: FusedPlace

  init(_ place: FusedPlace) { self.place = place }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    let finding = unsafe place.find(in: document)
    steps += place.cost
    if unsafe finding.member != nil { return true }
    return unsafe place.isLast(finding.missing) ? false : nil
  }
}
