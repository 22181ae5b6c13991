import CMicroHTTPD
import Glibc
import Locks

/// All open connections, so that somebody other than their own threads can look after them.
///
/// A descriptor is used only under the lock: the daemon closes it after `remove`, and the system
/// may give its number to somebody else at once.
struct ConnectionRegistry: ~Copyable {
  private let all = Lock(All())

  // Not private: the compiler (6.3.1) fails on a private type in a lock that another file inlines.
  struct All {
    var connections: [Connection] = []
    /// The number of those that were evicted, which the daemon is about to close.
    var evicted = 0
    /// The number of those that have a stream.
    var streams = 0
    /// The number of those of each address.
    var streamsOfAddresses: [String: Int] = [:]
    /// The number of all that were ever evicted.
    var evictions = 0
    /// The most connections that were open since `takePeak()`.
    var peak = 0
  }

  /// Adds a connection; if there are more than `limit`, the one that was silent longest is shut down.
  ///
  /// One that waits for the server is never evicted, and one that reads a response only if there is no
  /// other. Those with a stream do not count.
  func insert(_ connection: Connection, limit: Int) {
    all.withLock { all in
      if all.connections.count - all.evicted - all.streams >= limit,
        let silent = all.connections.longestSilent(in: \.isReading)
          ?? all.connections.longestSilent(in: { $0 == .response })
      {
        silent.isEvicted = true
        all.evicted += 1
        all.evictions += 1
        silent.shutDown()
      }
      connection.place = all.connections.count
      all.connections.append(connection)
      all.peak = max(all.peak, all.connections.count)
    }
  }

  func remove(_ connection: Connection) {
    all.withLock { all in
      if connection.isEvicted { all.evicted -= 1 }
      if connection.stream != nil { all.endStream(of: connection) }
      guard let last = all.connections.popLast(), last !== connection else { return }
      last.place = connection.place
      all.connections[connection.place] = last
    }
  }

  /// Gives a connection its stream; answers false, and does not, if so many have one, or so many of its address unless
  /// that limit is 0.
  func begin(
    _ stream: ResponseStream, on connection: Connection, limit: Int, perAddress: Int
  ) -> Bool {
    all.withLock { all in
      let ofAddress = all.streamsOfAddresses[connection.remoteAddress] ?? 0
      guard all.streams < limit, perAddress == 0 || ofAddress < perAddress else { return false }
      all.streamsOfAddresses[connection.remoteAddress] = ofAddress + 1
      connection.stream = stream
      connection.takenSeen = nil
      all.streams += 1
      return true
    }
  }

  func endStream(of connection: Connection) {
    // The stream is released when the lock is no longer held.
    _ = all.withLock { all -> ResponseStream? in
      if connection.stream != nil { all.endStream(of: connection) }
      return connection.stream.take()
    }
  }

  /// The number of connections that have a stream.
  var streamCount: Int { all.withLock(\.streams) }

  /// The streams of all connections.
  var streams: [ResponseStream] {
    all.withLock { $0.connections.compactMap(\.stream) }
  }

  /// Gives every client that has taken bytes of its stream since the last look the whole time again to
  /// take the next ones.
  func renewProgressingStreams(now: UInt64) {
    all.withLock { all in
      guard all.streams > 0 else { return }
      for connection in all.connections {
        let reading = connection.clock.reading
        guard reading.phase == .sendingStream else { continue }
        let taken = connection.descriptor.bytesTaken
        if taken != connection.takenSeen { connection.clock.renew(reading, tick: now) }
        connection.takenSeen = taken
      }
    }
  }

  /// The number of open connections, without those that were evicted.
  var count: Int {
    all.withLock { $0.connections.count - $0.evicted }
  }

  /// The number of connections that were closed since the last time, once that is most of many; 0 before.
  func takeClosed() -> Int {
    all.withLock { all in
      let (count, peak) = (all.connections.count, all.peak)
      guard peak - count >= Self.crowd, count < peak / 2 else { return 0 }
      all.peak = count
      return peak - count
    }
  }

  /// The number of connections whose memory is worth giving back.
  private static let crowd = 256

  /// The number of connections that were evicted so far.
  var evictions: Int { all.withLock(\.evictions) }

  /// Returns a connection that satisfies the predicate.
  func first(where isMeant: (Connection) -> Bool) -> Connection? {
    all.withLock { $0.connections.first(where: isMeant) }
  }

