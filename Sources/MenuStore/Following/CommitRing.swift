/// The last commits of one subject, for those who follow it.
///
/// A commit is added when it is published, and removed when it is rolled back. Followers get those whose tickets
/// are settled as durable: since the journal settles them in order, these are the first ones.
struct CommitRing: Sendable {
  /// The most durable commits that are kept.
  static let capacity = 1024

  private struct Entry: Sendable {
    let commit: DurableCommit
    let ticket: Ticket
    /// The state after the commit; nil once a later one is durable, so that a ring keeps one state and no more.
    var state: FollowedState?
  }

  private var entries: [Entry] = []
  /// The number of entries at the beginning that are dropped already.
  private var dropped = 0
  /// The number of entries, with the dropped ones, that are known to be durable.
  private var durable = 0
  /// The newest state that is known to be durable, or the one that the ring began with.
  private var state: FollowedState
  /// The position before the first entry.
  private var first: Int
  /// Called when there may be news, by the numbers of followers.
  private(set) var wakers: [Int: @Sendable () -> Void] = [:]
  /// The time at which the last follower left; nil while there is one.
  private(set) var unfollowedSince: Int64?
  /// The last ticket whose settlement wakes the followers.
  private var awaited: Ticket?

  /// A ring that begins with a state.
  init(_ state: FollowedState) {
    self.state = state
    first = state.number
  }

  /// Adds a published commit, and the state that it led to.
  mutating func append(_ commit: DurableCommit, _ state: FollowedState) {
    entries.append(Entry(commit: commit, ticket: state.ticket, state: state))
    settle()
  }

  /// Drops the oldest durable commits, if there are too many.
  private mutating func trim() {
    while durable - dropped > Self.capacity {
      first = entries[dropped].commit.number
      dropped += 1
    }
    // Half of it at once, so that each is moved once on average.
    guard dropped > Self.capacity else { return }
    entries.removeFirst(dropped)
    durable -= dropped
    dropped = 0
  }

  /// Removes the last commit, which was rolled back; returns false if that is from before the ring began.
  mutating func removeLast() -> Bool {
    guard entries.count > durable else { return false }
    entries.removeLast()
    return true
  }

  /// Begins anew with a state, for the same followers.
  mutating func restart(with state: FollowedState) {
    var ring = CommitRing(state)
    (ring.wakers, ring.unfollowedSince) = (wakers, unfollowedSince)
    self = ring
  }

  /// Returns the news for a follower who knows the commits up to a position; nil if it knows nothing.
  mutating func news(after position: Int?, atMost most: Int) -> FollowedNews {
    settle()
    guard state.ticket.isDurable, position != state.number else { return .none }
    guard let position, let start = index(after: position) else { return .anew(state) }
    let end = start + min(durable - start, most)
    return .commits(entries[start..<end].map(\.commit), end == durable ? state : nil)
  }

  /// The index of the first entry after a position; nil if what follows it is not known.
  private func index(after position: Int) -> Int? {
    if position == first { return dropped }
    var (low, high) = (dropped, durable)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].commit.number < position { low = middle + 1 } else { high = middle }
    }
    return low < durable && entries[low].commit.number == position ? low + 1 : nil
  }

  /// Looks which commits have become durable, and drops the oldest ones beyond the capacity.
  private mutating func settle() {
    guard state.ticket.isDurable else { return }
    while durable < entries.count, entries[durable].ticket.isDurable {
      if let next = entries[durable].state { state = next }
      entries[durable].state = nil
      durable += 1
    }
    trim()
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
    if wakers.isEmpty { unfollowedSince = time }
  }

  /// Returns true if nobody follows it for more than a minute.
  func isForgotten(at time: Int64) -> Bool {
    unfollowedSince.map { time - $0 > 60_000 } ?? false
  }

  /// True if it began with the absence of a session, which is as durable as the last opening or closing of any.
  var awaitsMembership: Bool {
    if entries.isEmpty, case .noSession(_, let ticket) = state { !ticket.isDurable } else { false }
  }

  /// Returns the ticket whose settlement is to wake the followers; nil if there are none, or it is awaited already.
  mutating func ticketToAwait() -> Ticket? {
    let ticket = (entries.last?.state ?? state).ticket
    guard !wakers.isEmpty, ticket.isDurable || ticket !== awaited else { return nil }
    awaited = ticket
    return ticket
  }
}
