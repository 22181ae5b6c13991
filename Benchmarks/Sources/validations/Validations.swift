import ArgumentParser
import Counters
import Foundation
import Measuring

/// Measures what it takes to say how commands are, in process: with everything known, after a change, and
/// with nothing known.
@main
struct Validations: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure validation in process: warm, after a change and cold.")

  @Option(help: "The folder of the application whose commands are asked about.")
  var folder = "Benchmarks/hundred-commands/application"

  @Option(help: "How often everything is measured, in turns.")
  var rounds = 7

  @Option(help: "How many questions make a measurement.")
  var count = 2000

  @Option(help: "Ask this question only, and print nothing; for profilers.")
  var only: String?

  @Option(help: "Open so many sessions instead, and tell what memory they take.")
  var sessions: Int?

  func run() throws {
    if let sessions {
      return print(try OpenSessions.report(try Bench.catalog(in: folder), count: max(sessions, 1)))
    }
    let bench = try Bench(folder: folder)
    if let only {
      guard let question = Bench.Question(rawValue: only) else {
        throw ValidationError("the questions are \(Bench.Question.allCases.map(\.rawValue))")
      }
      _ = try bench.ask(question, count: count)
      return
    }
    var times = Bench.Question.allCases.map { _ in [Double]() }
    for round in 1...max(rounds, 1) {
      note("round \(round) of \(rounds)")
      for (index, question) in Bench.Question.allCases.enumerated() {
        times[index].append(try nanoseconds(bench, question))
      }
    }
    let rows = try Bench.Question.allCases.enumerated().map { index, question in
      note("counting the instructions of \(question.rawValue)")
      return [
        question.description, fixed(median(times[index]) / 1000, 2),
        fixed(try instructions(of: question), 0), fixed(try allocations(bench, question), 0),
      ]
    }
    print(table(["what is asked", "µs", "instructions", "allocations"], rows))
    print("\nMedians of \(rounds) rounds. \(Machine.this())")
  }

  private func nanoseconds(_ bench: Bench, _ question: Bench.Question) throws -> Double {
    _ = try bench.ask(question, count: count / 10)
    let before = thread_nanoseconds()
    _ = try bench.ask(question, count: count)
    return Double(thread_nanoseconds() - before) / Double(count)
  }

  private func allocations(_ bench: Bench, _ question: Bench.Question) throws -> Double {
    let counts = try [100, 200].map { count in
      let before = allocation_count()
      _ = try bench.ask(question, count: count)
      return allocation_count() - before
    }
    return Double(counts[1] - counts[0]) / 100
  }

  /// The instructions of one question: what twice as many take more, so that starting cancels out.
  private func instructions(of question: Bench.Question) throws -> Double {
    try (collected(question, 400) - collected(question, 200)) / 200
  }

  /// The instructions of a whole run, by callgrind.
  private func collected(_ question: Bench.Question, _ count: Int) throws -> Double {
    let process = tool(
      "valgrind",
      [
        "--tool=callgrind", "--callgrind-out-file=/dev/null", sibling("validations"), "--folder",
        folder, "--only", question.rawValue, "--count", "\(count)",
      ])
    let output = Pipe()
    process.standardError = output
    // Otherwise dictionaries differ from run to run.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let line = printed.split(separator: "\n").first { $0.contains("Collected :") }
    guard let figure = line?.split(separator: " ").last, let collected = Double(figure) else {
      throw ValidationError("callgrind counted nothing: \(printed)")
    }
    return collected
  }
}
