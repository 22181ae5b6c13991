import Testing

@Suite(Program.isBuilt) struct HealthTests {
  @Test func `a server that is ready is healthy`() throws {
    let server = try RunningProgram.serving()
    let port = try server.port()
    let outcome = try Program.run("health", "--port", "\(port)")
    #expect(
      outcome == Program.Outcome(status: 0, output: "127.0.0.1:\(port): Ready.\n", errors: ""))
  }

  @Test func `it asks where the environment says that the server is`() throws {
    let server = try RunningProgram.serving()
    let port = try server.port()
    let environment = ["MENUD_SERVER_HOST": "0.0.0.0", "MENUD_SERVER_PORT": "\(port)"]
    let outcome = try Program.run("health", environment: environment)
    #expect(outcome.status == 0)
    #expect(outcome.output == "0.0.0.0:\(port): Ready.\n")
  }

  @Test func `a server that does not listen is not healthy`() throws {
    let port = try Self.freePort()
    let outcome = try Program.run("health", "--port", "\(port)")
    #expect(outcome.status == 1)
    #expect(outcome.output == "127.0.0.1:\(port): It cannot be reached: Connection refused.\n")
  }

  @Test func `a server that does not answer is not waited for`() throws {
    let server = try RunningProgram.serving()
    let port = try server.port()
    server.signal(19)  // SIGSTOP: the system still accepts connections for it.
    defer { server.signal(18) }
    let outcome = try Program.run("health", "--port", "\(port)", "--timeout", "1")
    #expect(outcome.status == 1)
    #expect(outcome.output == "127.0.0.1:\(port): It does not answer in time.\n")
  }

  @Test func `it waits for a second at least, and never for ever`() throws {
    let outcome = try Program.run("health", "--timeout", "0")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.split(separator: "\n").first
        == "Error: '--timeout' is a number of seconds from 1 to 65535, not 0.")
  }

  @Test func `a mistake in the configuration is no health`() throws {
    let outcome = try Program.run("health", environment: ["MENUD_SERVER_PORT": "http"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        menud: MENUD_SERVER_PORT: Expected an integer from 0 to 65535, found "http".

        """)
  }

  /// A port that a program had a moment ago and nobody has now.
  private static func freePort() throws -> UInt16 {
    let server = try RunningProgram.serving()
    let port = try server.port()
    server.signal(9)
    _ = try server.outcome()
    return port
  }
}
