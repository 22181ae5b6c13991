import Foundation
import Testing

/// Writing to standard output.
@Suite(Program.isBuilt) struct OutputTests {
  @Test(arguments: [
    "test Config/shop", "test Config/shop --format junit", "check Config/shop",
    "check Config/shop --format json", "schema", "rule 1", "rule 1 --explain", "manual", "version",
  ])
  func `a result that cannot be written is told`(command: String) throws {
    for (end, reason) in [
      ("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor"),
    ] {
      let outcome = try RunningProgram(
        [], throughScript: "\"$1\" \(command) \(end)", isolatingMounts: false
      ).outcome()
      #expect(outcome.status == 74)
      #expect(outcome.errors == "menud: standard output: \(reason)\n")
    }
  }

  @Test func `what a server answered is told to be lost`() throws {
    let shell = try DoShell()
    for command in ["do perform rotateLeft:", "history demo --port \(shell.port)"] {
      let outcome = try shell.shell("\(Program.file.path) \(command) > /dev/full")
      #expect(outcome.status == 74)
      #expect(outcome.errors == "menud: standard output: No space left on device\n")
    }
  }

  @Test func `T5: the history of no session is told`() throws {
    let outcome = try Program.run("history", "../x")
    #expect(
      outcome
        == Program.Outcome(status: 1, output: "", errors: "menud: No session '../x' is open.\n"))
  }
}
