import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The channels that somebody subscribes to, or did within a minute, and all subscribers.
final class EventChannels: Sendable {
  /// A request to be told of events.
  struct Request: Sendable {
    var subscriptions: [EventSubscription]
    /// The ids of the last events that the subscriber knows.
    var known: [EventID] = []
    var form = EventStream.Form.serverSent
    /// The administrators' tokens that the request, or its tickets, were made with.
    var tokens: [TokenDigest] = []
  }

  private struct Contents {
    var channels: [EventSubscription: Entry] = [:]
    var subscribers: [Int: Subscriber] = [:]
    var lastNumber = 0
    /// The number of ticks so far.
    var ticks = 0
    /// True if no more events are sent, since the server is about to stop.
    var isDraining = false
    /// The administrators' tokens since they were replaced; nil if they never were.
    var administrators: [TokenDigest]?
  }

  private struct Entry {
    let channel: EventChannel
    /// The number of looks in a row that found nobody.
    var quietLooks = 0
  }

  fileprivate struct Subscriber {
    let source: EventStream
    let wake: @Sendable () -> Void
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

  /// Subscribes, and returns what is sent. The subscription ends with the stream.
  func subscribe(
    _ request: Request, of store: SessionStore
  ) -> (source: EventStream, stream: ResponseStream) {
    let (channels, number) = contents.withLock { contents in
      contents.lastNumber += 1
      let channels = request.subscriptions.map { channel(of: $0, in: &contents, of: store) }
      return (channels, contents.lastNumber)
    }
    let source = EventStream(channels, after: request.known, as: request.form, in: environment)
    let stream = ResponseStream(
      next: { source.next() }, whenClosed: { [weak self] in self?.remove(number, from: channels) })
    let wake: @Sendable () -> Void = { [weak stream] in stream?.wake() }
    for channel in channels { channel.add(number, waking: wake) }
    let subscriber = Subscriber(source: source, wake: wake, tokens: request.tokens)
    // After the channels know it: draining and revoking find it here from now on.
    let (isDraining, isRevoked) = contents.withLock { contents in
      contents.subscribers[number] = subscriber
      return (contents.isDraining, subscriber.isRevoked(by: contents.administrators))
    }
    if isDraining { for channel in channels { channel.close("draining") } }
    if isRevoked { source.revoke() }
    return (source, stream)
  }

  private func channel(
    of subscription: EventSubscription, in contents: inout Contents, of store: SessionStore
  ) -> EventChannel {
    var channel = contents.channels[subscription]?.channel
    if channel?.hasEnded == true { channel = nil }
    let found = channel ?? EventChannel(subscription, of: store, in: environment)
    contents.channels[subscription] = Entry(channel: found)
    return found
  }

  private func remove(_ number: Int, from channels: [EventChannel]) {
    for channel in channels { channel.remove(number) }
    let gone = contents.withLock { $0.subscribers.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }
}

extension EventChannels {
  /// Ends the waits that are over, and lets those streams show that they are alive whose turn it is, which finds
  /// clients that are gone; called every half second.
  ///
  /// All at once would hold up others' requests.
  func tick(at now: Int) {
    let (due, channels) = contents.withLock { contents in
      contents.ticks += 1
      let turn = contents.ticks % period
      var due: [@Sendable () -> Void] = []
      for (number, subscriber) in contents.subscribers {
        let isDue = number % period == turn
        if isDue { subscriber.source.beat() }
        if isDue || subscriber.source.isOver(at: now) { due.append(subscriber.wake) }
      }
      return (due, turn == 0 ? contents.channels.values.map(\.channel) : [])
    }
    for wake in due { wake() }
    for channel in channels { channel.forgetSpare() }
  }

  /// Ends the streams that were asked for with tokens that are none any more.
  ///
  /// - Parameter administrators: The tokens that administrators have from now on.
  func revoke(allBut administrators: [TokenDigest]) {
    let revoked = contents.withLock { contents in
      contents.administrators = administrators
      return contents.subscribers.values.filter { $0.isRevoked(by: administrators) }
    }
    for subscriber in revoked {
      subscriber.source.revoke()
      subscriber.wake()
    }
  }

  /// Forgets the channels that nobody subscribed to at the last looks; it looks once in a while.
  func forgetQuiet() {
    let forgotten = contents.withLock { contents in
      var forgotten: [EventChannel] = []
      for (subscription, entry) in contents.channels {
        let looks = entry.channel.subscriberCount == 0 ? entry.quietLooks + 1 : 0
        contents.channels[subscription]?.quietLooks = looks
        guard looks > 1 || entry.channel.hasEnded else { continue }
        forgotten.append(entry.channel)
        contents.channels[subscription] = nil
      }
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Tells all subscribers that the server is about to stop.
  func drain() {
    let channels = contents.withLock { contents in
      contents.isDraining = true
      return contents.channels.values.map(\.channel)
    }
    for channel in channels { channel.close("draining") }
  }
}

extension EventChannels.Subscriber {
  /// True if one of its tokens is none any more.
  fileprivate func isRevoked(by administrators: [TokenDigest]?) -> Bool {
    guard let administrators else { return false }
    return tokens.contains { !administrators.contains($0) }
  }
}
