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
  /// The state before the first entry; nil if that is not kept, or is known no more.
  private(set) var beginning: FollowedState?
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
  mutating func append(
    _ commit: DurableCommit, _ state: FollowedState, size: Int,
    retiring retired: inout RetiredCommits
  ) {
    entries.append(Entry(number: commit.number, size: size, commit: commit))
    retired.note(nil, self.state)
    self.state = state
    self.size += size
    trim(retiring: &retired)
  }

  /// True if no session of the name was open the last time.
  var isOfNoSession: Bool { if case .noSession = state { true } else { false } }

  /// Begins anew with a state, which it keeps if asked, for the same followers; by default it does not.
  mutating func restart(
    with state: FollowedState, keepsBeginning: Bool = false, retiring retired: inout RetiredCommits
  ) {
    var ring = CommitRing(state, within: bounds, keepsBeginning: keepsBeginning)
    (ring.wakers, ring.unfollowedSince) = (wakers, unfollowedSince)
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

  /// The commits after a position; none if they are not all here.
  func commits(after position: Int) -> [DurableCommit] {
    index(after: position).map { entries[$0...].compactMap(\.commit) } ?? []
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
      forgetBeginning(retiring: &retired)
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
}
