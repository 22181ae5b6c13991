/// The response of a handler.
///
/// `Date`, `Content-Length` and `Connection` are the server's; a response does not set them. With
/// HEAD the body is not sent but counted, so a handler answers it as it would GET.
package struct Response: Sendable {
  package var status: Status
  package var headers: Headers
  package var body: [UInt8]
  /// The body of a promised response that comes in pieces; nil, the default, when `body` is all.
  package var stream: ResponseStream?

  /// By default 200 without fields and without body.
  package init(status: Status = .ok, headers: Headers = Headers(), body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
