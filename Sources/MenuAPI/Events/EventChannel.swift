import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The events of a session for all subscribers with the same subscription: each event is made and encoded once.
///
/// Events are made from durable commits when a subscriber reads (E3). The last ones are kept, so that a
/// subscriber is a position among them; one that falls behind the first kept event starts over with a reset
/// (E5, E6).
final class EventChannel: Sendable {
  let subscription: EventSubscription
  let followed: FollowedSession
  let environment: EventEnvironment
  /// Held while an event is made.
  let making = Lock(Making())
  /// Locked briefly, within `making`, never around it.
  let kept: MemoryPart<KeptEvents>
  /// The streams of subscribers by number.
  private let subscribers = Lock<[Int: EventStream]>([:])
  private let lazySources = AtomicLazyReference<EventSources>()
  let ended = Atomic(false)
  /// True if commits may have become durable since the last check.
  let mayHaveNews = Atomic(true)
  /// True while an event is made. A reader then waits for it, since readers are not woken once it is there.
  let isMaking = Atomic(false)
  /// The time since when there may be news, in nanoseconds; 0 without news.
  let newsTime = Atomic(0)

  /// The versions of the last event, and the incarnation of the session.
  struct Making {
    var session: Int?
    var catalog: Int?
    var opening: Incarnation?
    /// True once the past from before a restart was read.
    var hasBegun = false
  }

  /// Creates a channel that follows the session from now on.
  init(
    _ subscription: EventSubscription, of store: SessionStore, sharing followed: FollowedSession,
    in environment: EventEnvironment
  ) {
    self.subscription = subscription
    self.followed = followed
    self.environment = environment
    kept = MemoryPart(
      KeptEvents(EventContents(subscription), within: environment.limits), in: followed.memory)
    _ = lazySources.storeIfNil(
      EventSources(subscription.session, of: store) { [weak self] in self?.noteNews() })
  }

  /// The followers of the session and of the catalogue.
  var sources: EventSources? { lazySources.load() }

  private func noteNews() {
    _ = newsTime.compareExchange(
      expected: 0, desired: environment.nanoseconds(), ordering: .relaxed)
    mayHaveNews.store(true, ordering: .releasing)
    wake()
  }

  /// Lets all subscribers check for events.
  private func wake() {
    let all = subscribers.withLock { Array($0.values) }
    EventStream.noteNews(all, of: subscription.session, environment.queue)
  }

  /// True if the channel has ended: there are no further events.
  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  var subscriberCount: Int { subscribers.withLock(\.count) }

  /// Adds a subscriber; it is notified when there may be events.
  func add(_ stream: EventStream, as number: Int) { subscribers.withLock { $0[number] = stream } }

  func remove(_ number: Int) {
    let gone = subscribers.withLock { $0.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }

  /// Ends the events for a reason, and wakes the subscribers.
  func close(_ reason: String) { if end(reason) { wake() } }
}

// MARK: Memory

extension EventChannel {
  /// The events and contents. Without them, every subscriber starts over with a reset.
  var evictable: EvictablePart? { kept.evictable { [self] in kept.evict() } }

  /// Evicts the last reset and the last merged event, which are made again when needed.
  func forgetSpare() {
    let forgotten = kept.change { ($0.reset.take(), $0.merged.take()) }
    withExtendedLifetime(forgotten) {}
  }
}

// MARK: Reading

extension EventChannel {
  /// True if there may be an event at a cursor.
  func mayHaveEvent(at cursor: KeptEvents.Cursor) -> Bool {
    mayHaveToMake
      || kept.read { !$0.isAtEnd(cursor) || $0.isAnew(cursor) && $0.id != nil }
  }

  /// True if an event may have to be made, or is being made.
  var mayHaveToMake: Bool {
    // In this order: a maker of events sets `isMaking` before it clears `mayHaveNews`.
    mayHaveNews.load(ordering: .acquiring) || isMaking.load(ordering: .acquiring)
  }

  /// Resolves a cursor with known ids to a place.
  func resolve(_ cursor: inout KeptEvents.Cursor) {
    guard cursor.known != nil else { return }
    advance()
    kept.read { $0.resolve(&cursor) }
  }

  /// Returns the event at a cursor, and moves the cursor after it; nil if there is none yet, or the channel has
  /// ended. The event is made now if necessary.
  func event(at cursor: inout KeptEvents.Cursor) -> SessionEvent? {
    if kept.read({ $0.isAtEnd(cursor) }) { advance() }
    let isAnew = kept.read { kept in
      kept.resolve(&cursor)
      return kept.isAnew(cursor)
    }
    guard isAnew else { return next(at: &cursor) }
    for _ in 0..<4 {
      guard let (event, next) = reset() else { continue }
      kept.read { $0.move(&cursor, to: next, after: event) }
      return event
    }
    kept.read { if $0.end != nil { $0.move(&cursor, to: $0.last, after: nil) } }
    return nil
  }

  /// Returns the next event, or a merged one if many follow.
  private func next(at cursor: inout KeptEvents.Cursor) -> SessionEvent? {
    guard let number = cursor.next else { return nil }
    let (events, merged) = kept.read { ($0.events(at: number), $0.merged) }
    let numbers = number..<(number + events.count)
    var (event, next) = (events.first, number + min(1, events.count))
    if let merged, merged.numbers == numbers {
      (event, next) = (merged.event, numbers.upperBound)
    } else if events.count > 1, let one = merge(events, numbers) {
      (event, next) = (one, numbers.upperBound)
    }
    kept.read { $0.move(&cursor, to: next, after: event) }
    return event
  }

  private func merge(_ events: ArraySlice<SessionEvent>, _ numbers: Range<Int>) -> SessionEvent? {
    let event = environment.charging(subscription.session) { SessionEvent.merging(events) }
    guard let event else { return nil }
    environment.figures.merged.add()
    kept.use { $0.merged = (event, numbers) }
    return event
  }
}
