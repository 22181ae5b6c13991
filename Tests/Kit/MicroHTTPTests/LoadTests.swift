import Glibc
import MicroHTTP
import Testing

struct LoadTests {
  @Test(arguments: [1, 2])
  func `ten thousand requests over 64 connections are answered, and nothing is left of them`(
    threads: Int
  ) throws {
    let server = try Server.echo { $0.threads = threads }
    do {
      let clients = try (1...64).map { _ in try RawClient(port: server.port) }
      for round in 0..<157 {
        let message = "POST /\(round) HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
        for client in clients { client.send(message) }
        for client in clients {
          #expect(try client.readResponse() == ok("POST [\(round)]  (hi)"))
        }
      }
      #expect(server.openConnections == 64)
    }
    #expect(eventually { server.openConnections == 0 })
    #expect(server.requestsInFlight == 0)
  }
}
