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

  /// Shuts down every connection of which the predicate is true; the daemon then closes it.
  func shutDown(where isOverdue: (Phase, _ since: UInt64) -> Bool) {
    connections.withLock { connections in
      for connection in connections {
        let (phase, since) = connection.clock.reading
        if isOverdue(phase, since) { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
      }
    }
  }

  /// Whether a client has sent something that nobody has read yet.
  var hasUnreadBytes: Bool {
    connections.withLock { connections in
      connections.contains { connection in
        var unread: Int32 = 0
        return unsafe ioctl(connection.descriptor, UInt(FIONREAD), &unread) == 0 && unread > 0
      }
    }
  }
}
