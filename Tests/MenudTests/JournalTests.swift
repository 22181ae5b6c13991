import Foundation
import Glibc
import JSONText
import StoreSupport
import Testing

/// The data that the program keeps from one run to the next.
@Suite(Program.isBuilt) struct JournalTests {
  @Test(arguments: ["full", "normal", "off"])
  func `after a kill all that was acknowledged is there, and answers are the same`(
    durability: String
  ) throws {
    let folder = try TemporaryFolder()
    let first = try Self.serve(in: folder, "--journal-durability", durability)
    let connection = try Connection(port: first.port())
    let opening = #"{"id":"tablet"}"#
    #expect(try connection.ask("POST", "/sessions", opening).status == 201)
    let stars = #"{"session":"tablet","command":"applyFiveStarRating:"}"#
    #expect(try connection.ask("POST", "/commands/perform", stars).status == 200)
    let command = #"{"title":"Mine","action":"mine:"}"#
    #expect(try connection.ask("PUT", "/commands/mine:", command).status == 201)
    let before = try Self.answers(connection)
    first.signal(SIGKILL)
    _ = try first.outcome()

    let second = try Self.serve(in: folder, "--journal-durability", durability)
    #expect(try Self.answers(Connection(port: second.port())) == before)
    let recovered = second.events.first { $0.isNamed("recovered") }
    #expect(recovered?["replayed"] == .int(5))
    #expect(recovered?["sessions"] == .int(2))
    #expect(recovered?["durability"] == .string(durability))
    #expect(!second.events.contains { $0.isNamed("journal") })
    second.signal(SIGTERM)
    #expect(try second.outcome().status == 0)
  }

  @Test func `an application that changed meanwhile takes the place of what it was`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"[{"title":"Old","action":"old:"}]"#, to: "application/commands.json")
    let arguments = ["--application", folder.path + "/application"]
    let first = try RunningProgram(Self.arguments(folder) + arguments)
    let connection = try Connection(port: first.port())
    let command = #"{"title":"Mine","action":"mine:"}"#
    #expect(try connection.ask("PUT", "/commands/mine:", command).status == 201)
    first.signal(SIGTERM)
    _ = try first.outcome()
    try folder.write(#"[{"title":"New","action":"new:"}]"#, to: "application/commands.json")
    let second = try RunningProgram(Self.arguments(folder) + arguments)
    let again = try Connection(port: second.port())
    #expect(try again.ask("GET", "/commands/old:").status == 404)
    #expect(try again.ask("GET", "/commands/new:").status == 200)
    #expect(try again.ask("GET", "/commands/mine:").status == 200)
    #expect(second.events.contains { $0.isNamed("reloaded") })
  }

