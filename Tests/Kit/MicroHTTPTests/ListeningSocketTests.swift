import Glibc
import Testing

@testable import MicroHTTP

struct ListeningSocketTests {
  @Test func `the system keeps little for a client that does not read`() throws {
    let listener = try ListeningSocket(host: "127.0.0.1", port: 0)
    defer { listener.close() }
    let client = try RawClient(port: listener.port, window: 4096)
    #expect(eventually { listener.hasWaitingConnections })
    let accepted = accept(listener.descriptor, nil, nil)
    defer { close(accepted) }
    try #require(accepted >= 0)
    let bytes = [UInt8](repeating: 0x61, count: 65_536)
    var taken = 0
    while true {
      let count = unsafe send(
        accepted, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      guard count > 0 else { break }
      taken += count
      try #require(taken < 64 << 20)
    }
    #expect(errno == EAGAIN)
    #expect(taken < 3 * Int(ListeningSocket.sendBuffer))
    _ = client
  }
}
