/// The supported methods; any other is refused with 501 before it reaches a handler.
package enum Method: String, Hashable, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  /// Supported by no path, so that no answer echoes a request.
  case trace = "TRACE"
  /// Supported by no path.
  case query = "QUERY"
}

extension Method {
  /// The position in declaration order; `==` would compare strings.
  package var ordinal: Int {
    switch self {
    case .get: 0
    case .head: 1
    case .post: 2
    case .put: 3
    case .patch: 4
    case .delete: 5
    case .options: 6
    case .trace: 7
    case .query: 8
    }
  }

  /// True if the method changes nothing, so that withholding its answer loses nothing.
  var isSafe: Bool {
    switch self {
    case .get, .head: true
    case .post, .put, .patch, .delete, .options, .trace, .query: false
    }
  }

  /// Parses a method name, case-sensitively.
  init?(name: Span<UInt8>) {
    if name.isEqual(to: "GET") {
      self = .get
    } else if name.isEqual(to: "POST") {
      self = .post
    } else if name.isEqual(to: "PUT") {
      self = .put
    } else if name.isEqual(to: "PATCH") {
      self = .patch
    } else if name.isEqual(to: "DELETE") {
      self = .delete
    } else if name.isEqual(to: "HEAD") {
      self = .head
    } else if name.isEqual(to: "OPTIONS") {
      self = .options
    } else if name.isEqual(to: "TRACE") {
      self = .trace
    } else if name.isEqual(to: "QUERY") {
      self = .query
    } else {
      return nil
    }
  }

  /// The rule for content with this method, enforced by `Framing`.
  var content: Content {
    switch self {
    case .post, .put, .patch: .required
    case .get, .head, .delete, .options: .refused
    case .trace, .query: .allowed
    }
  }

  /// The rules for content.
  enum Content {
    /// A length is required, though it may be 0.
    case required
    /// Only a length of 0 is allowed.
    case refused
    /// A length is allowed.
    case allowed
  }
}

/// An HTTP status code.
package struct Status: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral {
  package let rawValue: Int

  /// Creates a status from any code, unchecked.
  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  package init(integerLiteral value: Int) {
    rawValue = value
  }
}

extension Status {
  package static let ok: Self = 200
  package static let created: Self = 201
  package static let accepted: Self = 202
  package static let noContent: Self = 204
  package static let found: Self = 302
  package static let notModified: Self = 304
  package static let badRequest: Self = 400
  package static let unauthorized: Self = 401
  package static let forbidden: Self = 403
  package static let notFound: Self = 404
  package static let methodNotAllowed: Self = 405
  package static let requestTimeout: Self = 408
  package static let conflict: Self = 409
  package static let gone: Self = 410
  package static let lengthRequired: Self = 411
  package static let preconditionFailed: Self = 412
  package static let contentTooLarge: Self = 413
  package static let unsupportedMediaType: Self = 415
  package static let expectationFailed: Self = 417
  package static let misdirectedRequest: Self = 421
  package static let unprocessableContent: Self = 422
  package static let tooManyRequests: Self = 429
  package static let headersTooLarge: Self = 431
  package static let internalServerError: Self = 500
  package static let notImplemented: Self = 501
  package static let serviceUnavailable: Self = 503
  package static let versionNotSupported: Self = 505
  package static let insufficientStorage: Self = 507
}

extension Status {
  /// The reason phrase of RFC 9110; "Unknown" for other codes.
  package var reason: String {
    Self.reasons[rawValue] ?? "Unknown"
  }

  /// The codes with a reason phrase, ascending.
  package static let named = reasons.keys.sorted().map(Status.init(rawValue:))

  private static let reasons: [Int: String] = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 302: "Found",
    304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
    410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 428: "Precondition Required",
    429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}
