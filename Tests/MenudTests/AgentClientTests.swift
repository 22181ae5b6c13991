import Foundation
import Testing

/// The built program as agents use it, by PyPI's `mcp`; `make agents` runs the same script.
@Suite(Program.isBuilt) struct AgentClientTests {
  private static let environment = Program.path + "/.build/agents"

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: environment + "/installed.txt"),
      "PyPI's mcp is not installed: 'make test' installs it where PyPI can be reached."))
  func `tools are listed, called, refused and followed in both eras`() throws {
    let process = Process()
    process.executableURL = URL(filePath: Self.environment + "/bin/python3")
    process.arguments = [
      "-B", Program.path + "/Tests/Checks/agents.py", "--program", Program.file.path,
      "--environment", Self.environment,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains(", 0 faults"), "\(text)")
  }
}
