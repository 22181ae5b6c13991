/// One message of a client, whole and checked: nothing in it needs to be decoded again.
package struct Request: Sendable {
  package let method: Method
  /// The percent-decoded segments of the path: `/a%3A/b` is `["a:", "b"]`, `/` is none, and a
  /// slash at the end is an empty last segment.
  package let segments: [String]
  /// The names and values after `?`, decoded.
  package let query: Query
  package let headers: Headers
  /// The content; empty where there was none.
  package internal(set) var body: [UInt8]
  /// The client's numeric address without its port, for logs; empty when there is no client.
  package let remoteAddress: String
  /// The host that the target names, in place of `Host`, if it is absolute; nil for most.
  package let authority: String?
  /// True if it is about the server as a whole: `OPTIONS *`.
  package let isAboutServer: Bool
  private let target: String
  /// The connection that it came over; nil in tests of what lies above.
  var connection: Connection?

  /// A request as the server would make it from such a message, for tests of what lies above it.
  package init(
    _ method: Method, _ target: String, headers: Headers = Headers(), body: [UInt8] = [],
    remoteAddress: String = ""
  ) throws(RequestRefusal) {
    let parsed = try RequestTarget(target.utf8.span, of: method)
    self.method = method
    self.target = parsed.text ?? target
    authority = parsed.authority
    isAboutServer = parsed.isAsterisk
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    segments = parsed.segments
    query = parsed.query
  }

  /// The name by which it calls this server, with the port; nil if it does not say.
  package var host: String? { authority ?? headers["host"] }

  /// True if its client has ended its side of the connection, as one that is gone has.
  package var isAbandoned: Bool { connection?.hasHungUp ?? false }

  /// True if its head announces content.
  var hasContent: Bool {
    headers.has("transfer-encoding")
      || headers.satisfies("content-length") { length in !length.allSatisfy { $0 == 0x30 } } == true
  }

  /// The path as it was sent, still encoded, without the query; for logs and problem documents.
  package var path: String {
    target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
  }
}
