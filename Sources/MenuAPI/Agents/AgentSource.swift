/// The source of a stream to an agent: notifications of a session, or those of a call and then its result.
protocol AgentSource: AnyObject, Sendable {
  /// True if it works for a client that waits, so that it is to be noticed soon when that is gone.
  var isAwaited: Bool { get }
  /// True if it has something to tell that waits for its time.
  var isHolding: Bool { get }
  /// Lets the stream show that it is alive at the next look.
  func beat()
  /// Ends the stream at the next look.
  func stop()
  /// Stops what is done for a client that does not wait any more, to which nothing more is sent.
  func cancel()
}
