import Locks
import MenuEngine
import Synchronization

/// The processor time that sessions owe for long requests.
///
/// A session pays off what it owes as time passes. While it owes anything, and ten seconds longer, its
/// requests are answered beside those of others, not before them; when it owes too much, they are refused.
/// Requests that are not long cost nothing, so that most sessions never owe.
final class ProcessorBudget: Sendable {
  /// The time from which on a request is long, in nanoseconds.
  static let long = 2_000_000
  /// The most that a session may owe before it is refused, in nanoseconds.
  static let most = 1_000_000_000

  /// The time for which a session that had a long request is expected to have another one, in
  /// nanoseconds.
  private static let memory = 10_000_000_000

  /// The time that is paid off in each second, in nanoseconds.
  private let rate: Double
  private let isLimited: Bool
  private let debts = Lock<[SessionID: Debt]>([:])
  /// True if any session may owe something, so that asking usually takes no lock.
  private let hasDebts = Atomic(false)

  private struct Debt {
    var amount: Int
    /// The time at which it was that much, in nanoseconds.
    var time: Int
  }

  /// A budget of so much for each session and second; zero is no limit.
  init(perSecond budget: Duration) {
    isLimited = budget > .zero
    rate = (isLimited ? budget : .milliseconds(250)) / .nanoseconds(1)
  }

  /// Adds what a request took, if it was long.
  func charge(_ session: SessionID, _ cost: Int, at now: Int) {
    guard cost >= Self.long else { return }
    debts.withLock { debts in
      if debts.count >= 64 { debts = debts.filter { !isOver($0.value, at: now) } }
      let old = debts[session].map { left(of: $0, at: now) } ?? 0
      debts[session] = Debt(amount: old + cost, time: now)
      hasDebts.store(true, ordering: .relaxed)
    }
  }

  /// True if the session is one that has long requests: it owes something, or did a moment ago.
  func expectsLongRequests(of session: SessionID, at now: Int) -> Bool {
    debt(of: session, at: now) != nil
  }

  /// True if the session did not pay off its long requests yet.
  func owes(_ session: SessionID, at now: Int) -> Bool { (debt(of: session, at: now) ?? 0) > 0 }

  /// The seconds after which the session is answered again; nil if it is answered now.
  func wait(of session: SessionID, at now: Int) -> Int? {
    let excess = (debt(of: session, at: now) ?? 0) - Self.most
    guard isLimited, excess > 0 else { return nil }
    return Int((Double(excess) / rate).rounded(.up))
  }

  /// Returns the time that the session owes; nil if its last long request is long ago.
  private func debt(of session: SessionID, at now: Int) -> Int? {
    guard hasDebts.load(ordering: .relaxed) else { return nil }
    return debts.withLock { debts in
      guard let debt = debts[session] else { return nil }
      guard isOver(debt, at: now) else { return left(of: debt, at: now) }
      debts[session] = nil
      if debts.isEmpty { hasDebts.store(false, ordering: .relaxed) }
      return nil
    }
  }

  private func isOver(_ debt: Debt, at now: Int) -> Bool {
    now - debt.time > Self.memory && left(of: debt, at: now) == 0
  }

  private func left(of debt: Debt, at now: Int) -> Int {
    max(0, debt.amount - Int(Double(now - debt.time) / 1e9 * rate))
  }
}
