import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The processor time that sessions owe for long requests, and clients for long openings of sessions.
///
/// A payer pays off what it owes as time passes. While it owes anything, and ten seconds longer, its
/// requests are answered beside those of others, not before them; when it owes too much, they are refused.
/// Requests that are not long cost nothing, so that most sessions never owe.
///
/// For ten seconds after it was opened, a session's long requests are charged to the client that opened it, too:
/// it would have no debt otherwise, and could be closed before it paid any.
final class ProcessorBudget: Sendable {
  /// The time from which on a request is long, in nanoseconds.
  static let long = 2_000_000
  /// The most that a payer may owe before it is refused, in nanoseconds.
  static let most = 1_000_000_000
  /// The number of requests with large bodies of one payer that may wait for the thread of long requests.
  static let waitingRequests = 16

  /// The time for which a payer that had a long request is expected to have another one, in
  /// nanoseconds.
  private static let memory = 10_000_000_000

  /// The time from which on something costs anything, in nanoseconds.
  private let minimum: Int
  private let ofSessions: Budget
  private let ofClients: Budget
  private let accounts = Lock(Accounts())
  /// True if anybody may owe something, so that asking usually takes no lock.
  private let hasDebts = Atomic(false)

  /// The time that is paid off.
  private struct Budget: Sendable {
    /// The time for each second, in nanoseconds.
    let rate: Double
    let isLimited: Bool

    init(perSecond time: Duration) {
      isLimited = time > .zero
      rate = (isLimited ? time : .milliseconds(250)) / .nanoseconds(1)
    }
  }

  fileprivate struct Accounts {
    var debts: [Payer: Debt] = [:]
    /// The number of debts at which those that are over are removed.
    var debtLimit = 64
    /// The clients that opened sessions within the last ten seconds, and when.
    var openers: [SessionID: (payer: Payer, time: Int)] = [:]
    /// The number of openers at which those of older sessions are removed.
    var purgeCount = 64
    /// The numbers of requests that wait for the thread of long requests.
    var waiting: [Payer: Int] = [:]
  }

  fileprivate struct Debt {
    var amount: Int
    /// The time at which it was that much, in nanoseconds.
    var time: Int
  }

  /// A budget of so much in each second for each session, and for each client; zero is no limit. By default
  /// clients have as much as sessions.
  ///
  /// - Parameter minimum: The time from which on something costs anything, in nanoseconds; by default that of a long
  ///   request.
  init(perSecond ofSessions: Duration, ofClients: Duration? = nil, from minimum: Int = long) {
    self.minimum = minimum
    self.ofSessions = Budget(perSecond: ofSessions)
    self.ofClients = Budget(perSecond: ofClients ?? ofSessions)
  }

  /// Adds what a request took, if it was long.
  func charge(_ payer: Payer, _ cost: Int, at now: Int) {
    guard cost >= max(minimum, 1) else { return }
    accounts.withLock { accounts in
      if accounts.debts.count >= accounts.debtLimit {
        accounts.debts = accounts.debts.filter { !isOver($0.value, of: $0.key, at: now) }
        accounts.debtLimit = max(64, 2 * accounts.debts.count)
      }
      let opener = accounts.opener(of: payer, at: now, within: Self.memory)
      for payer in [payer, opener].compactMap(\.self) {
        let old = accounts.debts[payer].map { left(of: $0, of: payer, at: now) } ?? 0
        accounts.debts[payer] = Debt(amount: old + cost, time: now)
      }
      hasDebts.store(true, ordering: .relaxed)
    }
  }

  /// Notes which client opened a session.
  func noteOpening(of session: SessionID, by payer: Payer, at now: Int) {
    accounts.withLock { accounts in
      if accounts.openers.count >= accounts.purgeCount {
        accounts.openers = accounts.openers.filter { now &- $0.value.time <= Self.memory }
        accounts.purgeCount = max(64, 2 * accounts.openers.count)
      }
      accounts.openers[session] = (payer, now)
    }
  }

