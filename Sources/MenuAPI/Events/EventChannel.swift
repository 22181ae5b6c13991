import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The events of a session for all who subscribe to the same of it: each is made and encoded once.
///
/// Events are made when a subscriber asks, from what became durable since (E3). The last ones are kept, so that
/// a subscriber is a position among them; who is behind them begins anew (E5, E6).
final class EventChannel: Sendable {
  /// The most events that are kept.
  static let maximumCount = 1024
  /// The most bytes of the kept events together.
  static let maximumSize = 1 << 20

  let subscription: EventSubscription
  private let nonce: String
  private let contents: Lock<Contents>
  /// Called when there may be events, by the numbers of subscribers. They stand apart from the contents, since
  /// the journal waits for whoever wakes them.
  private let wakers = Lock<[Int: @Sendable () -> Void]>([:])
  private let followers = Lock<(session: Follower, catalog: Follower)?>(nil)
  private let beatCount = Atomic(0)
  /// Apart from the contents, which are locked for as long as an event is made.
  private let ended = Atomic(false)

  fileprivate struct Contents {
    var known: EventContents
    /// The positions of the last editions that were told.
    var sessionPosition: Int?
    var catalogPosition: Int?
    var session: SessionEdition?
    var catalog: CatalogEdition?
    var id: EventID?
    var events: [SessionEvent] = []
    /// The number of the first event that is kept.
    var first = 0
    var size = 0
    /// The reset of the present id, if one was made.
    var reset: SessionEvent?
    /// The reason for which there are no more events.
    var end: String?
  }

  /// A channel that follows from now on.
  init(_ subscription: EventSubscription, of store: SessionStore, nonce: String) {
    self.subscription = subscription
    self.nonce = nonce
    contents = Lock(Contents(known: EventContents(subscription)))
    let wake: @Sendable () -> Void = { [weak self] in self?.wake() }
    let session = store.follow(.session(subscription.session), wake: wake)
    let catalog = store.follow(.catalog, wake: wake)
    followers.withLock { $0 = (session, catalog) }
  }

  /// Wakes all subscribers.
  func wake() {
    let all = wakers.withLock { Array($0.values) }
    for wake in all { wake() }
  }

  /// The number of heartbeats so far.
  var beats: Int { beatCount.load(ordering: .relaxed) }

  /// Lets all subscribers show that they are alive.
  func beat() {
    beatCount.add(1, ordering: .relaxed)
    wake()
  }

  /// True if there will be no more events.
  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  /// The number of subscribers.
  var subscriberCount: Int { wakers.withLock(\.count) }

  /// Adds a subscriber, who is woken when there may be events.
  func add(_ number: Int, waking wake: @escaping @Sendable () -> Void) {
    wakers.withLock { $0[number] = wake }
  }

  /// Removes a subscriber.
  func remove(_ number: Int) { _ = wakers.withLock { $0.removeValue(forKey: number) } }
}

extension EventChannel {
  /// A place among the events of a channel.
  struct Cursor: Sendable {
    /// The number of the next event; nil to begin anew.
    fileprivate var next: Int?
    /// The id that the subscriber knows.
    fileprivate(set) var id: EventID?
  }

  /// The place behind an id that a subscriber knows; where to begin anew if what follows it is not known.
  func cursor(after id: EventID?) -> Cursor {
    contents.withLock { contents in
      advance(&contents)
      guard let id, let next = contents.next(after: id) else { return Cursor() }
      return Cursor(next: next, id: id)
    }
  }

  /// The events since a place, which moves behind them, and whether there will be no more.
  func events(since cursor: inout Cursor) -> (events: [SessionEvent], isAtEnd: Bool) {
    contents.withLock { contents in
      advance(&contents)
      let end = contents.first + contents.events.count
      var events: [SessionEvent]
      if let next = cursor.next, next >= contents.first {
        events = Array(contents.events[(next - contents.first)...])
      } else if let reset = reset(&contents) {
        events = [reset]
      } else {
        events = contents.events.suffix(1)
      }
      cursor.next = end
      cursor.id = contents.id ?? cursor.id
      return (events, contents.end != nil)
    }
  }

