import Glibc
import MicroHTTP
import Testing

/// Streams that their clients do not read, and streams of one address.
struct UnreadStreamTests {
  private static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  /// A stream of some megabytes in pieces of a size, each of its own bytes.
  private static func stream(of size: Int) -> FedStream {
    FedStream(
      (0..<(6_000_000 / size)).map { _ in
        .bytes(
          (0..<8).map { _ in UInt8.random(in: 97...122) } + Array(repeating: 97, count: size - 8))
      })
  }

  private func server(
    _ streams: Streams, _ adjust: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> Server {
    try Server.answering(adjust, handler: streams.answer)
  }

  /// Opens a connection with a stream of large pieces that it does not read.
  private func unread(_ server: Server, from source: String? = nil) throws -> RawClient {
    let client = try RawClient(port: server.port, from: source, window: 4096)
    client.send(Self.request)
    return client
  }

  /// Waits until readers have let the server wait for as long as they may.
  private func letReadersStall() { usleep(150_000) }

  /// A stream that stalls holds one piece, or none if it stalls between two of them.
  @Test(arguments: [20_000, 60_000, 200_000])
  func `what waits for a client that does not read its stream counts until that is gone`(
    size: Int
  ) throws {
    let streams = Streams { Self.stream(of: size) }
    let server = try server(streams)
    var clients: [RawClient] = []
    for count in 1...10 {
      clients.append(try unread(server))
      letReadersStall()
      #expect(server.unsentBytes <= count * size)
    }
    #expect(eventually { server.unsentBytes >= 3 * size })
    clients.removeLast(7)
    #expect(eventually { server.unsentBytes <= 3 * size })
    clients.removeAll()
    #expect(eventually { server.unsentBytes == 0 && server.openStreams == 0 })
  }

  @Test(arguments: [true, false])
  func `beyond the budget streams that are not read are closed, the one that waits longest first`(
    isOfAddress: Bool
  ) throws {
    let size = 60_000
    let streams = Streams { Self.stream(of: size) }
    let server = try server(streams) {
      $0.maximumUnsentBytes = isOfAddress ? 0 : 4 * size
      $0.maximumUnsentBytesPerAddress = isOfAddress ? 4 * size : 0
    }
    var clients: [RawClient] = []
    for count in 1...12 {
      clients.append(try unread(server))
      #expect(streams.first(count).count == count)
      letReadersStall()
      #expect(server.unsentBytes <= 4 * size)
    }
    let made = streams.first(12)
    #expect(made.prefix(8).allSatisfy { $0.becomesClosed })
    #expect(made.suffix(4).allSatisfy { $0.closings == 0 })
    #expect(server.unreadEvictions == 8)
    // One that is read gets what it asks for, and pays for nobody.
    let reader = try RawClient(port: server.port)
    reader.send(Self.request)
    #expect(try reader.read(300_000).contains(String(repeating: "a", count: 1000)))
    clients.removeAll()
    #expect(eventually { server.openStreams <= 1 })
  }

  @Test func `streams of one address that are too many are refused, and those of others are not`()
    throws
  {
    let streams = Streams()
    let server = try server(streams) { $0.maximumStreamsPerAddress = 2 }
    var clients = try (0..<2).map { _ in try unread(server) }
    #expect(eventually { server.openStreams == 2 })
    let refused = try unread(server)
    #expect(try refused.readResponse().hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(streams.first(3)[2].closings == 1)
    clients.append(try unread(server, from: "127.0.0.2"))
    #expect(eventually { server.openStreams == 3 })
    // One that ends leaves its place to its address.
    streams.first(3)[0].send(.end)
    #expect(eventually { server.openStreams == 2 })
    refused.send(Self.request)
    #expect(eventually { server.openStreams == 3 })
    withExtendedLifetime(clients) {}
  }
}
