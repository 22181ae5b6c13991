import Foundation
import Glibc
import StoreSupport
import Testing

/// The log beside a disk that fails (`Tests/Checks/disk/failing_disk.c`).
@Suite(Program.isBuilt) struct FailedFlushTests {
  /// A program with a session `demo`, and its journal on a disk that fails when the file `mode` says so.
  private func program(in folder: TemporaryFolder) throws -> RunningProgram {
    try "-".write(to: mode(in: folder), atomically: false, encoding: .utf8)
    let journal = folder.url.appending(path: "journal").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: true)
    let library = folder.url.appending(path: "failing_disk.so").path
    return try RunningProgram(
      ["serve", "--log-format", "json", "--session", "demo", "--session", "other"],
      environment: [
        "MENUD_JOURNAL_PATH": journal.appending(path: "menud.db").path,
        "MENUD_JOURNAL_DURABILITY": "full", "MENUD_DISK_FOLDER": journal.path,
        "MENUD_DISK_CONTROL": mode(in: folder).path, "FAILING_DISK": library,
      ],
      throughScript: """
        "$(command -v cc || echo clang)" -shared -fPIC -o "$FAILING_DISK" \\
          Tests/Checks/disk/failing_disk.c && LD_PRELOAD="$FAILING_DISK" exec "$@"
        """, isolatingMounts: false)
  }

  private func mode(in folder: TemporaryFolder) -> URL { folder.url.appending(path: "mode") }

  private static let change = #"{"mutations":[{"op":"mergeState","patch":{"n":1}}]}"#

  @Test func `the log tells why a flush failed`() throws {
    let folder = try TemporaryFolder()
    let program = try program(in: folder)
    let connection = try Connection(port: try program.port())
    try "f".write(to: mode(in: folder), atomically: false, encoding: .utf8)
    let answer = try connection.ask("POST", "/sessions/demo/mutations", Self.change)
    #expect(answer.status >= 500)
    #expect(eventually { program.errors.contains("when it was to flush: Input/output error") })
    #expect(!program.errors.contains("Success"))
  }

  @Test func `sessions are read from memory while flushes fail late`() throws {
    let folder = try TemporaryFolder()
    let program = try program(in: folder)
    let port = try program.port()
    let reader = try Connection(port: port)
    let before = try reader.ask("GET", "/sessions/demo").body
    try "l".write(to: mode(in: folder), atomically: false, encoding: .utf8)
    for _ in 0..<4 {
      let writer = try Connection(port: port)
      writer.send(Connection.request("POST", "/sessions/demo/mutations", Self.change))
      // Another session does not wait for the disk, nor does this one for long: nothing of the change may be seen.
      for path in ["/sessions/other", "/sessions/demo", "/sessions/demo"] {
        let start = ContinuousClock.now
        let answer = try reader.ask("GET", path)
        #expect(answer.status == 200)
        #expect(path == "/sessions/other" || answer.body == before)
        #expect(start.duration(to: .now) < .seconds(path == "/sessions/other" ? 1 : 3))
      }
      #expect(try writer.answer().status >= 500)
    }
    // When the disk is well again, changes are.
    try "-".write(to: mode(in: folder), atomically: false, encoding: .utf8)
    #expect(
      eventually {
        let connection = try? Connection(port: port)
        return (try? connection?.ask("POST", "/sessions/demo/mutations", Self.change).status) == 200
      })
  }
}
