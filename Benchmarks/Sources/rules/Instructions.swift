import Foundation
import Measuring

extension Workload {
  /// The instructions of one evaluation: what twice as many evaluations take more, so that starting
  /// and compiling cancel out.
  func instructions(of rule: Int) throws -> Double {
    let count = 2000
    return try (collected(rule, 2 * count) - collected(rule, count)) / Double(count)
  }

  /// The instructions of a whole run of the evaluator, by callgrind.
  private func collected(_ rule: Int, _ count: Int) throws -> Double {
    let process = tool(
      "valgrind",
      ["--tool=callgrind", "--callgrind-out-file=/dev/null"] + Evaluator.menud.arguments)
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    // Otherwise dictionaries differ from run to run.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data((opening + "time \(rule) \(count)\n").utf8))
    try input.fileHandleForWriting.close()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()

    let line = printed.split(separator: "\n").first { $0.contains("Collected :") }
    guard let figure = line?.split(separator: " ").last, let collected = Double(figure) else {
      throw Failure.noCount(printed)
    }
    return collected
  }
}
