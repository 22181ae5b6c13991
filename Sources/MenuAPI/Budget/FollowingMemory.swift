import Locks
import MenuEngine

/// The memory of caches that serve followers of sessions: an account for each session, within one budget.
///
/// Everything in these caches can be recomputed. When a session exceeds its budget, its least recently used
/// holder is evicted; when the total exceeds the budget, the least recently used holder of the largest session.
final class FollowingMemory: Sendable {
  /// A cache that serves the followers of one session.
  final class Holder: Sendable {
    let session: SessionID
    fileprivate let memory: FollowingMemory
    fileprivate let number: Int
    fileprivate let evict: @Sendable () -> Void

    fileprivate init(
      _ session: SessionID, _ number: Int, in memory: FollowingMemory,
      evict: @escaping @Sendable () -> Void
    ) {
      (self.session, self.number, self.memory, self.evict) = (session, number, memory, evict)
    }

    deinit { memory.remove(number, of: session) }

    /// Records the bytes of the cache after a use. Other holders are evicted if the total is too much.
    func note(_ size: Int) { memory.note(size, of: self) }
  }

  fileprivate struct Entry {
    /// The holder, while its cache exists.
    var holder: Unretained
    var size = 0
    /// The number of the last use.
    var used = 0
  }

  /// A weak reference to a holder, so that the holder ends with its cache.
  fileprivate struct Unretained {
    weak var holder: Holder?
  }

  fileprivate struct Contents {
    /// The holders by session and number.
    var accounts: [SessionID: [Int: Entry]] = [:]
    var sizes: [SessionID: Int] = [:]
    var total = 0
    var lastNumber = 0
    var uses = 0
    var evictions = 0
  }

  private let contents = Lock(Contents())
  private let budget: Int
  private let budgetOfSession: Int

  /// Creates empty accounts, with budgets in bytes.
  init(budget: Int, ofSession budgetOfSession: Int) {
    self.budget = budget
    self.budgetOfSession = budgetOfSession
  }

  var total: Int { contents.withLock(\.total) }

  var evictions: Int { contents.withLock(\.evictions) }

  func size(of session: SessionID) -> Int { contents.withLock { $0.sizes[session] ?? 0 } }

  /// Returns a holder without any bytes.
  ///
  /// - Parameter evict: Called on any thread, under no lock; it releases everything at once, does not wait, and
  ///   does not retain the holder.
  func holder(
    for session: SessionID, evict: @escaping @Sendable () -> Void
  ) -> Holder {
    let number = contents.withLock { contents in
      contents.lastNumber += 1
      return contents.lastNumber
    }
    return Holder(session, number, in: self, evict: evict)
  }

  private func note(_ size: Int, of holder: Holder) {
    let evicted = contents.withLock { contents in
      contents.uses += 1
      var entry =
        contents.accounts[holder.session]?[holder.number]
        ?? Entry(holder: Unretained(holder: holder))
      contents.add(size - entry.size, to: holder.session)
      (entry.size, entry.used) = (size, contents.uses)
      contents.accounts[holder.session, default: [:]][holder.number] = entry
      return victims(in: &contents, besides: holder)
    }
    for holder in evicted { holder.evict() }
  }

  /// Removes the holders to evict; the last used one stays, whatever its size.
  private func victims(in contents: inout Contents, besides used: Holder) -> [Holder] {
    var victims: [Holder] = []
    while (contents.sizes[used.session] ?? 0) > budgetOfSession,
      let victim = contents.takeLeastRecent(of: used.session, besides: used.number)
    {
      if let holder = victim.holder.holder { victims.append(holder) }
    }
    while contents.total > budget,
      let largest = contents.sizes.max(by: { $0.value < $1.value })?.key,
      let victim = contents.takeLeastRecent(of: largest, besides: used.number)
        ?? contents.takeLeastRecent(of: used.session, besides: used.number)
    {
      if let holder = victim.holder.holder { victims.append(holder) }
    }
    contents.evictions += victims.count
    return victims
  }

  private func remove(_ number: Int, of session: SessionID) {
    contents.withLock { _ = $0.remove(number, of: session) }
  }
}

extension FollowingMemory.Contents {
  fileprivate mutating func add(_ size: Int, to session: SessionID) {
    total += size
    let left = (sizes[session] ?? 0) + size
    sizes[session] = left > 0 ? left : nil
  }

  /// Removes the least recently used holder of a session; nil if no other holder has any bytes.
  fileprivate mutating func takeLeastRecent(
    of session: SessionID, besides number: Int
  ) -> FollowingMemory.Entry? {
    let others = accounts[session]?.filter { $0.key != number && $0.value.size > 0 }
    guard let oldest = others?.min(by: { $0.value.used < $1.value.used })?.key else { return nil }
    return remove(oldest, of: session)
  }

  fileprivate mutating func remove(_ number: Int, of session: SessionID) -> FollowingMemory.Entry? {
    guard let entry = accounts[session]?.removeValue(forKey: number) else { return nil }
    if accounts[session]?.isEmpty == true { accounts[session] = nil }
    add(-entry.size, to: session)
    return entry
  }
}
