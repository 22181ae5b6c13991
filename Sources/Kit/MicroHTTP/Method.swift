/// The methods the server lets through; any other is refused with 501 before a handler sees it.
package enum Method: String, Hashable, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
  /// No path has it, and says so: no answer ever sends a request back.
  case trace = "TRACE"
  /// No path has it, and says so.
  case query = "QUERY"
}

extension Method {
  /// Its position among all of them; a comparison by `==` would be one of strings.
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

  /// True if it changes nothing and its answer is all that is wanted of it.
  var isSafe: Bool {
    switch self {
    case .get, .head: true
    case .post, .put, .patch, .delete, .options, .trace, .query: false
    }
  }

  /// The method of that name; names are case-sensitive.
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

  /// The rule for the content of messages with this method, which `Framing` enforces.
  var content: Content {
    switch self {
    case .post, .put, .patch: .required
    case .get, .head, .delete, .options: .refused
    case .trace, .query: .allowed
    }
  }

  /// The rules for content.
  enum Content {
    /// A length must be given, though it may be 0.
    case required
    /// A length of 0 may be given.
    case refused
    /// A length may be given.
    case allowed
  }
}
