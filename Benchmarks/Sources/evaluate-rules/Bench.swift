import CEL
import Counters
import JSONText

/// Compiled rules, and the state for which they are evaluated.
struct Bench {
  private let state: JSON
  private let programs: [Program]

  /// A question that cannot be answered.
  struct Misuse: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  init(state: JSON, rules: JSON) throws {
    guard case .array(let rules) = rules else { throw Misuse("no array of rules: \(rules)") }
    self.state = state
    programs = try rules.map { rule in
      guard case .string(let source) = rule else { throw Misuse("no rule: \(rule)") }
      return try Program(source, variables: ["state"])
    }
  }

  /// Answers `value RULE` with JSON, `time RULE COUNT` with the nanoseconds of so many evaluations
  /// and `allocations RULE COUNT` with their allocations.
  func answer(to question: String) throws -> String {
    let words = question.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    switch (words.first, numbers.count) {
    case ("value", 1): return try value(of: program(numbers[0])).json.text()
    case ("time", 2): return "\(try cost(numbers[0], numbers[1], thread_nanoseconds))"
    case ("allocations", 2): return "\(try cost(numbers[0], numbers[1], allocation_count))"
    default: throw Misuse("no question: \(question)")
    }
  }

  private func program(_ index: Int) throws -> Program {
    guard programs.indices.contains(index) else { throw Misuse("there is no rule \(index)") }
    return programs[index]
  }

  /// By how much `counter` grows while a rule is evaluated `count` times.
  private func cost(_ index: Int, _ count: Int, _ counter: () -> Int64) throws -> Int64 {
    let program = try program(index)
    let before = counter()
    for _ in 0..<count { _ = try value(of: program) }
    return counter() - before
  }

  /// As menud evaluates a rule: the variables are asked for when the rule needs them.
  @inline(never)
  private func value(of program: Program) throws -> Value {
    var steps = 0
    if let value = program.value(addingStepsTo: &steps, in: state, at: 0) { return value }
    return try program.value { _ in Value(state) }
  }
}
