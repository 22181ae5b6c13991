import Locks

/// The content of requests that is being received, or belongs to requests that are not answered yet, counted
/// against a budget.
///
/// A client that sends content and stops before its end keeps that in memory until `bodyTimeout`. All of it
/// together is bounded here, and that of each address. Content counts as a whole once its head is read, which also
/// bounds how many connections are read from at a time. Content of at most `uncounted` bytes is not counted: the number
/// of connections bounds it. Content that is the only one is never refused.
///
/// When there is no room for more, the debtor pays: the connection whose client was not heard of for the
/// longest time, at the address that has most. Content that the handler has already is not given up.
final class ReceivedBodies: Sendable {
  /// The size up to which content is not counted, in bytes.
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
      /// True once it is whole and the handler has it.
      var isHandled = false
    }
  }

  /// Creates budgets in bytes; 0 is no limit.
  init(budget: Int, perAddress: Int) {
    self.budget = budget
    budgetPerAddress = perAddress
  }

  /// The bytes of all content that is counted.
  var total: Int { received.withLock(\.total) }

  /// Counts bytes that are about to be kept for a connection.
  ///
  /// - Returns: The connections that must be evicted, which are not counted any more, and whether the bytes have room
  ///   then. If they have none and nobody else can be evicted, nothing of this connection is counted any more.
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

  /// Notes that a connection's content is whole, and is kept until it is answered.
  func noteHandled(_ connection: Connection) {
    received.withLock { $0.bodies[ObjectIdentifier(connection)]?.isHandled = true }
  }

  /// Counts nothing of a connection any more.
  func remove(_ connection: Connection) {
    received.withLock { $0.remove(connection) }
  }

  /// Returns true if the budget of a connection's address is exceeded, false if only that of all is, and nil if
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

  /// The address that most bytes came from.
  fileprivate var largestAddress: String? { perAddress.max { $0.value < $1.value }?.key }

  fileprivate func hasOthers(than connection: Connection, at address: String) -> Bool {
    bodies.values.contains {
      $0.connection !== connection && $0.connection.remoteAddress == address
    }
  }

  /// The connection at an address whose content is not whole, and whose client was not heard of for the
  /// longest time.
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
