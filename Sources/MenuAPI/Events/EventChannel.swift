import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The events of a session for all subscribers with the same subscription: each event is made and encoded once.
///
/// Events are made from durable commits when a subscriber reads (E3). A subscriber is identified by the id that it has
/// reached: its next event leads from there to the present, however many changes are in between. A subscriber whose
/// changes are no longer available starts over with a reset (E5, E6).
final class EventChannel: Sendable {
  let subscription: EventSubscription
  let plan: SessionPlan
  let document: SessionDocument
  let environment: EventEnvironment
  /// Held while an event is made.
  let making = Lock(Making())
  /// The view and the events; without them, every subscriber starts over with a reset. Locked briefly, within
  /// `making`, never around it.
  let kept: MemoryPart<KeptEvents>
  /// The streams of subscribers by number.
  private let subscribers = Lock<[Int: EventStream]>([:])
  private let lazySources = LazyReference<EventSources>()
  let ended = Atomic(false)
  /// True if commits may have become durable since the last check.
  let mayHaveNews = Atomic(true)
  /// True while commits are followed. A reader then waits for it, since readers are not woken once it is done.
  let isMaking = Atomic(false)
  /// The time since when there may be news, in nanoseconds; 0 without news.
  let newsTime = Atomic(0)

  struct Making {
    var versions = FollowedVersions()
    /// True once the past from before a restart was read.
    var hasBegun = false
  }

  /// Creates a channel that follows the session from now on.
  init(
    _ subscription: EventSubscription, of store: SessionStore, beside live: LiveSession,
    in environment: EventEnvironment
  ) {
    self.subscription = subscription
    // The live session holds the channel, so the channel holds only parts of it.
    (plan, document) = (
      live.plan(limitedTo: subscription.viewer.commands), live.document
    )
    self.environment = environment
    kept = MemoryPart(KeptEvents(), in: live.memory)
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

  /// Ends the events for a reason, which new subscribers receive too: the last event has the present id.
  func closeAtPresent(_ reason: String) {
    making.withLock { follow(&$0) }
    close(reason)
  }

  /// Ends the events for a reason, and wakes the subscribers.
  func close(_ reason: String) { if end(reason) { wake() } }
}

// MARK: Memory

extension EventChannel {
  /// Evicts the events, which are made again when needed.
  func forgetSpare() {
    let forgotten = kept.change { $0.takeEvents() }
    withExtendedLifetime(forgotten) {}
  }
}

// MARK: Reading

extension EventChannel {
  /// True if there may be an event at a cursor.
  func mayHaveEvent(at cursor: KeptEvents.Cursor) -> Bool {
    mayHaveToFollow || kept.read { $0.hasEvent(at: cursor) }
  }

  /// True if commits may have to be followed, or are being followed.
  var mayHaveToFollow: Bool {
    // In this order: the follower sets `isMaking` before clearing `mayHaveNews`.
    mayHaveNews.load(ordering: .acquiring) || isMaking.load(ordering: .acquiring)
  }

  /// Resolves a cursor with known ids to a place.
  func resolve(_ cursor: inout KeptEvents.Cursor) {
    guard let known = cursor.known else { return }
    cursor = making.withLock { making in
      var cursor = KeptEvents.Cursor(known: known)
      resolve(&cursor, &making)
      return cursor
    }
    kept.noteUse()
  }

  /// Returns the event at a cursor, and moves the cursor after it; nil if there is none yet, or the channel has
  /// ended. The event is made now if necessary.
  func event(at cursor: inout KeptEvents.Cursor) -> SessionEvent? {
    if hasEnded || !mayHaveToFollow {
      switch kept.read({ $0.next(at: &cursor) }) {
      case .none: return nil
      case .event(let event): return event
      case .unmade: break
      }
    }
    let start = cursor
    let (event, next) = making.withLock { making in
      var next = start
      return (self.event(at: &next, &making), next)
    }
    cursor = next
    kept.noteUse()
    return event
  }
}
