import MenuEngine

/// The clock, the limits and the counters of events, and the memory and processor time that they may take.
struct EventEnvironment: Sendable {
  let limits: EventLimits
  let figures = EventFigures()
  /// A time in nanoseconds that only grows.
  let nanoseconds: @Sendable () -> Int
  /// The time that sessions owe for what takes long; nil if they owe nothing.
  let budget: ProcessorBudget?
  /// The memory that is kept for subscribers.
  let memory: FollowingMemory
  /// The queue of subscribers for whom an event may have to be made; nil if each makes it where it is read.
  let queue: EventQueue?

  /// By default the clock stands still, sessions owe nothing, and events are made where they are read.
  ///
  /// - Parameters:
  ///   - pace: The time that a session's events may take in each second.
  ///   - runLater: Does something on a thread of its own.
  init(
    limits: EventLimits = EventLimits(), nanoseconds: @escaping @Sendable () -> Int = { 0 },
    budget: ProcessorBudget? = nil, pace: Duration = .zero,
    runLater: (@Sendable (@escaping @Sendable () -> Void) -> Bool)? = nil
  ) {
    (self.limits, self.nanoseconds, self.budget) = (limits, nanoseconds, budget)
    memory = FollowingMemory(budget: limits.memory, ofSession: limits.memoryOfSession)
    queue = runLater.map {
      EventQueue(pace: pace, beside: budget, nanoseconds: nanoseconds, runLater: $0)
    }
  }

  /// Does something for the subscribers of a session, which pays for it.
  func charging<Result>(_ session: SessionID, _ body: () -> Result) -> Result {
    let start = nanoseconds()
    let result = body()
    let end = nanoseconds()
    budget?.charge(session, end &- start, at: end)
    return result
  }
}
