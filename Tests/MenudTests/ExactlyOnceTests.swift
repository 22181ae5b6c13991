import Foundation
import Glibc
import JSONText
import Locks
import StoreSupport
import Testing

/// Requests that a client can repeat when it does not know whether they arrived.
@Suite(Program.isBuilt) struct ExactlyOnceTests {
  static let stars = #"{"session":"demo","command":"applyFiveStarRating:"}"#

  @Test(arguments: ["full", "normal", "off"])
  func `after a kill a request that is repeated is answered as before, and is not done again`(
    durability: String
  ) throws {
    let folder = try TemporaryFolder()
    let first = try Self.serve(in: folder, durability)
    let connection = try Connection(port: first.port())
    let done = try connection.repeatable("/commands/perform", Self.stars, key: "stars")
    #expect(done.status == 200)
    #expect(done["/revision"] == .int(1))
    let opened = try connection.repeatable("/sessions", nil, key: "open")
    #expect(opened.status == 201)
    let edits = #"{"edits":[{"op":"remove","menu":"view"}]}"#
    let edited = try connection.repeatable("/menus/edits", edits, key: "edit")
    #expect(edited.status == 200)
    first.signal(SIGKILL)
    _ = try first.outcome()

    let second = try Self.serve(in: folder, durability)
    let again = try Connection(port: second.port())
    for (target, body, key, answer) in [
      ("/commands/perform", Self.stars, "stars", done), ("/sessions", nil, "open", opened),
      ("/menus/edits", edits, "edit", edited),
    ] {
      let repeated = try again.repeatable(target, body, key: key)
      #expect(repeated.status == answer.status)
      #expect(repeated.body == answer.body)
      #expect(repeated.lasting == answer.lasting)
      #expect(repeated.fields["idempotent-replayed"] == "true")
    }
    #expect(try again.ask("GET", "/sessions/demo")["/revision"] == .int(1))
    let recovered = second.events.first { $0.isNamed("recovered") }
    #expect(recovered?["sessions"] == .int(2))
    #expect(recovered?["entries"] == .int(3))
    #expect(try again.repeatable("/commands/perform", "{}", key: "stars").status == 422)
    #expect(
      try again.repeatable("/commands/perform", Self.stars, key: "new")["/revision"] == .int(2))
  }

  @Test func `requests that come together under one key are done once, and answered alike`() throws
  {
    let folder = try TemporaryFolder()
    let server = try Self.serve(in: folder, "full", "--threads", "4")
    let port = try server.port()
    for round in 1...20 {
      let answers = Lock<[Answer]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        guard let connection = try? Connection(port: port),
          let answer = try? connection.repeatable("/commands/perform", Self.stars, key: "r\(round)")
        else { return }
        answers.withLock { $0.append(answer) }
      }
      let all = answers.withLock(\.self)
      #expect(all.count == 8)
      #expect(all.allSatisfy { $0.status == 200 && $0["/revision"] == .int(Int64(round)) })
      #expect(Set(all.map(\.body)).count == 1)
      #expect(all.count { $0.fields["idempotent-replayed"] == nil } == 1)
    }
  }

  @Test func `the token of a session that is opened again is the same, and in no file`() throws {
    let folder = try TemporaryFolder()
    let token = "adminadminadmin1"
    let environment = ["MENUD_AUTH_ADMINISTRATOR_TOKEN": token]
    func ask() throws -> (RunningProgram, Answer) {
      let server = try RunningProgram(Self.arguments(folder, "full"), environment: environment)
      let answer = try Connection(port: server.port())
        .repeatable("/sessions", nil, key: "open", ["Authorization: Bearer \(token)"])
      return (server, answer)
    }
    let (first, opened) = try ask()
    #expect(opened.status == 201)
    first.signal(SIGKILL)
    _ = try first.outcome()
    let (second, again) = try ask()
    #expect(again.body == opened.body)
    guard case .string(let own)? = opened["/token"], case .string(let id)? = opened["/session"]
    else {
      Issue.record("There is no token.")
      return
    }
    let connection = try Connection(port: second.port())
    connection.send(
      "GET /sessions/\(id) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(own)\r\n\r\n")
    #expect(try connection.answer().status == 200)
    second.signal(SIGTERM)
    _ = try second.outcome()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let data = try Data(contentsOf: folder.url.appending(path: name))
      for secret in [own, token] { #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)") }
    }
  }

  @Test(.enabled(if: Mounts.arePermitted, "mounting is not permitted here"))
  func `an answer that the disk is full is not kept, and the request is done when there is room`()
    throws
  {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      [
        "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
      ],
      throughScript: "mount -t tmpfs -o size=1m tmpfs \(folder.path) && exec \"$@\"")
    let connection = try Connection(port: server.port())
    // It listens before it opens its sessions, which need room.
    #expect(eventually { (try? connection.ask("GET", "/sessions/demo").status) == 200 })
    let ballast = "/proc/\(server.id)/root\(folder.path)/ballast"
    #expect(FileManager.default.createFile(atPath: ballast, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: ballast))
    while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
    try? file.close()
    let text = String(repeating: "y", count: 200_000)
    let change = #"{"mutations":[{"op":"mergeState","patch":{"x":"\#(text)"}}]}"#
    let target = "/sessions/demo/mutations"
    for _ in 0..<3 {
      #expect(try connection.repeatable(target, change, key: "k").status == 507)
    }
    #expect(try connection.ask("GET", "/sessions/demo")["/revision"] == .int(0))
    try FileManager.default.removeItem(atPath: ballast)
    #expect(eventually { (try? connection.repeatable(target, change, key: "k").status) == 200 })
    let repeated = try connection.repeatable(target, change, key: "k")
    #expect(repeated.fields["idempotent-replayed"] == "true")
    #expect(repeated["/revision"] == .int(1))
    #expect(try connection.ask("GET", "/sessions/demo")["/revision"] == .int(1))
  }

  private static func serve(
    in folder: TemporaryFolder, _ durability: String, _ more: String...
  ) throws -> RunningProgram {
    try RunningProgram(arguments(folder, durability) + more)
  }

  private static func arguments(_ folder: TemporaryFolder, _ durability: String) -> [String] {
    [
      "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
      "--journal-durability", durability,
    ]
  }
}

extension Connection {
  /// Sends a POST that may be repeated.
  func repeatable(
    _ target: String, _ body: String?, key: String, _ fields: [String] = []
  ) throws -> Answer {
    let fields = ["Idempotency-Key: \"\(key)\""] + fields
    let body = body ?? ""
    let type = body.isEmpty ? [] : ["Content-Type: application/json"]
    let lines =
      ["POST \(target) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"] + type
      + fields
    send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return try answer()
  }
}

extension Answer {
  /// The fields that are the same however often the answer is given.
  fileprivate var lasting: [String: String] {
    fields.filter { !["x-request-id", "date", "idempotent-replayed"].contains($0.key) }
  }
}
