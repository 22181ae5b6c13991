import JSONText
import Languages
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import Synchronization

/// The changes of a session, shared by all its listening agents.
///
/// It keeps no events. For each topic it keeps the moment of the last change, and the moment from which on changes are
/// tracked. A listener is at a moment, and is sent the topics that have changed since.
final class AgentChannel: Sendable {
  /// A session with its list of tools and its viewer.
  struct Subject: Hashable, Sendable {
    let session: SessionID
    let tools: ListedTools
    /// The consent for commands that do not declare one (T7).
    let consent: AgentConsent
    /// True if the viewer may read documents (T3).
    let showsDocuments: Bool
    let viewer: Viewer
  }

  private let subject: Subject
  private let environment: EventEnvironment
  private let plan: SessionPlan
  private let contents = Lock(Contents())
  /// The closures that wake listeners when there may be changes, by the number of the listener. They have a separate
  /// lock, because the journal waits while listeners are woken.
  private let wakers = Lock<[Int: @Sendable () -> Void]>([:])
  private let sources = LazyReference<EventSources>()
  private let ended = Atomic(false)

  fileprivate struct Contents {
    var versions = FollowedVersions()
    var moment: EventID?
    /// The language of the session at that moment (M14).
    var locale: LanguageTag?
    /// The tracked topics: those that a listener has subscribed to.
    var topics: [AgentTopic: Topic] = [:]
  }

  fileprivate struct Topic {
    /// The moment since which changes are tracked.
    let start: EventID
    /// The moment of the last change; nil if there was none.
    var change: EventID?
    /// The digest of the content that is compared; nil if it took too much effort.
    var digest: [UInt8]?
    /// The time of the last request for it, in nanoseconds.
    var asked: Int
  }

  /// The maximum number of the application's resources that are tracked. Subscribers of further resources are notified
  /// at each change of the session.
  private static let maximumContents = 256
  /// The time after which a tracked resource that is no longer requested is dropped, in nanoseconds.
  private static let patience = 300_000_000_000

  /// Creates a channel that follows the session from now on.
  init(
    _ subject: Subject, of store: SessionStore, asking plan: SessionPlan,
    in environment: EventEnvironment
  ) {
    self.subject = subject
    self.plan = plan
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

  /// The session at the last check.
  var session: Session? { contents.withLock { $0.versions.snapshot?.session } }

  /// The present time, in nanoseconds.
  var now: Int { environment.nanoseconds() }

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
  ) -> (topics: [AgentTopic], moment: EventID?) {
    environment.charging(subject.session) {
      contents.withLock { contents in
        advance(&contents)
        begin(topics, &contents)
        guard let moment else { return ([], contents.moment) }
        let changed = topics.inOrder.filter { topic in
          guard let known = contents.topics[topic] else {
            return contents.moment.map { !$0.isNotAfter(moment) } ?? false
          }
          guard known.start.isNotAfter(moment) else { return true }
          return known.change.map { !$0.isNotAfter(moment) } ?? false
        }
        return (changed, contents.moment)
      }
    }
  }

  /// Begins to track topics that are not tracked yet.
  private func begin(_ topics: AgentTopics, _ contents: inout Contents) {
    guard let moment = contents.moment, let snapshot = contents.versions.snapshot.map(viewed)
    else { return }
    let effort = Effort()
    let now = now
    for topic in topics { contents.topics[topic]?.asked = now }
    contents.topics = contents.topics.filter { topic, known in
      topic.contentURI == nil || known.asked >= now &- Self.patience
    }
    var room = Self.maximumContents - contents.topics.keys.count { $0.contentURI != nil }
    for topic in topics.inOrder where contents.topics[topic] == nil {
      if topic.contentURI != nil {
        guard room > 0 else { break }
        room -= 1
      }
      contents.topics[topic] = Topic(
        start: moment, digest: digest(of: topic, snapshot, spending: effort), asked: now)
    }
  }

  /// Compares the tracked topics with the commits that became durable since.
  private func advance(_ contents: inout Contents) {
    guard !hasEnded, let news = sources.load().flatMap({ contents.versions.follow($0) }) else {
      return
    }
    guard news.end == nil else { return ended.store(true, ordering: .relaxed) }
    guard let whole = news.snapshot else { return }
    let snapshot = viewed(whole)
    let moment = EventID(snapshot)
    contents.moment = moment
    let isOfCatalog = news.isOfCatalog || contents.locale != snapshot.session.locale
    contents.locale = snapshot.session.locale
    let effort = Effort()
    for (topic, known) in contents.topics {
      if !isOfCatalog, dependsOnCatalogAlone(topic) { continue }
      let new = digest(of: topic, snapshot, spending: effort)
      guard new == nil || known.digest != new else { continue }
      contents.topics[topic]?.digest = new
      contents.topics[topic]?.change = moment
    }
  }

