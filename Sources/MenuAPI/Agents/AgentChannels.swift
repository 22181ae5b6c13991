import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The streams to agents of all sessions, and the calls that wait for the application.
final class AgentChannels: Sendable {
  private struct Contents {
    var streams: [Int: OpenStream] = [:]
    var lastNumber = 0
    var ticks = 0
    /// True if the server is about to stop: nothing is sent any more.
    var isDraining = false
    /// The administrators' tokens after a replacement; nil if they were never replaced.
    var administrators: [TokenDigest]?
  }

  /// A stream, with the tokens of its request.
  fileprivate struct OpenStream {
    let source: any AgentSource
    let wake: @Sendable () -> Void
    let tokens: StreamTokens
  }

  private let contents = Lock(Contents())
  /// The number of ticks from one heartbeat of a stream to the next.
  private let period: Int
  /// The number of ticks between heartbeats for a call that waits: two seconds.
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

  /// Returns a unique number for a stream.
  func nextNumber() -> Int {
    contents.withLock { contents in
      contents.lastNumber += 1
      return contents.lastNumber
    }
  }

  func channel(of subject: AgentChannel.Subject, in store: SessionStore) -> AgentChannel {
    let session = environment.sessions.live(subject.session, of: store)
    return session.channels.withLock { channels in
      channels.agentChannel(of: subject) {
        let plan = session.plan(limitedTo: subject.viewer.commands)
        return AgentChannel(subject, of: store, asking: plan, in: environment)
      }
    }
  }

  func add(
    _ source: any AgentSource, as number: Int, tokens: StreamTokens,
    waking wake: @escaping @Sendable () -> Void
  ) {
    let stream = OpenStream(source: source, wake: wake, tokens: tokens)
    let reason: StopReason? = contents.withLock { contents in
      contents.streams[number] = stream
      if contents.isDraining { return .draining }
      return stream.isRevoked(by: contents.administrators) ? .tokenInvalid : nil
    }
    if let reason { stream.stop(reason) }
  }

  func remove(_ number: Int) {
    let gone = contents.withLock { $0.streams.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }
}

extension LiveSession {
  /// Tracks topics for the session's listeners from now on.
  func watch(_ topics: AgentTopics) {
    for channel in channels.withLock(\.agentChannels) {
      channel.watch(topics)
      channel.wake()
    }
  }
}

extension AgentChannels {
  /// Sends heartbeats on the streams that are due, which detects disconnected clients, and wakes the streams with
  /// held-back notifications; called every half second.
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
    for stream in revoked { stream.stop(.tokenInvalid) }
  }

  /// Ends the streams with tokens that have expired or were revoked (T2).
  func revoke(where isOver: (TokenLease) -> Bool) {
    let leased = contents.withLock { contents in
      contents.streams.values.filter { !$0.tokens.leases.isEmpty }
    }
    for stream in leased where stream.tokens.leases.contains(where: isOver) {
      stream.stop(.tokenInvalid)
    }
  }

  /// Ends all streams, since the server is about to stop.
  func drain() {
    let streams = contents.withLock { contents in
      contents.isDraining = true
      return Array(contents.streams.values)
    }
    for stream in streams { stream.stop(.draining) }
  }
}

extension AgentChannels.OpenStream {
  fileprivate func beat() {
    source.beat()
    wake()
  }

  fileprivate func stop(_ reason: StopReason) {
    source.stop(reason)
    wake()
  }

  /// True if one of its tokens is revoked.
  fileprivate func isRevoked(by administrators: [TokenDigest]?) -> Bool {
    tokens.isRevoked(by: administrators)
  }
}
