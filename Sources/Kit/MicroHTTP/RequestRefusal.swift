/// The reasons for which the server answers a message itself instead of handing it to the handler.
///
/// The connection is closed after every one of them but `noAnswerInTime`, `tooManyRequests`,
/// `tooManyStreams` and `tooMuchUnsent`; those close it as well while the server drains.
package enum RequestRefusal: Error, Hashable, Sendable, CaseIterable {
  /// A version other than 1.0 and 1.1.
  case unsupportedVersion
  /// A method outside `Method`.
  case unsupportedMethod
  /// A target that is neither a path, an absolute URI of HTTP nor `*` with OPTIONS, or has anything but visible
  /// ASCII.
  case malformedTarget
  /// A `%` without two hexadecimal digits, `%00`, `%2F` in a segment, or escapes that are no UTF-8.
  case malformedEscape
  /// A head with anything but its request line and fields as RFC 9112 writes them: bare line feeds,
  /// folded lines, zeros, doubled spaces in the request line, a line without a name.
  case malformedHead
  /// A header name that is no token, or only begins with the name of a framing header.
  case malformedHeaderName
  /// A control character in a header's value.
  case malformedHeaderValue
  /// No `Host` in a message of version 1.1.
  case missingHost
  /// More than one `Host`.
  case repeatedHost
  /// More than one `Origin`: any of them could be the one that decides.
  case repeatedOrigin
  /// More than one `Content-Length` or `Transfer-Encoding`, or both of them.
  case ambiguousLength
  /// A `Content-Length` that is no number, or one of more than 18 digits.
  case malformedLength
  /// A `Transfer-Encoding` other than `chunked`.
  case unsupportedTransferEncoding
  /// A `Transfer-Encoding` in a message of version 1.0.
  case unexpectedTransferEncoding
  /// POST, PUT or PATCH without a length.
  case lengthRequired
  /// Content in a GET, HEAD, DELETE or OPTIONS.
  case unexpectedContent
  /// An `Expect` other than `100-continue`.
  case unsupportedExpectation
  /// Content beyond the limit of the configuration.
  case contentTooLarge
  /// Header fields beyond the limit of the configuration, or cookies beyond the connection's memory.
  case headersTooLarge
  /// The rest of the head or of the content did not come in time.
  case requestTimeout
  /// As many requests as the configuration allows wait for their responses.
  case tooManyRequests
  /// As many streams as the configuration allows are open.
  case tooManyStreams
  /// The content of requests takes as much as the configuration allows.
  case tooMuchReceived
  /// The answers that clients have not read yet take as much as the configuration allows.
  case tooMuchUnsent
  /// The server is about to stop, and hands no more requests to the handler.
  case stopping
  /// The handler promised a response that did not come in time, or not before the server stopped;
  /// whether it did what was asked is not known.
  case noAnswerInTime
  /// The handler's response has a header field that cannot be sent; our fault, not the client's.
  case unsendableResponse
}

extension RequestRefusal {
  /// The status it is answered with.
  package var status: Status {
    switch self {
    case .malformedTarget, .malformedEscape, .malformedHead, .malformedHeaderName,
      .malformedHeaderValue, .missingHost, .repeatedHost, .repeatedOrigin, .ambiguousLength,
      .malformedLength, .unexpectedTransferEncoding, .unexpectedContent:
      .badRequest
    case .lengthRequired: .lengthRequired
    case .contentTooLarge: .contentTooLarge
    case .headersTooLarge: .headersTooLarge
    case .requestTimeout: .requestTimeout
    case .unsupportedExpectation: .expectationFailed
    case .unsupportedMethod, .unsupportedTransferEncoding: .notImplemented
    case .unsupportedVersion: .versionNotSupported
    case .tooManyRequests, .tooManyStreams, .tooMuchReceived, .tooMuchUnsent, .stopping,
      .noAnswerInTime:
      .serviceUnavailable
    case .unsendableResponse: .internalServerError
    }
  }

  /// After how many seconds the same request may be sent again; nil when that would not help.
  ///
  /// It is nil of `noAnswerInTime` too: sent again, the request might be carried out twice.
  package var retryAfter: Int? {
    switch self {
    case .tooManyRequests, .tooManyStreams, .tooMuchReceived, .tooMuchUnsent, .stopping: 1
    case .unsupportedVersion, .unsupportedMethod, .malformedTarget, .malformedEscape,
      .malformedHead, .malformedHeaderName, .malformedHeaderValue, .missingHost, .repeatedHost,
      .repeatedOrigin, .ambiguousLength, .malformedLength, .unsupportedTransferEncoding,
      .unexpectedTransferEncoding, .lengthRequired, .unexpectedContent, .unsupportedExpectation,
      .contentTooLarge, .headersTooLarge, .requestTimeout, .noAnswerInTime, .unsendableResponse:
      nil
    }
  }

  /// The response in plain text that is given when nothing else is asked for: the reason phrase.
  package var plainResponse: Response {
    var headers: Headers = ["Content-Type": "text/plain; charset=utf-8"]
    if let retryAfter { headers.append("Retry-After", "\(retryAfter)") }
    return Response(status: status, headers: headers, body: Array("\(status.reason)\n".utf8))
  }
}
