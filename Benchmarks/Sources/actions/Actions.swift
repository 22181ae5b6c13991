import ArgumentParser
import Measuring

/// Measures the engine by the workloads of GTK's benchmark of its actions.
@main
struct Actions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the engine by the workloads of GTK's benchmark of its actions.",
    subcommands: [Report.self, Run.self, Hundred.self], defaultSubcommand: Report.self)
}

/// Prints a table of all workloads.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Measure all workloads.")

  @Option(help: "How many bindings there are; a tenth of them shows how costs grow.")
  var bindings = 10_000

  @Option(help: "Measure only what has this in its name.")
  var only: String?

  @Flag(inversion: .prefixedNo, help: "Count instructions as well, which takes minutes.")
  var instructions = true

  func validate() throws {
    guard bindings >= 100 else { throw ValidationError("bindings must be 100 or more") }
  }

  func run() throws {
    let workloads = Workload.allCases.filter { workload in
      only.map { workload.rawValue.contains($0) } ?? true
    }
    let rows = try workloads.map { workload in
      note(workload.rawValue)
      return try row(of: workload)
    }
    let head = [
      "workload", "step", "steps", "declare, ms", "open, ms", "step, µs", "instructions",
      "allocations", "again, µs",
    ]
    print(table(head, rows))
    print("\n\(bindings) bindings; in brackets, how many times that of a tenth. \(Machine.this())")
  }

  private func row(of workload: Workload) throws -> [String] {
    let few = try Figures(workload, bindings: bindings / 10)
    let many = try Figures(workload, bindings: bindings)
    func cell(_ cost: KeyPath<Figures, Cost>, per unit: Double = 1) -> String {
      let (large, small) = (many[keyPath: cost].microseconds, few[keyPath: cost].microseconds)
      return "\(fixed(large / unit, large / unit < 100 ? 1 : 0)) (× \(fixed(large / small, 1)))"
    }
    let steps = workload.steps(for: bindings)
    return [
      workload.rawValue, steps.what, "\(steps.count)", cell(\.declaring, per: 1000),
      cell(\.opening, per: 1000), cell(\.step),
      instructions ? fixed(try workload.instructions(bindings: bindings), 0) : "",
      fixed(many.step.allocations, 0), cell(\.again),
    ]
  }
}

/// Does some steps of one workload, for callgrind to count.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Do some steps of a workload and print nothing, for a profiler.")

  @Argument(help: "The workload.")
  var workload: Workload

  @Argument(help: "How many bindings there are.")
  var bindings: Int

  @Argument(help: "How many steps are done.")
  var steps: Int

  func run() throws {
    let catalog = try Bench.catalog(of: workload, bindings: bindings)
    var bench = try Bench(workload, bindings: bindings, catalog)
    for _ in 0..<steps { try bench.takeStep() }
  }
}

extension Workload: ExpressibleByArgument {}
