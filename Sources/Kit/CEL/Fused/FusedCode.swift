import JSONText

/// Code for the most common rules: it finds places in one JSON document, compares their values, and combines
/// the results, without intermediate values. Such a rule takes less than half the time.
///
/// It returns the same value as the instructions, in as many steps. In any unusual case, such as a missing
/// field or an unexpected type, it returns nil, and the instructions are evaluated; only they produce faults.
///
/// A class with constant members, which are read in place: enum payloads would be copied, and so retained, at
/// every step, which takes twice the time.
final class FusedCode: Sendable {
  enum Kind {
    /// The value of a branch.
    case constant
    /// The value at a place; `other` if it is absent, as with `orValue`.
    case read
    /// `has(a.b)`
    case presence
    case negation
    /// `x && y` or `x || y`
    case and
    case or
    case conditional
    /// `a.b == x`, or `a.?b.orValue(y) == x`
    case comparison
    /// `size(a.b) > n`
    case sizeComparison
    /// `a.b == c.d`
    case pair
    /// `'x' in a.b`
    case containment
    /// `a.b in ['x', 'y']`
    case choice
  }

  let kind: Kind
  /// The steps besides those of the places and operands.
  private let cost: Int
  /// The place; the document itself for joined conditions.
  private let place: FusedPlace
  private let secondPlace: FusedPlace
  private let relation: BinaryOperator
  private let constant: JSON
  private let other: JSON?
  private let choices: [JSON]
  private let first: FusedCode?
  private let second: FusedCode?
  private let third: FusedCode?

  init(
    _ kind: Kind, cost: Int = 1, place: FusedPlace = .document, secondPlace: FusedPlace = .document,
    relation: BinaryOperator = .equal, constant: JSON = .null, other: JSON? = nil,
    choices: [JSON] = [], operands: [FusedCode] = []
  ) {
    self.kind = kind
    self.cost = cost
    self.place = place
    self.secondPlace = secondPlace
    self.relation = relation
    self.constant = constant
    self.other = other
    self.choices = choices
    first = operands.first
    second = operands.dropFirst().first
    third = operands.dropFirst(2).first
  }

  /// Returns the value, and adds the cost to `steps`; nil for an unusual case.
  func value(in document: JSONObject, _ steps: inout Int) -> Value? {
    switch kind {
    case .constant:
      steps += cost
      return Value(constant)
    case .read: return place.value(in: document, or: other, &steps)
    case .conditional: return value(of: branch(in: document, &steps), in: document, &steps)
    case .presence, .negation, .and, .or, .comparison, .sizeComparison, .pair, .containment,
      .choice:
      return isTrue(in: document, &steps).map { .bool($0) }
    }
  }

  /// Returns the value of a condition, and adds the cost to `steps`; nil for an unusual case or another type.
  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    switch kind {
    case .constant:
      steps += cost
      return constant.bool
    case .read: return place.isTrue(in: document, or: other, &steps)
    case .presence: return place.isPresent(in: document, &steps)
    case .negation:
      steps += cost
      guard let isTrue = self.isTrue(of: first, in: document, &steps) else { return nil }
      return !isTrue
    case .and, .or:
      steps += cost
      guard let isTrue = self.isTrue(of: first, in: document, &steps) else { return nil }
      return isTrue == (kind == .or) ? isTrue : self.isTrue(of: second, in: document, &steps)
    case .conditional: return isTrue(of: branch(in: document, &steps), in: document, &steps)
    case .comparison: return compare(in: document, &steps)
    case .sizeComparison: return compareSize(in: document, &steps)
    case .pair: return comparePlaces(in: document, &steps)
    case .containment: return place.contains(constant, in: document, &steps)
    case .choice: return place.isOne(of: choices, in: document, &steps)
    }
  }

  // An optional member is not retained when it is passed on unchanged.
  @inline(never)
  private func isTrue(
    of operand: FusedCode?, in document: JSONObject, _ steps: inout Int
  ) -> Bool? {
    operand?.isTrue(in: document, &steps)
  }

  @inline(never)
  private func value(
    of operand: FusedCode?, in document: JSONObject, _ steps: inout Int
  ) -> Value? {
    operand?.value(in: document, &steps)
  }

  @inline(__always)
  private func branch(in document: JSONObject, _ steps: inout Int) -> FusedCode? {
    steps += cost
    guard let isTrue = self.isTrue(of: first, in: document, &steps) else { return nil }
    return isTrue ? second : third
  }

  @inline(__always)
  private func compare(in document: JSONObject, _ steps: inout Int) -> Bool? {
    let finding = unsafe place.find(in: document)
    guard let member = unsafe finding.member else {
      guard let other, let absence = unsafe place.costOfAbsence(finding) else { return nil }
      steps += absence + cost
      return relation.isTrue(of: other, and: constant, &steps)
    }
    steps += place.cost + cost + (other == nil ? 0 : 1)
    return unsafe relation.isTrue(of: member.pointee.value, and: constant, &steps)
  }

  @inline(__always)
  private func compareSize(in document: JSONObject, _ steps: inout Int) -> Bool? {
    guard let member = unsafe place.find(in: document).member,
      let count = unsafe member.pointee.value.entryCount
    else { return nil }
    steps += place.cost + cost
    return relation.isTrue(of: .int(Int64(count)), and: constant, &steps)
  }

  @inline(__always)
  private func comparePlaces(in document: JSONObject, _ steps: inout Int) -> Bool? {
    guard let left = unsafe place.find(in: document).member,
      let right = unsafe secondPlace.find(in: document).member
    else { return nil }
    steps += place.cost + secondPlace.cost + cost
    return unsafe relation.isTrue(of: left.pointee.value, and: right.pointee.value, &steps)
  }
}

/// A fused program.
struct FusedProgram: Sendable {
  /// The variable that is the document; nil if none is read.
  let variable: Int?
  private let code: FusedCode
  private let maximumSteps: Int

  /// Nil if the program cannot be fused, or reads several variables.
  init?(_ code: Code, _ limits: ProgramLimits) {
    var compiler = FusedCompiler(code)
    guard let fused = compiler.code(for: code.root) else { return nil }
    variable = compiler.variable
    self.code = fused
    maximumSteps = limits.maximumSteps
  }

  /// Returns the value, and adds the cost to `steps`; nil, without cost, for an unusual case.
  func value(in document: JSONObject, addingStepsTo steps: inout Int) -> Value? {
    var taken = 0
    guard let value = code.value(in: document, &taken), taken <= maximumSteps else { return nil }
    steps += taken
    return value
  }

  /// As above; `root` returns the document.
  func value(addingStepsTo steps: inout Int, binding root: (Int) -> Value) -> Value? {
    guard let variable else { return value(in: JSONObject(), addingStepsTo: &steps) }
    guard case .map(.json(let document)) = root(variable) else { return nil }
    return value(in: document, addingStepsTo: &steps)
  }
}
