/// The last commits of one subject, for those who follow it.
///
/// The oldest ones are dropped when they are too many or too large; the last one stays, whatever its size.
struct CommitRing: Sendable {
  private struct Entry: Sendable {
    /// The number of the commit.
    let number: Int
    /// About the number of bytes that the commit takes.
    let size: Int
    /// The commit; nil once it is dropped.
    var commit: DurableCommit?
    /// The state that it led to; nil if that is not kept.
    var state: FollowedState?
  }

  private let bounds: Follower.Bounds
  private var entries: [Entry] = []
  /// The number of entries at the beginning that are dropped already.
  private var dropped = 0
  /// The size of the entries that are not dropped.
  private var size = 0
  /// The newest state.
  private var state: FollowedState
  /// The position before the first entry.
  private var first: Int
  /// The state before the first entry, or before a later one; nil if none is kept.
  private(set) var beginning: FollowedState?
  /// The time since which states that commits led to are kept; nil if none are.
  private var statesKeptSince: Int64?
  /// Called when there may be news, by the numbers of followers.
  private(set) var wakers: [Int: @Sendable () -> Void] = [:]
  /// The time at which the last follower left; nil while there is one.
  private(set) var unfollowedSince: Int64?

  /// A ring that begins with a state, which it keeps if asked; by default it does not.
  init(_ state: FollowedState, within bounds: Follower.Bounds, keepsBeginning: Bool = false) {
    self.state = state
    self.bounds = bounds
    first = state.number
    beginning = keepsBeginning ? state : nil
  }

  /// Adds a commit of about so many bytes, and the state that it led to.
  ///
  /// - Parameter time: The present time if the state is kept for a minute; nil, the default, if until the next commit.
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

  /// True if no session of the name was open the last time.
  var isOfNoSession: Bool { if case .noSession = state { true } else { false } }

  /// Begins anew with a state, which it keeps, for the same followers.
  mutating func restart(
    with state: FollowedState, at time: Int64, retiring retired: inout RetiredCommits
  ) {
    var ring = CommitRing(state, within: bounds, keepsBeginning: true)
    ring.wakers = wakers
    if wakers.isEmpty { ring.leave(at: time) }
    retired.rings.append(self)
    self = ring
  }

  /// Returns the news for a follower who knows the commits up to a position; nil if it knows nothing.
  func news(after position: Int?, atMost most: Int) -> FollowedNews {
    guard position != state.number else { return .none }
    guard let position, let start = index(after: position) else { return .anew(state) }
    let end = start + min(entries.count - start, most)
    return .commits(
      entries[start..<end].compactMap(\.commit), end == entries.count ? state : nil)
  }

  /// Returns the commits since the beginning, with the states that are kept of them.
  var commitsSinceBeginning: [(commit: DurableCommit, state: FollowedState?)] {
    guard let start = beginning.flatMap({ index(after: $0.number) }) else { return [] }
    return entries[start...].compactMap { entry in entry.commit.map { ($0, entry.state) } }
  }

  /// The index of the first entry after a position; nil if the commits behind it are not all here.
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
    // Many at once, so that each is moved once on average.
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

  /// Notes that nobody follows it from a time on.
  mutating func leave(at time: Int64) { unfollowedSince = time }

  /// Forgets the beginning.
  mutating func forgetBeginning(retiring retired: inout RetiredCommits) {
    retired.note(nil, beginning.take())
    forgetStates(keptBefore: .max, retiring: &retired)
  }

  /// Takes the present for the beginning, although older commits are kept.
  mutating func beginNow(retiring retired: inout RetiredCommits) {
    forgetBeginning(retiring: &retired)
    beginning = state
  }

  /// Forgets the states that commits led to, but for the last one, if they are kept since before a time.
  mutating func forgetStates(keptBefore time: Int64, retiring retired: inout RetiredCommits) {
    guard let since = statesKeptSince, since < time else { return }
    statesKeptSince = nil
    for index in entries.indices { retired.note(nil, entries[index].state.take()) }
  }

  /// Returns true if nobody follows it for more than a minute.
  func isForgotten(at time: Int64) -> Bool {
    unfollowedSince.map { time - $0 > 60_000 } ?? false
  }
}
