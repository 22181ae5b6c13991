import Foundation
import Testing

/// Clients that others' tools generate from the OpenAPI document; `make generators` runs the same script.
@Suite(Program.isBuilt) struct GeneratorTests {
  private static let environment = Program.path + "/.build/generators"

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: environment + "/installed.txt"),
      "The generators are not installed: run 'make test' or 'make generators' first."))
  func `clients are generated without a warning, and ask, perform and read problems`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-B", Program.path + "/Tests/Checks/generators.py", "--program",
      Program.file.path, "--environment", Self.environment,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.contains("examples read, 0 faults"), "\(text)")
  }
}
