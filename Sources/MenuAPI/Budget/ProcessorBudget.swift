import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The processor time that sessions owe for long requests, and clients for long openings of sessions.
///
/// A debt decreases with time. While a payer has a debt, and for ten more seconds, its requests run on the thread of
/// long requests; if the debt is too large, they are refused. Short requests are free, so most sessions never have a
/// debt.
///
/// For ten seconds after the opening of a session, its long requests are also charged to the client that opened it:
/// otherwise a client could close the session before it paid its debt.
final class ProcessorBudget: Sendable {
  /// The minimum duration of a long request, in nanoseconds.
  static let long = 2_000_000
  /// The maximum debt of a payer whose requests are still answered, in nanoseconds.
  static let most = 1_000_000_000
  /// The maximum number of one payer's requests with large bodies that wait for the thread of long requests.
  static let waitingRequests = 16

  /// The time after a long request during which a payer is expected to send another one, in nanoseconds.
  private static let memory = 10_000_000_000

  /// The minimum duration of a request that is charged, in nanoseconds.
  private let minimum: Int
  private let ofSessions: Budget
  private let ofClients: Budget
  private let accounts = Lock(Accounts())
  /// True if any payer may have a debt; checked first, so that usually no lock is taken.
  private let hasDebts = Atomic(false)

  /// The rate at which debts are paid off.
  private struct Budget: Sendable {
    /// The nanoseconds paid off each second.
    let rate: Double
    let isLimited: Bool

    init(perSecond time: Duration) {
      isLimited = time > .zero
      rate = (isLimited ? time : .milliseconds(250)) / .nanoseconds(1)
    }
  }

  fileprivate struct Accounts {
    var debts: [Payer: Debt] = [:]
    /// The number of debts at which paid ones are removed.
    var debtLimit = 64
    /// The clients that opened sessions within the last ten seconds, with the times of the openings.
    var openers: [SessionID: (payer: Payer, time: Int)] = [:]
    /// The number of openers at which expired ones are removed.
    var purgeCount = 64
    /// The number of each payer's requests that wait for the thread of long requests.
    var waiting: [Payer: Int] = [:]
  }

  fileprivate struct Debt {
    var amount: Int
    /// The time of the debt, in nanoseconds.
    var time: Int
  }

  /// Creates a budget per second for each session and for each client; zero is no limit. By default clients have the
  /// same budget as sessions.
  ///
  /// - Parameter minimum: The minimum duration of a request that is charged, in nanoseconds. The default is that of a
  ///   long request.
  init(perSecond ofSessions: Duration, ofClients: Duration? = nil, from minimum: Int = long) {
    self.minimum = minimum
    self.ofSessions = Budget(perSecond: ofSessions)
    self.ofClients = Budget(perSecond: ofClients ?? ofSessions)
  }

  /// Adds the cost of a request, if it was long.
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

  /// Records the client that opened a session.
  func noteOpening(of session: SessionID, by payer: Payer, at now: Int) {
    accounts.withLock { accounts in
      if accounts.openers.count >= accounts.purgeCount {
        accounts.openers = accounts.openers.filter { now &- $0.value.time <= Self.memory }
        accounts.purgeCount = max(64, 2 * accounts.openers.count)
      }
      accounts.openers[session] = (payer, now)
    }
  }

  /// True if the payer sends long requests: it has a debt, or had one within ten seconds. Also true for a
  /// session that such a client has just opened.
  func expectsLongRequests(of payer: Payer, at now: Int) -> Bool {
    debt(of: payer, at: now) != nil || openerOwes(payer, at: now)
  }

  /// True if the payer has a debt.
  func owes(_ payer: Payer, at now: Int) -> Bool { (debt(of: payer, at: now) ?? 0) > 0 }

  /// Returns the seconds until the payer's requests are answered again; nil if they are answered now.
  func wait(of payer: Payer, at now: Int) -> Int? {
    let budget = budget(of: payer)
    let excess = (debt(of: payer, at: now) ?? 0) - Self.most
    guard budget.isLimited, excess > 0 else { return nil }
    return Int((Double(excess) / budget.rate).rounded(.up))
  }

  /// Counts a request with a large body that waits for the thread of long requests; false if the payer has too
  /// many.
  func enqueue(_ payer: Payer) -> Bool {
    accounts.withLock { accounts in
      let count = accounts.waiting[payer] ?? 0
      guard count < Self.waitingRequests else { return false }
      accounts.waiting[payer] = count + 1
      return true
    }
  }

