import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The subscribers to events of all sessions.
final class EventChannels: Sendable {
  /// A request to subscribe to events.
  struct Request: Sendable {
    var subscriptions: [EventSubscription]
    /// The subscriptions whose sessions were closed while the subscriber was away.
    var closed: [EventSubscription] = []
    /// The ids of the last events that the subscriber received.
    var known: [EventID] = []
    var form = EventStream.Form.serverSent
    /// The tokens of the request or of its tickets.
    var tokens = StreamTokens()
  }

  /// A limit that a request exceeds.
  enum Refusal: Error {
    /// The number of different subscriptions to the session.
    case subscriptions(SessionID)
    case streamsOfSession(SessionID)
    case streamsOfToken
  }

  fileprivate struct Contents {
    var subscribers: [Int: Subscriber] = [:]
    /// The number of streams opened with each administrator's token.
    var streamsOfTokens: [TokenDigest: Int] = [:]
    var lastNumber = 0
    var ticks = 0
    /// True if the server is about to stop: no more events are sent.
    var isDraining = false
    /// The administrators' tokens after a replacement; nil if they were never replaced.
    var administrators: [TokenDigest]?
  }

  fileprivate struct Subscriber {
    let source: EventStream
    let sessions: [SessionReference]
    let tokens: StreamTokens
  }

  /// A reference that does not retain a closed session.
  fileprivate struct SessionReference {
    weak var session: LiveSession?
  }

  let environment: EventEnvironment
  private let contents = Lock(Contents())
  /// The number of ticks from one heartbeat of a subscriber to the next.
  private let period: Int

  init(in environment: EventEnvironment) {
    self.environment = environment
    period = max(1, Int(environment.limits.heartbeat / EventLimits.interval))
  }

  var subscriberCount: Int { contents.withLock(\.subscribers.count) }

  var channelCount: Int {
    environment.sessions.all.reduce(0) { $0 + $1.channels.withLock(\.events.count) }
  }

  /// Subscribes, and returns the response stream. The subscription ends with the stream.
  func subscribe(
    _ request: Request, of store: SessionStore
  ) throws(Refusal) -> (source: EventStream, stream: ResponseStream) {
    // In one step, so that a channel is not dropped before it has its subscriber.
    let joined = try contents.withLock { (contents) throws(Refusal) in
      try join(request, in: &contents, of: store)
    }
    let (source, channels, number) = (joined.source, joined.channels, joined.number)
    let stream = ResponseStream(
      next: { source.next() }, whenClosed: { [weak self] in self?.remove(number, from: channels) })
    source.wake { [weak stream] in stream?.wake() }
    if joined.isDraining { for channel in channels { channel.closeAtPresent("draining") } }
    return (source, stream)
  }

  /// A subscriber registered with its channels.
  private struct Joined: Sendable {
    let source: EventStream
    let channels: [EventChannel]
    let number: Int
    let isDraining: Bool
    /// The channels dropped for it; they are freed after the lock is released.
    let forgotten: [EventChannel]
  }

  private func join(
    _ request: Request, in contents: inout Contents, of store: SessionStore
  ) throws(Refusal) -> Joined {
    let places = request.subscriptions.map { subscription in
      Place(
        subscription: subscription,
        session: environment.sessions.live(subscription.session, of: store))
    }
    let sessions = places.distinctSessions
    try check(request, at: places, of: sessions, contents)
    contents.lastNumber += 1
    let number = contents.lastNumber
    let channels = places.map { channel(at: $0, for: number, of: store) }
    let source = EventStream(
      channels, after: request.known, closed: request.closed, as: request.form, in: environment)
    let subscriber = Subscriber(
      source: source, sessions: sessions.map(SessionReference.init), tokens: request.tokens)
    contents.add(subscriber, as: number)
    for channel in channels { channel.add(source, as: number) }
    if subscriber.tokens.isRevoked(by: contents.administrators) { source.revoke() }
    let most = environment.limits.subscriptions
    let forgotten = sessions.flatMap { session in
      session.channels.withLock { channels in
        channels.streams += 1
        return channels.makeRoom(within: most)
      }
    }
    return Joined(
      source: source, channels: channels, number: number, isDraining: contents.isDraining,
      forgotten: forgotten)
  }

  private func check(
    _ request: Request, at places: [Place], of sessions: [LiveSession], _ contents: Contents
  ) throws(Refusal) {
    let limits = environment.limits
    for session in sessions
    where session.channels.withLock(\.streams) >= limits.streamsOfSession {
      throw .streamsOfSession(session.id)
    }
    for token in request.tokens.administrators
    where contents.streamsOfTokens[token] ?? 0 >= limits.streamsOfToken {
      throw .streamsOfToken
    }
    for session in sessions {
      let subscriptions = places.filter { $0.session === session }.map(\.subscription)
      let hasRoom = session.channels.withLock {
        $0.hasRoom(for: subscriptions, within: limits.subscriptions)
      }
      guard hasRoom else { throw .subscriptions(session.id) }
    }
  }

