import Foundation
import StoreSupport
import Testing

/// A terminal on which the program writes what a person would see, made by `script`.
enum Terminal {
  private static let script = "/usr/bin/script"

  /// Runs tests only where there is one to be had.
  static let isThere = ConditionTrait.enabled(
    if: FileManager.default.isExecutableFile(atPath: script), "There is no \(script).")

  struct Failure: Error {}

  /// Runs the program to its end, and answers what it wrote on either stream.
  static func run(
    _ arguments: [String], environment: [String: String], in folder: TemporaryFolder
  ) throws -> String {
    let command = ([Program.file.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    try folder.write("", to: "typescript")
    let process = Process()
    process.executableURL = URL(filePath: script)
    process.arguments = ["-qec", command, "/dev/null"]
    process.environment = environment.merging(["SHELL": "/bin/sh"]) { $1 }
      .merging(Program.sanitizing) { $1 }
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    let output = folder.url.appending(path: "typescript")
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    guard eventually({ !process.isRunning }) else {
      process.terminate()
      throw Failure()
    }
    return try String(contentsOf: output, encoding: .utf8)
  }
}
