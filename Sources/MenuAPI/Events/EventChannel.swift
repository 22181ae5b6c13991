import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The events of a session for all who subscribe to the same of it: each is made and encoded once.
///
/// Events are made when a subscriber asks, from what became durable since (E3). The last ones are
/// kept, so that a subscriber is a position among them; one that falls behind them begins anew (E5,
/// E6).
final class EventChannel: Sendable {
  let subscription: EventSubscription
  let followed: FollowedSession
  let environment: EventEnvironment
  /// Held while an event is made.
  let making = Lock(Making())
  /// Held for moments only. It is locked within `making`, never around it.
  let kept: Lock<KeptEvents>
  /// The streams of subscribers by their numbers.
  private let subscribers = Lock<[Int: EventStream]>([:])
  private let followers = Lock<(session: Follower, catalog: Follower)?>(nil)
  private let holder = Lock<FollowingMemory.Holder?>(nil)
  let ended = Atomic(false)
  /// True if something may have become durable since that was asked last.
  let mayHaveNews = Atomic(true)
  /// The time since when that is so, in nanoseconds; 0 if it is not.
  let newsTime = Atomic(0)

  /// The positions of the last editions that were told, and the session's opening.
  struct Making {
    var session: Int?
    var catalog: Int?
    var opening: Incarnation?
    /// True if the past was asked for.
    var hasBegun = false
  }

  /// A channel that follows from now on.
  init(
    _ subscription: EventSubscription, of store: SessionStore, sharing followed: FollowedSession,
    in environment: EventEnvironment
  ) {
    self.subscription = subscription
    self.followed = followed
    self.environment = environment
    kept = Lock(KeptEvents(EventContents(subscription), within: environment.limits))
    let wake: @Sendable () -> Void = { [weak self] in self?.noteNews() }
    let session = store.follow(.session(subscription.session), wake: wake)
    let catalog = store.follow(.catalog, wake: wake)
    followers.withLock { $0 = (session, catalog) }
    let holder = followed.holder { [weak self] in self?.evict() }
    self.holder.withLock { $0 = holder }
  }

  /// The followers of the session and of the catalogue.
  var sources: (session: Follower, catalog: Follower)? { followers.withLock(\.self) }

  private func noteNews() {
    _ = newsTime.compareExchange(
      expected: 0, desired: environment.nanoseconds(), ordering: .relaxed)
    mayHaveNews.store(true, ordering: .releasing)
    wake()
  }

  /// Lets all subscribers look for events.
  private func wake() {
    let all = subscribers.withLock { Array($0.values) }
    EventStream.noteNews(all, of: subscription.session, environment.queue)
  }

  /// True if there will be no more events.
  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  var subscriberCount: Int { subscribers.withLock(\.count) }

  /// Adds a subscriber, which is told when there may be events.
  func add(_ stream: EventStream, as number: Int) { subscribers.withLock { $0[number] = stream } }

  /// Removes a subscriber.
  func remove(_ number: Int) {
    let gone = subscribers.withLock { $0.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }

  /// Returns true if the session that was followed is closed.
  func isOver(in store: SessionStore) -> Bool {
    guard !hasEnded, mayHaveNews.load(ordering: .acquiring) else { return hasEnded }
    let opening = kept.withLock { $0.id?.opening }
    return opening.map { !store.isOpen($0, subscription.session) } ?? false
  }

  /// Ends the events, for a reason.
  func close(_ reason: String) {
    end(reason)
    wake()
  }
}

// MARK: Memory

extension EventChannel {
  /// Notes what it keeps.
  func noteSize() {
    let size = kept.withLock(\.size)
    holder.withLock(\.self)?.note(size)
  }

  /// Lets go of everything, so that every subscriber begins anew.
  private func evict() {
    let forgotten = kept.withLock { kept in
      let before = kept
      kept.evict()
      return before
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Lets go of the last reset and of the last merged event, which are made again when somebody needs them.
  func forgetSpare() {
    let forgotten = kept.withLock { ($0.reset.take(), $0.merged.take()) }
    if forgotten.0 != nil || forgotten.1 != nil { noteSize() }
  }
}

// MARK: Reading

extension EventChannel {
  /// True if there may be an event at a place.
  func mayHaveEvent(at cursor: KeptEvents.Cursor) -> Bool {
    mayHaveNews.load(ordering: .relaxed)
      || kept.withLock { !$0.isAtEnd(cursor) || $0.isAnew(cursor) && $0.id != nil }
  }

  /// Looks for the place of a subscriber that knows ids, if that was not done.
  func resolve(_ cursor: inout KeptEvents.Cursor) {
    guard cursor.known != nil else { return }
    advance()
    kept.withLock { $0.resolve(&cursor) }
  }

  /// Returns the event at a place, which moves behind it; nil if there is none yet, or none any more. It is made now if
  /// it has to be.
  func event(at cursor: inout KeptEvents.Cursor) -> SessionEvent? {
    if kept.withLock({ $0.isAtEnd(cursor) }) { advance() }
    let isAnew = kept.withLock { kept in
      kept.resolve(&cursor)
      return kept.isAnew(cursor)
    }
    guard isAnew else { return next(at: &cursor) }
    for _ in 0..<4 {
      guard let (event, next) = reset() else { continue }
      kept.withLock { $0.move(&cursor, to: next, after: event) }
      return event
    }
    kept.withLock { if $0.end != nil { $0.move(&cursor, to: $0.last, after: nil) } }
    return nil
  }

  /// Returns the next event; if many are behind that, one that tells of many.
  private func next(at cursor: inout KeptEvents.Cursor) -> SessionEvent? {
    guard let number = cursor.next else { return nil }
    let (events, merged) = kept.withLock { ($0.events(at: number), $0.merged) }
    let numbers = number..<(number + events.count)
    var (event, next) = (events.first, number + min(1, events.count))
    if let merged, merged.numbers == numbers {
      (event, next) = (merged.event, numbers.upperBound)
    } else if events.count > 1, let one = merge(events, numbers) {
      (event, next) = (one, numbers.upperBound)
    }
    kept.withLock { $0.move(&cursor, to: next, after: event) }
    return event
  }

  private func merge(_ events: ArraySlice<SessionEvent>, _ numbers: Range<Int>) -> SessionEvent? {
    let event = environment.charging(subscription.session) { SessionEvent.merging(events) }
    guard let event else { return nil }
    environment.figures.merged.add()
    kept.withLock { $0.merged = (event, numbers) }
    noteSize()
    return event
  }
}