  /// True for a topic that depends only on the catalogue and its language, as does the fixed set of tools.
  private func dependsOnCatalogAlone(_ topic: AgentTopic) -> Bool {
    switch topic {
    case .tools: subject.tools != .enabled
    case .prompts, .resources: true
    case .document, .menu, .diagnostics, .deliveries, .content: false
    }
  }

  /// Returns a snapshot as the viewer sees it.
  private func viewed(_ snapshot: Snapshot) -> Snapshot {
    environment.sessions.view(snapshot, limitedTo: subject.viewer.commands)
  }

  /// Returns the digest of the present content of a topic; nil if a resource of the application takes too much effort.
  private func digest(
    of topic: AgentTopic, _ snapshot: Snapshot, spending effort: Effort
  ) -> [UInt8]? {
    var writer = JSONWriter()
    writer.beginArray()
    switch topic {
    case .tools: for tool in tools(at: snapshot)?.all ?? [] { writer.value(tool.json) }
    case .menu:
      var request = ValidationRequest()
      request.actor = subject.viewer.actor
      let menu = try? plan.ask(snapshot) { [request, subject] (plan) throws(MutationFault) in
        try plan.validate(
          snapshot.catalog.menusForAgents(consenting: subject.consent), request,
          at: snapshot.moment)
      }.answer
      if let menu { writer.value(menu, isExplaining: false) }
    case .diagnostics:
      writer.beginObject()
      writer.members(snapshot.session.diagnostics(in: snapshot.catalog))
      writer.endObject()
    case .deliveries:
      for delivery in snapshot.session.deliveries.all { writer.value(delivery) }
    case .document: writer.value(snapshot.session.revision)
    case .prompts, .resources, .content:
      guard let value = value(of: topic, snapshot, spending: effort) else { return nil }
      writer.value(value)
    }
    writer.endArray()
    return SHA256.digest(of: writer.bytes)
  }
}

extension AgentChannel {
  /// Returns the tools to compare; nil if they never change, or cannot be determined.
  private func tools(at snapshot: Snapshot) -> SessionTools? {
    switch subject.tools {
    case .fixed: nil
    case .all: SessionTools(snapshot.catalog, consent: subject.consent)
    case .enabled:
      try? plan.ask(snapshot) { (plan) throws(MutationFault) in
        try SessionTools(
          snapshot, by: subject.viewer.actor, consent: subject.consent, namesUndone: false, &plan)
      }.answer
    }
  }

  /// Returns the value to compare for the application's resources and prompts; nil if a resource takes too much
  /// effort.
  private func value(
    of topic: AgentTopic, _ snapshot: Snapshot, spending effort: Effort
  ) -> JSON? {
    let contents = AgentContents(
      catalog: snapshot.catalog, consent: subject.consent,
      showsDocuments: subject.showsDocuments)
    switch topic {
    case .prompts: return .array(contents.promptList)
    case .resources: return .array(contents.resourceList + contents.templateList)
    case .content(let uri):
      let reader = ContentReader(
        of: snapshot.session, in: snapshot.catalog, for: subject.viewer.actor, spending: effort)
      return contents.content(at: String(decoding: uri, as: UTF8.self), reader)
    case .tools, .document, .menu, .diagnostics, .deliveries: return .null
    }
  }
}

extension AgentContents {
  /// Returns the value to compare for a resource: its contents, null if it does not exist, or the message about a
  /// failed rule; nil if it takes too much effort.
  fileprivate func content(at uri: String, _ reader: ContentReader) -> JSON? {
    guard let (resource, values) = resource(at: uri) else { return .null }
    do throws(ContentFault) {
      return try reader.contents(of: resource, values, at: uri).json
    } catch {
      switch error {
      case .tooMuchEffort: return nil
      case .rule(let fault): return .string(fault.message)
      case .unknownResource, .missingArgument, .unknownArgument, .notAText, .notAChoice, .tooLarge:
        return .null
      }
    }
  }
}
