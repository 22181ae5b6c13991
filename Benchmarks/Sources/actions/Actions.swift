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

  @Option(help: "The folder in which GTK's workloads were made ready, to measure them too.")
  var peers: String?

  func validate() throws {
    guard bindings >= 1000 else { throw ValidationError("bindings must be 1000 or more") }
  }

  func run() throws {
    let workloads = Workload.allCases.filter { workload in
      only.map { workload.rawValue.contains($0) } ?? true
    }
    let gtk = try peers.flatMap { try GTK(in: $0) }
    let rows = try workloads.map { workload in
      note(workload.rawValue)
      return try row(of: workload) + (gtk.map { try cells(of: workload, $0) } ?? [])
    }
    let head = [
      "workload", "step", "steps", "declare, ms", "open, ms", "which differ, µs", "instructions",
      "whole answer, µs", "instructions", "allocations", "again, µs",
    ]
    print(table(head + (gtk == nil ? [] : ["GTK: set up, ms", "GTK: step, µs"]), rows))
    print("\n\(bindings) bindings; in brackets, how many times that of a tenth. \(Machine.this())")
    if let gtk { print("Beside it: GTK \(gtk.version).") }
  }

  private func row(of workload: Workload) throws -> [String] {
    let few = try Figures(workload, bindings: bindings / 10)
    let many = try Figures(workload, bindings: bindings)
    func cell(_ cost: KeyPath<Figures, Cost>, per unit: Double = 1) -> String {
      beside(few[keyPath: cost].microseconds, many[keyPath: cost].microseconds, per: unit)
    }
    func counted(_ question: Bench.Question) throws -> String {
      guard instructions else { return "" }
      return fixed(try workload.instructions(bindings: bindings, asking: question), 0)
    }
    let steps = workload.steps(for: bindings)
    return [
      workload.rawValue, steps.what, "\(steps.count)", cell(\.declaring, per: 1000),
      cell(\.opening, per: 1000), cell(\.differing), try counted(.differences),
      cell(\.answering), try counted(.answer), fixed(many.answering.allocations, 0), cell(\.again),
    ]
  }

  private func cells(of workload: Workload, _ gtk: GTK) throws -> [String] {
    let few = try gtk.figures(of: workload, bindings: bindings / 10)
    let many = try gtk.figures(of: workload, bindings: bindings)
    return [
      beside(few.settingUp, many.settingUp, per: 1000), beside(few.step, many.step),
    ]
  }

  /// Microseconds of many in a unit, and how many times those of few they are.
  private func beside(_ few: Double, _ many: Double, per unit: Double = 1) -> String {
    let value = many / unit
    return "\(fixed(value, value < 100 ? 1 : 0)) (× \(fixed(many / few, 1)))"
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

  @Argument(help: "What is asked after each step.")
  var question = Bench.Question.answer

  func run() throws {
    let catalog = try Bench.catalog(of: workload, bindings: bindings)
    var bench = try Bench(workload, bindings: bindings, catalog)
    for _ in 0..<steps { try bench.takeStep(asking: question) }
  }
}

extension Workload: ExpressibleByArgument {}
extension Bench.Question: ExpressibleByArgument {}
