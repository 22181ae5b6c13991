import Foundation
import Glibc
import JSONText
import StoreSupport
import Testing

/// A journal that can be read and not written.
@Suite(Program.isBuilt) struct UnwritableJournalTests {
  @Test(.enabled(if: Mounts.arePermitted, "mounting is not permitted here"))
  func `on a file system that is read-only it does not start, and says what to do`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      ["serve", "--port", "0", "--journal-path", folder.path + "/menud.db"],
      throughScript: "mount -t tmpfs -o ro tmpfs \(folder.path) && exec \"$@\"")
    let outcome = try server.outcome()
    #expect(outcome.status == 74)
    #expect(
      outcome.errors.hasSuffix(
        """
        critical journal unusable reason="\(folder.path)/menud.db.lock: The system says: Read-only \
        file system. The journal's folder and files must be writable; make them so, or name another \
        place."

        """))
  }

  /// As a file system that an error has made read-only, the file refuses what is open already.
  @Test(.enabled(if: Obstacle.immutableFile.isPermitted, "chattr +i is not permitted here"))
  func `while its file takes nothing changes are refused, and it recovers by itself`() throws {
    try refusesChanges(during: .immutableFile)
  }

  @Test(.enabled(if: Obstacle.fileSizeLimit.isPermitted, "there is no prlimit here"))
  func `while no file may become larger changes are refused, and it recovers by itself`() throws {
    try refusesChanges(during: .fileSizeLimit)
  }

  private func refusesChanges(during obstacle: Obstacle) throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db"])
    let connection = try Connection(port: server.port())
    let log = folder.path + "/menud.db-wal"
    func change(to value: Int) throws -> Answer {
      let body = #"{"mutations":[{"op":"mergeState","patch":{"x":\#(value)}}]}"#
      return try connection.ask("POST", "/sessions/demo/mutations", body)
    }
    #expect(try change(to: 1).status == 200)

    #expect(shell(obstacle.command(true, log: log, process: server.id)))
    defer { _ = shell(obstacle.command(false, log: log, process: server.id)) }
    let refused = try change(to: 2)
    #expect(refused.status == 503)
    #expect(refused["/type"] == .string("/problems/not-kept"))
    #expect(refused.fields["retry-after"] == "1")
    let ready = try connection.ask("GET", "/health/ready")
    #expect(ready.status == 503)
    #expect(ready["/reasons/0/reason"] == .string("journalFailing"))
    #expect(try connection.ask("GET", "/sessions/demo")["/revision"] == .int(1))
    #expect(try change(to: 3).status == 503)
    #expect(eventually { server.events.contains { $0.isNamed("journal failing") } })

    #expect(shell(obstacle.command(false, log: log, process: server.id)))
    #expect(eventually { (try? connection.ask("GET", "/health/ready").status) == 200 })
    #expect(try change(to: 4).status == 200)
    #expect(try connection.ask("GET", "/sessions/demo")["/revision"] == .int(2))
    #expect(eventually { server.events.contains { $0.isNamed("journal works again") } })
  }
}

/// A way to keep the log of a journal from being written, and to end that.
private enum Obstacle {
  case immutableFile
  case fileSizeLimit

  func command(_ isOn: Bool, log: String, process: Int32) -> String {
    switch self {
    case .immutableFile: "chattr \(isOn ? "+" : "-")i '\(log)'"
    case .fileSizeLimit:
      isOn
        ? "prlimit --fsize=$(stat -c %s '\(log)'):unlimited --pid \(process)"
        : "prlimit --fsize=unlimited:unlimited --pid \(process)"
    }
  }

  /// True if it works here.
  var isPermitted: Bool {
    switch self {
    case .immutableFile: shell("f=$(mktemp) && chattr +i $f && chattr -i $f && rm $f")
    case .fileSizeLimit: shell("prlimit --version")
    }
  }
}

/// True if a command of the shell succeeds.
func shell(_ command: String) -> Bool {
  let process = Process()
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", command]
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}