  @Test func `a second program on the same journal ends, and names the process that has it`() throws
  {
    let folder = try TemporaryFolder()
    let first = try Self.serve(in: folder)
    _ = try first.port()
    let outcome = try Self.serve(in: folder).outcome()
    #expect(outcome.status == 74)
    #expect(
      outcome.errors.contains(
        "\(folder.path)/menud.db: It is in use by process \(first.id). Only one process can have a "
          + "journal; stop that one, or give this one another file."))
  }

  @Test func `a program that may wait takes over when the one that has the journal ends`() throws {
    let folder = try TemporaryFolder()
    let first = try Self.serve(in: folder)
    let connection = try Connection(port: first.port())
    #expect(try connection.ask("POST", "/sessions", #"{"id":"tablet"}"#).status == 201)
    let second = try Self.serve(in: folder, "--journal-wait", "60")
    #expect(eventually { second.events.contains { $0.isNamed("waiting for journal") } })
    let waiting = try #require(second.events.first { $0.isNamed("waiting for journal") })
    #expect(waiting["path"] == .string("\(folder.path)/menud.db"))
    #expect(waiting["seconds"] == .double(60))
    let port = try #require(second.events.first { $0.isNamed("recovering") }?.port)
    let ready = try Connection(port: port).ask("GET", "/health/ready")
    #expect(ready.status == 503)
    #expect(ready["/reasons/0/reason"] == .string("recovering"))
    #expect(try connection.ask("POST", "/sessions", #"{"id":"phone"}"#).status == 201)

    first.signal(SIGTERM)
    #expect(try first.outcome().status == 0)
    let taken = try Connection(port: second.port())
    #expect(try taken.ask("GET", "/sessions/tablet").status == 200)
    #expect(try taken.ask("GET", "/sessions/phone").status == 200)
    #expect(second.events.filter { $0.isNamed("waiting for journal") }.count == 1)
  }

  @Test func `a wait that is over ends as one that never began`() throws {
    let folder = try TemporaryFolder()
    let first = try Self.serve(in: folder)
    _ = try first.port()
    let second = try Self.serve(in: folder, "--journal-wait", "0.2")
    let outcome = try second.outcome()
    #expect(outcome.status == 74)
    #expect(
      second.events.compactMap { $0["event"] }
        == ["recovering", "waiting for journal", "journal unusable"])
  }

  @Test func `while it waits, a signal ends it at once`() throws {
    let folder = try TemporaryFolder()
    let first = try Self.serve(in: folder)
    _ = try first.port()
    let second = try Self.serve(in: folder, "--journal-wait", "60")
    #expect(eventually { second.events.contains { $0.isNamed("waiting for journal") } })
    second.signal(SIGTERM)
    #expect(try second.outcome().status == 128 + SIGTERM)
  }

  @Test func `a damaged journal ends the start with what to do`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Dear diary, today", to: "menud.db")
    let outcome = try Self.serve(in: folder).outcome()
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("Put back a copy of the file, or move it and those beside it"))
  }

  @Test func `in memory nothing is kept, and no file made`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json", "--journal-store", "memory"],
      environment: ["MENUD_JOURNAL_PATH": folder.path + "/menud.db"])
    _ = try server.port()
    #expect(server.events.contains { $0.isNamed("keeping nothing") })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `without a path it is menud.db where the program was started, or in its state folder`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("", to: "state/empty")
    for (environment, file) in [
      (["MENUD_JOURNAL_PATH": ""], "menud.db"),
      (["MENUD_JOURNAL_PATH": "", "STATE_DIRECTORY": "\(folder.path)/state"], "state/menud.db"),
    ] {
      let server = try RunningProgram(
        ["serve", "--port", "0", "--log-format", "json"], environment: environment, in: folder.url)
      _ = try server.port()
      #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(file)"))
    }
  }

  @Test(arguments: ["menud.db", "menud.db-wal", "menud.db.lock"], [true, false])
  func `a file that is taken away is noticed, and no change is acknowledged any more`(
    name: String, isReplaced: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let server = try Self.serve(in: folder)
    let connection = try Connection(port: server.port())
    let stars = #"{"session":"demo","command":"applyFiveStarRating:"}"#
    #expect(try connection.ask("POST", "/commands/perform", stars).status == 200)
    let path = "\(folder.path)/\(name)"
    try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
    try FileManager.default.removeItem(atPath: path)
    if isReplaced { try FileManager.default.moveItem(atPath: path + ".copy", toPath: path) }
    let refused = try connection.ask("POST", "/sessions", #"{"id":"tablet"}"#)
    #expect(refused.status == 503)
    #expect(refused["/type"] == .string("/problems/not-kept"))
    #expect(eventually { server.events.contains { $0.isNamed("journal failing") } })
    let failing = server.events.first { $0.isNamed("journal failing") }
    #expect(
      failing?["reason"]
        == .string(
          "\(path): It was removed or replaced while menud has it open, so that no change would be "
            + "kept. Put it back if it was moved; otherwise save what you need, and start menud again."
        ))
    let ready = try connection.ask("GET", "/health/ready")
    #expect(ready["/reasons/0/reason"] == .string("journalFailing"))
    #expect(try connection.ask("GET", "/sessions/demo")["/revision"] == .int(1))
  }

  @Test func `files that are taken away are noticed without a change`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "journal/empty")
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_JOURNAL_PATH": folder.path + "/journal/menud.db"])
    _ = try server.port()
    let (place, away) = (folder.path + "/journal", folder.path + "/away")
    try FileManager.default.moveItem(atPath: place, toPath: away)
    #expect(eventually { server.events.contains { $0.isNamed("journal failing") } })
    try FileManager.default.moveItem(atPath: away, toPath: place)
    #expect(eventually { server.events.contains { $0.isNamed("journal works again") } })
  }

  /// Everything there is to see, as it was answered.
  private static func answers(_ connection: Connection) throws -> [String] {
    let paths = [
      "/sessions/tablet", "/sessions/tablet/menu?explain", "/sessions/demo", "/commands",
    ]
    return try paths.map { path in
      let answer = try connection.ask("GET", path)
      return "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
    }
  }

  private static func serve(
    in folder: TemporaryFolder, _ more: String...
  ) throws -> RunningProgram {
    try RunningProgram(arguments(folder) + more)
  }

  private static func arguments(_ folder: TemporaryFolder) -> [String] {
    [
      "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
    ]
  }
}

