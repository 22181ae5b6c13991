import Locks
import MenuEngine
import MicroHTTP
import Synchronization

/// The subscribers for which an event may have to be made, by session; sessions take turns.
///
/// Events are made on a separate thread, for a few milliseconds per session at a time. A session is charged for all of
/// its events, however short. A session with too much debt, for events or for other requests, waits for its turn until
/// the debt is paid off; its subscribers then get one merged event.
final class EventQueue: Sendable {
  /// The duration of a turn, unless a single event takes longer, in nanoseconds.
  static let slice = 2_000_000

  fileprivate struct Contents {
    /// The subscribers by session, in the order of their arrival; none while a session has its turn.
    var waiting: [SessionID: ArraySlice<EventStream>] = [:]
    /// The sessions in the order of their turns; a slice, so that the first is removed at no cost.
    var turns: ArraySlice<SessionID> = []
    /// The sessions with too much debt.
    var late: Set<SessionID> = []
    /// True if the thread has a job of this queue.
    var isRunning = false
  }

  private let contents = Lock(Contents())
  /// The time that sessions owe for their events, however short.
  private let debts: ProcessorBudget
  /// The time that sessions owe for long requests.
  private let budget: ProcessorBudget?
  private let nanoseconds: @Sendable () -> Int
  private let runLater: Worker.Runner

  /// Creates an empty queue.
  ///
  /// - Parameters:
  ///   - pace: The time that a session's events may take in each second; zero is no limit.
  ///   - budget: The time that sessions owe for other requests; nil, the default, if it is not charged.
  init(
    pace: Duration, beside budget: ProcessorBudget? = nil,
    nanoseconds: @escaping @Sendable () -> Int,
    runLater: @escaping Worker.Runner
  ) {
    debts = ProcessorBudget(perSecond: pace, from: 0)
    (self.budget, self.nanoseconds, self.runLater) = (budget, nanoseconds, runLater)
  }

  var count: Int { contents.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  func add(_ streams: [EventStream], of session: SessionID) {
    guard !streams.isEmpty else { return }
    let isFirst = contents.withLock { contents in
      if contents.waiting[session] == nil { contents.turns.append(session) }
      contents.waiting[session, default: []] += streams
      return contents.begin()
    }
    if isFirst { run() }
  }

  /// Gives a turn to the sessions whose debts are paid off; called every half second.
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
    // A job that is refused is submitted again by the next tick.
    if !runLater({ [self] in work() }) { contents.withLock { $0.isRunning = false } }
  }

  /// Gives one session its turn, and submits another job for the next one, so that other jobs run in between.
  private func work() {
    if let session = next() {
      let start = nanoseconds()
      var now = start
      let streams = contents.withLock { $0.waiting.updateValue([], forKey: session) } ?? []
      var rest = streams.startIndex
      while now &- start < Self.slice, rest < streams.endIndex {
        streams[rest].prepare()
        rest += 1
        now = nanoseconds()
      }
      debts.charge(.session(session), now &- start, at: now)
      contents.withLock { [rest] in $0.putBack(streams[rest...], of: session) }
    }
    let isNext = contents.withLock { contents in
      contents.isRunning = false
      return contents.begin()
    }
    if isNext { run() }
  }

  /// Removes and returns the next session.
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

  /// True if a session has too much debt, for its events or for other requests.
  private func isLate(_ session: SessionID, at now: Int) -> Bool {
    debts.wait(of: .session(session), at: now) != nil
      || budget?.wait(of: .session(session), at: now) != nil
  }
}

extension EventQueue.Contents {
  /// Puts back the remaining subscribers after a turn, before those that arrived since.
  fileprivate mutating func putBack(_ streams: ArraySlice<EventStream>, of session: SessionID) {
    let all = streams + (waiting[session] ?? [])
    waiting[session] = all.isEmpty ? nil : all
    if !all.isEmpty { turns.append(session) }
  }

  /// Returns true if a job is to be submitted for the sessions with a turn, and records that it is.
  fileprivate mutating func begin() -> Bool {
    guard !isRunning, !turns.isEmpty else { return false }
    isRunning = true
    return true
  }
}
