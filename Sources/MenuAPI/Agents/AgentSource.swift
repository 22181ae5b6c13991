import MicroHTTP

/// The source of a stream to an agent: notifications of a session, or those of a call and then its result.
protocol AgentSource: AnyObject, Sendable {
  /// Returns what is to be sent next.
  func next() -> ResponseStream.Piece
  /// Lets the stream show that it is alive at the next look.
  func beat()
  /// Ends the stream at the next look.
  func stop()
}
