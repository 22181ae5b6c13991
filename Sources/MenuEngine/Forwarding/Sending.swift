/// The sender of a message and the time of the message, which those that it sets off have too.
struct Sending {
  let sender: Sender?
  /// In milliseconds since 1970-01-01T00:00:00Z; nil if nobody says.
  let when: Int64?

  /// A message of a sender; by default nobody says when.
  init(by sender: Sender?, when: Int64? = nil) {
    self.sender = sender
    self.when = when
  }

  /// A message of nobody.
  static let byNobody = Sending(by: nil)
}
