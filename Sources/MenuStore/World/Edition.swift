import Locks
package import MenuEngine
import Synchronization

/// The catalogue from one commit to the next.
package final class CatalogEdition: Sendable {
  /// The catalogue.
  package let catalog: Catalog
  /// The number of the edition: greater than that of every earlier one, and never used again.
  package let number: Int
  /// Settled once the edition is durable, or was rolled back.
  package let ticket: Ticket

  init(_ catalog: Catalog, number: Int, ticket: Ticket) {
    self.catalog = catalog
    self.number = number
    self.ticket = ticket
  }
}

/// A session from one commit to the next.
package final class SessionEdition: Sendable {
  /// The session.
  package let session: Session
  /// The incarnation that it is an edition of.
  package let opening: Incarnation
  /// The number of the edition: greater than that of every earlier one, and never used again.
  package let number: Int
  /// Settled once the edition is durable, or was rolled back.
  package let ticket: Ticket

  init(_ session: Session, of opening: Incarnation, number: Int, ticket: Ticket) {
    self.session = session
    self.opening = opening
    self.number = number
    self.ticket = ticket
  }
}

/// A session from its opening to its closing: the part that all its editions share.
package final class Incarnation: Sendable {
  /// The number of the incarnation, which tells sessions of one name apart. It is never used again, and a restart
  /// keeps it.
  package let number: Int
  /// The time at which the session was read last in this process.
  let lastRead: Atomic<Int64>
  /// The time at which another process was known to have read or changed it last.
  let lastReadElsewhere: Atomic<Int64>
  private let turn = Lock(())

  init(number: Int, at time: Int64) {
    self.number = number
    lastRead = Atomic(time)
    lastReadElsewhere = Atomic(time)
  }

  /// True if nobody has read the session since a moment.
  func isIdle(since moment: Int64) -> Bool {
    lastRead.load(ordering: .relaxed) <= moment
      && lastReadElsewhere.load(ordering: .relaxed) <= moment
  }

  /// Makes one change of the session after the other.
  ///
  /// Commits are safe without it. But a long change would never commit beside a client that sends short
  /// ones, since each of them outdates its edition. It is no lock of the world: nobody who reads, commits or
  /// rolls back waits for it.
  package func inTurn<Result: Sendable, Fault: Error>(
    _ change: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try turn.withLock { (_) throws(Fault) in try change() }
  }
}

/// The catalogue and a session, or that there is none, at one moment.
package struct StoreSnapshot: Sendable {
  /// The catalogue.
  package let catalog: CatalogEdition
  /// The session; nil if none of the name is open and in memory.
  package let session: SessionEdition?
  /// True if the session is open, but not in memory: see ``SessionStore/load(_:)``.
  package let isUnloaded: Bool
  /// The number of open sessions.
  package let count: Int
  /// Settled once the opening or closing of the last session is durable, or was rolled back. Durable if
  /// the session is there, whose own ticket counts.
  package let membership: Ticket
}
