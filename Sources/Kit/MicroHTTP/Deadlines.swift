/// The number of ticks that a connection may spend in each phase.
///
/// libmicrohttpd knows idle timeouts only, under which a client that sends a byte now and then
/// holds its connection for ever.
struct Deadlines: Sendable {
  /// The time between two looks at the connections; a deadline is exceeded by at most two of them.
  let tick: Duration
  private let opening: UInt64
  private let idle: UInt64
  private let content: UInt64
  private let response: UInt64
  private let promise: UInt64

  init(_ configuration: ServerConfiguration) {
    let timeouts = [
      configuration.headerTimeout, configuration.idleTimeout, configuration.bodyTimeout,
      configuration.responseTimeout, configuration.answerTimeout,
    ]
    let shortest = timeouts.min() ?? .seconds(4)
    let tick = min(max(shortest / 4, .milliseconds(5)), .seconds(1))
    self.tick = tick
    let ticks = timeouts.map { UInt64(max(0, ($0 / tick).rounded(.up))) + 1 }
    (opening, idle, content) = (ticks[0], ticks[1], ticks[2])
    (response, promise) = (ticks[3], ticks[4])
  }

  /// Returns true if a connection in that phase since `since` is overdue at `now`.
  func areExceeded(in phase: ConnectionPhase, since: UInt64, now: UInt64) -> Bool {
    guard let limit = limit(phase) else { return false }
    return now > since + limit
  }

  private func limit(_ phase: ConnectionPhase) -> UInt64? {
    switch phase {
    case .opening, .head: opening
    case .idle: idle
    case .content: content
    case .waiting: promise
    case .response, .sendingStream: response
    case .handling, .streaming: nil
    }
  }
}