  private func reset(_ contents: inout Contents) -> SessionEvent? {
    if let reset = contents.reset { return reset }
    guard contents.end == nil, let session = contents.session, let catalog = contents.catalog,
      let id = contents.id
    else { return nil }
    let snapshot = Snapshot(sessionEdition: session, catalogEdition: catalog)
    var known = contents.known
    var writer = JSONWriter()
    writer.beginObject()
    writer.members(snapshot)
    known.writeAll(of: snapshot, to: &writer)
    writer.endObject()
    contents.known = known
    let event = SessionEvent(kind: .reset, start: nil, id: id, data: writer.bytes)
    contents.reset = event
    return event
  }
}

extension EventChannel {
  /// Makes an event of what became durable since, if that concerns the subscribers.
  private func advance(_ contents: inout Contents) {
    guard contents.end == nil, let followers = followers.withLock(\.self) else { return }
    var news = EventNews()
    // Again until neither has any, so that both are editions of one moment.
    while news.take(followers.session, &contents.sessionPosition)
      || news.take(followers.catalog, &contents.catalogPosition)
    {}
    guard news.hasAny else { return }
    if let end = news.end { return close(end, &contents) }
    // Another session of the name is none of these subscribers' business.
    if let old = contents.session, let new = news.session, old.opening !== new.opening {
      return close("sessionClosed", &contents)
    }
    contents.session = news.session ?? contents.session
    contents.catalog = news.catalog ?? contents.catalog
    guard let session = contents.session, let catalog = contents.catalog else { return }
    let id = EventID(session, catalog, nonce: nonce)
    guard !news.isAnew, let start = contents.id, start.opening == id.opening else {
      contents.beginAnew(at: id)
      _ = reset(&contents)
      return
    }
    contents.id = id
    contents.reset = nil
    let snapshot = Snapshot(sessionEdition: session, catalogEdition: catalog)
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("session", session.session.id.rawValue)
    writer.member("from", start.revision)
    writer.member("revision", id.revision)
    writer.member("catalogRevision", id.catalogRevision)
    let differs = contents.known.writeChanges(by: news.outcomes, to: snapshot, &writer)
    writer.endObject()
    guard differs || subscription.isOfRevisions else { return }
    contents.append(SessionEvent(kind: .change, start: start, id: id, data: writer.bytes))
  }

  /// Ends the events, for a reason.
  func close(_ reason: String) {
    contents.withLock { close(reason, &$0) }
    wake()
  }

  private func close(_ reason: String, _ contents: inout Contents) {
    guard contents.end == nil else { return }
    contents.end = reason
    ended.store(true, ordering: .relaxed)
    guard let id = contents.id else { return }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("reason", reason)
    writer.endObject()
    contents.append(SessionEvent(kind: .closed, start: id, id: id, data: writer.bytes))
  }
}

extension EventSubscription {
  /// True if every revision is told, since nothing else is.
  fileprivate var isOfRevisions: Bool { !hasDocument && menu == nil && commands.isEmpty }
}

extension EventChannel.Contents {
  /// The number of the event behind an id that a subscriber knows; nil if what follows it is not known.
  fileprivate func next(after known: EventID) -> Int? {
    guard let id, known.isNotAfter(id) else { return nil }
    // Between the end of an event and the start of the next one nothing differed.
    var index = events.count
    while index > 0 {
      if events[index - 1].id.isNotAfter(known) { return first + index }
      guard let start = events[index - 1].start, known.isNotAfter(start) else { return nil }
      index -= 1
    }
    return known == events.first?.start ?? id ? first : nil
  }

  fileprivate mutating func append(_ event: SessionEvent) {
    events.append(event)
    size += event.data.count
    while events.count > EventChannel.maximumCount
      || size > EventChannel.maximumSize && events.count > 1
    {
      size -= events.removeFirst().data.count
      first += 1
    }
  }

  fileprivate mutating func beginAnew(at id: EventID) {
    first += events.count + 1
    (events, size, reset) = ([], 0, nil)
    self.id = id
  }
}
