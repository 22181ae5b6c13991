import Measuring

/// The times of all evaluators for all rules, in nanoseconds of processor time.
struct Times {
  /// By evaluator, rule and round.
  private var rounds: [[[Double]]]

  /// Measures in turns: in each round every rule, and each rule with one evaluator right after the
  /// other.
  init(
    of evaluators: [Evaluator], for workload: Workload, rounds: Int, milliseconds: Int
  ) throws {
    let counts = try evaluators.map { evaluator in
      note("trying \(evaluator.name)")
      return try workload.rules.indices.map {
        try evaluator.count(lasting: Double(milliseconds) * 1_000_000, rule: $0)
      }
    }
    self.rounds = counts.map { $0.map { _ in [] } }
    for round in 1...rounds {
      note("round \(round) of \(rounds)")
      for rule in workload.rules.indices {
        for (position, evaluator) in evaluators.enumerated() {
          guard let count = counts[position][rule] else { continue }
          let spent = try evaluator.nanoseconds(of: rule, count: count)
          self.rounds[position][rule].append(spent / Double(count))
        }
      }
    }
  }

  /// The median of the rounds, or nil when the evaluator cannot evaluate the rule.
  func median(_ evaluator: Int, rule: Int) -> Double? {
    let times = rounds[evaluator][rule]
    return times.isEmpty ? nil : Measuring.median(times)
  }
}

extension Evaluator {
  /// Returns the number of evaluations that last about so many nanoseconds, or nil when there can
  /// be none.
  ///
  /// Less of what takes no time, as a constant does when all around it is taken off.
  fileprivate func count(lasting nanoseconds: Double, rule: Int) throws -> Int? {
    guard case .json = try value(of: rule) else { return nil }
    var count = 1000
    while count < 1_000_000 {
      let spent = try self.nanoseconds(of: rule, count: count)
      if spent >= nanoseconds { return count }
      count *= spent > nanoseconds / 16 ? 2 : 8
    }
    return count
  }
}
