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
  private let environment: EventEnvironment
  private let contents: Lock<Contents>
  /// Called when there may be events, by the numbers of subscribers. They are kept apart from the
  /// contents, since the journal waits while they are woken.
  private let wakers = Lock<[Int: @Sendable () -> Void]>([:])
  private let followers = Lock<(session: Follower, catalog: Follower)?>(nil)
  /// Apart from the contents, which are locked for as long as an event is made.
  private let ended = Atomic(false)
  /// True if something may have become durable since that was asked last.
  private let mayHaveNews = Atomic(true)
  /// The time since when that is so, in nanoseconds; 0 if it is not.
  private let newsTime = Atomic(0)

  fileprivate struct Contents {
    var known: EventContents
    let bounds: Follower.Bounds
    /// The positions of the last editions that were told.
    var sessionPosition: Int?
    var catalogPosition: Int?
    var session: SessionEdition?
    var catalog: CatalogEdition?
    var id: EventID?
    /// The id from which on the kept events tell everything.
    var beginning: EventID?
    var events: [SessionEvent] = []
    /// The number of the first event that is kept.
    var first = 0
    var size = 0
    /// The reset of the present id, if one was made.
    var reset: SessionEvent?
    /// The event that was merged last, for those who are behind, and the numbers that it stands for.
    var merged: (event: SessionEvent, numbers: Range<Int>)?
    /// The reason for which there are no more events.
    var end: String?
    /// True if the past was asked for.
    var hasBegun = false
  }

  /// A channel that follows from now on.
  init(
    _ subscription: EventSubscription, of store: SessionStore,
    in environment: EventEnvironment = EventEnvironment()
  ) {
    self.subscription = subscription
    self.environment = environment
    contents = Lock(
      Contents(known: EventContents(subscription), bounds: environment.limits.kept))
    let wake: @Sendable () -> Void = { [weak self] in self?.noteNews() }
    let session = store.follow(.session(subscription.session), wake: wake)
    let catalog = store.follow(.catalog, wake: wake)
    followers.withLock { $0 = (session, catalog) }
  }

  private func noteNews() {
    _ = newsTime.compareExchange(
      expected: 0, desired: environment.nanoseconds(), ordering: .relaxed)
    mayHaveNews.store(true, ordering: .releasing)
    wake()
  }

  /// Wakes all subscribers.
  private func wake() {
    let all = wakers.withLock { Array($0.values) }
    for wake in all { wake() }
  }

  /// True if there will be no more events.
  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  var subscriberCount: Int { wakers.withLock(\.count) }

  /// Adds a subscriber, who is woken when there may be events.
  func add(_ number: Int, waking wake: @escaping @Sendable () -> Void) {
    wakers.withLock { $0[number] = wake }
  }

  /// Removes a subscriber.
  func remove(_ number: Int) { _ = wakers.withLock { $0.removeValue(forKey: number) } }

  /// Lets go of the last reset and of the last merged event, which are made again when somebody needs them.
  func forgetSpare() {
    let forgotten = contents.withLock { ($0.reset.take(), $0.merged.take()) }
    withExtendedLifetime(forgotten) {}
  }
}

extension EventChannel {
  /// A place among the events of a channel.
  struct Cursor: Sendable {
    /// The number of the next event; nil to begin anew.
    fileprivate var next: Int?
    /// The id that the subscriber knows.
    fileprivate(set) var id: EventID?
    /// True if there are no more events behind it.
    fileprivate(set) var isAtEnd = false
  }

  /// Returns the place after the id of this session among those that a subscriber knows. If there
  /// is no such id, or the events after it are no longer kept, the subscriber begins anew.
  func cursor(after known: [EventID]) -> Cursor {
    contents.withLock { contents in
      advance(&contents)
      guard let id = known.first(where: { isOwn($0, contents) }),
        let next = contents.next(after: id)
      else { return Cursor() }
      return Cursor(next: next, id: id)
    }
  }

  /// True if an id is one of this session's opening and this selection.
  private func isOwn(_ id: EventID, _ contents: Contents) -> Bool {
    id.opening == contents.id?.opening && id.selection == subscription.name
  }

  /// Returns the event at a place, which moves behind it; nil if there is none yet, or none any more.
  func event(at cursor: inout Cursor) -> SessionEvent? {
    contents.withLock { contents in
      if contents.isAtEnd(cursor) { advance(&contents) }
      let event: SessionEvent?
      if let next = cursor.next, next >= contents.first {
        (event, cursor.next) = self.event(next, &contents)
      } else {
        event = reset(&contents) ?? contents.events.last
        cursor.next = contents.last
      }
      let isAtEnd = contents.isAtEnd(cursor)
      cursor.id = (isAtEnd ? contents.id : event?.id) ?? cursor.id
      cursor.isAtEnd = isAtEnd && contents.end != nil
      return event
    }
  }

  /// Returns the event of a number and the number behind it; if many are behind that, one that tells of many.
  private func event(_ number: Int, _ contents: inout Contents) -> (SessionEvent?, next: Int) {
    guard number < contents.last else { return (nil, contents.last) }
    let numbers = contents.numbersToMerge(from: number)
    guard numbers.count > 1 else {
      return (contents.events[number - contents.first], number + 1)
    }
    if let merged = contents.merged, merged.numbers == numbers {
      return (merged.event, numbers.upperBound)
    }
    let events = contents.events[
      (numbers.lowerBound - contents.first)..<(numbers.upperBound - contents.first)]
    let event = environment.charging(subscription.session) { SessionEvent.merging(events) }
    guard let event else { return (events.first, number + 1) }
    environment.figures.merged.add()
    contents.merged = (event, numbers)
    return (event, numbers.upperBound)
  }