  /// Ends every connection that satisfies the predicate.
  func end(where isOverdue: (ConnectionPhase, _ since: UInt64) -> Bool) {
    all.withLock { all in
      for connection in all.connections {
        let reading = connection.clock.reading
        if isOverdue(reading.phase, reading.since) { connection.end(overdueIn: reading) }
      }
    }
  }

  /// Returns the promises that connections wait for and that satisfy the predicate.
  ///
  /// The promise is taken before the clock is read: a reading of the next request then meets only a
  /// promise that was fulfilled already.
  func promises(where isMeant: (ConnectionPhase, _ since: UInt64) -> Bool) -> [ResponsePromise] {
    all.withLock { all in
      all.connections.compactMap { connection in
        guard let promise = connection.promise.withLock({ $0 }) else { return nil }
        let reading = connection.clock.reading
        return isMeant(reading.phase, reading.since) ? promise : nil
      }
    }
  }

  /// Shuts down the connections that the server reads from but the client no longer writes to.
  ///
  /// The library does not notice the end when it arrives together with the last bytes. A
  /// connection must be found so at two looks in the same phase, because between two steps of its
  /// own thread one that is well can look the same.
  func shutDownAbandoned() {
    all.withLock { all in
      for connection in all.connections {
        let reading = connection.isAtEnd ? connection.clock.reading : nil
        if let reading, connection.endSeen == reading { connection.shutDown() }
        connection.endSeen = reading
      }
    }
  }

  /// Shuts down the connections whose streams wait and whose clients have hung up, and returns these streams.
  ///
  /// The library does not notice the end of a connection that waits. Each time, at most 1,024 are looked at.
  func shutDownHungUpStreams(tick: UInt64) -> [ResponseStream] {
    all.withLock { all in
      guard all.streams > 0 else { return [] }
      let parts = UInt64(1 + all.streams / 1024)
      let waiting = all.connections.filter {
        $0.stream != nil && $0.descriptor >= 0 && UInt64($0.descriptor) % parts == tick % parts
          && $0.clock.reading.phase == .streaming
      }
      var looks = waiting.map { pollfd(descriptor: $0.descriptor) }
      guard unsafe poll(&looks, nfds_t(looks.count), 0) > 0 else { return [] }
      let hungUp = zip(waiting, looks).filter { $1.hasHungUp }.map(\.0)
      for connection in hungUp { connection.shutDown() }
      return hungUp.compactMap(\.stream)
    }
  }

  /// True if a client has sent bytes that are not read yet; those behind a stream never are.
  var hasUnreadBytes: Bool {
    all.withLock { $0.connections.contains { $0.stream == nil && $0.hasUnreadBytes } }
  }
}

extension ConnectionRegistry.All {
  fileprivate mutating func endStream(of connection: Connection) {
    streams -= 1
    let left = (streamsOfAddresses[connection.remoteAddress] ?? 1) - 1
    streamsOfAddresses[connection.remoteAddress] = left > 0 ? left : nil
  }
}

extension [Connection] {
  /// The connection in such a phase whose client was not heard of for the longest time.
  fileprivate func longestSilent(in isMeant: (ConnectionPhase) -> Bool) -> Connection? {
    var longest: Connection?
    for connection in self where !connection.isEvicted && isMeant(connection.clock.reading.phase) {
      if longest.map({ connection.lastHeard < $0.lastHeard }) ?? true { longest = connection }
    }
    return longest
  }
}

extension Connection {
  /// The number, among all clients', of the last time that its client was heard of.
  var lastHeard: UInt64 { lastActivity.load(ordering: .relaxed) }

  fileprivate var hasUnreadBytes: Bool { peek() > 0 }

  /// True if the server waits for bytes and none can come any more.
  fileprivate var isAtEnd: Bool {
    clock.reading.phase.isReading && peek() == 0
  }

  /// Returns the result of reading a byte without reading it: 1, 0 at the end, -1 for nothing yet.
  private func peek() -> Int {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
  }

  /// Ends it at once; in the middle of a request first only its incoming half.
  ///
  /// The daemon's thread then finds the end, and can answer with 408 before it closes. Only that
  /// thread knows that it is not about to answer otherwise. When it has found nothing by the next
  /// look, since bytes came first, all is shut down.
  fileprivate func end(overdueIn reading: PhaseClock.Moment) {
    guard reading.phase.isInsideRequest, !isEncrypted, overdueSeen != reading else {
      return shutDown()
    }
    overdueSeen = reading
    ending.store(.overdue, ordering: .relaxed)
    shutdown(descriptor, Int32(SHUT_RD))
  }

  func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
