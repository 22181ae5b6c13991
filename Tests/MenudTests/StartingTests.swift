import ArgumentParser
import Foundation
import JSONText
import StoreSupport
import Testing

@testable import menud

@Suite(Program.isBuilt) struct StartingTests {
  @Test func `a port that is taken is a clear error`() throws {
    let server = try RunningProgram.serving()
    let port = try server.port()
    let outcome = try Program.run("serve", "--port", "\(port)")
    #expect(outcome.status == 69)
    #expect(
      outcome.errors.hasSuffix(
        "critical cannot listen reason=\"Port \(port) of 127.0.0.1 is in use already.\"\n"))
  }

  @Test func `an application with mistakes is refused whether or not its port is free`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"A": {"superclass": "B"}}"#, to: "app/classes.json")
    let server = try RunningProgram.serving()
    for port in [0, try server.port()] {
      let outcome = try Program.run(
        "serve", "--application", "app", "--port", "\(port)", in: folder.url)
      #expect(outcome.status == 78)
      #expect(outcome.errors.hasPrefix("menud: app/classes.json:1:7: /A: "))
    }
  }

  @Test(arguments: ["example.org", "localhost", "", "127.0.0.1:80", "[::1]"])
  func `a host that is no address is a clear error`(host: String) throws {
    let outcome = try Program.run("serve", "--host", host, "--port", "0")
    let mistake = "Expected a numeric address such as 127.0.0.1 or ::1, found \"\(host)\".\n"
    #expect(
      outcome == Program.Outcome(status: 78, output: "", errors: "menud: --host: \(mistake)"))
    let folder = try TemporaryFolder()
    try folder.write(#"{"server":{"host":"\#(host)"}}"#, to: "menud.json")
    let check = try Program.run("check", "menud.json", in: folder.url)
    #expect(check.status == 1)
    #expect(check.output == "menud.json:1:19: /server/host: \(mistake)")
  }

  @Test func `mistakes from all sources are listed together and stop the start`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"server": {"threads": "two"}}"#, to: "menud.json")
    let outcome = try Program.run(
      "serve", "--config", "menud.json", "--port", "http",
      environment: ["MENUD_LOG_LEVEL": "loud", "MENUD_LOG_REQUESTS": "yes"], in: folder.url)
    #expect(
      outcome
        == Program.Outcome(
          status: 78, output: "",
          errors: """
            menud: menud.json:1:24: /server/threads: Expected an integer from 1 to 256, found "two".
            menud: MENUD_LOG_LEVEL: Expected trace, debug, info, notice, warning, error or \
            critical, found "loud".
            menud: MENUD_LOG_REQUESTS: Expected true or false, found "yes".
            menud: --port: Expected an integer from 0 to 65535, found "http".

            """))
  }

  @Test func `without any configuration there is an application without commands`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json", "--session", "a", "--session", "b"],
      in: folder.url)
    let connection = try Connection(port: server.port())
    #expect(try connection.ask("GET", "/sessions/b").status == 200)
    let listening = server.events.first { $0.isNamed("listening") }
    #expect(listening?["commands"] == .int(0))
    #expect(listening?["sessions"] == .string("a,b"))
  }

  @Test func `of many sessions the line that it listens names a few and counts the others`() throws
  {
    let folder = try TemporaryFolder()
    let sessions = (1...12).flatMap { ["--session", "s\($0)"] }
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"] + sessions, in: folder.url)
    _ = try server.port()
    let listening = server.events.first { $0.isNamed("listening") }
    guard case .string(let shown)? = listening?["sessions"] else {
      Issue.record("no sessions")
      return
    }
    #expect(shown.hasSuffix(" and 4 more") && shown.split(separator: ",").count == 8)
  }

  @Test func `a request has a line only when that is asked for`() throws {
    let quiet = try RunningProgram.serving()
    _ = try Connection(port: quiet.port()).ask("GET", "/health")
    let start: [JSON] = [.string("journal"), .string("recovered"), .string("listening")]
    #expect(quiet.events.compactMap { $0["event"] } == start)

    let server = try RunningProgram.serving("--log-requests")
    _ = try Connection(port: server.port()).ask("GET", "/health/%0a%1b?q=1")
    #expect(eventually { server.events.count == start.count + 1 })
    let line = server.events.last
    #expect(line?["event"] == .string("request"))
    #expect(line?["path"] == .string("/health/%0a%1b"))
    #expect(line?["status"] == .int(404))
  }

  @Test func `requests to try are printed when that is asked for`() throws {
    let server = try RunningProgram.serving("--examples")
    let port = try server.port()
    #expect(eventually { server.output.hasSuffix("\n\n") })
    #expect(
      server.output == """

        The console: http://localhost:\(port)/console/#demo

        Try, in another terminal:

          curl localhost:\(port)/sessions/demo/menu
          curl --json '{"session": "demo"}' localhost:\(port)/commands/validate
          curl --json '{"session": "demo", "command": "applyFiveStarRating:"}' \
        localhost:\(port)/commands/perform
          curl --json '{"session": "demo", "commands": ["applyFiveStarRating:"], \
        "explain": true}' localhost:\(port)/commands/validate


        """)
  }

  @Test func `the client's package has its version`() throws {
    let package = try String(
      contentsOfFile: Program.path + "/Sources/CEmbeddedFiles/Client/package.json",
      encoding: .utf8)
    #expect(package.contains("\n  \"version\": \"\(Menud.version)\",\n"))
  }

  @Test func `it tells its version`() throws {
    #expect(Menud.version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    #expect(
      try Program.run("version")
        == Program.Outcome(status: 0, output: "menud \(Menud.version)\n", errors: ""))
    #expect(
      try Program.run("--version")
        == Program.Outcome(status: 0, output: "\(Menud.version)\n", errors: ""))
  }

  @Test func `its manual page has every command and option`() throws {
    let page = try Program.run("manual")
    #expect(page.status == 0)
    #expect(page.output.hasPrefix(".TH MENUD 1 \"\" \"menud \(Menud.version)\""))
    for command in Menud.configuration.subcommands {
      let name = command._commandName
      #expect(page.output.contains(".SS menud \(name)\n"), "\(name)")
      let help = try Program.run(name, "--help").output
      for option in help.matches(of: /(?m)^ +(--[a-z-]+)/) {
        let name = String(option.output.1)
        guard !["--version", "--help"].contains(name) else { continue }
        #expect(page.output.contains(name.replacing("-", with: "\\-")), "\(name)")
      }
    }
    let lines = page.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.dropLast().allSatisfy { !$0.isEmpty })
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a shell completes commands, files and options`(shell: String) throws {
    let script = try Program.run("--generate-completion-script", shell)
    #expect(script.status == 0)
    for word in ["schema", "manual", "storyboards.json", "journal-store"] {
      #expect(script.output.contains(word), "\(word)")
    }
    guard shell == "bash" else { return }
    let folder = try TemporaryFolder()
    try folder.write(script.output + "\ncomplete -p menud\n", to: "menud.bash")
    let bash = Process()
    bash.executableURL = URL(filePath: "/bin/bash")
    bash.arguments = [folder.path + "/menud.bash"]
    bash.standardOutput = Pipe()
    try bash.run()
    bash.waitUntilExit()
    #expect(bash.terminationStatus == 0)
  }
}
