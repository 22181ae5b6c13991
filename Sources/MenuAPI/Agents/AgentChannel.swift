import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import Synchronization

/// The changes of a session for all agents that listen to it.
///
/// Of each topic it knows when it changed last, and since when that is known. So it keeps no events: a listener is a
/// moment, and is told which of its topics changed since.
final class AgentChannel: Sendable {
  /// The list of tools is of the enabled commands, or of all.
  struct Subject: Hashable, Sendable {
    let session: SessionID
    let listsAll: Bool
  }

  private let subject: Subject
  private let environment: EventEnvironment
  private let contents = Lock(Contents())
  /// Called when there may be changes, by the numbers of listeners. They are kept apart from the
  /// contents, since the journal waits while they are woken.
  private let wakers = Lock<[Int: @Sendable () -> Void]>([:])
  private let followers = Lock<(session: Follower, catalog: Follower)?>(nil)
  private let ended = Atomic(false)

  fileprivate struct Contents {
    /// The positions of the last editions that were looked at.
    var sessionPosition: Int?
    var catalogPosition: Int?
    var session: SessionEdition?
    var catalog: CatalogEdition?
    var moment: EventID?
    var plan = ValidationPlan { fault, writer in writer.value(fault) }
    /// The topics that somebody asked for.
    var topics: [AgentTopics: Topic] = [:]
  }

  /// A topic that somebody asked for.
  fileprivate struct Topic {
    /// The moment since when its changes are known.
    let start: EventID
    /// The moment of the last change; nil if there was none.
    var change: EventID?
    /// The digest of what is told.
    var digest: [UInt8]
  }

  /// A channel that follows from now on.
  init(_ subject: Subject, of store: SessionStore, in environment: EventEnvironment) {
    self.subject = subject
    self.environment = environment
    let wake: @Sendable () -> Void = { [weak self] in self?.wake() }
    let session = store.follow(.session(subject.session), wake: wake)
    let catalog = store.follow(.catalog, wake: wake)
    followers.withLock { $0 = (session, catalog) }
  }

  /// Wakes all listeners.
  func wake() {
    let all = wakers.withLock { Array($0.values) }
    for wake in all { wake() }
  }

  /// True if nothing will change any more.
  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  /// The present time in nanoseconds.
  var now: Int { environment.nanoseconds() }

  var listenerCount: Int { wakers.withLock(\.count) }

  /// Adds a listener, who is woken when there may be changes.
  func add(_ number: Int, waking wake: @escaping @Sendable () -> Void) {
    wakers.withLock { $0[number] = wake }
  }

  /// Removes a listener.
  func remove(_ number: Int) { _ = wakers.withLock { $0.removeValue(forKey: number) } }
}

extension AgentChannel {
  /// The present moment; from now on changes of these topics are known.
  @discardableResult
  func watch(_ topics: AgentTopics) -> EventID? {
    changes(in: topics, since: nil).moment
  }

  /// Returns those of the topics that changed since a moment, or may have, and the present moment.
  func changes(
    in topics: AgentTopics, since moment: EventID?
  ) -> (topics: [AgentTopics], moment: EventID?) {
    environment.charging(subject.session) {
      contents.withLock { contents in
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

  /// Begins to compare topics that nobody asked for before.
  private func begin(_ topics: AgentTopics, _ contents: inout Contents) {
    guard let moment = contents.moment, let snapshot = contents.snapshot else { return }
    for topic in AgentTopics.each where topics.contains(topic) && contents.topics[topic] == nil {
      contents.topics[topic] = Topic(
        start: moment, digest: digest(of: topic, snapshot, &contents.plan))
    }
  }

  /// Compares with what became durable since.
  private func advance(_ contents: inout Contents) {
    guard !hasEnded, let followers = followers.withLock(\.self) else { return }
    var news = EventNews()
    // Again until neither has any, so that both are editions of one moment.
    while news.take(followers.session, &contents.sessionPosition)
      || news.take(followers.catalog, &contents.catalogPosition)
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
    let moment = EventID(snapshot.sessionEdition, snapshot.catalogEdition)
    contents.moment = moment
    for topic in AgentTopics.each where contents.topics[topic] != nil {
      // The list of all tools follows from the catalogue alone.
      if topic == .tools, subject.listsAll, news.catalog == nil { continue }
      let new = digest(of: topic, snapshot, &contents.plan)
      guard contents.topics[topic]?.digest != new else { continue }
      contents.topics[topic]?.digest = new
      contents.topics[topic]?.change = moment
    }
  }

  /// Returns a digest of what agents are told about a topic.
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
  /// The session and the catalogue that were looked at last.
  fileprivate var snapshot: Snapshot? {
    guard let session, let catalog else { return nil }
    return Snapshot(sessionEdition: session, catalogEdition: catalog)
  }
}
