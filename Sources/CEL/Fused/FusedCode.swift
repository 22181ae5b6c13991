import JSONText

/// Code that looks up places of one JSON document, compares what it finds there and joins such
/// conditions, as most rules do, without making a value of anything on the way.
///
/// It answers what the instructions answer, in as many steps. Wherever it meets something unusual, such
/// as a missing field or another type than its own, it answers nil, and the instructions are evaluated:
/// faults come from there alone.
///
/// Objects because they are looked at where they are, which for enumerations would cost a retain each.
protocol FusedCode: AnyObject, Sendable {
  /// The value, and adds what it cost to `steps`; nil says nothing.
  func value(in document: JSONObject, _ steps: inout Int) -> Value?

  /// The same for a condition; nil also for what is no truth value.
  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool?
}

/// Fused code that answers true or false.
protocol FusedCondition: FusedCode {}

extension FusedCondition {
  func value(in document: JSONObject, _ steps: inout Int) -> Value? {
    isTrue(in: document, &steps).map { .bool($0) }
  }
}

/// A program as fused code.
struct FusedProgram: Sendable {
  /// Which variable is the document; nil when none is read.
  let variable: Int?
  private let code: any FusedCode
  private let maximumSteps: Int

  /// Nil when the program does other things, or reads several variables.
  init?(_ code: Code, _ limits: ProgramLimits) {
    var compiler = FusedCompiler(code)
    guard let fused = compiler.code(for: code.root) else { return nil }
    variable = compiler.variable
    self.code = fused
    maximumSteps = limits.maximumSteps
  }

  /// The value, and adds what it cost to `steps`; nil says nothing, and adds nothing.
  func value(in document: JSONObject, addingStepsTo steps: inout Int) -> Value? {
    var taken = 0
    guard let value = code.value(in: document, &taken), taken <= maximumSteps else { return nil }
    steps += taken
    return value
  }

  /// The same, where `root` answers the document.
  func value(addingStepsTo steps: inout Int, binding root: (Int) -> Value) -> Value? {
    guard let variable else { return value(in: JSONObject(), addingStepsTo: &steps) }
    guard case .map(.json(let document)) = root(variable) else { return nil }
    return value(in: document, addingStepsTo: &steps)
  }
}

// MARK: Conditions joined

/// `!x`
final class FusedNegation: FusedCondition {
  private let operand: any FusedCode

  init(_ operand: any FusedCode) { self.operand = operand }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    steps += 1
    guard let isTrue = operand.isTrue(in: document, &steps) else { return nil }
    return !isTrue
  }
}

/// `x && y` or `x || y`; that of more operands has a junction without cost for its second.
final class FusedJunction: FusedCondition {
  private let decisive: Bool
  private let first: any FusedCode
  private let second: any FusedCode
  private let cost: Int

  init(_ operation: LogicalOperator, _ first: any FusedCode, _ second: any FusedCode, cost: Int) {
    decisive = operation == .or
    self.first = first
    self.second = second
    self.cost = cost
  }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    steps += cost
    guard let isTrue = first.isTrue(in: document, &steps) else { return nil }
    return isTrue == decisive ? isTrue : second.isTrue(in: document, &steps)
  }
}

/// `x ? y : z`
final class FusedConditional: FusedCode {
  private let condition: any FusedCode
  private let first: any FusedCode
  private let second: any FusedCode

  init(_ condition: any FusedCode, _ first: any FusedCode, _ second: any FusedCode) {
    self.condition = condition
    self.first = first
    self.second = second
  }

  func value(in document: JSONObject, _ steps: inout Int) -> Value? {
    branch(in: document, &steps)?.value(in: document, &steps)
  }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    branch(in: document, &steps)?.isTrue(in: document, &steps)
  }

  private func branch(in document: JSONObject, _ steps: inout Int) -> (any FusedCode)? {
    steps += 1
    guard let isTrue = condition.isTrue(in: document, &steps) else { return nil }
    return isTrue ? first : second
  }
}

/// A constant that is the value of a branch.
final class FusedConstant: FusedCode {
  private let value: Value

  init(_ value: Value) { self.value = value }

  func value(in document: JSONObject, _ steps: inout Int) -> Value? {
    steps += 1
    return value
  }

  func isTrue(in document: JSONObject, _ steps: inout Int) -> Bool? {
    steps += 1
    guard case .bool(let bool) = value else { return nil }
    return bool
  }
}
