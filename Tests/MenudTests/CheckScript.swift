import Foundation

/// A script of `Tests/Checks`, which a target of make runs as well, with the built program.
struct CheckScript {
  /// The folder of menud.py.
  static let client = Program.path + "/Sources/CEmbeddedFiles/Client"

  /// Its file in `Tests/Checks`.
  let name: String
  /// The Python that runs it.
  var python = "python3"

  /// Runs it to its end, and returns its status and all that it wrote.
  func run(_ arguments: [String] = []) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let script = Program.path + "/Tests/Checks/" + name
    process.arguments = [python, "-B", script, "--program", Program.file.path] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
