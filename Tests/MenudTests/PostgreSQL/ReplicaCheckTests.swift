import Foundation
import StoreSupport
import Testing

/// Replicas behind HAProxy under faults, and the checkers of their histories.
///
/// `make histories` does more by the same scripts.
@Suite(Program.isBuilt) struct ReplicaCheckTests {
  private static let isInstalled =
    PostgreSQLServer.isInstalled
    && ["/usr/sbin/haproxy", "/usr/lib/python3/dist-packages/yaml"]
      .allSatisfy { FileManager.default.fileExists(atPath: $0) }

  @Test func `the checkers find what they must in histories written by hand, and nothing else`()
    throws
  {
    let outcome = try CheckScript(name: "history_tests.py").run()
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.hasSuffix("\nOK\n"), "\(outcome.text)")
  }

  @Test(
    .enabled(if: isInstalled, "PostgreSQL, HAProxy or Python's YAML is not installed"),
    arguments: ["linearizable", "recent"])
  func `histories of replicas under faults have one order, with each change once`(
    reads: String
  ) throws {
    // One of them with HAProxy as it is shipped, and one where each request goes to another replica.
    let outcome = try Self.histories(
      ["--faults", "8", "--kills-of-subscribers", "2", "--reads", reads]
        + (reads == "recent" ? ["--is-sticky"] : []))
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains("\n0 violations, "), "\(outcome.text)")
  }

  @Test(
    .enabled(if: isInstalled, "PostgreSQL, HAProxy or Python's YAML is not installed"),
    arguments: [("stale", ": stale read: "), ("double", ": happened twice: ")])
  func `planted faults are found`(kind: String, violation: String) throws {
    func plant() throws -> (status: Int32, text: String) {
      try Self.histories(["--faults", "3", "--kills-of-subscribers", "0", "--plant", kind])
    }
    var outcome = try plant()
    // On a busy machine it may be that no request meets what is planted.
    for _ in 0..<2 where outcome.status == 0 { outcome = try plant() }
    #expect(outcome.status == 1, "\(outcome.text)")
    #expect(outcome.text.contains(violation), "\(outcome.text)")
  }

  @Test(.enabled(if: isInstalled, "PostgreSQL, HAProxy or Python's YAML is not installed"))
  func `the files for several replicas are sound`() throws {
    let outcome = try CheckScript(name: "deployment.py", python: "/usr/bin/python3").run()
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.hasSuffix("\n0 faults\n"), "\(outcome.text)")
  }

  private static func histories(_ arguments: [String]) throws -> (status: Int32, text: String) {
    try CheckScript(name: "histories.py", python: "/usr/bin/python3").run(
      ["--replicas", "2", "--clients", "6", "--pace", "0.8", "--think", "0.05"] + arguments)
  }
}