/// A journal on a disk that becomes full, in a mount namespace of the program's own.
@Suite(Program.isBuilt, .enabled(if: Mounts.arePermitted, "mounting is not permitted here"))
struct FullDiskTests {
  @Test func `changes get 507 while the disk is full, reads go on, and it recovers by itself`()
    throws
  {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      [
        "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
      ],
      throughScript: "mount -t tmpfs -o size=1m tmpfs \(folder.path) && exec \"$@\"")
    let connection = try Connection(port: server.port())
    // A change that says what is so already would write nothing.
    let changes = ["y", "z"].map { letter in
      let text = String(repeating: letter, count: 20_000)
      return #"{"mutations":[{"op":"mergeState","patch":{"x":"\#(text)"}}]}"#
    }
    #expect(try connection.ask("POST", "/sessions/demo/mutations", changes[0]).status == 200)
    // The program's own mounts are seen through its root.
    let ballast = "/proc/\(server.id)/root\(folder.path)/ballast"
    #expect(FileManager.default.createFile(atPath: ballast, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: ballast))
    while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
    try? file.close()

    var accepted = 1
    var refused: Answer?
    while refused == nil, accepted < 1000 {
      let answer = try connection.ask("POST", "/sessions/demo/mutations", changes[accepted % 2])
      if answer.status == 200 { accepted += 1 } else { refused = answer }
    }
    #expect(refused?.status == 507)
    #expect(
      String(decoding: refused?.body ?? [], as: UTF8.self) == """
        {"type":"/problems/no-room","title":"There is no room to keep this","status":507,\
        "detail":"The disk of the journal is full, so that nothing can be changed; nothing was. What \
        there is can still be asked for."}
        """)
    #expect(try Self.revision(connection) == accepted)
    let ready = try connection.ask("GET", "/health/ready")
    #expect(ready.status == 503)
    #expect(ready["/reasons/0/reason"] == .string("diskFull"))
    #expect(try connection.ask("GET", "/health/live").status == 200)
    #expect(try connection.ask("POST", "/commands/validate", #"{"session":"demo"}"#).status == 200)
    #expect(try connection.ask("POST", "/sessions", #"{"id":"late"}"#).status == 507)
    #expect(try connection.ask("GET", "/sessions/late").status == 404)
    let command = #"{"title":"\#(String(repeating: "y", count: 20_000))","action":"mine:"}"#
    #expect(try connection.ask("PUT", "/commands/mine:", command).status == 507)
    // A second 404 ends its connection.
    let other = try Connection(port: server.port())
    #expect(try other.ask("GET", "/commands/mine:").status == 404)

    try FileManager.default.removeItem(atPath: ballast)
    #expect(
      eventually {
        (try? connection.ask("POST", "/sessions/demo/mutations", changes[accepted % 2]).status)
          == 200
      })
    #expect(try connection.ask("GET", "/health/ready").status == 200)
    #expect(try Self.revision(connection) == accepted + 1)
    #expect(try connection.ask("POST", "/sessions", #"{"id":"late"}"#).status == 201)
  }

  @Test func `a stop that cannot bring the log into the file says so`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      [
        "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
      ],
      throughScript: "mount -t tmpfs -o size=400k tmpfs \(folder.path) && exec \"$@\"")
    let connection = try Connection(port: server.port())
    var (status, number) = (200, 0)
    while status == 200, number < 100 {
      number += 1
      let text = String(repeating: "y", count: 20_000 + number)
      status = try connection.ask(
        "POST", "/sessions/demo/mutations",
        #"{"mutations":[{"op":"mergeState","patch":{"x":"\#(text)"}}]}"#
      ).status
    }
    #expect(status == 507)
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 0)
    let left = server.events.first { $0.isNamed("not checkpointed") }
    #expect(left?["path"] == .string(folder.path + "/menud.db-wal"))
  }

  private static func revision(_ connection: Connection) throws -> Int {
    let answer = try connection.ask("GET", "/sessions/demo")
    #expect(answer.status == 200)
    guard case .object(let object) = try JSON(parsing: answer.body),
      case .int(let revision)? = object["revision"]
    else { return -1 }
    return Int(revision)
  }
}

/// File systems that only one process and its children see.
enum Mounts {
  /// True if this machine lets them be made.
  static let arePermitted: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
