import JSONText

/// A comparison of the value at a place, or of its size, with a constant.
final class FusedComparison: FusedCondition {
  private let place: FusedPlace
  private let operation: BinaryOperator
  private let constant: JSON
  private let isOfSize: Bool
  /// The value in the place of an absent one, if there is one.
  private let other: JSON?
  private let cost: Int
  /// The steps besides those of the place.
  private let costBesides: Int

  /// `costBesides` is what the constant costs where it is evaluated first.
  init(
    _ subject: FusedSubject, _ operation: BinaryOperator, _ constant: JSON, costBesides: Int
  ) {
    place = subject.place
    isOfSize = subject.isSize
    other = subject.other
    self.operation = operation
    self.constant = constant
    self.costBesides = 1 + costBesides
    cost = subject.cost + self.costBesides
  }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    let finding = unsafe place.find(in: document)
    guard let member = unsafe finding.member else {
      guard let other, let cost = unsafe place.costOfAbsence(finding) else { return nil }
      steps += cost + costBesides
      return operation.isTrue(of: other, constant, &steps)
    }
    steps += cost
    if isOfSize {
      guard let size = unsafe member.pointee.value.entryCount else { return nil }
      return operation.isTrue(of: .int(Int64(size)), constant, &steps)
    }
    return unsafe operation.isTrue(of: member.pointee.value, constant, &steps)
  }
}

/// A comparison of the values at two places.
final class FusedPair: FusedCondition {
  private let left: FusedPlace
  private let operation: BinaryOperator
  private let right: FusedPlace

  init(_ left: FusedPlace, _ operation: BinaryOperator, _ right: FusedPlace) {
    self.left = left
    self.operation = operation
    self.right = right
  }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    guard let left = unsafe left.find(in: document).member,
      let right = unsafe right.find(in: document).member
    else { return nil }
    steps += self.left.cost + self.right.cost + 1
    return unsafe operation.isTrue(of: left.pointee.value, right.pointee.value, &steps)
  }
}

/// `'x' in place`: whether an array has an element, or an object a member of that name.
final class FusedContainment: FusedCondition {
  private let text: String
  private let element: JSON
  private let place: FusedPlace

  init(_ text: String, in place: FusedPlace) {
    self.text = text
    element = .string(text)
    self.place = place
  }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    guard let member = unsafe place.find(in: document).member else { return nil }
    steps += place.cost + 2
    switch unsafe member.pointee.value {
    case .array(let elements):
      for element in elements {
        steps += 1
        if BinaryOperator.equal.isTrue(of: element, self.element, &steps) == true { return true }
      }
      return false
    case .object(let object):
      steps += 1 + Meter.cost(ofName: text)
      return object.position(of: text) != nil
    case .null, .bool, .int, .double, .string: return nil
    }
  }
}

/// `place in ['x', 'y']`: whether a constant list has what stands at a place.
final class FusedChoice: FusedCondition {
  private let place: FusedPlace
  private let choices: [JSON]

  init(_ place: FusedPlace, in choices: [JSON]) {
    self.place = place
    self.choices = choices
  }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    guard let member = unsafe place.find(in: document).member else { return nil }
    steps += place.cost + 1
    for choice in choices {
      steps += 1
      guard
        let isEqual = unsafe BinaryOperator.equal.isTrue(of: choice, member.pointee.value, &steps)
      else { return nil }
      if isEqual { return true }
    }
    return false
  }
}

extension BinaryOperator {
  /// True if the relation holds, and adds what that cost beyond its step; nil where it is not decided
  /// here: no order, or containers whose elements would have to be compared.
  @inline(__always)
  fileprivate func isTrue(of left: JSON, _ right: JSON, _ steps: inout Int) -> Bool? {
    switch (left, right) {
    case (.int(let left), .int(let right)): return isTrue(of: Order(left, right))
    case (.string(let left), .string(let right)):
      return isEquality ? isTrue(ofTexts: left, right, &steps) : nil
    case (.null, .null): return isEquality ? self == .equal : nil
    case (.bool(let left), .bool(let right)):
      return isEquality ? (left == right) == (self == .equal) : nil
    case (.double, .double), (.int, .double), (.double, .int):
      return isTrue(of: Value(left).numericOrder(to: Value(right)))
    case (.array(let left), .array(let right)):
      return isEquality ? isTrue(ofCounts: left.count, right.count) : nil
    case (.object(let left), .object(let right)):
      return isEquality ? isTrue(ofCounts: left.count, right.count) : nil
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      return isEquality ? self == .notEqual : nil
    }
  }

  /// Texts of different lengths are not looked at, and cost nothing.
  @inline(__always)
  private func isTrue(ofTexts left: String, _ right: String, _ steps: inout Int) -> Bool {
    guard left.utf8.count == right.utf8.count else { return self == .notEqual }
    steps += Meter.cost(ofBytes: left.utf8.count)
    let isSame = left.isIdentical(to: right) || left.hasSameBytes(as: right)
    return isSame == (self == .equal)
  }

  /// Containers of different sizes differ, and empty ones are equal.
  private func isTrue(ofCounts left: Int, _ right: Int) -> Bool? {
    if left != right { return self == .notEqual }
    return left == 0 ? self == .equal : nil
  }
}

extension JSON {
  /// How many elements or members there are; nil for what has none, and for strings.
  fileprivate var entryCount: Int? {
    switch self {
    case .array(let elements): elements.count
    case .object(let object): object.count
    case .null, .bool, .int, .double, .string: nil
    }
  }
}
