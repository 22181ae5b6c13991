import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The channels with subscribers now or within the last minute, and all subscribers.
final class EventChannels: Sendable {
  /// A request to subscribe to events.
  struct Request: Sendable {
    var subscriptions: [EventSubscription]
    /// The ids of the last events that the subscriber received.
    var known: [EventID] = []
    var form = EventStream.Form.serverSent
    /// The administrators' tokens of the request or of its tickets.
    var tokens: [TokenDigest] = []
  }

  /// A limit that a request exceeds.
  enum Refusal: Error {
    /// The number of different subscriptions to the session.
    case subscriptions(SessionID)
    case streamsOfSession(SessionID)
    case streamsOfToken
  }

  fileprivate struct Contents {
    var sessions: [SessionID: Followed] = [:]
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

  /// A session with subscribers, now or a moment ago.
  fileprivate struct Followed {
    let shared: FollowedSession
    var channels: [EventSubscription: Entry] = [:]
    var streams = 0
  }

  fileprivate struct Entry {
    let channel: EventChannel
    /// The number of the last subscription to the channel.
    var used: Int
    /// The number of consecutive checks without subscribers.
    var quietLooks = 0
  }

  fileprivate struct Subscriber {
    let source: EventStream
    let sessions: [SessionID]
    let tokens: [TokenDigest]
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
    contents.withLock { $0.sessions.values.reduce(0) { $0 + $1.channels.count } }
  }

  var followedSessions: [SessionID] {
    contents.withLock { contents in contents.sessions.filter { $0.value.streams > 0 }.map(\.key) }
  }

  /// Subscribes, and returns the response stream. The subscription ends with the stream.
  func subscribe(
    _ request: Request, of store: SessionStore
  ) throws(Refusal) -> (source: EventStream, stream: ResponseStream) {
    // In one step, so that no channel is dropped before it has its subscriber.
    let joined = try contents.withLock { (contents) throws(Refusal) in
      try join(request, in: &contents, of: store)
    }
    let (source, channels, number) = (joined.source, joined.channels, joined.number)
    let stream = ResponseStream(
      next: { source.next() }, whenClosed: { [weak self] in self?.remove(number, from: channels) })
    source.wake { [weak stream] in stream?.wake() }
    if joined.isDraining { for channel in channels { channel.close("draining") } }
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
    try check(request, contents)
    contents.lastNumber += 1
    let number = contents.lastNumber
    let channels = request.subscriptions.map { channel(of: $0, in: &contents, of: store) }
    let source = EventStream(channels, after: request.known, as: request.form, in: environment)
    let subscriber = Subscriber(
      source: source, sessions: Array(Set(request.subscriptions.map(\.session))),
      tokens: request.tokens)
    contents.add(subscriber, as: number)
    for channel in channels { channel.add(source, as: number) }
    if subscriber.isRevoked(by: contents.administrators) { source.revoke() }
    let most = environment.limits.subscriptions
    let forgotten = subscriber.sessions.flatMap {
      contents.sessions[$0]?.makeRoom(within: most) ?? []
    }
    return Joined(
      source: source, channels: channels, number: number, isDraining: contents.isDraining,
      forgotten: forgotten)
  }

  private func check(_ request: Request, _ contents: Contents) throws(Refusal) {
    let limits = environment.limits
    for subscription in request.subscriptions {
      let streams = contents.sessions[subscription.session]?.streams ?? 0
      guard streams < limits.streamsOfSession else {
        throw .streamsOfSession(subscription.session)
      }
    }
    for token in request.tokens where contents.streamsOfTokens[token] ?? 0 >= limits.streamsOfToken
    {
      throw .streamsOfToken
    }
    for (session, subscriptions) in Dictionary(grouping: request.subscriptions, by: \.session) {
      let hasRoom =
        contents.sessions[session]?.hasRoom(for: subscriptions, within: limits.subscriptions)
        ?? (subscriptions.count <= limits.subscriptions)
      guard hasRoom else { throw .subscriptions(session) }
    }
  }

  /// Returns the channel of a subscription, for which there is room.
  private func channel(
    of subscription: EventSubscription, in contents: inout Contents, of store: SessionStore
  ) -> EventChannel {
    var followed =
      contents.sessions[subscription.session]
      ?? Followed(shared: FollowedSession(subscription.session, in: environment.memory))
    defer { contents.sessions[subscription.session] = followed }
    if let channel = followed.channels[subscription]?.channel, !channel.hasEnded {
      followed.channels[subscription] = Entry(channel: channel, used: contents.lastNumber)
      return channel
    }
    let channel = EventChannel(
      subscription, of: store, sharing: followed.shared, in: environment)
    followed.channels[subscription] = Entry(channel: channel, used: contents.lastNumber)
    return channel
  }

  private func remove(_ number: Int, from channels: [EventChannel]) {
    for channel in channels { channel.remove(number) }
    let gone = contents.withLock { $0.remove(number) }
    withExtendedLifetime(gone) {}
  }
}

extension EventChannels.Followed {
  /// True if there is room for channels of the subscriptions beside those with subscribers.
  fileprivate func hasRoom(for subscriptions: [EventSubscription], within limit: Int) -> Bool {
    let more = subscriptions.filter { channels[$0] == nil }
    guard channels.count + more.count > limit else { return true }
    let others = channels.filter {
      $0.value.channel.subscriberCount > 0 && !subscriptions.contains($0.key)
    }
    return others.count + subscriptions.count <= limit
  }

