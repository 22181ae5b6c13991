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
  private let target: String

  /// A request as the server would make it from such a message, for tests of what lies above it.
  package init(
    _ method: Method, _ target: String, headers: Headers = Headers(), body: [UInt8] = [],
    remoteAddress: String = ""
  ) throws(RequestRefusal) {
    let parsed = try RequestTarget(target.utf8.span)
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
    segments = parsed.segments
    query = parsed.query
  }

  /// The path as it was sent, still encoded, without the query; for logs and problem documents.
  package var path: String {
    target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
  }
}
