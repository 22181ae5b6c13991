import Foundation
import Glibc
import JSONText
import StoreSupport
import Testing

/// menud behind a real nginx whose buffering is as it comes.
@Suite(Program.isBuilt, .enabled(if: Nginx.isInstalled, "nginx is not installed"))
struct NginxTests {
  @Test func `events come through nginx at once, not with the next heartbeat`() throws {
    let program = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_EVENTS_HEARTBEAT": "3600"])
    let nginx = try Nginx(before: try program.port())
    let stream = try nginx.connect()
    stream.send("GET /sessions/demo/events?document=true HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let reset = try stream.text(until: "\n\n")
    #expect(reset.contains("event: reset"))
    #expect(reset.contains("X-Accel-Buffering: no") == false, "nginx keeps the field for itself")
    let change = try Connection(port: nginx.port).ask(
      "POST", "/sessions/demo/mutations", #"{"mutations":[{"op":"mergeState","patch":{"n":1}}]}"#)
    #expect(change.status == 200)
    #expect(try stream.text(until: #""patch":{"n":1}"#).contains("event: change"))
  }

  @Test func `a stream ends when nginx has lost its client`() throws {
    let program = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_EVENTS_HEARTBEAT": "3600"])
    let port = try program.port()
    let nginx = try Nginx(before: port)
    var stream: Connection? = try nginx.connect()
    stream?.send("GET /sessions/demo/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = try stream?.text(until: "\n\n")
    let streams = {
      let page = try? Connection(port: port).ask("GET", "/metrics")
      return page.map { String(decoding: $0.body, as: UTF8.self).contains("menud_http_streams 1") }
    }
    #expect(streams() == true)
    stream = nil
    #expect(eventually { streams() == false })
  }
}

/// An nginx in front of a port, killed when this is gone.
private final class Nginx {
  let port: UInt16
  private let process = Process()
  private let folder: TemporaryFolder

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }
  private static let path = "/usr/sbin/nginx"

  init(before upstream: UInt16) throws {
    folder = try TemporaryFolder()
    port = try Self.freePort()
    let configuration = """
      daemon off; master_process off; pid nginx.pid; error_log stderr;
      events {}
      http {
        access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi; scgi_temp_path scgi;
        server {
          listen 127.0.0.1:\(port);
          location / { proxy_pass http://127.0.0.1:\(upstream); proxy_http_version 1.1; }
        }
      }
      """
    let file = folder.url.appending(path: "nginx.conf")
    try Data(configuration.utf8).write(to: file)
    process.executableURL = URL(filePath: Self.path)
    process.arguments = ["-p", folder.path, "-c", file.path]
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  /// A connection, once it listens.
  func connect() throws -> Connection {
    var connection: Connection?
    _ = eventually {
      connection = try? Connection(port: port)
      return connection != nil
    }
    return try #require(connection)
  }

  /// A port that was free a moment ago.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failure = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
      }
    }
    try #require(failure)
    return UInt16(bigEndian: address.sin_port)
  }
}
