import Locks
package import MenuEngine
import Synchronization

/// The catalogue from one commit to the next.
package final class CatalogEdition: Sendable {
  /// The catalogue.
  package let catalog: Catalog
  /// The number of the edition: greater than that of every earlier one, and never used again.
  package let number: Int

  package init(_ catalog: Catalog, number: Int) {
    self.catalog = catalog
    self.number = number
  }

  /// Returns the edition with the texts of a session's language (M14); itself if they are its own, else one
  /// of the same number.
  package func localized(for edition: SessionEdition) -> CatalogEdition {
    guard catalog.isOfAnotherLanguage(than: edition.session) else { return self }
    return CatalogEdition(catalog.localized(for: edition.session), number: number)
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

  init(_ session: Session, of opening: Incarnation, number: Int) {
    self.session = session
    self.opening = opening
    self.number = number
  }

  /// Returns the edition of a session that somebody assumes, which is published nowhere (M13).
  ///
  /// - Parameter number: Negative, and another one for each that an asker compares.
  package func assuming(_ session: Session, as number: Int) -> SessionEdition {
    SessionEdition(session, of: opening, number: number)
  }
}

/// A session from its opening to its closing: the part that all its editions share.
package final class Incarnation: Sendable {
  /// The number of the incarnation, which tells sessions of one name apart. It is never used again, and a restart
  /// keeps it.
  package let number: Int
  /// The time at which the session was read last in this process.
  let lastRead: Atomic<Int64>
  /// The time at which another process was known to have read or changed it last; before all others if none was.
  let lastReadElsewhere: Atomic<Int64>
  /// The history, if no journal has it.
  let history = Lock(HistoryList<HistoryEntry>())
  /// The time in nanoseconds since the start of the process up to which everything that other processes committed is
  /// here; before all others if that is unknown.
  private let currentSince = Atomic(Int64.min)
  /// The time in the same unit at which a change of another process came last; before all others if none did.
  private let changedElsewhere = Atomic(Int64.min)

  private let inMemory = Atomic(true)

  /// True while the session is open and in the memory of this process.
  package internal(set) var isInMemory: Bool {
    get { inMemory.load(ordering: .relaxed) }
    set { inMemory.store(newValue, ordering: .relaxed) }
  }

  init(number: Int, at time: Int64) {
    self.number = number
    lastRead = Atomic(time)
    lastReadElsewhere = Atomic(.min)
  }

  /// Notes that everything is here that was committed before a moment.
  func noteCurrent(since time: ContinuousClock.Instant) {
    currentSince.store(Int64(Self.start.duration(to: time) / .nanoseconds(1)), ordering: .relaxed)
  }

  /// True if the session lacks at most what other processes committed within so long a time.
  package func isCurrent(within time: Duration) -> Bool {
    Self.isWithin(time, since: currentSince.load(ordering: .relaxed))
  }

  /// Notes that a change of another process has come.
  func noteChangeElsewhere() {
    changedElsewhere.store(
      Int64(Self.start.duration(to: .now) / .nanoseconds(1)), ordering: .relaxed)
  }

  /// True if another process changed the session a moment ago, so that it is likely to do so again.
  var isContended: Bool {
    Self.isWithin(.milliseconds(100), since: changedElsewhere.load(ordering: .relaxed))
  }

  private static func isWithin(_ time: Duration, since moment: Int64) -> Bool {
    moment != .min && start.duration(to: .now) - .nanoseconds(moment) < time
  }

  private static let start = ContinuousClock.now

  /// True if nobody has read the session since a moment.
  func isIdle(since moment: Int64) -> Bool {
    lastRead.load(ordering: .relaxed) <= moment
      && lastReadElsewhere.load(ordering: .relaxed) <= moment
  }
}

/// The catalogue and a session, or that there is none, at one moment.
package struct StoreSnapshot: Sendable {
  /// The catalogue.
  package let catalog: CatalogEdition
  /// The session; nil if none of the name is open and in memory.
  package let session: SessionEdition?
  /// True if the session is open, but not in memory: see ``SessionStore/refresh(_:keys:)``.
  package let isUnloaded: Bool
  /// True if it is not in memory, and could not be read the last time. The default is false.
  package var isDamaged = false
  /// The number of open sessions.
  package let count: Int
}

/// The numbers of editions of one store.
final class EditionNumbers: Sendable {
  private let count = Atomic(0)

  /// The last number that was given.
  var last: Int { count.load(ordering: .relaxed) }

  /// Returns a number that is greater than all before it.
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
