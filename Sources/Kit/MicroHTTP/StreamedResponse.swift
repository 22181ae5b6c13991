/// A response whose body comes in pieces.
///
/// `Date`, `Transfer-Encoding` and `Connection` are the server's. The connection is closed after the
/// stream. With HEAD the stream is closed unread.
package struct StreamedResponse: Sendable {
  package var status: Status
  package var headers: Headers
  package let stream: ResponseStream

  /// The default status is 200.
  package init(status: Status = .ok, headers: Headers, stream: ResponseStream) {
    self.status = status
    self.headers = headers
    self.stream = stream
  }
}
