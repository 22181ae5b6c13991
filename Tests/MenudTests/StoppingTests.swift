import Foundation
import Glibc
import JSONText
import StoreSupport
import Testing

@Suite(Program.isBuilt) struct StoppingTests {
  @Test(arguments: [SIGTERM, SIGINT])
  func `a request in flight is answered before the end`(signal: Int32) throws {
    let server = try RunningProgram.serving()
    let connection = try Connection(port: server.port())
    let request = Connection.request("POST", "/commands/validate", #"{"session": "demo"}"#)
    connection.send(String(request.dropLast(5)))
    usleep(100_000)
    server.signal(signal)
    usleep(100_000)
    connection.send(String(request.suffix(5)))
    let answer = try connection.answer()
    #expect(answer.status == 200)
    #expect(answer.fields["connection"] == "close")
    #expect(try server.outcome().status == 0)
  }

  @Test func `only the thread that waits for termination signals gets them`() throws {
    let server = try RunningProgram.serving()
    _ = try Connection(port: server.port()).ask("POST", "/sessions", #"{"id":"phone"}"#)
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.id)/task")
    // Besides the first one those of the server and of the journal.
    #expect(threads.count > 2)
    // The first one waits for them, and for as long the system says that it does not block them.
    for thread in threads where thread != "\(server.id)" {
      let path = "/proc/\(server.id)/task/\(thread)/status"
      let status = try String(contentsOfFile: path, encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
      let blocked = line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
      for signal in [SIGTERM, SIGINT, SIGHUP] {
        #expect(blocked & 1 << UInt64(signal - 1) != 0, "\(signal) in \(status)")
      }
    }
  }

  @Test func `while it stops it is alive but not ready`() throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_SERVER_DRAIN_DELAY": "5"])
    let port = try server.port()
    #expect(try Connection(port: port).ask("GET", "/health/ready").status == 200)
    server.signal(SIGTERM)
    #expect(eventually { server.events.contains { $0.isNamed("stopping") } })
    #expect(eventually { (try? Connection(port: port).ask("GET", "/health/ready").status) == 503 })
    #expect(try Connection(port: port).ask("GET", "/health/live").status == 200)
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 128 + SIGTERM)
  }

  @Test func `requests that exceed the grace time are cut off`() throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_SERVER_DRAIN_GRACE": "0.2"])
    let connection = try Connection(port: server.port())
    connection.send(
      "POST /commands/validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
    usleep(100_000)
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 0)
    #expect(server.events.last?["cutOff"] == .bool(true))
  }

  @Test func `after a kill the port can be had again`() throws {
    let killed = try RunningProgram.serving()
    let port = try killed.port()
    let connection = try Connection(port: port)
    _ = try connection.ask("GET", "/health")
    killed.signal(SIGKILL)
    _ = try killed.outcome()
    let server = try RunningProgram(["serve", "--port", "\(port)", "--log-format", "json"])
    #expect(try server.port() == port)
    #expect(try Connection(port: port).ask("GET", "/health/ready").status == 200)
  }
}
