import ArgumentParser
import Measuring

/// Measures the evaluation of typical rules, beside evaluators of the same rules from PyPI.
@main
struct Rules: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the evaluation of typical rules, beside evaluators from PyPI.")

  @Option(help: "The folder with the rules and the state.")
  var folder = "Benchmarks/typical-rules"

  @Option(
    help: "The Python in whose environment the peers are installed; without it there are none.")
  var python: String?

  @Option(help: "How often everything is measured, in turns.")
  var rounds = 7

  @Option(help: "How long one measurement lasts at least, in milliseconds.")
  var milliseconds = 20

  @Option(help: "Measure only what has this in its name or its rule.")
  var only: String?

  @Flag(help: "Measure nothing; fail when a value or the number of allocations is another one.")
  var check = false

  func validate() throws {
    guard rounds > 0, milliseconds > 0 else {
      throw ValidationError("rounds and milliseconds must be more than 0")
    }
  }

  func run() throws {
    let workload = try Workload(folder: folder, only: only)
    let menud = try Evaluator(Evaluator.menud, for: workload)
    let allocations = try workload.rules.indices.map { try menud.allocations(of: $0) }
    let mistakes = try workload.mistakes(of: menud, allocations: allocations)
    guard mistakes.isEmpty else { throw Failure.other(mistakes) }
    guard !check else { return print("\(workload.rules.count) rules allocate what they may.") }

    let evaluators = try [menud] + peers.map { try Evaluator($0, for: workload) }
    for peer in evaluators.dropFirst() { try workload.expectSameValues(of: peer) }
    let times = try Times(of: evaluators, for: workload, rounds: rounds, milliseconds: milliseconds)
    let instructions = try workload.rules.indices.map { rule in
      note("counting the instructions of rule \(rule + 1) of \(workload.rules.count)")
      return try workload.instructions(of: rule)
    }
    print(report(workload, evaluators, times, instructions, allocations))
    print("\nMedians of \(rounds) rounds. \(Machine.this())")
  }

  private var peers: [Evaluator.Command] {
    python.map { Evaluator.peers(of: $0) } ?? []
  }
}

/// A failure that stops a measurement.
enum Failure: Error, CustomStringConvertible {
  case malformed(file: String, String)
  case ended(Evaluator.Command, question: String)
  case value(Evaluator.Command, rule: String, String, expected: String)
  case other([String])

  var description: String {
    switch self {
    case .malformed(let file, let fault): "\(file): \(fault)"
    case .ended(let command, let question):
      "\(command.line) did not answer '\(question)'; what it wrote above says why"
    case .value(let command, let rule, let value, let expected):
      "\(command.line) answers \(value) to '\(rule)', for which menud has \(expected)"
    case .other(let texts): texts.joined(separator: "\n")
    }
  }
}
