import Foundation

/// The instructions of a whole run of a program with this input, by callgrind.
package func instructions(of command: [String], input: String = "") throws -> Double {
  let process = tool(
    "valgrind", ["--tool=callgrind", "--callgrind-out-file=/dev/null"] + command)
  let (standardInput, output) = (Pipe(), Pipe())
  process.standardInput = standardInput
  process.standardOutput = FileHandle.nullDevice
  process.standardError = output
  // Otherwise dictionaries differ from run to run.
  process.environment = ProcessInfo.processInfo.environment
    .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
  try process.run()
  try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
  try standardInput.fileHandleForWriting.close()
  let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()

  let line = printed.split(separator: "\n").first { $0.contains("Collected :") }
  guard let figure = line?.split(separator: " ").last, let collected = Double(figure) else {
    throw CountFailure(output: printed)
  }
  return collected
}

/// A run in which callgrind counted nothing.
package struct CountFailure: Error, CustomStringConvertible {
  let output: String

  package var description: String { "callgrind counted nothing: \(output)" }
}
