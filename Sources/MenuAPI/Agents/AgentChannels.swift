import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The channels with listeners now or within the last minute, and all streams to agents.
final class AgentChannels: Sendable {
  private struct Contents {
    var channels: [AgentChannel.Subject: Entry] = [:]
    var streams: [Int: OpenStream] = [:]
    var lastNumber = 0
    var ticks = 0
    /// True if the server is about to stop: nothing is sent any more.
    var isDraining = false
    /// The administrators' tokens after a replacement; nil if they were never replaced.
    var administrators: [TokenDigest]?
  }

  private struct Entry {
    let channel: AgentChannel
    /// The number of consecutive checks without listeners.
    var quietLooks = 0
  }

  /// A stream, with the administrators' tokens of its request.
  fileprivate struct OpenStream {
    let source: any AgentSource
    let wake: @Sendable () -> Void
    let tokens: [TokenDigest]
  }

  private let contents = Lock(Contents())
  /// The number of ticks from one heartbeat of a stream to the next.
  private let period: Int
  /// The same for a call that waits: two seconds.
  private static let awaitedPeriod = 4
  /// The subscriptions of clients by name.
  let clients = AgentClients()
  /// The calls whose streams can be resumed.
  let calls = AgentCalls()

  private let environment: EventEnvironment

  /// Creates an empty collection, in the environment of events.
  init(in environment: EventEnvironment) {
    self.environment = environment
    period = max(1, Int(environment.limits.heartbeat / EventLimits.interval))
  }

  var streamCount: Int { contents.withLock(\.streams.count) }

  var followedSessions: [SessionID] {
    contents.withLock { contents in
      contents.channels.filter { $0.value.channel.listenerCount > 0 }.map(\.key.session)
    }
  }

  /// Returns a unique number for a stream.
  func nextNumber() -> Int {
    contents.withLock { contents in
      contents.lastNumber += 1
      return contents.lastNumber
    }
  }

  func channel(of subject: AgentChannel.Subject, in store: SessionStore) -> AgentChannel {
    contents.withLock { contents in
      var channel = contents.channels[subject]?.channel
      if channel?.hasEnded == true { channel = nil }
      let found = channel ?? AgentChannel(subject, of: store, in: environment)
      contents.channels[subject] = Entry(channel: found)
      return found
    }
  }

  func add(
    _ source: any AgentSource, as number: Int, tokens: [TokenDigest],
    waking wake: @escaping @Sendable () -> Void
  ) {
    let stream = OpenStream(source: source, wake: wake, tokens: tokens)
    let isOver = contents.withLock { contents in
      contents.streams[number] = stream
      return contents.isDraining || stream.isRevoked(by: contents.administrators)
    }
    if isOver { stream.stop() }
  }

  func remove(_ number: Int) {
    let gone = contents.withLock { $0.streams.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }

  /// Tracks topics for the listeners of a session from now on.
  func watch(_ topics: AgentTopics, of session: SessionID) {
    for listsAll in [false, true] {
      let subject = AgentChannel.Subject(session: session, listsAll: listsAll)
      let channel = contents.withLock { $0.channels[subject]?.channel }
      channel?.watch(topics)
      channel?.wake()
    }
  }
}

extension AgentChannels {
  /// Sends heartbeats on the streams that are due, which detects disconnected clients, and wakes the streams
  /// that hold something back; called every half second.
  func tick() {
    let (due, holding) = contents.withLock { contents in
      contents.ticks += 1
      let ticks = contents.ticks
      let due = contents.streams.filter { number, stream in
        let period = stream.source.isAwaited ? min(Self.awaitedPeriod, period) : period
        return number % period == ticks % period
      }
      return (Array(due.values), contents.streams.values.filter(\.source.isHolding))
    }
    for stream in due { stream.beat() }
    for stream in holding { stream.wake() }
  }

  func beat() {
    for stream in contents.withLock({ Array($0.streams.values) }) { stream.beat() }
  }

  /// Cancels a request whose client no longer waits for the answer; an unknown request is ignored.
  func cancel(_ request: AgentRequestName) {
    for work in calls.remove(request) {
      work.cancel()
      work.wake()
    }
  }

  /// Ends the streams that were opened with revoked tokens.
  ///
  /// - Parameter administrators: The valid tokens of administrators.
  func revoke(allBut administrators: [TokenDigest]) {
    let revoked = contents.withLock { contents in
      contents.administrators = administrators
      return contents.streams.values.filter { $0.isRevoked(by: administrators) }
    }
    for stream in revoked { stream.stop() }
  }

  /// Drops channels without listeners for several checks, and quiet calls; called once a minute.
  func forgetQuiet() {
    calls.forgetQuiet()
    let forgotten = contents.withLock { contents in
      var forgotten: [AgentChannel] = []
      for (subject, entry) in contents.channels {
        let looks = entry.channel.listenerCount == 0 ? entry.quietLooks + 1 : 0
        contents.channels[subject]?.quietLooks = looks
        guard looks > 1 || entry.channel.hasEnded else { continue }
        forgotten.append(entry.channel)
        contents.channels[subject] = nil
      }
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Ends all streams, since the server is about to stop.
  func drain() {
    let streams = contents.withLock { contents in
      contents.isDraining = true
      return Array(contents.streams.values)
    }
    for stream in streams { stream.stop() }
  }
}

extension AgentChannels.OpenStream {
  fileprivate func beat() {
    source.beat()
    wake()
  }

  fileprivate func stop() {
    source.stop()
    wake()
  }

  /// True if one of its tokens is revoked.
  fileprivate func isRevoked(by administrators: [TokenDigest]?) -> Bool {
    guard let administrators else { return false }
    return tokens.contains { !administrators.contains($0) }
  }
}
