/// The part that a responder plays in an operation that names it.
enum ResponderPart {
  /// It is changed, or something is asked about it.
  case subject
  /// It gets messages: at once, or as a delegate.
  case receiver
}