  /// Removes a waiting request from the count.
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

  /// Returns the debt of the payer; nil if its last long request was long ago.
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
  /// Returns the client that opened a session within that time, if the payer is a session.
  fileprivate func opener(of payer: Payer, at now: Int, within time: Int) -> Payer? {
    guard case .session(let session) = payer, let opener = openers[session],
      now &- opener.time <= time
    else { return nil }
    return opener.payer
  }
}

/// The account that is charged for the processor time of a long request.
enum Payer: Hashable, Sendable {
  /// A session, for requests about it.
  case session(SessionID)
  /// An administrator's token, for requests about no session, such as openings.
  case administrator(TokenDigest)
  /// The number of the incarnation whose token a request has, for requests about no session.
  case incarnation(Int)
  /// An address, for requests about no session while no token is required.
  case address(String)

  /// True if the payer is a client.
  var isClient: Bool {
    switch self {
    case .session: false
    case .administrator, .incarnation, .address: true
    }
  }
}

/// Measures the processor time of requests on their threads; waiting does not count.
///
/// Reading the clock at each request would cost two system calls. Instead, each thread reads it at the beginning of a
/// request, at most every quarter of a millisecond, and again at the end of a request that seems long. The time
/// between that reading and the beginning of the request is subtracted in full: the measurement of a long request is
/// accurate to a quarter of a millisecond, and never too high.
struct ProcessorClock: Sendable {
  /// The maximum age of a valid reading, in nanoseconds.
  static let patience = 250_000

  private static let notes = ThreadLocal { Note() }
  private static let clocks = Atomic(0)

  /// A reading of a thread's processor time.
  private final class Note {
    /// The number of the clock that made the reading.
    var clock = 0
    var time = 0
    var processorTime = 0
  }

  private let number = Self.clocks.add(1, ordering: .relaxed).newValue
  private let processorTime: (@Sendable () -> Int)?

  /// - Parameter processorTime: The processor time of the present thread in nanoseconds, from any origin; nil
  ///   if it is unavailable, and then elapsed time counts.
  init(_ processorTime: (@Sendable () -> Int)?) { self.processorTime = processorTime }

  /// Reads the clock at the beginning of a request on this thread.
  func begin(at time: Int) {
    guard let processorTime else { return }
    let note = Self.notes.value
    guard note.clock != number || !(0...Self.patience).contains(time &- note.time) else { return }
    (note.clock, note.time, note.processorTime) = (number, time, processorTime())
  }

  /// Returns the processor time of the request that began on this thread at `start` and took `duration`, including
  /// waiting. A short request costs its duration; the clock is not read.
  func cost(from start: Int, taking duration: Int) -> Int {
    guard duration >= ProcessorBudget.long, let processorTime else { return duration }
    let note = Self.notes.value
    guard note.clock == number else { return duration }
    return min(duration, processorTime() &- note.processorTime &- (start &- note.time))
  }
}

extension Call {
  /// Charges the session for the request, unless its debt is too large. A payer with long requests is postponed to
  /// their thread.
  ///
  /// - Parameter isPostponable: False if the request cannot be restarted; the default is true.
  func admit(_ snapshot: Snapshot, isPostponable: Bool = true) throws(Problem) {
    let session = snapshot.session.id
    if isPostponable, case .possible = waiting.postponement {
      waiting.postponement = .impossible
      if service.budget.expectsLongRequests(of: .session(session), at: waiting.start) {
        waiting.postponement = .wanted(
          owes: service.budget.owes(.session(session), at: waiting.start))
        throw .overBudget(after: 1)
      }
    }
    waiting.session = session
    // It was admitted when it was prepared.
    guard waiting.draft == nil else { return }
    if let wait = service.budget.wait(of: .session(session), at: waiting.start) {
      throw .overBudget(after: wait)
    }
  }
}

extension Problem {
  /// The problem of a session whose long requests exceeded the budget, or of a client whose openings of
  /// sessions did.
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

  /// The problem of a request with a large body while too many of them wait.
  static let tooManyLargeRequests = Problem(
    .overloaded,
    "Too many requests with large bodies wait to be read; nothing was done, so that the request may be "
      + "repeated."
  ).with(header: "Retry-After", "1")
}
