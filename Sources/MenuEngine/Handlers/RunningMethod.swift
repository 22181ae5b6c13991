/// A method that runs: the name that it is called by, and those for whom it runs.
struct RunningMethod {
  let selector: Selector
  let responder: ResponderID
  /// The receiver of the message: the responder itself, its coordinator, or a proxy of it.
  let receiver: Receiver
  /// The level that has the method; nil for a coordinator's handler.
  let level: MethodLevel?
  /// The responders that run the message already, so that it reaches none of them twice (C2).
  let met: Set<ResponderID>

  /// A method of a responder, by default one that received the message itself and is the first to run it.
  init(
    _ selector: Selector, of responder: ResponderID, receivedBy receiver: Receiver? = nil,
    at level: MethodLevel? = nil, met: Set<ResponderID>? = nil
  ) {
    self.selector = selector
    self.responder = responder
    self.receiver = receiver ?? .responder(responder)
    self.level = level
    self.met = met ?? [responder]
  }
}