  /// Returns the channel of a subscription, for which there is room.
  private func channel(at place: Place, for number: Int, of store: SessionStore) -> EventChannel {
    let (session, subscription) = (place.session, place.subscription)
    return session.channels.withLock { channels in
      channels.channel(
        of: subscription, for: number,
        else: { EventChannel(subscription, of: store, beside: session, in: environment) })
    }
  }

  private func remove(_ number: Int, from channels: [EventChannel]) {
    for channel in channels { channel.remove(number) }
    let gone = contents.withLock { $0.remove(number) }
    for reference in gone?.sessions ?? [] {
      reference.session?.channels.withLock { $0.streams -= 1 }
    }
  }
}

/// A subscription, and the session that it is about.
private struct Place {
  let subscription: EventSubscription
  let session: LiveSession
}

extension [Place] {
  /// The sessions, each once.
  fileprivate var distinctSessions: [LiveSession] {
    reduce(into: []) { sessions, place in
      if !sessions.contains(where: { $0 === place.session }) { sessions.append(place.session) }
    }
  }
}

extension EventChannels.Contents {
  fileprivate mutating func add(_ subscriber: EventChannels.Subscriber, as number: Int) {
    subscribers[number] = subscriber
    for token in subscriber.tokens.administrators { streamsOfTokens[token, default: 0] += 1 }
  }

  fileprivate mutating func remove(_ number: Int) -> EventChannels.Subscriber? {
    guard let subscriber = subscribers.removeValue(forKey: number) else { return nil }
    for token in subscriber.tokens.administrators {
      let left = (streamsOfTokens[token] ?? 1) - 1
      streamsOfTokens[token] = left > 0 ? left : nil
    }
    return subscriber
  }
}

extension EventChannels {
  /// The number of ticks within which a subscriber learns that its id has moved.
  private static let moveTicks = 4

  /// Ends the long polls whose deadline has passed, and sends heartbeats on the streams that are due, which
  /// detects disconnected clients, or whose id has moved (E4); called every half second.
  ///
  /// Both are spread over some ticks, since all at once would delay other requests.
  func tick(at now: Int) {
    let (due, isTurning) = contents.withLock { contents in
      contents.ticks += 1
      let turn = contents.ticks % period
      var due: [EventStream] = []
      for (number, subscriber) in contents.subscribers {
        let isDue =
          number % period == turn
          || (number - contents.ticks) % Self.moveTicks == 0 && subscriber.source.takesMove()
        if isDue { subscriber.source.beat() }
        if isDue || subscriber.source.isOver(at: now) { due.append(subscriber.source) }
      }
      return (due, turn == 0)
    }
    for source in due { source.wake() }
    if isTurning { for session in environment.sessions.all { session.forgetSpare() } }
    environment.queue?.tick()
  }

  /// Ends the streams that were opened with revoked tokens.
  ///
  /// - Parameter administrators: The valid tokens of administrators.
  func revoke(allBut administrators: [TokenDigest]) {
    let revoked = contents.withLock { contents in
      contents.administrators = administrators
      return contents.subscribers.values.filter { $0.tokens.isRevoked(by: administrators) }
    }
    for subscriber in revoked { subscriber.revoke() }
  }

  /// Ends the streams with tokens that have expired or were revoked (T2).
  func revoke(where isOver: (TokenLease) -> Bool) {
    let leased = contents.withLock { contents in
      contents.subscribers.values.filter { !$0.tokens.leases.isEmpty }
    }
    for subscriber in leased where subscriber.tokens.leases.contains(where: isOver) {
      subscriber.revoke()
    }
  }

  /// Ends the channels of all subscribers, since the server is about to stop.
  func drain() {
    let sources = contents.withLock { contents in
      contents.isDraining = true
      return contents.subscribers.values.map(\.source)
    }
    for source in sources { source.close("draining") }
  }
}

extension EventChannels.Subscriber {
  fileprivate func revoke() {
    source.revoke()
    source.wake()
  }
}

/// The tokens with which a stream ends: administrators' tokens, and leases of granted ones.
struct StreamTokens: Sendable {
  var administrators: [TokenDigest] = []
  var leases: [TokenLease] = []

  init() {}

  init(of access: Access) {
    (administrators, leases) = (access.administrators, access.leases)
  }

  /// True if one of the administrators' tokens is not among the present ones; nil if these were never replaced.
  func isRevoked(by present: [TokenDigest]?) -> Bool {
    guard let present else { return false }
    return administrators.contains { !present.contains($0) }
  }
}
