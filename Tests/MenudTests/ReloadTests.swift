import Glibc
import JSONText
import StoreSupport
import Testing

@Suite(Program.isBuilt) struct ReloadTests {
  private let folder: TemporaryFolder
  private let server: RunningProgram
  private let connection: Connection

  init() throws {
    folder = try Sample.copy()
    server = try RunningProgram([
      "serve", "--port", "0", "--log-format", "json", "--application", folder.path + "/app",
      "--session", "demo",
    ])
    connection = try Connection(port: server.port())
  }

  @Test func `SIGHUP reads the application again`() throws {
    #expect(try title() == .string("Copy"))
    let before = try connection.ask("GET", "/sessions/demo/menu")
    try Sample.write(
      [("commands", #""title": "Duplicate""#, for: #""title": "Copy""#)], to: folder)
    server.signal(SIGHUP)
    #expect(eventually { server.events.contains { $0.isNamed("reloaded") } })
    #expect(try title() == .string("Duplicate"))
    let after = try connection.ask("GET", "/sessions/demo/menu")
    #expect(after["/revision"] == before["/revision"])
    #expect(after.fields["etag"] != nil)
    #expect(after.fields["etag"] != before.fields["etag"])
  }

  @Test func `E4: a folder that says the same is no new catalogue`() throws {
    let before = try connection.ask("GET", "/sessions/demo/menu")
    server.signal(SIGHUP)
    #expect(eventually { server.events.contains { $0.isNamed("unchanged") } })
    let after = try connection.ask("GET", "/sessions/demo/menu")
    #expect(after["/catalogRevision"] == before["/catalogRevision"])
    #expect(after.fields["etag"] == before.fields["etag"])
    #expect(!server.events.contains { $0.isNamed("reloaded") })
  }

  @Test func `an application with mistakes does not take the place of a sound one`() throws {
    try Sample.write(
      [
        ("commands", #""tilte": "Copy""#, for: #""title": "Copy""#),
        ("classes", #""op": "sned""#, for: #""op": "send""#),
      ], to: folder)
    server.signal(SIGHUP)
    #expect(eventually { server.events.contains { $0.isNamed("not reloaded") } })
    let mistakes = server.events.filter { $0.isNamed("mistake") }.compactMap { $0["fault"]?.text() }
    #expect(mistakes.contains { $0.contains("commands.json:68:5: /11/tilte: ") })
    #expect(mistakes.contains { $0.contains(": /PhotoGrid/") })
    #expect(try title() == .string("Copy"))
  }

  @Test func `a pipe in the folder is a mistake, and nothing waits for it`() throws {
    let made = unsafe mkfifo(folder.path + "/app/prompts.json", 0o600)
    #expect(made == 0)
    server.signal(SIGHUP)
    #expect(eventually { server.events.contains { $0.isNamed("not reloaded") } })
    let mistake = server.events.first { $0.isNamed("mistake") }?["fault"]
    #expect(
      mistake
        == .string("\(folder.path)/app/prompts.json: There is no regular file at this path."))
    #expect(try title() == .string("Copy"))
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 0)
  }

  @Test func `a signal ends it while it reloads`() throws {
    // A debug build reads this for seconds.
    let long = "[" + String(repeating: "[[[0]]],", count: 1_900_000) + "0]"
    try folder.write(long, to: "app/prompts.json")
    server.signal(SIGHUP)
    usleep(300_000)
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 0)
    #expect(server.events.last?.isNamed("stopped") == true)
    #expect(!server.events.contains { $0.isNamed("not reloaded") })
  }

  @Test func `M4: what clients changed is changed again, and logged when it cannot be`() throws {
    _ = try connection.ask("PUT", "/commands/share:", #"{"title": "Share", "action": "share:"}"#)
    _ = try connection.ask(
      "POST", "/menus/edits",
      #"""
      {"edits": [{"op": "insertChild", "atEndOfMenu": "edit",
                  "menu": {"identifier": "social", "children": ["share:"]}},
                 {"op": "insertChild", "atEndOfMenu": "rating", "menu": {"identifier": "late"}}]}
      """#)
    try Sample.write(
      [("menus", #""identifier": "stars""#, for: #""identifier": "rating""#)], to: folder)
    server.signal(SIGHUP)
    #expect(eventually { server.events.contains { $0.isNamed("reloaded") } })
    let menu = try connection.ask("GET", "/menus/social")
    #expect(menu["/children"] == ["share:"])
    #expect(try connection.ask("GET", "/menus/late").status == 404)
    let leftOut = server.events.filter { $0.isNamed("left out") }.compactMap {
      $0["change"]?.text()
    }
    #expect(leftOut.count == 1)
    #expect(leftOut[0].contains("late"))
    #expect(
      leftOut[0].contains("There is no menu 'rating'; GET /menus shows those that are there."))
    for path in ["/commands", "/menus"] {
      let answer = try connection.ask("GET", path)
      #expect(answer["/leftOut/0/edit/menu/identifier"] == "late")
      #expect(
        answer["/leftOut/0/why"]
          == "There is no menu 'rating'; GET /menus shows those that are there.")
      #expect(answer["/leftOut/1"] == nil)
    }
    let before = try connection.ask("GET", "/menus").body
    server.signal(SIGHUP)
    #expect(eventually { server.events.contains { $0.isNamed("unchanged") } })
    #expect(try connection.ask("GET", "/menus").body == before)
  }

  private func title() throws -> JSON? {
    try connection.ask(
      "POST", "/commands/validate", #"{"session": "demo", "commands": ["copy:"]}"#)[
        "/items/0/title"]
  }
}
