import Glibc
import Testing

@Suite(Program.isBuilt) struct LoadTests {
  /// Rounds of one request on each of 64 connections: all are sent before the first answer is read.
  @Test func `10,000 requests over 64 connections leave no error and no memory behind`() throws {
    let server = try RunningProgram.serving()
    let port = try server.port()
    let connections = try (0..<64).map { _ in try Connection(port: port) }
    try ask(connections, requests: 2000)
    let before = server.residentMemory
    try ask(connections, requests: 10_000)
    let growth = server.residentMemory - before
    #expect(before > 0)
    #expect(growth < 4096, "\(growth) KiB more than the \(before) KiB before")
    #expect(try connections[0].ask("GET", "/health/ready").status == 200)
  }

  /// Validations, every eighth of them after a rating was performed.
  private func ask(_ connections: [Connection], requests: Int) throws {
    let validate = Array(
      Connection.request("POST", "/commands/validate", #"{"session": "demo", "menu": "rating"}"#)
        .utf8)
    let perform = Array(
      Connection.request(
        "POST", "/commands/perform", #"{"session": "demo", "command": "applyFiveStarRating:"}"#
      ).utf8)
    var sent = 0
    while sent < requests {
      let round = connections.prefix(requests - sent)
      for connection in round {
        connection.send(sent.isMultiple(of: 8) ? perform : validate)
        sent += 1
      }
      for connection in round {
        let status = try connection.answer().status
        if status != 200 { throw Unexpected(status: status) }
      }
    }
  }

  private struct Unexpected: Error { let status: Int }
}
