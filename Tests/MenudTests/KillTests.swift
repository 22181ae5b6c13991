import Foundation
import Testing

/// Crashes under load; `make kills` makes hundreds of them by the same script.
@Suite(Program.isBuilt) struct KillTests {
  @Test func `what was answered before kills is there afterwards, once and whole`() throws {
    let outcome = try Self.kill("--kills", "8", "--seconds", "0.4", "--is-verbose")
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains(" kills, 0 violations\n"), "\(outcome.text)")
  }

  @Test func `a journal that forgets is found out`() throws {
    let outcome = try Self.kill("--kills", "2", "--is-losing")
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains(": lost: "), "\(outcome.text)")
  }

  @Test func `a failing disk under the load loses and keeps nothing that was answered otherwise`()
    throws
  {
    let outcome = try Self.kill("--kills", "6", "--failing-disk", "--is-verbose")
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains(" kills, 0 violations\n"), "\(outcome.text)")
    #expect(outcome.text.contains("episodes "), "\(outcome.text)")
  }

  @Test(
    arguments: [
      ("lost", [": lost: "]), ("twice", [": applied twice: "]),
      ("stale", ["stale read: ", ": another answer at revision "]),
    ])
  func `planted faults are found out`(kind: String, violations: [String]) throws {
    let outcome = try Self.kill("--kills", "3", "--plant", kind)
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(violations.contains { outcome.text.contains($0) }, "\(outcome.text)")
  }

  private static func kill(_ arguments: String...) throws -> (status: Int32, text: String) {
    try CheckScript(name: "kills.py").run(arguments)
  }
}
