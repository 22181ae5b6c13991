/// A link that was cleared because the responder it led to is gone.
public struct ClearedLink: Equatable, Sendable {
  /// The responder that had the link.
  public let holder: ResponderID
  /// The link.
  public let link: ResponderLink
  /// The destination that it had.
  public let destination: ResponderID
}
