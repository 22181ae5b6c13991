import Foundation
import JSONText
import MenuAPI
import MenuEngine
import MicroHTTP
import StoreSupport
import Testing

@testable import menud

/// The tokens that the program asks for, and its messages when it has none.
@Suite struct AuthorizationTests {
  private static let token = "0123456789abcdef-token"

  @Test(arguments: [
    ("127.0.0.1", "auto", false, false), ("127.1.2.3", "auto", false, false),
    ("::1", "auto", false, false), ("127.0.0.1", "auto", true, true),
    ("0.0.0.0", "auto", true, true), ("0.0.0.0", "never", true, false),
    ("0.0.0.0", "never", false, false), ("127.0.0.1", "always", true, true),
  ])
  func `tokens are asked for when there is one, unless never`(
    host: String, required: String, hasToken: Bool, isClosed: Bool
  ) throws {
    var configuration = Configuration()
    configuration.server.host = host
    configuration.auth.required = try #require(.init(rawValue: required))
    if hasToken { configuration.auth.administratorToken = Secret(token: Self.token) }
    #expect((try configuration.authorization().administrators != nil) == isClosed)
  }

  @Test(arguments: [
    (
      "0.0.0.0", "auto", "The server would listen on 0.0.0.0, beyond this machine"
    ), ("::", "auto", "The server would listen on ::, beyond this machine"),
    ("192.168.1.2", "always", "The server would listen on 192.168.1.2, beyond this machine"),
    ("127.0.0.1", "always", "Tokens are required"),
  ])
  func `where they must be asked for, a start without one is refused`(
    host: String, required: String, why: String
  ) throws {
    let outcome = try Program.run(
      "serve", "--port", "0",
      environment: ["MENUD_SERVER_HOST": host, "MENUD_AUTH_REQUIRED": required])
    #expect(
      outcome
        == Program.Outcome(
          status: 78, output: "",
          errors: """
            menud: auth.administratorToken: \(why), but there is no administrator's token. Put one \
            into a file (openssl rand -hex 32) and name that in \
            MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE, or let everybody in with MENUD_AUTH_REQUIRED=never.

            """))
  }

  @Test func `a file has a token on each line, and is found beside the configuration`() throws {
    let folder = try TemporaryFolder()
    try folder.write("\(Self.token)\r\n\n  another-0123456789  \n", to: "tokens")
    try folder.write(#"{"auth": {"administratorTokenFile": "tokens"}}"#, to: "menud.json")
    let configuration = try ConfigurationSources(
      file: folder.path + "/menud.json", environment: [:]
    ).configuration()
    #expect(
      try configuration.authorization().administrators == [
        TokenDigest(of: Self.token), TokenDigest(of: "another-0123456789"),
      ])
  }

  @Test(arguments: [
    ("short", 1), ("\n", 1), ("0123456789abcdef\nno token 0123456789", 2),
  ])
  func `text that is no token is not shown`(content: String, line: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write(content, to: "tokens")
    let path = folder.path + "/tokens"
    let outcome = try Program.run(
      "serve", environment: ["MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE": path])
    #expect(outcome.status == 78)
    #expect(
      outcome.errors
        == "menud: \(path):\(line):1: It should be a token: 16 to 1024 letters, digits and "
        + "'-._~+/', then '=' if any.\n")
    let inVariable = try Program.run(
      "serve", environment: ["MENUD_AUTH_ADMINISTRATOR_TOKEN": "tooshort"])
    #expect(
      inVariable.errors
        == "menud: MENUD_AUTH_ADMINISTRATOR_TOKEN: Expected 16 to 1024 letters, digits and "
        + "'-._~+/', then '=' if any.\n")
  }

  @Test func `a file that is not there is a clear error`() throws {
    let outcome = try Program.run(
      "check", environment: ["MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE": "/nowhere/tokens"])
    #expect(outcome.status == 1)
    #expect(outcome.output == "/nowhere/tokens: It cannot be read: No such file or directory.\n")
  }

  @Test func `a secret is shown nowhere`() throws {
    var configuration = Configuration()
    configuration.auth.administratorToken = Secret(token: Self.token)
    var dumped = ""
    dump(configuration, to: &dumped)
    for text in ["\(configuration)", String(reflecting: configuration), dumped] {
      #expect(!text.contains("0123456789"))
    }
  }

  @Test(arguments: [
    ("MENUD_CORS_ORIGINS", "*"), ("MENUD_CORS_ORIGINS", "https://a/"),
    ("MENUD_CORS_ORIGINS", "a.example"), ("MENUD_CORS_ORIGINS", "https://A.example"),
    ("MENUD_SERVER_ALLOWED_HOSTS", "A.example"), ("MENUD_SERVER_ALLOWED_HOSTS", "a.example:80"),
  ])
  func `origins and hosts are written as browsers send them`(
    variable: String, value: String
  ) throws {
    let sources = ConfigurationSources(environment: [variable: value])
    let form =
      variable == "MENUD_CORS_ORIGINS"
      ? "origins in small letters, such as https://menus.example.org:8443"
      : "names of hosts in small letters, without ports, or *"
    #expect(
      sources.reading().faults.map(\.description) == [
        "\(variable): Expected \(form), found [\"\(value)\"]."
      ])
  }
}

