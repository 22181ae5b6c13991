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
    let script = CheckScript(name: "agents.py", python: Self.environment + "/bin/python3")
    let (status, text) = try script.run(["--environment", Self.environment])
    #expect(status == 0, "\(text)")
    #expect(text.contains(", 0 faults"), "\(text)")
  }
}