  /// True if the payer is one that has long requests: it owes something, or did a moment ago. So is a session that
  /// such a client has just opened.
  func expectsLongRequests(of payer: Payer, at now: Int) -> Bool {
    debt(of: payer, at: now) != nil || openerOwes(payer, at: now)
  }

  /// True if the payer did not pay off its long requests yet.
  func owes(_ payer: Payer, at now: Int) -> Bool { (debt(of: payer, at: now) ?? 0) > 0 }

  /// The seconds after which the payer is answered again; nil if it is answered now.
  func wait(of payer: Payer, at now: Int) -> Int? {
    let budget = budget(of: payer)
    let excess = (debt(of: payer, at: now) ?? 0) - Self.most
    guard budget.isLimited, excess > 0 else { return nil }
    return Int((Double(excess) / budget.rate).rounded(.up))
  }

  /// Lets a request with a large body wait for the thread of long requests; false if too many of the payer do.
  func enqueue(_ payer: Payer) -> Bool {
    accounts.withLock { accounts in
      let count = accounts.waiting[payer] ?? 0
      guard count < Self.waitingRequests else { return false }
      accounts.waiting[payer] = count + 1
      return true
    }
  }

  /// Notes that such a request does not wait any more.
  func dequeue(_ payer: Payer) {
    accounts.withLock { accounts in
      let count = accounts.waiting[payer] ?? 0
      accounts.waiting[payer] = count > 1 ? count - 1 : nil
    }
  }

  private func budget(of payer: Payer) -> Budget { payer.isClient ? ofClients : ofSessions }

  private func openerOwes(_ payer: Payer, at now: Int) -> Bool {
    guard hasDebts.load(ordering: .relaxed) else { return false }
    let opener = accounts.withLock { $0.opener(of: payer, at: now, within: Self.memory) }
    return opener.map { debt(of: $0, at: now) != nil } ?? false
  }

  /// Returns the time that the payer owes; nil if its last long request is long ago.
  private func debt(of payer: Payer, at now: Int) -> Int? {
    guard hasDebts.load(ordering: .relaxed) else { return nil }
    return accounts.withLock { accounts in
      guard let debt = accounts.debts[payer] else { return nil }
      guard isOver(debt, of: payer, at: now) else { return left(of: debt, of: payer, at: now) }
      accounts.debts[payer] = nil
      if accounts.debts.isEmpty { hasDebts.store(false, ordering: .relaxed) }
      return nil
    }
  }

  private func isOver(_ debt: Debt, of payer: Payer, at now: Int) -> Bool {
    now - debt.time > Self.memory && left(of: debt, of: payer, at: now) == 0
  }

  private func left(of debt: Debt, of payer: Payer, at now: Int) -> Int {
    max(0, debt.amount - Int(Double(now - debt.time) / 1e9 * budget(of: payer).rate))
  }
}

extension ProcessorBudget.Accounts {
  /// The client that opened a session within that time, if the payer is one.
  fileprivate func opener(of payer: Payer, at now: Int, within time: Int) -> Payer? {
    guard case .session(let session) = payer, let opener = openers[session],
      now &- opener.time <= time
    else { return nil }
    return opener.payer
  }
}

// What is asked about sessions by their names.
extension ProcessorBudget {
  func charge(_ session: SessionID, _ cost: Int, at now: Int) {
    charge(.session(session), cost, at: now)
  }

  func expectsLongRequests(of session: SessionID, at now: Int) -> Bool {
    expectsLongRequests(of: .session(session), at: now)
  }

  func owes(_ session: SessionID, at now: Int) -> Bool { owes(.session(session), at: now) }

  func wait(of session: SessionID, at now: Int) -> Int? { wait(of: .session(session), at: now) }
}

/// The account that the processor time of a long request is charged to.
enum Payer: Hashable, Sendable {
  /// A session, for what is asked of it.
  case session(SessionID)
  /// An administrator's token, for what is about no session, such as openings.
  case administrator(TokenDigest)
  /// The number of the session whose token a request shows, for the same.
  case incarnation(Int)
  /// An address, for the same while no token is asked for.
  case address(String)

