import MenuEngine
package import MenuStore
import MicroHTTP

/// The clock, limits and counters of events, the sessions, and the budget of processor time.
struct EventEnvironment: Sendable {
  let limits: EventLimits
  let figures = EventFigures()
  /// Returns a monotonic time in nanoseconds.
  let nanoseconds: @Sendable () -> Int
  /// The processor time that sessions owe for long requests; nil if it is not charged.
  let budget: ProcessorBudget?
  /// The live sessions, including the followed ones.
  let sessions: LiveSessions
  /// The queue of subscribers for which an event may have to be made; nil if each event is made where it is
  /// read.
  let queue: EventQueue?

  /// Creates an environment. By default the clock stands still, nothing is charged, and events are made where
  /// they are read.
  ///
  /// - Parameters:
  ///   - pace: The time that a session's events may take in each second.
  ///   - runLater: Runs a closure on a thread of its own.
  init(
    sessions: LiveSessions = LiveSessions(), limits: EventLimits = EventLimits(),
    nanoseconds: @escaping @Sendable () -> Int = { 0 },
    budget: ProcessorBudget? = nil, pace: Duration = .zero,
    runLater: Worker.Runner? = nil
  ) {
    (self.sessions, self.limits) = (sessions, limits)
    (self.nanoseconds, self.budget) = (nanoseconds, budget)
    queue = runLater.map {
      EventQueue(pace: pace, beside: budget, nanoseconds: nanoseconds, runLater: $0)
    }
  }

  /// Runs a closure for the subscribers of a session, and charges the session for it.
  func charging<Result>(_ session: SessionID, _ body: () -> Result) -> Result {
    let start = nanoseconds()
    let result = body()
    let end = nanoseconds()
    budget?.charge(.session(session), end &- start, at: end)
    return result
  }
}

package struct EventLimits: Sendable {
  /// The maximum number and bytes of a document's changes that are kept for each subscription. As many commits of each
  /// session are kept for following it.
  package var kept = Follower.Bounds()
  /// The maximum number of sessions of one stream; the default is 16.
  package var sessions = 16
  /// The maximum number of named selections of one stream; the default is 16.
  package var selections = 16
  /// The maximum number of different subscriptions to a session; the default is 100.
  package var subscriptions = 100
  /// The maximum number of streams of one session; the default is 5,000.
  package var streamsOfSession = 5000
  /// The maximum number of streams opened with one administrator's token; the default is 5,000.
  package var streamsOfToken = 5000
  /// The interval between heartbeats of a stream; the default is 15 s.
  package var heartbeat: Duration = .seconds(15)
  /// The maximum seconds that `GET /sessions/{session}/changes` waits.
  package static let maximumWait = 60
  /// The interval between checks for due heartbeats and ended long polls.
  package static let interval: Duration = .milliseconds(500)

  package init() {}
}

/// The counters of events since the start.
final class EventFigures: Sendable {
  /// The events sent, by the position of their kind.
  private let sent = Counters()
  /// The number of changes that cover more than one revision.
  let merged = Counter()
  /// The time between a commit becoming durable and its event being sent, in nanoseconds.
  let lag = Histogram(bounds: Histogram.durations)

  func noteSent(_ kind: SessionEvent.Kind) { sent.add(at: kind.position) }

  /// Returns the number of sent events of a kind.
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
