import MenuEngine

/// The clock, the limits and the counters of events.
struct EventEnvironment: Sendable {
  var limits = EventLimits()
  let figures = EventFigures()
  /// A time in nanoseconds that only grows. By default it stands still.
  var nanoseconds: @Sendable () -> Int = { 0 }
  /// The time that sessions owe for what takes long; nil, the default, if they owe nothing.
  var budget: ProcessorBudget?

  /// Does something for the subscribers of a session, which pays for it.
  func charging<Result>(_ session: SessionID, _ body: () -> Result) -> Result {
    let start = nanoseconds()
    let result = body()
    let end = nanoseconds()
    budget?.charge(session, end &- start, at: end)
    return result
  }
}
