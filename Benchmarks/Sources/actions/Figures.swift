import Measuring
import MenuEngine

/// The cost of a workload with a number of bindings.
struct Figures {
  /// Reading and checking the documents.
  let declaring: Cost
  /// Reading the template and opening the session.
  let opening: Cost
  /// One step, and which items differ after it.
  let differing: Cost
  /// One step, and all items after it.
  let answering: Cost
  /// Validating once more, when nothing changed.
  let again: Cost

  init(_ workload: Workload, bindings: Int) throws {
    declaring = try Cost(atMost: 3) {
      _ = try Bench.catalog(of: workload, bindings: bindings)
    }
    let catalog = try Bench.catalog(of: workload, bindings: bindings)
    opening = try Cost(atMost: 3) { _ = try Bench(workload, bindings: bindings, catalog) }
    differing = try Self.cost(of: workload, bindings: bindings, catalog, asking: .differences).cost
    var bench: Bench
    (answering, bench) = try Self.cost(
      of: workload, bindings: bindings, catalog, asking: .answer)
    again = try Cost { try bench.askAgain() }
  }

  /// The time of a step, the first one not counted; and the workload after the last.
  private static func cost(
    of workload: Workload, bindings: Int, _ catalog: Catalog, asking question: Bench.Question
  ) throws -> (cost: Cost, bench: Bench) {
    var bench = try Bench(workload, bindings: bindings, catalog)
    // Twice, since at first all items differ.
    for _ in 0..<2 { try bench.takeStep(asking: question) }
    try bench.check()
    let cost = try Cost { try bench.takeStep(asking: question) }
    try bench.check()
    return (cost, bench)
  }
}

extension Workload {
  /// The instructions of one step: what four steps take more than two, halved.
  func instructions(bindings: Int, asking question: Bench.Question) throws -> Double {
    func collected(_ steps: Int) throws -> Double {
      try Measuring.instructions(
        of: [
          sibling("actions"), "run", rawValue, "\(bindings)", "\(steps)", question.rawValue,
        ])
    }
    return try (collected(4) - collected(2)) / 2
  }
}
