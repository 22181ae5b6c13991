/// A reason why the server answers a request itself instead of the handler.
///
/// The connection is closed after every one of them but `noAnswerInTime` and the overloads
/// `tooManyRequests`, `tooManyStreams` and `tooMuchUnsent`; those close it as well while the server drains.
package enum RequestRefusal: Error, Hashable, Sendable {
  /// A version other than 1.0 and 1.1.
  case unsupportedVersion
  /// A method outside `Method`.
  case unsupportedMethod
  /// A `Transfer-Encoding` other than `chunked`.
  case unsupportedTransferEncoding
  /// An `Expect` other than `100-continue`.
  case unsupportedExpectation
  /// A message that RFC 9110 or 9112 does not allow.
  case malformed(Malformation)
  /// POST, PUT or PATCH without a length.
  case lengthRequired
  /// Content beyond the limit of the configuration.
  case contentTooLarge
  /// Header fields beyond the limit of the configuration, or cookies beyond the connection's memory.
  case headersTooLarge
  /// The rest of the head or of the content did not arrive before the deadline.
  case requestTimeout
  /// The server accepts no more requests at present; nothing was done.
  case overloaded(Overload)
  /// A promised response was not ready before the deadline or the server's stop; the outcome of the request is
  /// unknown.
  case noAnswerInTime
  /// The handler's response has a header field that cannot be sent; our fault, not the client's.
  case unsendableResponse
}

/// The ways in which a message breaks the rules of HTTP, or those that the server adds.
package enum Malformation: Hashable, Sendable, CaseIterable {
  /// A target that is neither a path, an absolute URI of HTTP nor `*` with OPTIONS, or has anything but visible
  /// ASCII.
  case malformedTarget
  /// A `%` without two hexadecimal digits, `%00`, `%2F` in a segment, or escapes that are not UTF-8.
  case malformedEscape
  /// A head that is not a request line and fields as in RFC 9112: bare line feeds, folded lines, zeros, doubled
  /// spaces in the request line, a line without a name.
  case malformedHead
  /// A header name that is not a token, or only begins with the name of a framing header.
  case malformedHeaderName
  /// A control character in a header's value.
  case malformedHeaderValue
  /// No `Host` in a message of version 1.1.
  case missingHost
  /// More than one `Host`.
  case repeatedHost
  /// More than one `Origin`; it would be ambiguous which one counts.
  case repeatedOrigin
  /// More than one `Content-Length` or `Transfer-Encoding`, or both of them.
  case ambiguousLength
  /// A `Content-Length` that is not a number, or has more than 18 digits.
  case malformedLength
  /// A `Transfer-Encoding` in a message of version 1.0.
  case unexpectedTransferEncoding
  /// Content in a GET, HEAD, DELETE or OPTIONS.
  case unexpectedContent
}

/// The things of which there are too many for another message.
package enum Overload: Hashable, Sendable, CaseIterable {
  /// As many requests as the configuration allows wait for their responses.
  case tooManyRequests
  /// The limit of streams is reached.
  case tooManyStreams
  /// The limit of received content is reached.
  case tooMuchReceived
  /// The limit of answers not yet read by clients is reached.
  case tooMuchUnsent
  /// The server is stopping, and passes no more requests to the handler.
  case stopping
}

extension RequestRefusal: CaseIterable, CustomStringConvertible {
  package static let allCases: [RequestRefusal] =
    [
      .unsupportedVersion, .unsupportedMethod, .unsupportedTransferEncoding,
      .unsupportedExpectation,
    ]
    + Malformation.allCases.map(Self.malformed)
    + [.lengthRequired, .contentTooLarge, .headersTooLarge, .requestTimeout]
    + Overload.allCases.map(Self.overloaded) + [.noAnswerInTime, .unsendableResponse]

  /// The name of the reason, as logs and metrics have it.
  package var description: String {
    switch self {
    case .unsupportedVersion: "unsupportedVersion"
    case .unsupportedMethod: "unsupportedMethod"
    case .unsupportedTransferEncoding: "unsupportedTransferEncoding"
    case .unsupportedExpectation: "unsupportedExpectation"
    case .malformed(let reason): "\(reason)"
    case .lengthRequired: "lengthRequired"
    case .contentTooLarge: "contentTooLarge"
    case .headersTooLarge: "headersTooLarge"
    case .requestTimeout: "requestTimeout"
    case .overloaded(let reason): "\(reason)"
    case .noAnswerInTime: "noAnswerInTime"
    case .unsendableResponse: "unsendableResponse"
    }
  }
}

extension RequestRefusal {
  /// The status of the answer.
  package var status: Status {
    switch self {
    case .malformed: .badRequest
    case .lengthRequired: .lengthRequired
    case .contentTooLarge: .contentTooLarge
    case .headersTooLarge: .headersTooLarge
    case .requestTimeout: .requestTimeout
    case .unsupportedExpectation: .expectationFailed
    case .unsupportedMethod, .unsupportedTransferEncoding: .notImplemented
    case .unsupportedVersion: .versionNotSupported
    case .overloaded, .noAnswerInTime: .serviceUnavailable
    case .unsendableResponse: .internalServerError
    }
  }

  /// The number of seconds after which a retry may succeed; nil if it cannot.
  ///
  /// Also nil for `noAnswerInTime`: a retry might perform the request twice.
  package var retryAfter: Int? {
    if case .overloaded = self { 1 } else { nil }
  }

  /// The default response, the reason phrase as plain text.
  package var plainResponse: Response {
    var headers: Headers = ["Content-Type": "text/plain; charset=utf-8"]
    if let retryAfter { headers.append("Retry-After", "\(retryAfter)") }
    return Response(status: status, headers: headers, body: Array("\(status.reason)\n".utf8))
  }
}
