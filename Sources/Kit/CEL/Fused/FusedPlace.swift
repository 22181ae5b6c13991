import JSONText
import Synchronization

/// A place in a document: a path of field names.
final class FusedPlace: Sendable {
  fileprivate let names: [String]
  /// The first optional field, as with `.?`; the number of fields if none is.
  private let firstOptional: Int
  /// The steps of finding it, including the variable.
  let cost: Int
  /// The steps of finding that the fields from the first optional one on are absent.
  private let absentCosts: [Int]
  /// The last position of each name among its object's members, one byte each.
  ///
  /// Concurrent evaluations may overwrite each other's positions; each is checked before use.
  private let positions = Atomic<UInt64>(0)

  /// Nil if there are too many names, or none.
  convenience init?(_ names: [String], firstOptional: Int) {
    guard 1...Self.maximumNames ~= names.count else { return nil }
    self.init(of: names, firstOptional: firstOptional)
  }

  private init(of names: [String], firstOptional: Int) {
    self.names = names
    self.firstOptional = firstOptional
    // A selection costs a step and the name; an optional one an additional step, unless the value is already
    // absent.
    let steps = names.enumerated().map { depth, name in
      1 + Meter.cost(ofName: name) + (depth < firstOptional ? 0 : 1)
    }
    cost = steps.reduce(1, +)
    absentCosts = names.indices.map { last in
      steps[...last].reduce(1, +) + names.count - 1 - last
    }
  }

  /// A whole document, without names.
  static let document = FusedPlace(of: [], firstOptional: 0)

  /// The number of bytes in `positions`.
  static let maximumNames = 8

  /// The result of a look-up.
  @unsafe struct Finding {
    /// The member, valid as long as its document is held unchanged.
    let member: UnsafePointer<JSONObject.Member>?
    /// Otherwise the index of the name missing in its object, or -1 if a container is not an object.
    let missing: Int
  }

  // Inlining avoids retaining intermediate values, half of the work.
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
      // The members do not move while the caller holds the document unchanged.
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

  /// Returns the cost of replacing an absent value; nil if it may not be absent.
  func costOfAbsence(_ finding: Finding) -> Int? {
    let missing = unsafe finding.missing
    return missing >= firstOptional ? absentCosts[missing] + 1 : nil
  }
}

extension FusedPlace {
  /// Returns the value at the place, or `other` if absent; adds the cost to `steps`.
  func value(in document: JSONObject, or other: JSON?, _ steps: inout Int) -> Value? {
    let finding = unsafe find(in: document)
    guard let member = unsafe finding.member else {
      guard let other, let cost = unsafe costOfAbsence(finding) else { return nil }
      steps += cost
      return Value(other)
    }
    steps += cost + (other == nil ? 0 : 1)
    return unsafe Value(member.pointee.value)
  }

  /// As above, for a condition.
  @inline(__always)
  func isTrue(in document: JSONObject, or other: JSON?, _ steps: inout Int) -> Bool? {
    let finding = unsafe find(in: document)
    guard let member = unsafe finding.member else {
      guard case .bool(let bool)? = other, let cost = unsafe costOfAbsence(finding) else {
        return nil
      }
      steps += cost
      return bool
    }
    steps += cost + (other == nil ? 0 : 1)
    guard case .bool(let bool) = unsafe member.pointee.value else { return nil }
    return bool
  }

  /// True if the place has a value; nil if more than the last field is missing.
  @inline(__always)
  func isPresent(in document: JSONObject, _ steps: inout Int) -> Bool? {
    let finding = unsafe find(in: document)
    steps += cost
    if unsafe finding.member != nil { return true }
    return unsafe finding.missing == names.count - 1 ? false : nil
  }

  /// True if the place has an array with `element`, a string, or an object with a member of that name.
  @inline(__always)
  func contains(_ element: JSON, in document: JSONObject, _ steps: inout Int) -> Bool? {
    guard let member = unsafe find(in: document).member else { return nil }
    steps += cost + 2
    switch unsafe member.pointee.value {
    case .array(let elements):
      for other in elements {
        steps += 1
        if BinaryOperator.equal.isTrue(of: other, and: element, &steps) == true { return true }
      }
      return false
    case .object(let object):
      guard case .string(let text) = element else { return nil }
      steps += 1 + Meter.cost(ofName: text)
      return object.position(of: text) != nil
    case .null, .bool, .int, .double, .string: return nil
    }
  }

  /// True if the value at the place is one of `choices`.
  @inline(__always)
  func isOne(of choices: [JSON], in document: JSONObject, _ steps: inout Int) -> Bool? {
    guard let member = unsafe find(in: document).member else { return nil }
    steps += cost + 1
    for choice in choices {
      steps += 1
      guard
        let isEqual = unsafe BinaryOperator.equal.isTrue(
          of: choice, and: member.pointee.value, &steps)
      else { return nil }
      if isEqual { return true }
    }
    return false
  }
}
