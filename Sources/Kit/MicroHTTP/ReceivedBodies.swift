import Locks

/// The content of requests being received or not yet answered, counted against a budget.
///
/// A client that stops in the middle of content keeps it in memory until `bodyTimeout`. The total and the total
/// of each address are bounded here. Content counts in full once its head is read, which also bounds the number
/// of connections being read. Content of at most `uncounted` bytes does not count; the number of connections
/// bounds it. A single content is never refused.
///
/// If there is no room, the debtor is evicted: at the address with most bytes, the connection without activity
/// for the longest time. Content already passed to the handler stays.
final class ReceivedBodies: Sendable {
  /// The maximum size of uncounted content, in bytes.
  static let uncounted = 16 << 10

  private let budget: Int
  private let budgetPerAddress: Int
  private let received = Lock(Received())

  // Not private: the compiler (6.3.1) fails on a private type in a lock that another file inlines.
  struct Received {
    var bodies: [ObjectIdentifier: Body] = [:]
    var total = 0
    var perAddress: [String: Int] = [:]

    struct Body {
      let connection: Connection
      var size = 0
      /// True once it is complete and passed to the handler.
      var isHandled = false
    }
  }

  /// Creates budgets in bytes; 0 is no limit.
  init(budget: Int, perAddress: Int) {
    self.budget = budget
    budgetPerAddress = perAddress
  }

  /// The number of counted bytes.
  var total: Int { received.withLock(\.total) }

  /// Counts bytes about to be received for a connection.
  ///
  /// - Returns: The connections to evict, which no longer count, and whether there is room for the bytes after
  ///   that. Without room, nothing of this connection counts any more.
  func add(_ count: Int, for connection: Connection) -> (hasRoom: Bool, debtors: [Connection]) {
    received.withLock { received in
      received.count(count, for: connection)
      var debtors: [Connection] = []
      while let isOfAddress = excess(in: received, for: connection) {
        let address = isOfAddress ? connection.remoteAddress : received.largestAddress
        guard received.bodies.count > 1 else { break }
        guard let debtor = received.debtor(at: address), debtor !== connection else {
          received.remove(connection)
          return (false, debtors)
        }
        received.remove(debtor)
        debtors.append(debtor)
      }
      return (true, debtors)
    }
  }

  /// Records that a connection's content is complete, and is kept until it is answered.
  func noteHandled(_ connection: Connection) {
    received.withLock { $0.bodies[ObjectIdentifier(connection)]?.isHandled = true }
  }

  /// Removes a connection from the count.
  func remove(_ connection: Connection) {
    received.withLock { $0.remove(connection) }
  }

  /// Returns true if the budget of the connection's address is exceeded, false if only the total is, nil if
  /// none is.
  private func excess(in received: borrowing Received, for connection: Connection) -> Bool? {
    let atAddress = received.perAddress[connection.remoteAddress] ?? 0
    if budgetPerAddress > 0, atAddress > budgetPerAddress,
      received.hasOthers(than: connection, at: connection.remoteAddress)
    {
      return true
    }
    return budget > 0 && received.total > budget ? false : nil
  }
}

extension ReceivedBodies.Received {
  fileprivate mutating func count(_ count: Int, for connection: Connection) {
    bodies[ObjectIdentifier(connection), default: Body(connection: connection)].size += count
    total += count
    perAddress[connection.remoteAddress, default: 0] += count
  }

  fileprivate mutating func remove(_ connection: Connection) {
    guard let body = bodies.removeValue(forKey: ObjectIdentifier(connection)) else { return }
    total -= body.size
    let left = (perAddress[connection.remoteAddress] ?? 0) - body.size
    perAddress[connection.remoteAddress] = left > 0 ? left : nil
  }

  /// The address with most bytes.
  fileprivate var largestAddress: String? {
    perAddress.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  fileprivate func hasOthers(than connection: Connection, at address: String) -> Bool {
    bodies.values.contains {
      $0.connection !== connection && $0.connection.remoteAddress == address
    }
  }

  /// Returns the connection at an address with incomplete content and without activity for the longest time.
  fileprivate func debtor(at address: String?) -> Connection? {
    var silent: Connection?
    for body in bodies.values
    where !body.isHandled && body.connection.remoteAddress == address {
      if silent.map({ body.connection.lastHeard < $0.lastHeard }) ?? true {
        silent = body.connection
      }
    }
    return silent
  }
}
