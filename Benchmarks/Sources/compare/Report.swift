import Measuring

/// What one request costs the server, and how many of them it answers in a second.
struct Cost {
  let microseconds: Double
  let rate: Double

  /// The cost of what `preparation` leaves over, of a run whose cycle has `count` requests of which
  /// `prepared` are the preparation's.
  func less(_ preparation: Cost, per count: Int, of prepared: Int) -> Cost {
    let left = Double(count - prepared)
    return Cost(
      microseconds: (microseconds * Double(count) - preparation.microseconds * Double(prepared))
        / left,
      rate: rate * left / Double(count))
  }
}

/// Both servers, measured one right after the other.
struct Round {
  let menud: Cost
  let constant: Cost

  var ratio: Double { menud.microseconds / constant.microseconds }
}

struct Result {
  let comparison: Comparison
  var rounds: [Round] = []

  init(comparison: Comparison) {
    self.comparison = comparison
  }
}

/// The table, in Markdown.
func report(_ results: [Result], on machine: Machine, rounds: Int, seconds: Int) -> String {
  let head = [
    "request", "menud, µs of CPU", "constant, µs of CPU", "ratio", "of rounds", "menud, per second",
    "constant, per second",
  ]
  let rows = results.map { result in
    let ratios = result.rounds.map(\.ratio).sorted()
    return [
      result.comparison.name,
      fixed(median(result.rounds.map(\.menud.microseconds)), 1),
      fixed(median(result.rounds.map(\.constant.microseconds)), 1),
      "**\(fixed(median(ratios), 2))**",
      "\(fixed(ratios.first ?? .nan, 2))–\(fixed(ratios.last ?? .nan, 2))",
      fixed(median(result.rounds.map(\.menud.rate)), 0),
      fixed(median(result.rounds.map(\.constant.rate)), 0),
    ]
  }
  return table(head, rows)
    + "\n\nMedians of \(rounds) rounds of \(seconds) s each. \(machine.description)"
}
