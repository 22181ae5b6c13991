import CMicroHTTPD
import Glibc
import Locks

/// All open connections, for access from other threads than their own.
///
/// A descriptor is used only under the lock: the daemon closes it after `remove`, and the system may reuse its
/// number at once.
struct ConnectionRegistry: ~Copyable {
  private let all = Lock(All())

  // Not private: the compiler (6.3.1) fails on a private type in a lock that another file inlines.
  struct All {
    var connections: [Connection] = []
    /// The number of evicted connections, which the daemon is about to close.
    var evicted = 0
    /// The number of connections with a stream.
    var streams = 0
    /// The number of streams by client address.
    var streamsOfAddresses: [String: Int] = [:]
    /// The total number of evictions.
    var evictions = 0
    /// The maximum number of open connections since `takePeak()`.
    var peak = 0
  }

  /// Adds a connection. Beyond `limit`, the connection without activity for the longest time is shut down.
  ///
  /// A connection whose request is being handled is never evicted, and one that reads a response only if there
  /// is no other. Connections with a stream do not count.
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

  /// Sets the stream of a connection. Returns false, without effect, at the limit of all streams, or of the
  /// address unless that limit is 0.
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
    // The stream is released after the lock.
    _ = all.withLock { all -> ResponseStream? in
      if connection.stream != nil { all.endStream(of: connection) }
      return connection.stream.take()
    }
  }

  /// The number of connections with a stream.
  var streamCount: Int { all.withLock(\.streams) }

  var streams: [ResponseStream] {
    all.withLock { $0.connections.compactMap(\.stream) }
  }

  /// Restarts the deadline of every stream whose client has acknowledged bytes since the last check.
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

  /// The number of open connections, without evicted ones.
  var count: Int {
    all.withLock { $0.connections.count - $0.evicted }
  }

  /// Returns the number of connections closed since the last call, once most of many are closed; until then 0.
  func takeClosed() -> Int {
    all.withLock { all in
      let (count, peak) = (all.connections.count, all.peak)
      guard peak - count >= Self.crowd, count < peak / 2 else { return 0 }
      all.peak = count
      return peak - count
    }
  }

  /// The number of closed connections from which on freeing memory is worthwhile.
  private static let crowd = 256

  /// The total number of evictions.
  var evictions: Int { all.withLock(\.evictions) }

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

  /// Returns the pending promises of connections that satisfy the predicate, with the heads of their requests.
  ///
  /// The promise is read before the clock: a reading of the next request then meets only a fulfilled promise.
  func promises(where isMeant: (ConnectionPhase, _ since: UInt64) -> Bool) -> [(
    ResponsePromise, MessageHead
  )] {
    all.withLock { all in
      all.connections.compactMap { connection in
        guard let promise = connection.promise.withLock({ $0 }) else { return nil }
        let reading = connection.clock.reading
        return isMeant(reading.phase, reading.since) ? promise : nil
      }
    }
  }

  /// Shuts down the connections that the server reads from and whose clients have closed their half.
  ///
  /// The library does not notice the end when it arrives together with the last bytes. Two checks in the same
  /// phase are needed, because between two steps of its own thread an active connection can look the same.
  func shutDownAbandoned() {
    all.withLock { all in
      for connection in all.connections {
        let reading = connection.isAtEnd ? connection.clock.reading : nil
        if let reading, connection.endSeen == reading { connection.shutDown() }
        connection.endSeen = reading
      }
    }
  }

  /// Shuts down the connections with suspended streams whose clients have hung up, and returns the streams.
  ///
  /// The library does not notice the end of a suspended connection. Each call checks at most 1,024.
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

  /// True if a client has sent bytes that are not read yet, except after a request whose response is streamed.
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
  /// Returns the connection in such a phase without activity for the longest time.
  fileprivate func longestSilent(in isMeant: (ConnectionPhase) -> Bool) -> Connection? {
    var longest: Connection?
    for connection in self where !connection.isEvicted && isMeant(connection.clock.reading.phase) {
      if longest.map({ connection.lastHeard < $0.lastHeard }) ?? true { longest = connection }
    }
    return longest
  }
}

extension Connection {
  /// The sequence number, among all clients, of its client's last activity.
  var lastHeard: UInt64 { lastActivity.load(ordering: .relaxed) }

  fileprivate var hasUnreadBytes: Bool { peek() > 0 }

  /// True if the server reads from it and the client has closed its half.
  fileprivate var isAtEnd: Bool {
    clock.reading.phase.isReading && peek() == 0
  }

  /// Peeks at the next byte: 1 if there is one, 0 at the end, -1 if none has arrived.
  private func peek() -> Int {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
  }

  /// Ends the connection; within a request at first only its incoming half.
  ///
  /// The daemon's thread then finds the end, and can answer with 408 before it closes; only that thread knows
  /// that no other answer is under way. If the phase is the same at the next check, since bytes had arrived,
  /// the connection is shut down.
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
