import Measuring
import MenuEngine

/// What a workload takes with so many bindings.
struct Figures {
  /// Reading and checking the documents.
  let declaring: Cost
  /// Reading the template and opening the session.
  let opening: Cost
  /// One step.
  let step: Cost
  /// Validating once more, when nothing changed.
  let again: Cost

  init(_ workload: Workload, bindings: Int) throws {
    declaring = try Cost(atMost: 3) {
      _ = try Bench.catalog(of: workload, bindings: bindings)
    }
    let catalog = try Bench.catalog(of: workload, bindings: bindings)
    opening = try Cost(atMost: 3) { _ = try Bench(workload, bindings: bindings, catalog) }
    var bench = try Bench(workload, bindings: bindings, catalog)
    try bench.takeStep()
    try bench.check()
    step = try Cost { try bench.takeStep() }
    try bench.check()
    again = try Cost { try bench.askAgain() }
  }
}

extension Workload {
  /// The instructions of one step: what three steps take more than one, halved.
  func instructions(bindings: Int) throws -> Double {
    func collected(_ steps: Int) throws -> Double {
      try Measuring.instructions(
        of: [sibling("actions"), "run", rawValue, "\(bindings)", "\(steps)"])
    }
    return try (collected(3) - collected(1)) / 2
  }
}
