import Locks
import MenuEngine

/// The memory that is kept for whoever follows sessions: an account for each session, within one budget.
///
/// Everything that is kept so can be made again. When a session takes more than it may, what it used least recently is
/// evicted; when all of them do, that of the session that takes most.
final class FollowingMemory: Sendable {
  /// Something that is kept for a session's followers.
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

    /// Notes the number of bytes that it takes after it was used. Others are evicted if that is too much.
    func note(_ size: Int) { memory.note(size, of: self) }
  }

  fileprivate struct Entry {
    /// The holder, as long as it takes anything.
    var holder: Unretained
    var size = 0
    /// The number of the last use.
    var used = 0
  }

  /// A holder that is not retained, so that it ends with what it stands for.
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

  /// An empty account for each session, within budgets in bytes.
  init(budget: Int, ofSession budgetOfSession: Int) {
    self.budget = budget
    self.budgetOfSession = budgetOfSession
  }

  /// The bytes that are kept for all sessions.
  var total: Int { contents.withLock(\.total) }

  /// The number of evictions so far.
  var evictions: Int { contents.withLock(\.evictions) }

  /// The bytes that are kept for a session's followers.
  func size(of session: SessionID) -> Int { contents.withLock { $0.sizes[session] ?? 0 } }

  /// Returns a holder that takes nothing yet.
  ///
  /// - Parameter evict: Called on any thread, under no lock; it lets go of everything at once, waits for nobody, and
  ///   does not keep the holder.
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

  /// Takes out the holders to evict; the one that was used last stays, whatever its size.
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

  /// Removes the holder of a session that was used least recently; nil if there is no other one that takes anything.
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