/// The authorization of the running program.
@Suite(Program.isBuilt) struct RunningAuthorizationTests {
  private static let token = "0123456789abcdef-token"

  @Test func `tokens open what they should, and no log has them`() throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json", "--log-requests"],
      environment: ["MENUD_AUTH_ADMINISTRATOR_TOKEN": Self.token])
    let port = try server.port()
    #expect(try Connection(port: port).ask("GET", "/health").status == 200)
    #expect(try Connection(port: port).ask("GET", "/commands").status == 401)
    let opened = try ask(
      port, "POST /sessions", ["Authorization: Bearer \(Self.token)", "Content-Length: 0"])
    #expect(opened.status == 201)
    guard case .string(let own)? = opened["/token"], case .string(let id)? = opened["/session"]
    else {
      Issue.record("\(opened.json.text())")
      return
    }
    #expect(own.count > 40)
    let fields = ["Authorization: Bearer \(own)"]
    #expect(try ask(port, "GET /sessions/\(id)", fields).status == 200)
    #expect(try ask(port, "GET /sessions/demo", fields).status == 404)
    #expect(try ask(port, "GET /commands", fields).status == 200)
    #expect(eventually { server.requests.count == 6 })
    #expect(!server.errors.contains(own))
    #expect(!server.errors.contains(Self.token))
  }

  @Test func `what clients make up is in one line, and what it belongs to is beside it`() throws {
    let server = try RunningProgram.serving("--log-requests")
    let port = try server.port()
    let answer = try ask(
      port, "GET /nowhere/%1b%5b2J%e2%80%a8",
      [
        "User-Agent: a\u{2028}b\u{202E}c\u{9B}d", "X-Request-Id: job-7",
        "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      ])
    #expect(answer.fields["x-request-id"] == "job-7")
    #expect(eventually { server.requests.count == 1 })
    let line = try #require(server.requests.last)
    #expect(line["path"] == "/nowhere/%1b%5b2J%e2%80%a8")
    #expect(line["userAgent"] == "a\u{2028}b\u{202E}c\u{9B}d")
    #expect(line["request"] == "job-7")
    #expect(line["host"] == "localhost")
    #expect(line["trace"] == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(line["parent"] == "00f067aa0ba902b7")
    #expect(line["sampled"] == .bool(true))
    #expect(!server.errors.unicodeScalars.contains { [0x2028, 0x202E, 0x9B].contains($0.value) })
  }

  @Test func `a session that nobody asks expires, and those of the configuration stay`() throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_LIMITS_SESSION_IDLE": "0.2"])
    let port = try server.port()
    #expect(
      try Connection(port: port).ask("POST", "/sessions", #"{"id":"brief"}"#).status == 201)
    #expect(eventually { server.events.contains { $0.isNamed("expired") } })
    let expired = server.events.filter { $0.isNamed("expired") }
    #expect(expired.map { $0["session"] } == [.string("brief")])
    #expect(try Connection(port: port).ask("GET", "/sessions/brief").status == 404)
    #expect(try Connection(port: port).ask("GET", "/sessions/demo").status == 200)
  }

  @Test func `a server that is open to everybody says so`() throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_SERVER_HOST": "0.0.0.0", "MENUD_AUTH_REQUIRED": "never"])
    #expect(try Connection(port: server.port()).ask("GET", "/commands").status == 200)
    let warning = server.events.first { $0.isNamed("open to everybody") }
    #expect(warning?["level"] == "warning")
    #expect(warning?["host"] == "0.0.0.0")
  }

  private func ask(_ port: UInt16, _ line: String, _ fields: [String]) throws -> Answer {
    let connection = try Connection(port: port)
    let head = (["\(line) HTTP/1.1", "Host: localhost"] + fields).joined(separator: "\r\n")
    connection.send(head + "\r\n\r\n")
    return try connection.answer()
  }
}
