import Foundation
import Glibc
import Testing

/// The messages of the program to systemd (`Type=notify`).
@Suite(Program.isBuilt) struct ServiceManagerTests {
  @Test(arguments: [false, true])
  func `a service manager hears when the program is ready, reloads and stops`(isAbstract: Bool)
    throws
  {
    let manager = try NotificationSocket(isAbstract: isAbstract)
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["NOTIFY_SOCKET": manager.name])
    #expect(manager.next() == "READY=1")
    #expect(server.events.contains { $0.isNamed("listening") })
    server.signal(SIGHUP)
    #expect(manager.next()?.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[1-9]\d+/) != nil)
    #expect(manager.next() == "READY=1")
    #expect(server.events.contains { $0.isNamed("unchanged") })
    server.signal(SIGTERM)
    #expect(manager.next() == "STOPPING=1")
    #expect(try server.outcome().status == 0)
  }

  @Test(arguments: ["/nobody/listens/here", String(repeating: "a", count: 200), "@", ""])
  func `a service manager that cannot be reached is ignored`(name: String) throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"], environment: ["NOTIFY_SOCKET": name])
    _ = try server.port()
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 0)
  }
}

/// A socket at which a service manager listens.
private final class NotificationSocket {
  /// The value of `NOTIFY_SOCKET`.
  let name: String
  private let folder: TemporaryFolder
  private let descriptor: Int32

  init(isAbstract: Bool) throws {
    folder = try TemporaryFolder()
    name = isAbstract ? "@\(folder.path)" : folder.path + "/notify"
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = (isAbstract ? [0] : []) + Array(name.utf8).dropFirst(isAbstract ? 1 : 0)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let status = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, length)
      }
    }
    #expect(status == 0)
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Returns the next message; nil if none comes within two minutes.
  func next() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }
}
