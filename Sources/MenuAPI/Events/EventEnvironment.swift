import MenuEngine
package import MenuStore

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

/// The limits of events.
package struct EventLimits: Sendable {
  /// The number of events that are kept of each subscription, and their bytes; as many commits of each session are kept
  /// to make them of.
  package var kept = Follower.Bounds()
  /// The most sessions of one stream; the default is 16.
  package var sessions = 16
  /// The most named selections of one stream; the default is 16.
  package var selections = 16
  /// The most subscriptions of a session that differ in what they ask for; the default is 100.
  package var subscriptions = 100
  /// The most streams of one session; the default is 5,000.
  package var streamsOfSession = 5000
  /// The most streams that were asked for with one administrator's token; the default is 5,000.
  package var streamsOfToken = 5000
  /// The most bytes that are kept for the subscribers of all sessions; the default is 128 MiB.
  package var memory = 128 << 20
  /// The most bytes that are kept for the subscribers of one session; the default is 32 MiB.
  package var memoryOfSession = 32 << 20
  /// The time after which a stream shows that it is alive; the default is 15 s.
  package var heartbeat: Duration = .seconds(15)
  /// The most seconds for which `GET /sessions/{session}/changes` waits.
  package static let maximumWait = 60
  /// The interval of looking which streams are to show that they are alive, and which are over.
  package static let interval: Duration = .milliseconds(500)

  /// The defaults.
  package init() {}
}

/// The counters of events since the start.
final class EventFigures: Sendable {
  /// Events that were sent, by the position of their kind.
  private let sent = Counters()
  /// Changes that tell of more than one revision.
  let merged = Counter()
  /// The time from a commit's becoming durable to the sending of its event, in nanoseconds.
  let lag = Histogram(bounds: Histogram.durations)

  func noteSent(_ kind: SessionEvent.Kind) { sent.add(at: kind.position) }

  /// The number of events of a kind that were sent.
  func sent(_ kind: SessionEvent.Kind) -> Int { sent[kind.position] }
}

extension SessionEvent.Kind {
  fileprivate var position: Int {
    switch self {
    case .reset: 0
    case .change: 1
    case .closed: 2
    }
  }
}
