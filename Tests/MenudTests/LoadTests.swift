import Glibc
import StoreSupport
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
    #expect(
      growth < 4096 || !Program.givesMemoryBack,
      "\(growth) KiB more than the \(before) KiB before")
    #expect(try connections[0].ask("GET", "/health/ready").status == 200)
  }

  @Test(.enabled(if: Program.givesMemoryBack, "The address sanitizer keeps what is freed."))
  func `memory of answers that nobody read returns when their clients are gone`() throws {
    let server = try RunningProgram.serving()
    let port = try server.port()
    let client = try Connection(port: port)
    let text = String(repeating: "x", count: 1_000_000)
    let state = #"{"id":"large","template":false,"state":{"text":"\#(text)","n":0}}"#
    #expect(try client.ask("POST", "/sessions", state).status == 201)
    for _ in 0..<3 { #expect(try client.ask("GET", "/sessions/large").status == 200) }
    let before = server.residentMemory
    var readers: [Connection] = []
    for number in 0..<60 {
      // Each answer is another one, so that none shares its bytes.
      let mutation = #"{"mutations":[{"op":"mergeState","patch":{"n":\#(number)}}]}"#
      #expect(try client.ask("POST", "/sessions/large/mutations", mutation).status == 200)
      let reader = try Connection(port: port)
      reader.send(Connection.request("GET", "/sessions/large"))
      readers.append(reader)
    }
    #expect(eventually { server.residentMemory > before + 40_000 })
    readers = []
    #expect(
      eventually { server.residentMemory < before + 16_000 },
      "\(server.residentMemory) KiB after \(before) KiB")
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
