/// The methods the server lets through; any other is refused with 501 before a handler sees it.
package enum Method: String, Hashable, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"

  /// What a message of this method carries, which the framing guard holds it to.
  var content: Content {
    switch self {
    case .post, .put, .patch: .required
    case .get, .head, .delete, .options: .refused
    }
  }

  /// Whether a message must or must not have content.
  enum Content {
    /// A length must be given, though it may be 0.
    case required
    /// A length of 0 may be given.
    case refused
  }
}
