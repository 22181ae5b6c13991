/// The last commits of one subject, for those who follow it.
///
/// A commit is added when it is published, and removed when it is rolled back. Followers get those whose tickets
/// are settled as durable: since the journal settles them in order, these are the first ones. The oldest of these are
/// dropped when they are too many or too large; the last one stays, whatever its size.
struct CommitRing: Sendable {
  private struct Entry: Sendable {
    /// The number of the commit.
    let number: Int
    /// About the number of bytes that the commit takes.
    let size: Int
    /// The commit; nil once it is dropped.
    var commit: DurableCommit?
    /// The state after the commit; nil once that is known to be durable, so that a ring keeps one durable state.
    var state: FollowedState?
  }

  private let bounds: Follower.Bounds
  private var entries: [Entry] = []
  /// The number of entries at the beginning that are dropped already.
  private var dropped = 0
  /// The number of entries, with the dropped ones, that are known to be durable.
  private var durable = 0
  /// The size of the durable entries that are not dropped.
  private var size = 0
  /// The newest state that is known to be durable, or the one that the ring began with.
  private var state: FollowedState
  /// The position before the first entry.
  private var first: Int
  /// The state before the first entry; nil if that is not kept, or is known no more.
  private(set) var beginning: FollowedState?
  /// Called when there may be news, by the numbers of followers.
  private(set) var wakers: [Int: @Sendable () -> Void] = [:]
  /// The time at which the last follower left; nil while there is one.
  private(set) var unfollowedSince: Int64?
  /// The last ticket whose settlement wakes the followers.
  private var awaited: Ticket?

  /// A ring that begins with a state, which it keeps if asked; by default it does not.
  init(_ state: FollowedState, within bounds: Follower.Bounds, keepsBeginning: Bool = false) {
    self.state = state
    self.bounds = bounds
    first = state.number
    beginning = keepsBeginning ? state : nil
  }

  /// Adds a published commit of about so many bytes, and the state that it led to.
  mutating func append(
    _ commit: DurableCommit, _ state: FollowedState, size: Int,
    retiring retired: inout RetiredCommits
  ) {
    entries.append(Entry(number: commit.number, size: size, commit: commit, state: state))
    settle(retiring: &retired)
  }

  /// Removes the last commit, which was rolled back; returns false if that is from before the ring began.
  mutating func removeLast(retiring retired: inout RetiredCommits) -> Bool {
    guard entries.count > durable, let last = entries.popLast() else { return false }
    retired.note(last.commit, last.state)
    return true
  }

  /// Begins anew with a state, for the same followers.
  mutating func restart(with state: FollowedState, retiring retired: inout RetiredCommits) {
    var ring = CommitRing(state, within: bounds)
    (ring.wakers, ring.unfollowedSince) = (wakers, unfollowedSince)
    retired.rings.append(self)
    self = ring
  }

  /// Returns the news for a follower who knows the commits up to a position; nil if it knows nothing.
  mutating func news(
    after position: Int?, atMost most: Int, retiring retired: inout RetiredCommits
  ) -> FollowedNews {
    settle(retiring: &retired)
    guard state.ticket.isDurable, position != state.number else { return .none }
    guard let position, let start = index(after: position) else { return .anew(state) }
    let end = start + min(durable - start, most)
    return .commits(entries[start..<end].compactMap(\.commit), end == durable ? state : nil)
  }

  /// The index of the first entry after a position; nil if what follows it is not known.
  private func index(after position: Int) -> Int? {
    if position == first { return dropped }
    var (low, high) = (dropped, durable)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < position { low = middle + 1 } else { high = middle }
    }
    return low < durable && entries[low].number == position ? low + 1 : nil
  }
}

// MARK: Settling

extension CommitRing {
  /// Looks which commits have become durable, and drops the oldest ones beyond the bounds.
  private mutating func settle(retiring retired: inout RetiredCommits) {
    guard state.ticket.isDurable else { return }
    while durable < entries.count, let next = entries[durable].state, next.ticket.isDurable {
      retired.note(nil, state)
      state = next
      entries[durable].state = nil
      size += entries[durable].size
      durable += 1
    }
    trim(retiring: &retired)
  }

  private mutating func trim(retiring retired: inout RetiredCommits) {
    while isTooMuch {
      forgetBeginning(retiring: &retired)
      first = entries[dropped].number
      size -= entries[dropped].size
      retired.note(entries[dropped].commit.take(), nil)
      dropped += 1
    }
    // Many at once, so that each is moved once on average.
    guard dropped > bounds.count else { return }
    entries.removeFirst(dropped)
    durable -= dropped
    dropped = 0
  }

  private var isTooMuch: Bool {
    let count = durable - dropped
    return count > bounds.count || count > 1 && size > bounds.size
  }
}

// MARK: Followers

extension CommitRing {
  mutating func add(_ waker: @escaping @Sendable () -> Void, as follower: Int) {
    wakers[follower] = waker
    unfollowedSince = nil
  }

  mutating func remove(_ follower: Int, at time: Int64) {
    wakers[follower] = nil
    if wakers.isEmpty { leave(at: time) }
  }

  /// Notes that nobody follows it from a time on.
  mutating func leave(at time: Int64) { unfollowedSince = time }

  /// Forgets the state before the first entry.
  mutating func forgetBeginning(retiring retired: inout RetiredCommits) {
    retired.note(nil, beginning.take())
  }

  /// Returns true if nobody follows it for more than a minute.
  func isForgotten(at time: Int64) -> Bool {
    unfollowedSince.map { time - $0 > 60_000 } ?? false
  }

  /// True if it began with the absence of a session, which is as durable as the last opening or closing of any.
  var awaitsMembership: Bool {
    if entries.isEmpty, case .noSession(_, let ticket) = state { !ticket.isDurable } else { false }
  }

  /// True if the newest state is durable.
  var isDurable: Bool { (entries.last?.state ?? state).ticket.isDurable }

  /// Returns the ticket whose settlement is to wake the followers; nil if that is arranged already,
  /// or if it is settled and there are no followers.
  mutating func ticketToAwait() -> Ticket? {
    let ticket = (entries.last?.state ?? state).ticket
    guard ticket.isDurable ? !wakers.isEmpty : ticket !== awaited else { return nil }
    awaited = ticket
    return ticket
  }
}
