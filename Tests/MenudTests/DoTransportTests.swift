import CEL
import Foundation
import JSONText
import StoreSupport
import Testing

@testable import menud

/// The connections of `menud do`: tokens, curl, what breaks, and what is followed.
@Suite(Program.isBuilt) struct DoTransportTests {
  private static let token = "0123456789abcdef-token"

  private static func closed() throws -> (shell: DoShell, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write(token + "\n", to: "token")
    let shell = try DoShell(
      with: ["MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE": folder.path + "/token"])
    return (shell, folder)
  }

  @Test func `a token is that of the variable or the file`() throws {
    let (shell, folder) = try Self.closed()
    let none = try shell.run("items", "cut:", "--session", "demo")
    #expect(none.status == 3)
    #expect(try shell.run("sessions").status == 3)
    let hint = "Name the session by --session"
    #expect(none.errors.hasSuffix(" Name a token by MENUD_TOKEN or --token-file.\n"))
    #expect(try !shell.run("undo").errors.contains(hint))
    // An agent's token does not list sessions.
    let making = """
      curl -s -H "Authorization: Bearer $TOKEN" --json '{"kind":"agent","label":"A"}' \
        $MENUD_SERVER/sessions/demo/tokens
      """
    let token = try shell.shell(making, with: ["TOKEN": Self.token]).json.text("token")
    let outcome = try shell.run("undo", with: ["MENUD_TOKEN": #require(token)])
    #expect(outcome.status == 3 && outcome.errors.contains(hint), "\(outcome.errors)")
    #expect(try shell.run("items", "cut:", with: ["MENUD_TOKEN": Self.token]).status == 0)
    #expect(try shell.run("items", "cut:", "--token-file", folder.path + "/token").status == 0)
    let wrong = ["MENUD_TOKEN": "0123456789abcdef-wrong"]
    #expect(try shell.run("follow", "--session", "demo", with: wrong).status == 3)
    #expect(try shell.run("items", with: ["MENUD_TOKEN": "a b"]).status == 3)
    #expect(try shell.run("items", "--token-file", folder.path + "/none").status == 3)
  }

  @Test func `nobody sees the token or the contents among arguments`() throws {
    let (shell, _) = try Self.closed()
    let follower = try shell.start(["follow", "--session", "demo"], ["MENUD_TOKEN": Self.token])
    #expect(eventually { follower.output.contains("reset") })
    let children = try String(
      contentsOfFile: "/proc/\(follower.id)/task/\(follower.id)/children", encoding: .utf8)
    let child = try #require(children.split(separator: " ").first)
    let arguments = try String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
    #expect(arguments == "curl\0--disable\0--config\0/dev/fd/3\0")
    // Nor does it outlive the program.
    follower.signal(SIGTERM)
    #expect(eventually { !follower.isRunning })
    #expect(
      eventually {
        let left = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
        return left ?? "" == ""
      })
    #expect(follower.errors == "")
  }

  @Test func `a server that is not menud has done nothing`() throws {
    let folder = try TemporaryFolder()
    try folder.write("<p>Log in", to: "sessions")
    let server = try RunningProgram(
      [], throughScript: "exec python3 -u -m http.server -b 127.0.0.1 -d '\(folder.path)' 0",
      isolatingMounts: false)
    var port: Substring?
    #expect(
      eventually {
        port = server.output.firstMatch(of: /port (\d+)/)?.output.1
        return port != nil
      })
    let address = "http://localhost:\(port ?? "")"
    let outcome = try RunningProgram(["do", "sessions", "--server", address]).outcome()
    #expect(
      outcome
        == Program.Outcome(
          status: 4, output: "",
          errors: "menud: \(address) does not answer: Its answer is no JSON.\n"))
  }

  /// Starts a server that answers everything with the same bytes; nothing without any.
  private static func stub(
    _ answer: String
  ) throws -> (server: RunningProgram, address: String) {
    let script = """
      import os, socket
      server = socket.create_server(("127.0.0.1", 0))
      print("port", server.getsockname()[1], flush=True)
      held = []
      while True:
          client, _ = server.accept()
          held.append(client)
          if os.environ["ANSWER"]:
              print(client.recv(65536).decode(), flush=True)
              client.sendall(os.environ["ANSWER"].encode())
              client.shutdown(socket.SHUT_WR)
      """
    let server = try RunningProgram(
      [], environment: ["ANSWER": answer, "SCRIPT": script],
      throughScript: #"exec python3 -u -c "$SCRIPT""#, isolatingMounts: false)
    #expect(eventually { server.output.hasSuffix("\n") })
    let port = server.output.trimmingSpaces.split(separator: " ").last ?? ""
    return (server, "http://127.0.0.1:\(port)")
  }

  private static func answer(_ body: String, type: String = "application/json") -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n\(body)"
  }

  @Test(arguments: [
    (answer("<p>", type: "text/html"), "Its answer is no stream of events."),
    (answer("{}\n"), "Its answer is no stream of events."),
    (answer("data", type: "text/event-stream"), "The stream has ended."),
    ("", "It is silent."),
  ])
  func `follow ends where there are no events`(answer: String, reason: String) throws {
    let (server, address) = try Self.stub(answer)
    let start = ContinuousClock.now
    let outcome = try RunningProgram(
      ["do", "follow", "--session", "a", "--server", address, "--timeout", "3"]
    ).outcome()
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(
      outcome
        == Program.Outcome(
          status: 4, output: "", errors: "menud: \(address) does not answer: \(reason)\n"))
    withExtendedLifetime(server) {}
  }

  @Test func `a session that only the body names is in a field, too`() throws {
    let questions = [["items", "a:"], ["search", "a"], ["perform", "a:"], ["press", "a"]]
    for arguments in questions + [["menu"]] {
      let (server, address) = try Self.stub(Self.answer("{}"))
      _ = try RunningProgram(
        ["do"] + arguments + ["--session", "a:b", "--server", address]
      ).outcome()
      let isNamed = server.output.contains("Menud-Session: a:b")
      #expect(isNamed == questions.contains(arguments), "\(server.output)")
    }
  }

  @Test(arguments: [
    (["sessions"], "sessions"), (["undo"], "undone"), (["menu"], "menu"), (["items"], "menu"),
    (["items", "a:"], "items"), (["search", "a"], "items"), (["history"], "entries"),
    (["patch", "{}"], "changes"), (["perform", "a:"], "performed"), (["press", "a"], "performed"),
  ])
  func `JSON of another service is no answer`(arguments: [String], member: String) throws {
    let (server, address) = try Self.stub(Self.answer(#"{"ok":true}"#))
    let environment = ["MENUD_SERVER": address, "MENUD_SESSION": "a"]
    let outcome = try RunningProgram(["do"] + arguments, environment: environment).outcome()
    #expect(
      outcome
        == Program.Outcome(
          status: 4, output: "",
          errors: "menud: \(address) does not answer: Its answer has no member '\(member)'.\n"))
    withExtendedLifetime(server) {}
  }

  @Test func `what is not performed is not done`() throws {
    let (server, address) = try Self.stub(
      Self.answer(#"{"performed":false,"reason":"noTarget"}"#))
    let outcome = try RunningProgram(
      ["do", "perform", "a:", "--session", "a", "--server", address]
    ).outcome()
    #expect(
      outcome
        == Program.Outcome(
          status: 1, output: "", errors: "menud: Nothing was performed: noTarget.\n"))
    withExtendedLifetime(server) {}
  }

  @Test func `of what curl says the first line is told`() {
    let failure = Curl.failure(60, Array("curl: (60) no certificate\nMore: it\nfailed".utf8))
    #expect(failure.sentence == "no certificate.")
  }

  @Test func `without curl it says what to install`() throws {
    let shell = try DoShell()
    let outcome = try shell.run("items", with: ["PATH": "/nowhere"])
    #expect(outcome.status == 4)
    #expect(
      outcome.errors
        == "menud: 'menud do' needs the program curl, which cannot be run (No such file or "
        + "directory). Install it, on Debian by 'apt install curl'.\n")
  }

  @Test func `follow shows changes, and ends with the session`() throws {
    let shell = try DoShell()
    let follower = try shell.start(["follow"])
    let items = try shell.start(["follow", "--json", "--count", "2", "zoomIn:"])
    #expect(eventually { follower.output.contains("reset") && items.output.contains("reset") })
    #expect(try shell.run("perform", "rotateLeft:").status == 0)
    #expect(eventually { follower.output.contains("state /photos/lake/rotation 270") })
    let focus = #"{"responder":"viewer"}"#
    #expect(try shell.ask("PUT", "/sessions/demo/first-responder", focus).status == 200)
    let outcome = try items.outcome()
    #expect(outcome.status == 0)
    let events = outcome.lines.map { (try? JSON(parsing: $0)) ?? .null }
    #expect(events.map { $0.text("event") } == ["reset", "change"])
    #expect(events.last?.member("data")?.list("items").first?.isTrue("enabled") == true)
    #expect(events.last?.text("id")?.hasSuffix(".2") == true)
    try shell.ask("DELETE", "/sessions/demo")
    let ended = try follower.outcome()
    #expect(ended.status == 0)
    #expect(ended.lines.last?.hasSuffix("closed  sessionClosed") == true)
    #expect(ended.errors == "")
  }

  @Test func `follow ends quietly when nobody reads`() throws {
    let shell = try DoShell()
    let outcome = try shell.shell(
      "\(Program.file.path) do follow | head -n 1; echo ${PIPESTATUS[0]}")
    #expect(outcome.lines.count == 2)
    #expect(outcome.lines.last == "141")
    #expect(outcome.errors == "")
  }

  @Test func `E5: follow resumes without a gap when the server is killed`() throws {
    let folder = try TemporaryFolder()
    let journal = ["MENUD_JOURNAL_PATH": folder.path + "/menud.db"]
    let arguments = ["serve", "--log-format", "json", "--port"]
    var server = try RunningProgram(arguments + ["0"], environment: journal)
    let port = try server.port()
    let address = ["MENUD_SERVER": "http://localhost:\(port)"]
    let follower = try RunningProgram(["do", "follow", "--json"], environment: address)
    #expect(eventually { follower.output.contains(#""event":"reset""#) })
    var revisions = 0
    for _ in 0..<3 {
      let perform = try RunningProgram(["do", "perform", "rotateLeft:"], environment: address)
      server.signal(SIGKILL)
      #expect(eventually { !server.isRunning })
      server = try RunningProgram(arguments + ["\(port)"], environment: journal)
      _ = try server.port()
      // It is repeated with its key, so it is done once.
      #expect(try perform.outcome().status == 0)
      revisions += 1
    }
    let session = try Connection(port: port).ask("GET", "/sessions/demo")
    #expect(session["/revision"] == .int(Int64(revisions)))
    #expect(eventually { follower.output.contains(#""revision":3,"#) })
    follower.signal(SIGINT)
    let outcome = try follower.outcome()
    #expect(outcome.errors == "")
    let events = outcome.lines.map { (try? JSON(parsing: $0)) ?? .null }
    var revision: Int64 = 0
    for event in events {
      let data = event.member("data")
      if let from = data?.int("from") { #expect(from == revision) }
      revision = data?.int("revision") ?? revision
    }
  }

  @Test func `follow and perform fail when the server stays away`() throws {
    let shell = try DoShell()
    let follower = try shell.start(["follow", "--timeout", "1"])
    #expect(eventually { follower.output.contains("reset") })
    shell.server.signal(SIGKILL)
    let outcome = try follower.outcome()
    #expect(outcome.status == 4)
    #expect(outcome.errors.hasPrefix("menud: http://localhost:\(shell.port) does not answer: "))
    #expect(try shell.run("perform", "cut:", "--session", "demo", "--timeout", "1").status == 4)
  }

  /// A hostile title, and the same in a table.
  @Test func `the terminal obeys no title`() throws {
    let shell = try DoShell()
    let title = #"\u001b[31mred\u0007\u202e\u2028\u009bevil\tend"#
    try shell.declare("evil:", #""title":"\#(title)""#)
    let placed =
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"view","menu":{"identifier":"more","title":"\#(title)","children":["evil:"]}}]}"#
    #expect(try shell.ask("POST", "/menus/edits", placed).status == 200)
    let outputs = [
      try shell.run("items").output, try shell.run("menu").output,
      try shell.run("search", "evil").output, try shell.run("items", "evil:").output,
      try shell.shell("script -qec '\(Program.file.path) do items evil:' /dev/null").output
        .replacing("\r\n", with: "\n").replacing(/\u{1B}\[[02]m/, with: ""),
    ]
    for output in outputs {
      #expect(output.contains("�[31mred����evil�end"), "\(output)")
      #expect(output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }
  }

  /// The entry point that the scripts of the shells call.
  @Test func `sessions, commands, menus and parameters are completed by the server`() throws {
    let shell = try DoShell()
    func completions(
      _ subcommand: String, _ argument: String, _ words: [String],
      with variables: [String: String] = [:]
    ) throws -> [String] {
      let arguments = [
        "---completion", "do", subcommand, "--", argument, "\(words.count - 1)", "0",
      ]
      let outcome = try RunningProgram(
        arguments + words, environment: shell.environment.merging(variables) { $1 }
      ).outcome()
      #expect(outcome.status == 0)
      #expect(outcome.errors == "")
      return outcome.lines
    }
    let perform = ["menud", "do", "perform"]
    #expect(try completions("perform", "--session", perform + ["--session", ""]) == ["demo"])
    let commands = try completions("perform", "positional@0", perform + [""])
    #expect(commands.contains("rotateLeft:") && commands.contains("toggleAlbum:/Coast"))
    let zsh = ["SAP_SHELL": "zsh"]
    let escaped = try completions("perform", "positional@0", perform + [""], with: zsh)
    #expect(escaped.contains { $0.contains("rotateLeft\\:") })
    #expect(
      try completions("perform", "positional@1", perform + ["toggleAlbum:", ""]) == ["album="])
    let options = ["--session", "demo", "--wait=5", "toggleAlbum:", "--confirm", "a"]
    #expect(try completions("perform", "positional@1", perform + options) == ["album="])
    let followed = try completions("follow", "positional@0", ["menud", "do", "follow", ""])
    #expect(followed.contains("toggleAlbum:") && !followed.contains { $0.contains("/") })
    #expect(Set(followed).count == followed.count)
    #expect(
      try completions("menu", "positional@0", ["menud", "do", "menu", ""]).contains("albums"))
    let other = ["--server=http://localhost:1", ""]
    #expect(try completions("items", "positional@0", ["menud", "do", "items"] + other) == [])
    let none = ["PATH": "/nowhere"]
    #expect(try completions("perform", "positional@0", perform + [""], with: none) == [])
  }

  @Test func `bash completes a command`() throws {
    let shell = try DoShell()
    let folder = try TemporaryFolder()
    let script = try Program.run("--generate-completion-script", "bash")
    try folder.write(script.output, to: "menud.bash")
    let completed = try shell.shell(
      """
      PATH="\(Program.file.deletingLastPathComponent().path):$PATH"; source '\(folder.path)/menud.bash'
      COMP_WORDS=(menud do perform rotateL); COMP_CWORD=3; COMP_LINE='menud do perform rotateL'
      COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; _menud menud rotateL perform; printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(completed.lines == ["rotateLeft:"], "\(completed.errors)")
  }

  @Test(arguments: [
    ("menud do perform rotateL\t", "menud do perform rotateLeft\\: "),
    // Both as bash leaves a completed word, and as people type it.
    ("menud do perform toggleAlbum\\: alb\t", "menud do perform toggleAlbum\\: album\\="),
    ("menud do perform toggleAlbum: alb\t", "menud do perform toggleAlbum: album\\="),
    ("menud do perform toggleAlbum:/Coa\t", "menud do perform toggleAlbum:/Coast "),
    ("menud do perform --timeout=9 trim: mode=fi\t", "mode=first\\ half "),
    ("menud do perform trim: mode=\t\t", "$(touch ran)  "),
  ])
  func `what is typed into bash is completed, and nothing of it is run`(keys: String, shown: String)
    throws
  {
    let shell = try DoShell()
    let choices = #"{"enum":["first half","$(touch ran)","`touch ran`;'\""]}"#
    try shell.declare(
      "trim:",
      #""title":"Trim","parameters":{"type":"object","properties":{"mode":\#(choices)}}"#)
    let folder = try TemporaryFolder()
    try folder.write(
      Program.run("--generate-completion-script", "bash").output, to: "menud.bash")
    let script = "'\(Program.path)/Tests/Checks/typed_keys.py'"
    let typed = try shell.shell(
      "cd '\(folder.path)' && python3 -B \(script) menud.bash \"$KEYS\" \"$SHOWN\"",
      with: [
        "KEYS": keys, "SHOWN": shown, "MENUD_SESSION": "demo",
        "PATH": Program.file.deletingLastPathComponent().path + ":/usr/bin:/bin",
      ])
    #expect(typed.status == 0, "\(typed)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files == ["menud.bash"])
  }
}

/// The columns that texts take, and the words that a shell completes.
@Suite(Program.isBuilt) struct DoWordTests {
  @Test(
    arguments: [
      ("abc", 3), ("★", 1), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("👨‍👩‍👧", 2), ("가", 2),
      ("☂\u{FE0F}", 2),
      ("", 0),
    ])
  func `width counts columns`(text: String, width: Int) {
    #expect(text.width == width)
  }

  @Test(arguments: [
    ("serve", ["trace", "postgresql", "normal", "text json"]), ("check", ["text json"]),
    ("do", ["apple other"]), ("history", ["refusal"]), ("test", ["text tap junit"]),
  ])
  func `closed lists are completed`(subcommand: String, words: [String]) throws {
    let script = try Program.run("--generate-completion-script", "fish").output
    let lines = script.split(separator: "\n").filter { $0.contains("menud \(subcommand)") }
    for word in words { #expect(lines.contains { $0.contains(word) }, "\(word)") }
  }

  @Test func `a table is whole where no terminal cuts it`() {
    let word = String(repeating: "x", count: 100)
    let table = DoTable(rows: [DoTable.Row(cells: [word, "y"])])
    #expect(table.lines() == ["\(word)  y"])
    #expect(table.lines(columns: 200) == [word.prefix(59) + "…  y"])
  }

  @Test func `a table has columns by width, and is cut`() {
    let rows = [["日本", "Copy", "x"], ["a", "Cut and more", ""], ["", "", "z"]]
    let table = DoTable(heading: nil, rows: rows.map { DoTable.Row(cells: $0) })
    #expect(
      table.lines() == ["日本  Copy          x", "a     Cut and more", "                    z"])
    #expect(table.lines(columns: 8) == ["日本  C…", "a     C…", "       …"])
    let dim = DoTable(heading: nil, rows: [DoTable.Row(cells: ["a"], isDim: true)])
    #expect(dim.lines(isColored: true) == ["\u{1B}[2ma\u{1B}[0m"])
    #expect(dim.lines() == ["a"])
  }

  @Test func `events are read however they are cut`() {
    let text =
      "retry: 2\nid: 1\r\nevent: reset\r\ndata: {\"a\":1}\n\n: beat\n\nid:2\n\ndata: 1\ndata: 2\n\n"
    for size in 1...20 {
      var lines = EventLines()
      var events: [String] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        lines.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
        while let event = lines.next() {
          events.append("\(event.id) \(event.name) \(String(decoding: event.data, as: UTF8.self))")
        }
      }
      #expect(events == ["1 reset {\"a\":1}", "2 message 1\n2"])
    }
  }

  @Test func `E5: an event that is cut off is asked for again`() {
    var lines = EventLines()
    lines.append(Array("id: 1\ndata: 1\n\nid: 2\ndata: {".utf8))
    #expect(lines.next()?.id == "1")
    #expect(lines.next() == nil)
    lines.forgetPart()
    #expect(lines.id == "1")
    lines.append(Array("data: 3\n\n".utf8))
    #expect(lines.next()?.id == "1")
    // A heartbeat moves the id without an event.
    lines.append(Array("id: 4\n\n".utf8))
    #expect(lines.next() == nil)
    #expect(lines.id == "4")
  }

  @Test func `heads are read behind interim ones`() {
    let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 204 \r\nRetry-After: 2\r\n\r\nrest"
    let head = DoHead(of: Array(text.utf8))
    #expect(head?.status == 204)
    #expect(head?.fields == ["retry-after": "2"])
    #expect(head?.end == text.utf8.count - 4)
    #expect(DoHead(of: Array("HTTP/1.1 200 OK\r\nA: b\r\n".utf8)) == nil)
    #expect(DoHead(of: Array("SSH-2.0\r\n\r\n".utf8)) == nil)
  }
}
