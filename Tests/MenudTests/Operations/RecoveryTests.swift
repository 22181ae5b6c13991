import Foundation
import Glibc
import JSONText
import StoreSupport
import Testing

/// A program whose journal takes long to read.
///
/// It is held up by a pipe in the place of SQLite's log, which the program wants to look at first.
@Suite(Program.isBuilt) struct RecoveryTests {
  private let folder: TemporaryFolder
  private let log: String
  private let server: RunningProgram
  private let port: UInt16

  init() throws {
    folder = try TemporaryFolder()
    let arguments = [
      "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
    ]
    let first = try RunningProgram(arguments)
    let stars = #"{"session":"demo","command":"applyFiveStarRating:"}"#
    #expect(
      try Connection(port: first.port()).ask("POST", "/commands/perform", stars).status == 200)
    first.signal(SIGTERM)
    #expect(try first.outcome().status == 0)
    log = folder.path + "/menud.db-wal"
    #expect(!FileManager.default.fileExists(atPath: log))
    #expect(unsafe mkfifo(log, 0o600) == 0)
    let server = try RunningProgram(arguments)
    self.server = server
    var port: UInt16?
    _ = eventually {
      port = server.events.first { $0.isNamed("recovering") }?.port
      return port != nil
    }
    self.port = try #require(port)
  }

  @Test func `it answers that it is not ready and why, and everything when it is`() throws {
    let connection = try Connection(port: port)
    #expect(try connection.ask("GET", "/health/live").status == 200)
    let ready = try connection.ask("GET", "/health/ready")
    #expect(ready.status == 503)
    #expect(ready["/reasons/0/reason"] == .string("recovering"))
    let refused = try connection.ask("GET", "/sessions/demo")
    #expect(refused.status == 503)
    #expect(refused.fields["retry-after"] == "1")
    #expect(refused["/type"] == .string("/problems/recovering"))
    let health = try Program.run("health", "--port", "\(port)")
    #expect(health.status == 1)
    #expect(
      health.output == """
        127.0.0.1:\(port): Not ready, status 503. recovering: The journal is being opened and read, \
        and nothing else is answered until that is done.

        """)

    letGo()
    #expect(try server.port() == port)
    #expect(try connection.ask("GET", "/health/ready").status == 200)
    #expect(try connection.ask("GET", "/sessions/demo")["/revision"] == .int(1))
  }

  @Test func `a signal ends it at once, since it has accepted nothing`() throws {
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 128 + SIGTERM)
  }

  @Test func `a faulty journal still ends it`() throws {
    try folder.write("Dear diary", to: "menud.db")
    letGo()
    #expect(try server.outcome().status == 74)
  }

  /// Lets the program read that the log is empty, and find none when SQLite looks for it.
  ///
  /// A program that found a faulty journal before it came to the log has ended, and reads none.
  private func letGo() {
    var descriptor: Int32 = -1
    _ = eventually {
      descriptor = unsafe open(log, O_WRONLY | O_NONBLOCK)
      return descriptor >= 0 || !server.isRunning
    }
    unsafe unlink(log)
    if descriptor >= 0 { close(descriptor) }
  }
}
