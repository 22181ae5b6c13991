import Locks
import MicroHTTP
import Randomness
import Testing

/// Requests with bytes changed at random, held against a strict reader of ours.
///
/// Whatever the server hands to its handler must be what that reader finds at the same bytes: then no
/// byte was taken for content by one and for a request by the other.
struct RandomFramingTests {
  private static let seeds = Seeds.first(100)

  @Test func `a request is taken where a strict reader finds it, or refused`() throws {
    let handled = Lock<[String]>([])
    let handler = { @Sendable (request: Request) in
      handled.withLock { $0.append("\(request.path) \(request.body)") }
      return Response(text: "ok")
    }
    let server = try Server.start({ $0.idleTimeout = .milliseconds(400) }, handler: handler)
    var (taken, refused, alike) = (0, 0, 0)
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      let stream = Self.stream(&random)
      let client = try RawClient(port: server.port)
      client.send(stream)
      client.finishSending()
      let answer = try client.readToEnd()
      #expect(server.becomesQuiet())
      let found = handled.withLock { handled in
        defer { handled = [] }
        return handled
      }
      let strict = StrictMessage.all(in: stream).map { "\($0.target) \($0.content)" }
      let text = String(decoding: stream, as: UTF8.self).debugDescription
      #expect(Array(strict.prefix(found.count)) == found, "seed \(seed): \(text) got \(answer)")
      taken += found.count
      refused += found.count < 3 ? 1 : 0
      alike += strict.count == found.count ? 1 : 0
    }
    print(
      "framing: \(Self.seeds.count) streams, \(taken) requests taken, \(refused) cut short by a "
        + "refusal, \(alike) read as far as the strict reader reads them")
    // Both must occur, or nothing was compared.
    #expect(taken > Self.seeds.count / 2 && refused > Self.seeds.count / 10)
    // What is legal is taken, but for an end of content that the library cannot find.
    #expect(alike > Self.seeds.count * 95 / 100)
  }

  /// Three requests one behind the other, with one to three bytes of the first two changed.
  private static func stream(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array((messages.randomElement(using: &random) ?? "").utf8)
    bytes += Array((messages.randomElement(using: &random) ?? "").utf8)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let piece = Array((pieces.randomElement(using: &random) ?? "").utf8)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.insert(contentsOf: piece, at: place)
      case 1: bytes.replaceSubrange(place..<place + 1, with: piece)
      default: bytes.remove(at: place)
      }
    }
    return bytes + Array("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
  }

  private static let messages = [
    "GET /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /b HTTP/1.1\r\nHost:a\r\nX:y\r\nZ: \t \r\n\r\n",
    "POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
    "PUT /d HTTP/1.1\r\nHost: a\r\nContent-Length:31\r\n\r\nGET /e HTTP/1.1\r\nHost: a\r\n\r\nabc",
    "PATCH /f HTTP/1.1\r\nContent-Length: 0\r\nHost: a\r\nX: \u{E9}\r\n\r\n",
    "DELETE /g HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
  ]

  private static let pieces = [
    "\r", "\n", "\r\n", "\r\n\r\n", "\u{0}", ":", " ", "\t", "  ", "\r\n ", "\r\n:", "\r\n\u{0}",
    "a",
    "0", "9", "-", "+", ",", ";", "\r\nContent-Length: 3", "\r\nTransfer-Encoding: chunked",
    "\r\nHost: b", "\u{7F}", "\u{B}", "\r\n:\r\n", "\n\n", "\r\nX:\r\n", "Content-Length:3",
  ]
}
