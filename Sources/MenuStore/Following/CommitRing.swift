/// The last commits of one subject, for its followers.
///
/// The oldest ones are evicted when there are too many or their size is too large. The newest one is kept whatever its
/// size.
struct CommitRing: Sendable {
  private struct Entry: Sendable {
    /// The number of the commit.
    let number: Int
    /// About the number of bytes that the commit takes.
    let size: Int
    /// The commit; nil once it is evicted.
    var commit: DurableCommit?
    /// The state after the commit; nil if it is not kept.
    var state: FollowedState?
  }

  private let bounds: Follower.Bounds
  private var entries: [Entry] = []
  /// The number of evicted entries at the beginning of the array.
  private var dropped = 0
  /// The size of the entries that are not evicted.
  private var size = 0
  /// The newest state.
  private var state: FollowedState
  /// The position before the first entry.
  private var first: Int
  /// The state before the first entry or before a later one; nil if none is kept.
  private(set) var beginning: FollowedState?
  /// The time from which on states after commits are kept; nil if they are not.
  private var statesKeptSince: Int64?
  /// The closures that wake followers, by the number of the follower.
  private(set) var wakers: [Int: @Sendable () -> Void] = [:]
  /// The time at which the last follower left; nil while there is one.
  private(set) var unfollowedSince: Int64?

  /// Creates a ring that begins with a state; `keepsBeginning` keeps it. The default is false.
  init(_ state: FollowedState, within bounds: Follower.Bounds, keepsBeginning: Bool = false) {
    self.state = state
    self.bounds = bounds
    first = state.number
    beginning = keepsBeginning ? state : nil
  }

  /// Adds a commit of about `size` bytes, and the state after it.
  ///
  /// - Parameter time: The present time, to keep the state for a minute. The default is nil, to keep it until the next
  ///   commit.
  mutating func append(
    _ commit: DurableCommit, _ state: FollowedState, size: Int, keepingStateFrom time: Int64? = nil,
    retiring retired: inout RetiredCommits
  ) {
    entries.append(
      Entry(
        number: commit.number, size: size, commit: commit, state: time == nil ? nil : state))
    statesKeptSince = time ?? statesKeptSince
    retired.note(nil, self.state)
    self.state = state
    self.size += size
    trim(retiring: &retired)
  }

  /// True if the newest state is that no session of the name is open.
  var isOfNoSession: Bool { if case .noSession = state { true } else { false } }

  /// Restarts the ring with a state, which is kept. Followers stay.
  mutating func restart(
    with state: FollowedState, at time: Int64, retiring retired: inout RetiredCommits
  ) {
    var ring = CommitRing(state, within: bounds, keepsBeginning: true)
    ring.wakers = wakers
    if wakers.isEmpty { ring.leave(at: time) }
    retired.rings.append(self)
    self = ring
  }

  /// Returns the news after a follower's position; a nil position is that of a new follower.
  func news(after position: Int?, atMost most: Int) -> FollowedNews {
    guard position != state.number else { return .none }
    guard let position, let start = index(after: position) else { return .anew(state) }
    let end = start + min(entries.count - start, most)
    return .commits(
      entries[start..<end].compactMap(\.commit), end == entries.count ? state : nil)
  }

  /// Returns the commits since the beginning, each with its state if it is kept.
  var commitsSinceBeginning: [(commit: DurableCommit, state: FollowedState?)] {
    guard let start = beginning.flatMap({ index(after: $0.number) }) else { return [] }
    return entries[start...].compactMap { entry in entry.commit.map { ($0, entry.state) } }
  }

  /// The index of the first entry after a position; nil if some commits after it are evicted.
  private func index(after position: Int) -> Int? {
    if position == first { return dropped }
    var (low, high) = (dropped, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < position { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == position ? low + 1 : nil
  }
}

// MARK: Bounds

extension CommitRing {
  private mutating func trim(retiring retired: inout RetiredCommits) {
    while isTooMuch {
      if let former = beginning, former.number == first {
        retired.note(nil, former)
        beginning = entries[dropped].state.take()
      }
      first = entries[dropped].number
      size -= entries[dropped].size
      retired.note(entries[dropped].commit.take(), nil)
      dropped += 1
    }
    // Remove many at once, so that each entry is moved once on average.
    guard dropped > bounds.count else { return }
    entries.removeFirst(dropped)
    dropped = 0
  }

  private var isTooMuch: Bool {
    let count = entries.count - dropped
    return count > bounds.count || count > 1 && size > bounds.size
  }
}

// MARK: Followers

extension CommitRing {
  mutating func add(_ waker: @escaping @Sendable () -> Void, as follower: Int) {
    wakers[follower] = waker
    unfollowedSince = nil
  }

  /// Removes a follower, and returns its waker.
  mutating func remove(_ follower: Int, at time: Int64) -> (@Sendable () -> Void)? {
    let waker = wakers.removeValue(forKey: follower)
    if wakers.isEmpty { leave(at: time) }
    return waker
  }

  /// Records the time at which the last follower left.
  mutating func leave(at time: Int64) { unfollowedSince = time }

  /// Forgets the beginning.
  mutating func forgetBeginning(retiring retired: inout RetiredCommits) {
    retired.note(nil, beginning.take())
    forgetStates(keptBefore: .max, retiring: &retired)
  }

  /// Makes the present state the beginning; older commits are kept.
  mutating func beginNow(retiring retired: inout RetiredCommits) {
    forgetBeginning(retiring: &retired)
    beginning = state
  }

  /// Drops the states after commits, except for the last, if they have been kept since before a time.
  mutating func forgetStates(keptBefore time: Int64, retiring retired: inout RetiredCommits) {
    guard let since = statesKeptSince, since < time else { return }
    statesKeptSince = nil
    for index in entries.indices { retired.note(nil, entries[index].state.take()) }
  }

  /// Returns true if the subject has had no followers for more than a minute.
  func isForgotten(at time: Int64) -> Bool {
    unfollowedSince.map { time - $0 > 60_000 } ?? false
  }
}
