import Foundation
import Measuring

/// The table, and what its columns are.
func report(
  _ workload: Workload, _ evaluators: [Evaluator], _ times: Times, _ instructions: [Double],
  _ allocations: [Double]
) -> String {
  let head =
    ["rule", "instructions", "allocations"] + evaluators.map(\.command.column)
  let rows = workload.rules.enumerated().map { index, rule in
    ["`\(rule.source.replacingOccurrences(of: "|", with: "\\|"))`"]
      + [fixed(instructions[index], 0), count(allocations[index])]
      + evaluators.indices.map { evaluator in
        times.median(evaluator, rule: index).map { fixed(max($0, 0), 0) } ?? "—"
      }
  }
  let names = Set(evaluators.dropFirst().map(\.name)).sorted().joined(separator: ", ")
  return table(head, rows) + (names.isEmpty ? "" : "\n\nBeside menud: \(names).")
}

/// A whole number without a fraction.
private func count(_ value: Double) -> String {
  fixed(value, value == value.rounded() ? 0 : 3)
}
