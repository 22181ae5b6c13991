import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import Synchronization

/// The changes of a session, shared by all its listening agents.
///
/// For each topic it keeps the moment of the last change, and the moment since which changes are tracked. So it
/// keeps no events: a listener is a moment, and learns which of its topics changed since.
final class AgentChannel: Sendable {
  /// A session, and whether its list of tools has all commands or the enabled ones only.
  struct Subject: Hashable, Sendable {
    let session: SessionID
    let listsAll: Bool
  }

  private let subject: Subject
  private let environment: EventEnvironment
  private let contents: MemoryPart<Contents>
  /// The closures that wake listeners when there may be changes, by listener number. They have a lock of their
  /// own, since the journal waits while listeners are woken.
  private let wakers = Lock<[Int: @Sendable () -> Void]>([:])
  private let sources = AtomicLazyReference<EventSources>()
  private let ended = Atomic(false)

  fileprivate struct Contents: Remakeable {
    /// The positions of the versions that were read last.
    var sessionPosition: Int?
    var catalogPosition: Int?
    var session: SessionEdition?
    var catalog: CatalogEdition?
    var moment: EventID?
    var plan = ValidationPlan.empty
    /// The tracked topics: those that a listener has subscribed to.
    var topics: [AgentTopics: Topic] = [:]

    var size: Int { plan.size }

    mutating func evict() { plan = .empty }
  }

  fileprivate struct Topic {
    /// The moment since which changes are tracked.
    let start: EventID
    /// The moment of the last change; nil if there was none.
    var change: EventID?
    /// The digest of the content that is compared.
    var digest: [UInt8]
  }

  /// Creates a channel that follows the session from now on.
  init(
    _ subject: Subject, of store: SessionStore, in environment: EventEnvironment,
    _ memory: SessionMemory
  ) {
    self.subject = subject
    contents = MemoryPart(Contents(), in: memory)
    self.environment = environment
    _ = sources.storeIfNil(
      EventSources(subject.session, of: store) { [weak self] in self?.wake() })
  }

  func wake() {
    let all = wakers.withLock { Array($0.values) }
    for wake in all { wake() }
  }

  /// True if the session is closed: nothing will change any more.
  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  /// The present time, in nanoseconds.
  var now: Int { environment.nanoseconds() }

  var evictable: EvictablePart? { contents.evictable { [self] in contents.evict() } }

  var listenerCount: Int { wakers.withLock(\.count) }

  /// Adds a listener; `wake` is called when there may be changes.
  func add(_ number: Int, waking wake: @escaping @Sendable () -> Void) {
    wakers.withLock { $0[number] = wake }
  }

  func remove(_ number: Int) { _ = wakers.withLock { $0.removeValue(forKey: number) } }
}

extension AgentChannel {
  /// Tracks these topics from now on, and returns the present moment.
  @discardableResult
  func watch(_ topics: AgentTopics) -> EventID? {
    changes(in: topics, since: nil).moment
  }

  /// Returns the topics that changed, or may have changed, since a moment, and the present moment.
  func changes(
    in topics: AgentTopics, since moment: EventID?
  ) -> (topics: [AgentTopics], moment: EventID?) {
    environment.charging(subject.session) {
      contents.use { contents in
        advance(&contents)
        begin(topics, &contents)
        guard let moment else { return ([], contents.moment) }
        let changed = AgentTopics.each.filter { topic in
          guard topics.contains(topic), let known = contents.topics[topic] else { return false }
          guard known.start.isNotAfter(moment) else { return true }
          return known.change.map { !$0.isNotAfter(moment) } ?? false
        }
        return (changed, contents.moment)
      }
    }
  }

  /// Begins to track topics that are not tracked yet.
  private func begin(_ topics: AgentTopics, _ contents: inout Contents) {
    guard let moment = contents.moment, let snapshot = contents.snapshot else { return }
    for topic in AgentTopics.each where topics.contains(topic) && contents.topics[topic] == nil {
      contents.topics[topic] = Topic(
        start: moment, digest: digest(of: topic, snapshot, &contents.plan))
    }
  }

  /// Compares the tracked topics with the commits that became durable since.
  private func advance(_ contents: inout Contents) {
    guard !hasEnded, let sources = sources.load() else { return }
    var news = EventNews()
    // Repeated until neither has news, so that both versions are of one moment.
    while news.take(sources.session, &contents.sessionPosition)
      || news.take(sources.catalog, &contents.catalogPosition)
    {}
    guard news.hasAny else { return }
    let isOther =
      if let old = contents.session, let new = news.session { old.opening !== new.opening } else {
        false
      }
    guard news.end == nil, !isOther else { return ended.store(true, ordering: .relaxed) }
    contents.session = news.session ?? contents.session
    contents.catalog = news.catalog ?? contents.catalog
    guard let snapshot = contents.snapshot else { return }
    let moment = EventID(snapshot)
    contents.moment = moment
    for topic in AgentTopics.each where contents.topics[topic] != nil {
      // The list of all tools depends on the catalogue alone.
      if topic == .tools, subject.listsAll, news.catalog == nil { continue }
      let new = digest(of: topic, snapshot, &contents.plan)
      guard contents.topics[topic]?.digest != new else { continue }
      contents.topics[topic]?.digest = new
      contents.topics[topic]?.change = moment
    }
  }

  private func digest(
    of topic: AgentTopics, _ snapshot: Snapshot, _ plan: inout ValidationPlan
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    switch topic {
    case .tools:
      let tools =
        subject.listsAll
        ? SessionTools(snapshot.catalog)
        : try? SessionTools(snapshot, namesUndone: false, &plan)
      for tool in tools?.all ?? [] { writer.value(tool.json) }
    case .menu:
      if let menu = try? plan.validate(
        snapshot.catalog.menus, ValidationRequest(), at: snapshot.moment)
      {
        writer.value(menu, isExplaining: false)
      }
    case .diagnostics:
      writer.beginObject()
      writer.members(snapshot.session.diagnostics(in: snapshot.catalog))
      writer.endObject()
    case .deliveries:
      for delivery in snapshot.session.deliveries.all { writer.value(delivery) }
    default: writer.value(snapshot.session.revision)
    }
    writer.endArray()
    return SHA256.digest(of: writer.bytes)
  }
}

extension AgentChannel.Contents {
  /// The session and the catalogue that were read last.
  fileprivate var snapshot: Snapshot? {
    guard let session, let catalog else { return nil }
    return Snapshot(sessionEdition: session, catalogEdition: catalog)
  }
}
