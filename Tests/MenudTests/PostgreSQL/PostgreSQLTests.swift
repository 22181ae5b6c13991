import Foundation
import Glibc
import JSONText
import StoreSupport
import Testing

/// The program with its journal in PostgreSQL.
@Suite(
  Program.isBuilt,
  .enabled(
    if: PostgreSQLServer.isInstalled,
    "PostgreSQL 15 or newer is not installed: apt-get install postgresql."))
struct PostgreSQLTests {
  @Test func `after a kill all that was acknowledged is there, and answers are the same`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let first = try Self.serve(in: schema)
    let connection = try Connection(port: first.port())
    #expect(try connection.ask("POST", "/sessions", #"{"id":"tablet"}"#).status == 201)
    let stars = #"{"session":"tablet","command":"applyFiveStarRating:"}"#
    #expect(try connection.ask("POST", "/commands/perform", stars).status == 200)
    let command = #"{"title":"Mine","action":"mine:"}"#
    #expect(try connection.ask("PUT", "/commands/mine:", command).status == 201)
    let before = try Self.answers(connection)
    first.signal(SIGKILL)
    _ = try first.outcome()

    let second = try Self.serve(in: schema, "--journal-wait", "10")
    #expect(try Self.answers(Connection(port: second.port())) == before)
    let recovered = second.events.first { $0.isNamed("recovered") }
    #expect(recovered?["path"] == .string("PostgreSQL"))
    #expect(recovered?["replayed"] == .int(5))
    second.signal(SIGTERM)
    #expect(try second.outcome().status == 0)
    for text in [first.errors, second.errors, first.output, second.output] {
      #expect(!text.contains("s3cret"))
    }
  }

  @Test func `a second program ends with what to do, or waits until the first one ends`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let folder = try Sample.copy()
    let application = folder.path + "/app"
    let first = try Self.serve(in: schema, "--application", application)
    let connection = try Connection(port: first.port())
    let refused = try Self.serve(in: schema).outcome()
    #expect(refused.status == 74)
    #expect(refused.errors.contains("Another process has the journal in it. Only one can"))
    let standby = try Self.serve(
      in: schema, "--application", application, "--journal-wait", "60")
    #expect(eventually { standby.events.contains { $0.isNamed("waiting for journal") } })
    #expect(try connection.ask("POST", "/sessions", #"{"id":"tablet"}"#).status == 201)
    // It takes over the application as it is then, not as it was when it began to wait.
    try Sample.write(
      [("commands", #""title": "Duplicate""#, for: #""title": "Copy""#)], to: folder)
    first.signal(SIGHUP)
    #expect(eventually { first.events.contains { $0.isNamed("reloaded") } })
    first.signal(SIGTERM)
    #expect(try first.outcome().status == 0)
    let next = try Connection(port: standby.port())
    #expect(try next.ask("GET", "/sessions/tablet").status == 200)
    #expect(try next.ask("GET", "/commands/copy:")["/title"] == "Duplicate")
  }

  @Test func `a database that goes away during the start is waited for`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let first = try Self.serve(in: schema)
    #expect(
      try Connection(port: first.port()).ask("POST", "/sessions", #"{"id":"tablet"}"#).status == 201
    )
    first.signal(SIGTERM)
    _ = try first.outcome()
    for wait in ["0", "60"] {
      // The start waits for the row of the last writer.
      schema.run("BEGIN; SELECT FROM menud_writer FOR UPDATE")
      let program = try Self.serve(in: schema, "--journal-wait", wait)
      let waiting = """
        SELECT count(DISTINCT pid) FROM pg_locks
        WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))
        """
      #expect(eventually { schema.number(waiting) == 1 })
      schema.terminateOthers()
      schema.run("COMMIT")
      guard wait == "60" else {
        #expect(try program.outcome().status == 74)
        continue
      }
      #expect(try Connection(port: program.port()).ask("GET", "/sessions/tablet").status == 200)
      #expect(program.events.contains { $0.isNamed("recovery begins again") })
    }
  }

  @Test func `a program whose journal another one took over ends`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    var programs = [try Self.serve(in: schema)]
    _ = try programs[0].port()
    programs.append(try Self.serve(in: schema, "--journal-wait", "60"))
    #expect(eventually { programs[1].events.contains { $0.isNamed("waiting for journal") } })
    // The one that waits asks more often than the other one looks.
    for _ in 0..<20 where !programs[1].events.contains(where: { $0.isNamed("listening") }) {
      schema.terminateOthers()
      Thread.sleep(forTimeInterval: 0.5)
    }
    let outcome = try programs[0].outcome()
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("Another process took the journal over"))
    let connection = try Connection(port: programs[1].port())
    #expect(try connection.ask("POST", "/sessions", #"{"id":"tablet"}"#).status == 201)
  }

  @Test func `while the database is gone it is not ready, refuses changes and answers questions`()
    throws
  {
    let server = PostgreSQLServer()
    let schema = PostgreSQLSchemaForTests(of: server)
    _ = try schema.address
    let program = try Self.serve(in: schema)
    let connection = try Connection(port: program.port())
    let patch = #"{"mutations":[{"op":"mergeState","patch":{"x":1}}]}"#
    // Once the opening of the session is durable: questions wait for the fate of a commit under way.
    #expect(try connection.ask("GET", "/sessions/demo").status == 200)
    server.send("crash")
    #expect(eventually { (try? connection.ask("GET", "/health/ready").status) == 503 })
    let ready = try connection.ask("GET", "/health/ready")
    #expect(ready["/reasons/0/reason"] == .string("databaseUnreachable"))
    #expect(try connection.ask("POST", "/sessions/demo/mutations", patch).status == 503)
    #expect(try connection.ask("POST", "/commands/validate", #"{"session":"demo"}"#).status == 200)
    server.send("start")
    #expect(eventually { (try? connection.ask("GET", "/health/ready").status) == 200 })
    #expect(try connection.ask("POST", "/sessions/demo/mutations", patch).status == 200)
  }

  /// A replica that has answered, with a database of its own.
  private struct Replica {
    let server = PostgreSQLServer()
    let connection: Connection
    private let schema: PostgreSQLSchemaForTests
    private let program: RunningProgram

    init() throws {
      schema = PostgreSQLSchemaForTests(of: server)
      _ = try schema.address
      program = try PostgreSQLTests.serve(
        PostgreSQLTests.environment(schema).merging(["MENUD_REPLICAS_ENABLED": "true"]) { $1 })
      connection = try Connection(port: program.port())
      #expect(try connection.ask("GET", "/sessions/demo").status == 200)
    }
  }

  @Test func `a replica answers within about two seconds while the database hangs, and goes on`()
    throws
  {
    let replica = try Replica()
    let (server, connection) = (replica.server, replica.connection)
    server.send("freeze")
    defer { server.send("thaw") }
    Thread.sleep(forTimeInterval: 0.5)
    for question in 1...4 {
      var status = 0
      let time = try ContinuousClock().measure {
        status = try connection.ask("GET", "/sessions/demo").status
      }
      #expect(status == 503)
      #expect(time < .seconds(3), "question \(question): \(time)")
    }
    server.send("thaw")
    #expect(eventually { (try? connection.ask("GET", "/sessions/demo").status) == 200 })
  }

  @Test func `E5: a replica without the database answers no event stream with an error`() throws {
    let replica = try Replica()
    let (server, connection) = (replica.server, replica.connection)
    server.send("crash")
    #expect(eventually { (try? connection.ask("GET", "/health/ready").status) == 503 })
    for path in ["/sessions/demo/events", "/events?sessions=demo"] {
      let answer = try connection.ask("GET", path)
      #expect(answer.status == 200, "\(answer)")
      #expect(String(decoding: answer.body, as: UTF8.self) == "retry: 1000\n\n")
    }
    #expect(try connection.ask("GET", "/sessions/demo/changes").status == 503)
  }

  @Test func `E5: who asks one replica after the other is told what is missing, without a reset`()
    throws
  {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let programs = try (0..<2).map { _ in
      try Self.serve(Self.environment(schema).merging(["MENUD_REPLICAS_ENABLED": "true"]) { $1 })
    }
    let replicas = try programs.map { try Connection(port: $0.port()) }
    let path = "/sessions/demo/changes?document=true&menu=root"
    var id = try replicas[0].ask("GET", path)["/0/id"]
    for turn in 1..<12 {
      let patch = #"{"mutations":[{"op":"mergeState","patch":{"x":\#(turn)}}]}"#
      let changed = try replicas[turn % 2].ask("POST", "/sessions/demo/mutations", patch)
      #expect(changed.status == 200)
      guard case .string(let last)? = id else {
        Issue.record("There is no event after turn \(turn).")
        return
      }
      let event = try replicas[turn % 2].ask("GET", "\(path)&since=\(last)")
      #expect(event["/0/event"] == "change", "\(turn): \(event)")
      #expect(event["/0/data/revision"] == .int(Int64(turn)))
      id = event["/0/id"]
    }
  }

  @Test func `an address in a file is used, and one that is none is a mistake`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let folder = try TemporaryFolder()
    try folder.write(schema.keywords + "\n", to: "address")
    try folder.write("\n", to: "empty")
    let store = ["MENUD_JOURNAL_STORE": "postgresql"]
    let program = try RunningProgram(
      ["serve", "--log-format", "json"],
      environment: store.merging(["MENUD_JOURNAL_URL_FILE": folder.path + "/address"]) { $1 })
    _ = try program.port()
    for (file, reason) in [
      ("empty", "It should be an address such as postgresql://menud@localhost/menud"),
      ("none", "It cannot be read: No such file or directory."),
    ] {
      let environment = store.merging(["MENUD_JOURNAL_URL_FILE": "\(folder.path)/\(file)"]) { $1 }
      let outcome = try Program.run("serve", environment: environment)
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("\(folder.path)/\(file): \(reason)"))
      #expect(try Program.run("check", environment: environment).status == 1)
    }
    let mistake = try Program.run("check", environment: ["MENUD_JOURNAL_URL": "mysql://s3cret"])
    #expect(
      mistake.output == """
        MENUD_JOURNAL_URL: Expected an address such as postgresql://menud@localhost/menud, or libpq's \
        pairs keyword=value.

        """)
  }

  @Test func `a journal moves from a file into the database and back, record by record`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let folder = try TemporaryFolder()
    let files = ["one.db", "two.db"].map { "\(folder.path)/\($0)" }
    let first = try Self.serve(["MENUD_JOURNAL_PATH": files[0]])
    let connection = try Connection(port: first.port())
    #expect(try connection.ask("POST", "/sessions", #"{"id":"tablet"}"#).status == 201)
    let patch = #"{"mutations":[{"op":"mergeState","patch":{"x":1}}]}"#
    let patches = ["1", "2"].map { patch.replacing("1", with: $0) }
    for number in 0..<200 {
      #expect(
        try connection.ask("POST", "/sessions/tablet/mutations", patches[number % 2]).status == 200)
    }
    let before = try Self.answers(connection)
    first.signal(SIGTERM)
    _ = try first.outcome()
    // Everything but the host comes from the variables.
    let variables = [
      "PGHOST": PostgreSQLServer.shared.folder, "PGUSER": "menud", "PGDATABASE": "postgres",
      "PGOPTIONS": "-c search_path=\(schema.name)",
    ]
    for (from, to) in [(files[0], "postgresql://"), ("postgresql://", files[1])] {
      let outcome = try Program.run("migrate", from, to, environment: variables)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.hasPrefix("ok: copied and compared "))
    }
    let again = try Program.run("migrate", files[0], "postgresql://", environment: variables)
    #expect(again.status == 74)
    #expect(
      again.errors
        == "menud: The journal to copy into has something already; nothing was copied.\n")
    let check = try Program.run(
      "check", "--journal", environment: ["MENUD_JOURNAL_PATH": files[1]])
    #expect(check.output.contains("\nok: the journal has 2 sessions, "))
    for environment in [
      ["MENUD_JOURNAL_PATH": files[1]],
      variables.merging(["MENUD_JOURNAL_STORE": "postgresql"]) { $1 },
    ] {
      let program = try Self.serve(environment)
      #expect(try Self.answers(Connection(port: program.port())) == before)
      program.signal(SIGTERM)
      _ = try program.outcome()
    }
  }

  @Test func `a check reads the journal and reports damage`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let program = try Self.serve(in: schema)
    _ = try program.port()
    let environment = Self.environment(schema)
    let taken = try Program.run("check", "--journal", environment: environment)
    #expect(taken.status == 1)
    #expect(taken.output.contains("Another process has the journal in it."))
    program.signal(SIGTERM)
    _ = try program.outcome()
    let sound = try Program.run("check", "--journal", environment: environment)
    #expect(sound.status == 0)
    #expect(
      sound.output.hasSuffix("\nok: the journal has 1 session, 2 records, 0 kept answers\n"))
    let written = "SELECT concat(max(w.id::text), max(openings)) FROM menud_writer w, menud_head"
    let before = try #require(schema.text(written))
    let shared = environment.merging(["MENUD_REPLICAS_ENABLED": "true"]) { $1 }
    #expect(try Program.run("check", "--journal", environment: shared) == sound)
    #expect(schema.text(written) == before)
    schema.run("UPDATE menud_record SET revision = 7 WHERE sequence = 2")
    let damaged = try Program.run("check", "--journal", environment: environment)
    #expect(damaged.status == 1)
    #expect(damaged.output.hasPrefix("journal: PostgreSQL database postgres on "))
    #expect(damaged.output.contains(": Record 2 is not as it was written"))
    #expect(try Program.run("check", "--journal", environment: shared) == damaged)
  }

  @Test func `a check is refused while replicas run`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let environment = Self.environment(schema).merging(["MENUD_REPLICAS_ENABLED": "true"]) { $1 }
    let program = try Self.serve(environment)
    _ = try program.port()
    let outcome = try Program.run("check", "--journal", environment: environment)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("Another process has the journal in it."))
  }

  @Test func `a check of an empty schema finds no journal, and makes none`() throws {
    let schema = PostgreSQLSchemaForTests()
    _ = try schema.address
    let outcome = try Program.run("check", "--journal", environment: Self.environment(schema))
    #expect(outcome.status == 0)
    #expect(outcome.output.hasSuffix("\nok: no journal\n"), "\(outcome.output)")
    let tables = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
    #expect(schema.number(tables) == 0)
  }

  @Test func `a schema that does not exist is named, and nobody waits for it`() throws {
    let environment = [
      "MENUD_JOURNAL_STORE": "postgresql", "MENUD_JOURNAL_WAIT": "60",
      "MENUD_JOURNAL_URL":
        "\(PostgreSQLServer.shared.address) options='-c search_path=missing'",
    ]
    for replicas in ["false", "true"] {
      let outcome = try Program.run(
        "serve", environment: environment.merging(["MENUD_REPLICAS_ENABLED": replicas]) { $1 })
      #expect(outcome.status == 74)
      #expect(
        outcome.errors.contains("There is no schema of its search path, which is 'missing'."),
        "\(outcome.errors)")
    }
  }

  private static func answers(_ connection: Connection) throws -> [String] {
    try ["/sessions/tablet", "/sessions/tablet/menu?explain", "/sessions/demo", "/commands"].map {
      let answer = try connection.ask("GET", $0)
      return "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
    }
  }

  private static func environment(_ schema: PostgreSQLSchemaForTests) -> [String: String] {
    [
      "MENUD_JOURNAL_STORE": "postgresql",
      "MENUD_JOURNAL_URL": schema.keywords + " password=s3cret",
    ]
  }

  private static func serve(
    in schema: PostgreSQLSchemaForTests, _ more: String...
  ) throws -> RunningProgram {
    try RunningProgram(
      ["serve", "--log-format", "json"] + more, environment: environment(schema))
  }

  private static func serve(_ environment: [String: String]) throws -> RunningProgram {
    try RunningProgram(["serve", "--log-format", "json"], environment: environment)
  }
}