  private func reset(_ contents: inout Contents) -> SessionEvent? {
    if let reset = contents.reset { return reset }
    guard contents.end == nil, let session = contents.session, let catalog = contents.catalog,
      let id = contents.id
    else { return nil }
    let snapshot = Snapshot(sessionEdition: session, catalogEdition: catalog)
    var writer = JSONWriter()
    environment.charging(subscription.session) {
      writer.beginObject()
      writer.members(snapshot)
      writer.optionalMember("selection", subscription.name?.rawValue)
      contents.known.writeAll(of: snapshot, to: &writer)
      writer.endObject()
    }
    let event = SessionEvent(
      .reset, from: id, to: id, at: environment.nanoseconds(), data: writer.bytes)
    contents.reset = event
    return event
  }
}

extension EventChannel {
  /// Makes an event of what became durable since, if that concerns the subscribers.
  private func advance(_ contents: inout Contents) {
    guard contents.end == nil,
      mayHaveNews.exchange(false, ordering: .acquiringAndReleasing),
      let followers = followers.withLock(\.self)
    else { return }
    let time = newsTime.exchange(0, ordering: .relaxed)
    begin(&contents, followers.session)
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
    if news.isAnew { contents.id = nil }
    tell(news.outcomes, at: time, &contents)
  }

  /// Begins with what is known of the session from before a restart, so that those who followed it then go on.
  private func begin(_ contents: inout Contents, _ follower: Follower) {
    guard !contents.hasBegun else { return }
    contents.hasBegun = true
    guard let past = follower.past else { return }
    contents.catalog = past.catalog
    contents.catalogPosition = past.catalog.number
    for (outcomes, session) in [([], past.first)] + past.steps {
      contents.session = session
      contents.sessionPosition = session.number
      tell(outcomes, at: 0, &contents)
    }
  }

  /// Makes an event of what led to the present editions, if that concerns the subscribers.
  private func tell(_ outcomes: [Outcome], at time: Int, _ contents: inout Contents) {
    guard let session = contents.session, let catalog = contents.catalog else { return }
    let id = EventID(session, catalog, of: subscription.name)
    guard let start = contents.id, start.opening == id.opening else {
      contents.beginAnew(at: id)
      _ = reset(&contents)
      return
    }
    contents.id = id
    contents.reset = nil
    let snapshot = Snapshot(sessionEdition: session, catalogEdition: catalog)
    guard let data = change(by: outcomes, since: start, to: snapshot, &contents.known) else {
      return
    }
    let event = SessionEvent(
      .change, from: start, to: id, at: time == 0 ? environment.nanoseconds() : time, data: data)
    if event.isMerged { environment.figures.merged.add() }
    contents.append(event)
  }

  /// Returns what differs for the subscribers, as an object; nil if nothing does.
  private func change(
    by outcomes: [Outcome], since start: EventID, to snapshot: Snapshot,
    _ known: inout EventContents
  ) -> [UInt8]? {
    var writer = JSONWriter()
    let differs = environment.charging(subscription.session) {
      writer.beginObject()
      writer.member("session", snapshot.session.id.rawValue)
      writer.member("from", start.revision)
      writer.member("revision", snapshot.session.revision)
      writer.member("catalogRevision", snapshot.catalog.revision)
      writer.optionalMember("selection", subscription.name?.rawValue)
      let differs = known.writeChanges(by: outcomes, to: snapshot, &writer)
      writer.endObject()
      return differs
    }
    return differs || subscription.isOfRevisions ? writer.bytes : nil
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
    contents.append(closedEvent(reason, after: id))
  }

  /// The last event of a subscriber who knows an id.
  func closedEvent(_ reason: String, after id: EventID) -> SessionEvent {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("session", subscription.session.rawValue)
    writer.optionalMember("selection", subscription.name?.rawValue)
    writer.member("reason", reason)
    writer.endObject()
    return SessionEvent(
      .closed, from: id, to: id, at: environment.nanoseconds(), data: writer.bytes)
  }
}

extension EventChannel.Contents {
  /// The number behind the last event.
  fileprivate var last: Int { first + events.count }

  /// The numbers of the events, from one on, that who is so far behind gets as one: a quarter of a MiB of changes.
  fileprivate func numbersToMerge(from number: Int) -> Range<Int> {
    guard last - number > 16 else { return number..<(number + 1) }
    var (end, size) = (number, 0)
    while end < last, size < 256 << 10, case .change = events[end - first].kind {
      size += events[end - first].block.count
      end += 1
    }
    return number..<max(end, number + 1)
  }

  /// True if there is no event at a place yet.
  fileprivate func isAtEnd(_ cursor: EventChannel.Cursor) -> Bool {
    cursor.next.map { $0 >= last } ?? true
  }

  /// The number of the event behind an id that a subscriber knows; nil if what follows it is not known.
  fileprivate func next(after known: EventID) -> Int? {
    guard let id, let beginning, known.isNotAfter(id), beginning.isNotAfter(known) else {
      return nil
    }
    // Between the end of an event and the start of the next one nothing differed.
    var index = events.count
    while index > 0, !events[index - 1].id.isNotAfter(known) {
      guard known.isNotAfter(events[index - 1].start) else { return nil }
      index -= 1
    }
    return first + index
  }

  fileprivate mutating func append(_ event: SessionEvent) {
    events.append(event)
    size += event.block.count
    while events.count > bounds.count || size > bounds.size && events.count > 1 {
      let dropped = events.removeFirst()
      beginning = dropped.id
      size -= dropped.block.count
      first += 1
    }
  }

  fileprivate mutating func beginAnew(at id: EventID) {
    first += events.count + 1
    (events, size, reset) = ([], 0, nil)
    (self.id, beginning) = (id, id)
  }
}