  /// True if it is the client, not a session.
  var isClient: Bool {
    switch self {
    case .session: false
    case .administrator, .incarnation, .address: true
    }
  }
}

/// Measures the processor time of requests on their threads, in which waiting does not count.
///
/// Asking the system for it at each request would cost two calls. So each thread notes it every quarter of a
/// millisecond at most, when a request begins, and once more at the end of a request that seems long. Between
/// the note and the beginning of that request the thread took no more processor time than passed, which is not
/// counted: a long request is measured to the last quarter of a millisecond, and never as longer than it is.
struct ProcessorClock: Sendable {
  /// The age up to which a note counts, in nanoseconds.
  static let patience = 250_000

  private static let notes = ThreadLocal { Note() }
  private static let clocks = Atomic(0)

  /// The processor time of a thread at some time.
  private final class Note {
    /// The number of the clock that made it.
    var clock = 0
    var time = 0
    var processorTime = 0
  }

  private let number = Self.clocks.add(1, ordering: .relaxed).newValue
  private let processorTime: (@Sendable () -> Int)?

  /// - Parameter processorTime: The processor time of the present thread in nanoseconds, from any beginning; nil if
  ///   nobody knows, and then all time counts.
  init(_ processorTime: (@Sendable () -> Int)?) { self.processorTime = processorTime }

  /// Notes that a request begins on this thread.
  func begin(at time: Int) {
    guard let processorTime else { return }
    let note = Self.notes.value
    guard note.clock != number || !(0...Self.patience).contains(time &- note.time) else { return }
    (note.clock, note.time, note.processorTime) = (number, time, processorTime())
  }

  /// Returns the processor time of the request that began on this thread at `start`, and took
  /// `duration` including all waiting. For short requests the duration stands for the processor
  /// time, which is not read.
  func cost(from start: Int, taking duration: Int) -> Int {
    guard duration >= ProcessorBudget.long, let processorTime else { return duration }
    let note = Self.notes.value
    guard note.clock == number else { return duration }
    return min(duration, processorTime() &- note.processorTime &- (start &- note.time))
  }
}

extension Call {
  /// Lets a session pay for the request, unless it owes too much already. If it is one that has long
  /// requests, this one is left to the thread that answers them.
  ///
  /// - Parameter isPostponable: False if it cannot be carried out from its beginning again; the default is true.
  func admit(_ snapshot: Snapshot, isPostponable: Bool = true) throws(Problem) {
    let session = snapshot.session.id
    if isPostponable, case .possible = waiting.postponement {
      waiting.postponement = .impossible
      if service.budget.expectsLongRequests(of: session, at: waiting.start) {
        waiting.postponement = .wanted(owes: service.budget.owes(session, at: waiting.start))
        throw .overBudget(after: 1)
      }
    }
    waiting.session = session
    if let wait = service.budget.wait(of: session, at: waiting.start) {
      throw .overBudget(after: wait)
    }
  }
}

extension Problem {
  /// The problem of a session whose long requests took too much time lately, or of a client whose openings of sessions
  /// did.
  static func overBudget(after seconds: Int, ofClient isOfClient: Bool = false) -> Problem {
    let limit = isOfClient ? "limits.openingTime" : "limits.processorTime"
    let sentence =
      isOfClient
      ? "This client's openings of sessions, and its other long requests about none, took too much time "
        + "lately (\(limit)); send smaller ones, or fewer at once."
      : "The session's long requests took too much time lately (\(limit)); ask for less at once, or less "
        + "often."
    return Problem(.overBudget, sentence).with("limit") { $0.value(limit) }
      .with(header: "Retry-After", "\(seconds)")
  }

  /// The problem of a request with a large body, while too many of these wait.
  static let tooManyLargeRequests = Problem(
    .overloaded,
    "Too many requests with large bodies wait to be read; nothing was done, so that the request may be "
      + "repeated."
  ).with(header: "Retry-After", "1")
}