  /// Drops channels without subscribers, least recently used first, while there are more than the limit.
  fileprivate mutating func makeRoom(within limit: Int) -> [EventChannel] {
    var forgotten: [EventChannel] = []
    while channels.count > limit {
      let quiet = channels.filter { $0.value.channel.subscriberCount == 0 }
      guard let oldest = quiet.min(by: { $0.value.used < $1.value.used })?.key,
        let entry = channels.removeValue(forKey: oldest)
      else { break }
      forgotten.append(entry.channel)
    }
    return forgotten
  }

  /// Drops and returns the channels without subscribers that meet a condition.
  fileprivate mutating func forget(
    where condition: (inout EventChannels.Entry) -> Bool
  ) -> [EventChannel] {
    var forgotten: [EventChannel] = []
    for subscription in channels.keys {
      guard var entry = channels[subscription] else { continue }
      let isForgotten = condition(&entry)
      channels[subscription] = isForgotten ? nil : entry
      if isForgotten { forgotten.append(entry.channel) }
    }
    return forgotten
  }
}

extension EventChannels.Contents {
  fileprivate mutating func add(_ subscriber: EventChannels.Subscriber, as number: Int) {
    subscribers[number] = subscriber
    for session in subscriber.sessions { sessions[session]?.streams += 1 }
    for token in subscriber.tokens { streamsOfTokens[token, default: 0] += 1 }
  }

  fileprivate mutating func remove(_ number: Int) -> EventChannels.Subscriber? {
    guard let subscriber = subscribers.removeValue(forKey: number) else { return nil }
    for session in subscriber.sessions { sessions[session]?.streams -= 1 }
    for token in subscriber.tokens {
      let left = (streamsOfTokens[token] ?? 1) - 1
      streamsOfTokens[token] = left > 0 ? left : nil
    }
    return subscriber
  }

  /// Drops the channels without subscribers that meet a condition, and sessions without channels.
  fileprivate mutating func forget(
    where condition: (inout EventChannels.Entry) -> Bool
  ) -> [EventChannel] {
    var forgotten: [EventChannel] = []
    for session in sessions.keys {
      forgotten += sessions[session]?.forget(where: condition) ?? []
      if let followed = sessions[session], followed.channels.isEmpty, followed.streams == 0 {
        sessions[session] = nil
      }
    }
    return forgotten
  }
}

extension EventChannels {
  /// Ends the long polls whose deadline has passed, and sends heartbeats on the streams that are due, which
  /// detects disconnected clients; called every half second.
  ///
  /// Heartbeats are spread over the period, since all at once would delay other requests.
  func tick(at now: Int, of store: SessionStore?) {
    let (due, turning, forgotten) = contents.withLock { contents in
      contents.ticks += 1
      let turn = contents.ticks % period
      var due: [EventStream] = []
      for (number, subscriber) in contents.subscribers {
        let isDue = number % period == turn
        if isDue { subscriber.source.beat() }
        if isDue || subscriber.source.isOver(at: now) { due.append(subscriber.source) }
      }
      // Channels end with their sessions.
      let forgotten = contents.forget { entry in
        entry.channel.subscriberCount == 0 && store.map(entry.channel.isOver) ?? false
      }
      return (due, turn == 0 ? Array(contents.sessions.values) : [], forgotten)
    }
    for source in due { source.wake() }
    for followed in turning {
      followed.shared.forgetDocument()
      for entry in followed.channels.values { entry.channel.forgetSpare() }
    }
    withExtendedLifetime(forgotten) {}
    environment.queue?.tick()
  }

  /// Ends the streams that were opened with revoked tokens.
  ///
  /// - Parameter administrators: The valid tokens of administrators.
  func revoke(allBut administrators: [TokenDigest]) {
    let revoked = contents.withLock { contents in
      contents.administrators = administrators
      return contents.subscribers.values.filter { $0.isRevoked(by: administrators) }
    }
    for subscriber in revoked {
      subscriber.source.revoke()
      subscriber.source.wake()
    }
  }

  /// Drops channels that had no subscribers for several checks; called once a minute.
  func forgetQuiet() {
    let forgotten = contents.withLock { contents in
      contents.forget { entry in
        entry.quietLooks = entry.channel.subscriberCount == 0 ? entry.quietLooks + 1 : 0
        return entry.quietLooks > 1
      }
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Ends all channels, since the server is about to stop.
  func drain() {
    let channels = contents.withLock { contents in
      contents.isDraining = true
      return contents.sessions.values.flatMap { $0.channels.values.map(\.channel) }
    }
    for channel in channels { channel.close("draining") }
  }
}

extension EventChannels.Subscriber {
  /// True if one of its tokens is revoked.
  fileprivate func isRevoked(by administrators: [TokenDigest]?) -> Bool {
    guard let administrators else { return false }
    return tokens.contains { !administrators.contains($0) }
  }
}
