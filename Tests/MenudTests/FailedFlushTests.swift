import Foundation
import Glibc
import Testing

/// The log beside a disk that fails (`Tests/Checks/disk/failing_disk.c`).
@Suite(Program.isBuilt) struct FailedFlushTests {
  @Test func `the log tells why a flush failed`() throws {
    let folder = try TemporaryFolder()
    let mode = folder.url.appending(path: "mode")
    try "-".write(to: mode, atomically: false, encoding: .utf8)
    let journal = folder.url.appending(path: "journal").resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: true)
    let library = folder.url.appending(path: "failing_disk.so").path
    let program = try RunningProgram(
      ["serve", "--log-format", "json", "--session", "demo"],
      environment: [
        "MENUD_JOURNAL_PATH": journal.appending(path: "menud.db").path,
        "MENUD_JOURNAL_DURABILITY": "full", "MENUD_DISK_FOLDER": journal.path,
        "MENUD_DISK_CONTROL": mode.path, "FAILING_DISK": library,
      ],
      throughScript: """
        "$(command -v cc || echo clang)" -shared -fPIC -o "$FAILING_DISK" \\
          Tests/Checks/disk/failing_disk.c && LD_PRELOAD="$FAILING_DISK" exec "$@"
        """, isolatingMounts: false)
    let connection = try Connection(port: try program.port())
    try "f".write(to: mode, atomically: false, encoding: .utf8)
    let change = #"{"mutations":[{"op":"mergeState","patch":{"n":1}}]}"#
    let answer = try connection.ask("POST", "/sessions/demo/mutations", change)
    #expect(answer.status >= 500)
    #expect(eventually { program.errors.contains("when it was to flush: Input/output error") })
    #expect(!program.errors.contains("Success"))
  }
}
