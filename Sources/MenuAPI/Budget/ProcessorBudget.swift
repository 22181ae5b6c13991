import Locks
import MenuEngine
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
