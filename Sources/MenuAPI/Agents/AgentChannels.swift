import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The channels that agents listen to, or did within a minute, and all streams to agents.
final class AgentChannels: Sendable {
  private struct Contents {
    var channels: [AgentChannel.Subject: Entry] = [:]
    var streams: [Int: OpenStream] = [:]
    var lastNumber = 0
    /// The number of ticks so far.
    var ticks = 0
    /// True if nothing is sent any more, since the server is about to stop.
    var isDraining = false
    /// The administrators' tokens since they were replaced; nil if they never were.
    var administrators: [TokenDigest]?
  }

  private struct Entry {
    let channel: AgentChannel
    /// The number of looks in a row that found nobody.
    var quietLooks = 0
  }

  /// A stream, with the administrators' tokens that it was asked for with.
  fileprivate struct OpenStream {
    let source: any AgentSource
    let wake: @Sendable () -> Void
    let tokens: [TokenDigest]
  }

  private let contents = Lock(Contents())
  /// The number of ticks from one heartbeat of a stream to the next.
  private let period: Int
  /// The same of a call that waits: two seconds.
  private static let awaitedPeriod = 4
  /// The subscriptions of clients with a name.
  let clients = AgentClients()
  /// The calls whose streams can be resumed.
  let calls = AgentCalls()

  private let environment: EventEnvironment

  /// No streams yet, in the environment of events.
  init(in environment: EventEnvironment) {
    self.environment = environment
    period = max(1, Int(environment.limits.heartbeat / EventLimits.interval))
  }

  var streamCount: Int { contents.withLock(\.streams.count) }

  /// The sessions that somebody listens to.
  var followedSessions: [SessionID] {
    contents.withLock { contents in
      contents.channels.filter { $0.value.channel.listenerCount > 0 }.map(\.key.session)
    }
  }

  /// A number that no other stream has.
  func nextNumber() -> Int {
    contents.withLock { contents in
      contents.lastNumber += 1
      return contents.lastNumber
    }
  }

  /// Returns the channel of a session's changes.
  func channel(of subject: AgentChannel.Subject, in store: SessionStore) -> AgentChannel {
    contents.withLock { contents in
      var channel = contents.channels[subject]?.channel
      if channel?.hasEnded == true { channel = nil }
      let found = channel ?? AgentChannel(subject, of: store, in: environment)
      contents.channels[subject] = Entry(channel: found)
      return found
    }
  }

  /// Keeps a stream until it is closed.
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

  /// Forgets a stream that is closed.
  func remove(_ number: Int) {
    let gone = contents.withLock { $0.streams.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }

  /// Lets the changes of a topic be known from now on to those who listen to a session.
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
  /// Lets those streams show that they are alive whose turn it is, which finds clients that are gone, and wakes those
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

  /// Lets every stream show that it is alive.
  func beat() {
    for stream in contents.withLock({ Array($0.streams.values) }) { stream.beat() }
  }

  /// Cancels a request whose client does not wait for the answer any more; one that is not known is ignored.
  func cancel(_ request: AgentRequestName) {
    for work in calls.remove(request) {
      work.cancel()
      work.wake()
    }
  }

  /// Ends the streams that were asked for with tokens that are none any more.
  ///
  /// - Parameter administrators: The tokens that administrators have from now on.
  func revoke(allBut administrators: [TokenDigest]) {
    let revoked = contents.withLock { contents in
      contents.administrators = administrators
      return contents.streams.values.filter { $0.isRevoked(by: administrators) }
    }
    for stream in revoked { stream.stop() }
  }

  /// Forgets the channels that nobody listened to at the last looks, and calls; it looks once in a while.
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

  /// True if one of its tokens is none any more.
  fileprivate func isRevoked(by administrators: [TokenDigest]?) -> Bool {
    guard let administrators else { return false }
    return tokens.contains { !administrators.contains($0) }
  }
}
