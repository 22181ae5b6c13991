package import MicroHTTP

extension Problem {
  /// The problem of a message that does not reach a route.
  package init(_ refusal: RequestRefusal) {
    self.init(refusal.type, refusal.sentence)
    if let seconds = refusal.retryAfter { headers.append(("Retry-After", "\(seconds)")) }
  }
}

extension RequestRefusal {
  fileprivate var type: ProblemType {
    switch self {
    case .malformedTarget, .malformedEscape, .malformedHead, .malformedHeaderName,
      .malformedHeaderValue, .missingHost, .repeatedHost, .repeatedOrigin, .ambiguousLength,
      .malformedLength, .unexpectedTransferEncoding, .unexpectedContent:
      .malformedRequest
    case .lengthRequired: .lengthRequired
    case .contentTooLarge: .contentTooLarge
    case .unsupportedExpectation: .expectationFailed
    case .unsupportedMethod, .unsupportedTransferEncoding: .notImplemented
    case .unsupportedVersion: .versionNotSupported
    case .headersTooLarge: .headersTooLarge
    case .requestTimeout: .requestTimeout
    case .tooManyRequests, .tooManyStreams, .tooMuchReceived, .tooMuchUnsent, .stopping:
      .overloaded
    case .noAnswerInTime: .noAnswerInTime
    case .unsendableResponse: .internalError
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .unsupportedVersion: "The server speaks HTTP/1.1 and HTTP/1.0 only."
    case .unsupportedMethod:
      "The server knows GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS, and refuses TRACE and QUERY."
    case .malformedTarget:
      "The target must begin with '/', 'http://' or 'https://', or be '*' with OPTIONS, and have visible ASCII "
        + "characters only."
    case .malformedEscape:
      "In the target, '%' must be followed by two hexadecimal digits that give UTF-8, and in a path "
        + "neither a zero byte nor a slash."
    case .malformedHead:
      "The head must be one request line with single spaces, and fields that each take one line; lines "
        + "end with CR and LF, and none has a zero byte or begins with a colon."
    case .malformedHeaderName: "A header field has a name that is not allowed."
    case .malformedHeaderValue: "A header field has a control character in its value."
    case .missingHost: "The field 'Host' is missing."
    case .repeatedHost: "The field 'Host' is there more than once."
    case .repeatedOrigin: "The field 'Origin' is there more than once."
    case .ambiguousLength:
      "'Content-Length' or 'Transfer-Encoding' are there more than once, or both of them."
    case .malformedLength:
      "'Content-Length' must be a number of at most 18 digits, with nothing behind it."
    case .unsupportedTransferEncoding: "The only transfer encoding known is 'chunked'."
    case .unexpectedTransferEncoding: "HTTP/1.0 has no transfer encodings."
    case .lengthRequired:
      "POST, PUT and PATCH need a length: send 'Content-Length', which is 0 without a body, or "
        + "'Transfer-Encoding: chunked'."
    case .unexpectedContent: "GET, HEAD, DELETE and OPTIONS have no body here."
    case .unsupportedExpectation: "The only expectation known is '100-continue'."
    case .contentTooLarge: "The body is larger than the server is configured to read."
    case .headersTooLarge:
      "The header fields are larger than the server is configured to read."
    case .requestTimeout: "The rest of the request did not come in time."
    case .tooManyRequests:
      "As many requests as the server is configured to take are waiting; nothing was done, so that "
        + "the request may be repeated."
    case .tooManyStreams:
      "As many streams as the server is configured to keep are open; nothing was done, so that the "
        + "request may be repeated."
    case .tooMuchReceived:
      "The bodies of requests take as much as the server is configured to keep; nothing was done, so that the "
        + "request may be repeated."
    case .tooMuchUnsent:
      "The answers that clients have not read yet take as much as the server is configured to keep; "
        + "nothing was changed. Read them, and ask again."
    case .stopping:
      "The server is stopping; nothing was done, so that the request may be repeated on a connection "
        + "of its own."
    case .noAnswerInTime:
      "The answer was not ready in time; whether the request was carried out is not known. Ask for "
        + "the state of things before repeating it."
    case .unsendableResponse: "The response has a field that cannot be sent."
    }
  }
}
