import Glibc
import JSONText
import Testing

/// The port on which the service answers about itself, whatever happens on the other one.
@Suite(Program.isBuilt) struct HealthPortTests {
  /// A server with that port, and both ports.
  private func serving(
    _ environment: [String: String] = [:], throughScript script: String? = nil
  ) throws -> (server: RunningProgram, port: UInt16, health: UInt16) {
    let server = try RunningProgram(
      ["serve", "--log-format", "json"],
      environment: environment.merging(["MENUD_SERVER_HEALTH_PORT": "0"]) { $1 },
      throughScript: script, isolatingMounts: false)
    let port = try server.port()
    let event = server.events.first { $0.isNamed("listening") }
    guard case .int(let health)? = event?["healthPort"] else { throw Missing() }
    return (server, port, UInt16(health))
  }

  private struct Missing: Error {}

  @Test func `health is answered there while silent connections take all of the other port`() throws
  {
    let (server, port, health) = try serving(["MENUD_SERVER_MAXIMUM_CONNECTIONS": "8"])
    var silent = try (0..<50).map { _ in try Connection(port: port) }
    for index in 0..<200 {
      silent[index % 50] = try Connection(port: port)
      #expect(try Connection(port: health).ask("GET", "/health/live").status == 200)
      if index.isMultiple(of: 20) {
        #expect(try Connection(port: port).ask("GET", "/health/live").status == 200)
      }
    }
    #expect(try Connection(port: health).ask("GET", "/health/ready").status == 200)
    withExtendedLifetime((server, silent)) {}
  }

  @Test func `health is answered there while the serving thread has long requests`() throws {
    let (server, port, health) = try serving()
    let clients = try (0..<30).map { _ in try Connection(port: port) }
    let begin = ContinuousClock.now
    for client in clients {
      client.send(Connection.request("POST", "/rules/check", Self.longRule))
    }
    #expect(try Connection(port: health).ask("GET", "/health/live").status == 200)
    let wait = ContinuousClock.now - begin
    for client in clients { #expect(try client.answer().status == 200) }
    #expect(wait < (ContinuousClock.now - begin) / 4)
    withExtendedLifetime(server) {}
  }

  /// A request whose rule takes all the steps that one may.
  private static let longRule: String = {
    let list = (0..<100).map { "\($0)" }.joined(separator: ",")
    let rule = "state.all(a, state.all(b, state.all(c, a + b + c >= 0)))"
    return #"{"rule": "\#(rule)", "variables": {"state": [\#(list)]}}"#
  }()

  @Test func `nothing else is answered there`() throws {
    let (server, _, health) = try serving()
    for path in ["/sessions/demo", "/commands", "/", "/healthy"] {
      let answer = try Connection(port: health).ask("GET", path)
      #expect(answer.status == 404)
      #expect(
        answer["/detail"] == .string("There is nothing but /health and /metrics on this port."))
    }
    let connection = try Connection(port: health)
    #expect(try connection.ask("GET", "/metrics").status == 200)
    #expect(try connection.ask("DELETE", "/health").status == 405)
    withExtendedLifetime(server) {}
  }

  @Test func `'menud health' asks there, unless another port is named`() throws {
    let (server, port, health) = try serving()
    let variables = ["MENUD_SERVER_PORT": "1", "MENUD_SERVER_HEALTH_PORT": "\(health)"]
    let outcome = try Program.run("health", environment: variables)
    #expect(outcome.output == "127.0.0.1:\(health): Ready.\n")
    let other = try Program.run("health", "--port", "\(port)", environment: variables)
    #expect(other.output == "127.0.0.1:\(port): Ready.\n")
    withExtendedLifetime(server) {}
  }

  @Test func `more connections than the usual limit of descriptors have room`() throws {
    let (server, port, health) = try serving(throughScript: #"ulimit -Sn 64; exec "$@""#)
    let connections = try (0..<100).map { _ in try Connection(port: port) }
    for connection in connections { #expect(try connection.ask("GET", "/health").status == 200) }
    #expect(try Connection(port: health).ask("GET", "/health/live").status == 200)
    withExtendedLifetime(server) {}
  }

  @Test func `where descriptors are scarce fewer connections are taken`() throws {
    let (server, port, health) = try serving(throughScript: #"ulimit -n 256; exec "$@""#)
    let warning = server.events.first { $0.isNamed("fewer connections") }
    #expect(warning?["maximumConnections"] == .int(64))
    #expect(warning?["maximumStreams"] == .int(0))
    let connections = try (0..<300).map { _ in try Connection(port: port) }
    #expect(try Connection(port: port).ask("GET", "/health").status == 200)
    #expect(try Connection(port: health).ask("GET", "/health/live").status == 200)
    withExtendedLifetime((server, connections)) {}
  }

  @Test func `a port that cannot be had stops the start`() throws {
    let (server, _, health) = try serving()
    let outcome = try RunningProgram(
      ["serve"], environment: ["MENUD_SERVER_HEALTH_PORT": "\(health)"]
    ).outcome()
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("Port \(health) of 127.0.0.1 is in use already."))
    withExtendedLifetime(server) {}
  }
}
