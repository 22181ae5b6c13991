import Glibc
import Synchronization

/// All open connections, so that somebody other than their own threads can look after them.
///
/// A descriptor is used only under the lock: the daemon closes it after `remove`, and the system
/// may give its number to somebody else at once.
struct ConnectionRegistry: ~Copyable {
  private let connections = Mutex<[Connection]>([])

  func insert(_ connection: Connection) {
    connections.withLock { connections in
      connection.place = connections.count
      connections.append(connection)
    }
  }

  func remove(_ connection: Connection) {
    connections.withLock { connections in
      guard let last = connections.popLast(), last !== connection else { return }
      last.place = connection.place
      connections[connection.place] = last
    }
  }

  /// The number of open connections.
  var count: Int {
    connections.withLock(\.count)
  }

  /// Ends every connection of which the predicate is true.
  func end(where isOverdue: (Phase, _ since: UInt64) -> Bool) {
    connections.withLock { connections in
      for connection in connections {
        let reading = connection.clock.reading
        if isOverdue(reading.phase, reading.since) { connection.end(overdueIn: reading) }
      }
    }
  }

  /// The promises that connections wait for, of which the predicate is true.
  ///
  /// The promise is taken before the clock is read: a reading of the next request then meets only a
  /// promise that was fulfilled already.
  func promises(where isMeant: (Phase, _ since: UInt64) -> Bool) -> [ResponsePromise] {
    connections.withLock { connections in
      connections.compactMap { connection in
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
    connections.withLock { connections in
      for connection in connections {
        let reading = connection.isAtEnd ? connection.clock.reading : nil
        if let reading, connection.endSeen == reading { connection.shutDown() }
        connection.endSeen = reading
      }
    }
  }

  /// Whether a client has sent something that nobody has read yet.
  var hasUnreadBytes: Bool {
    connections.withLock { connections in
      connections.contains(where: \.hasUnreadBytes)
    }
  }
}

extension Connection {
  fileprivate var hasUnreadBytes: Bool { peek() > 0 }

  /// Whether the server waits for bytes and none can come any more.
  fileprivate var isAtEnd: Bool {
    clock.reading.phase.isReading && peek() == 0
  }

  /// What reading a byte would give, without reading it: 1, 0 at the end, -1 for nothing yet.
  private func peek() -> Int {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
  }

  /// Ends it at once; in the middle of a request first only its incoming half.
  ///
  /// The daemon's thread then finds the end, and can answer with 408 before it closes. Only that
  /// thread knows that it is not about to answer otherwise. When it has found nothing by the next
  /// look, since bytes came first, all is shut down.
  fileprivate func end(overdueIn reading: PhaseClock.Reading) {
    guard reading.phase.isInsideRequest, !isEncrypted, overdueSeen != reading else {
      return shutDown()
    }
    overdueSeen = reading
    isOverdue.store(true, ordering: .relaxed)
    shutdown(descriptor, Int32(SHUT_RD))
  }

  fileprivate func shutDown() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
