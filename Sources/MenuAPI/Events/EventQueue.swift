import Locks
import MenuEngine
import Synchronization

/// The subscribers for whom an event may have to be made, by sessions, which take turns.
///
/// Events are made on a thread of their own, a few milliseconds at a time for each session. A session pays for all of
/// them, however short; one that owes too much, for these or for other requests, waits for its turn until it has paid,
/// and its subscribers then get one event that tells of many.
final class EventQueue: Sendable {
  /// The time that a turn takes unless a single event takes longer, in nanoseconds.
  static let slice = 2_000_000

  fileprivate struct Contents {
    /// The subscribers by session, in the order in which they came.
    var waiting: [SessionID: ArraySlice<EventStream>] = [:]
    /// The sessions in the order of their turns; a slice, whose first one is taken at no cost.
    var turns: ArraySlice<SessionID> = []
    /// The sessions that owe too much.
    var late: Set<SessionID> = []
    /// True if a job is with the thread.
    var isRunning = false
  }

  private let contents = Lock(Contents())
  /// The time that sessions owe for their events, however short.
  private let debts: ProcessorBudget
  /// The time that they owe for whatever took long.
  private let budget: ProcessorBudget?
  private let nanoseconds: @Sendable () -> Int
  private let runLater: @Sendable (@escaping @Sendable () -> Void) -> Bool

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - pace: The time that a session's events may take in each second; zero is no limit.
  ///   - budget: The time that sessions owe for other requests, too; nil, the default, if they owe nothing.
  init(
    pace: Duration, beside budget: ProcessorBudget? = nil,
    nanoseconds: @escaping @Sendable () -> Int,
    runLater: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool
  ) {
    debts = ProcessorBudget(perSecond: pace, from: 0)
    (self.budget, self.nanoseconds, self.runLater) = (budget, nanoseconds, runLater)
  }

  /// The number of subscribers that wait.
  var count: Int { contents.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  /// Adds subscribers of a session.
  func add(_ streams: [EventStream], of session: SessionID) {
    guard !streams.isEmpty else { return }
    let isFirst = contents.withLock { contents in
      if contents.waiting[session] == nil { contents.turns.append(session) }
      contents.waiting[session, default: []] += streams
      return contents.begin()
    }
    if isFirst { run() }
  }

  /// Gives the sessions a turn again that have paid; called every half second.
  func tick() {
    let now = nanoseconds()
    let isFirst = contents.withLock { contents in
      let paid = contents.late.filter { !isLate($0, at: now) }
      contents.late.subtract(paid)
      contents.turns += paid
      return contents.begin()
    }
    if isFirst { run() }
  }

  private func run() {
    // A job that is not taken is begun again by the next tick.
    if !runLater({ [self] in work() }) { contents.withLock { $0.isRunning = false } }
  }

  /// Gives one session its turn, and leaves the next one to another job, so that other jobs come in between.
  private func work() {
    if let session = next() {
      let start = nanoseconds()
      var now = start
      while now &- start < Self.slice, let stream = take(of: session) {
        stream.prepare()
        now = nanoseconds()
      }
      debts.charge(session, now &- start, at: now)
      contents.withLock { contents in
        if contents.waiting[session]?.isEmpty == false {
          contents.turns.append(session)
        } else {
          contents.waiting[session] = nil
        }
      }
    }
    let isNext = contents.withLock { contents in
      contents.isRunning = false
      return contents.begin()
    }
    if isNext { run() }
  }

  /// Takes the session whose turn it is.
  private func next() -> SessionID? {
    let now = nanoseconds()
    return contents.withLock { contents in
      while let session = contents.turns.popFirst() {
        guard isLate(session, at: now) else { return session }
        contents.late.insert(session)
      }
      return nil
    }
  }

  /// True if a session owes too much for its events, or for other requests.
  private func isLate(_ session: SessionID, at now: Int) -> Bool {
    debts.wait(of: session, at: now) != nil || budget?.wait(of: session, at: now) != nil
  }

  private func take(of session: SessionID) -> EventStream? {
    contents.withLock { $0.waiting[session]?.popFirst() }
  }
}

extension EventQueue.Contents {
  /// Returns true if a job is to be begun for the sessions that have a turn.
  fileprivate mutating func begin() -> Bool {
    guard !isRunning, !turns.isEmpty else { return false }
    isRunning = true
    return true
  }
}
