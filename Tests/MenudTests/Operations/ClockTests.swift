import Foundation
import Glibc
import JSONText
import Testing

/// A program whose clock is set, as Debian's faketime makes it believe.
@Suite(
  Program.isBuilt, .enabled(if: FakeClock.library != nil, "Debian's faketime is not installed"))
struct ClockTests {
  @Test func `everything goes on, and only what says when something happened goes back`() throws {
    let folder = try TemporaryFolder()
    let clock = try FakeClock(in: folder)
    let arguments = [
      "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
    ]
    let first = try clock.run(arguments)
    defer { clock.forget(first) }
    let connection = try Connection(port: first.port())
    #expect(try connection.ask("POST", "/sessions", #"{"id":"brief"}"#).status == 201)
    let early = try perform(on: connection, revision: 1)
    try clock.set("-86400")
    let late = try perform(on: connection, revision: 2)
    #expect(late.prefix(10) < early.prefix(10))
    // Nobody is idle for longer or shorter by that.
    #expect(try connection.ask("GET", "/sessions/brief").status == 200)
    let before = try connection.ask("GET", "/sessions/demo").body
    first.signal(SIGKILL)
    _ = try first.outcome()

    try clock.set("-172800")
    let second = try clock.run(arguments)
    defer { clock.forget(second) }
    let again = try Connection(port: second.port())
    #expect(try again.ask("GET", "/sessions/demo").body == before)
    #expect(try again.ask("GET", "/sessions/brief").status == 200)
    #expect(try perform(on: again, revision: 3).prefix(10) < late.prefix(10))
    second.signal(SIGTERM)
    #expect(try second.outcome().status == 0)
    #expect(!second.events.contains { $0.isNamed("journal") })
    let day = { (event: JSONObject?) -> Substring in
      guard case .string(let time)? = event?["time"] else { return "" }
      return time.prefix(10)
    }
    #expect(day(second.events.last) < day(first.events.last))
  }

  @Test func `a clock that is set forward forgets no idempotency key`() throws {
    let folder = try TemporaryFolder()
    let clock = try FakeClock(in: folder)
    let arguments = [
      "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
    ]
    let body = #"{"session":"demo","command":"applyFiveStarRating:"}"#
    let first = try clock.run(arguments)
    defer { clock.forget(first) }
    let connection = try Connection(port: first.port())
    let answer = try connection.repeatable("/commands/perform", body, key: "forward")
    #expect(answer["/revision"] == .int(1))
    try clock.set("+864000")
    let again = try connection.repeatable("/commands/perform", body, key: "forward")
    #expect(again.body == answer.body)
    first.signal(SIGKILL)
    _ = try first.outcome()

    try clock.set("+1728000")
    let second = try clock.run(arguments)
    defer { clock.forget(second) }
    let other = try Connection(port: second.port())
    #expect(try other.repeatable("/commands/perform", body, key: "forward").body == answer.body)
    second.signal(SIGTERM)
    #expect(try second.outcome().status == 0)
  }

  /// Performs a command and answers when that was.
  private func perform(on connection: Connection, revision: Int64) throws -> String {
    let answer = try connection.ask(
      "POST", "/commands/perform", #"{"session":"demo","command":"applyFiveStarRating:"}"#)
    #expect(answer.status == 200)
    #expect(answer["/revision"] == .int(revision))
    guard case .string(let when)? = answer["/invocation/when"] else { return "" }
    return when
  }
}

/// A clock that can be set while programs look at it; others do not.
private struct FakeClock {
  static let library: String? = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
    return folders.map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }
      .first { FileManager.default.fileExists(atPath: $0) }
  }()

  private let folder: TemporaryFolder

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    try set("+0")
  }

  /// Sets it off the real one by so many seconds.
  func set(_ offset: String) throws { try folder.write("\(offset)\n", to: "clock") }

  /// Starts the program with it.
  ///
  /// A shell comes first: the library changes the environment of the first process that it is in, and
  /// then Swift does not find the arguments.
  func run(_ arguments: [String]) throws -> RunningProgram {
    try RunningProgram(
      arguments, environment: environment, throughScript: "exec \"$@\"", isolatingMounts: false)
  }

  /// Removes what the library leaves when a process is another one than it was.
  func forget(_ program: RunningProgram) {
    for name in ["faketime_shm_\(program.id)", "sem.faketime_sem_\(program.id)"] {
      try? FileManager.default.removeItem(atPath: "/dev/shm/\(name)")
    }
  }

  private var environment: [String: String] {
    [
      "LD_PRELOAD": Self.library ?? "", "FAKETIME_TIMESTAMP_FILE": folder.path + "/clock",
      "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
    ]
  }
}
