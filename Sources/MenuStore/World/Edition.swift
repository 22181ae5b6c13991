import Locks
package import MenuEngine
import Synchronization

/// The catalogue between two commits.
package final class CatalogEdition: Sendable {
  /// The catalogue.
  package let catalog: Catalog
  /// The number of the edition: greater than that of every earlier one, and never used again.
  package let number: Int

  package init(_ catalog: Catalog, number: Int) {
    self.catalog = catalog
    self.number = number
  }

  /// Returns the edition with the texts of a session's language (M14): itself if the language is its own, otherwise an
  /// edition with the same number.
  package func localized(for edition: SessionEdition) -> CatalogEdition {
    guard catalog.isOfAnotherLanguage(than: edition.session) else { return self }
    return CatalogEdition(catalog.localized(for: edition.session), number: number)
  }
}

/// A session between two commits.
package final class SessionEdition: Sendable {
  /// The session.
  package let session: Session
  /// The incarnation of the session.
  package let opening: Incarnation
  /// The number of the edition: greater than that of every earlier one, and never used again.
  package let number: Int

  init(_ session: Session, of opening: Incarnation, number: Int) {
    self.session = session
    self.opening = opening
    self.number = number
  }

  /// Returns an edition of a hypothetical session, which is never published (M13).
  ///
  /// - Parameter number: A negative number, different for each edition that is compared.
  package func assuming(_ session: Session, as number: Int) -> SessionEdition {
    SessionEdition(session, of: opening, number: number)
  }
}

/// A session from its opening to its closing: the data that all its editions share.
package final class Incarnation: Sendable {
  /// The number of the incarnation, which distinguishes sessions of the same name. It is never reused, and survives a
  /// restart.
  package let number: Int
  /// The time of the last read in this process.
  let lastRead: Atomic<Int64>
  /// The time of the last known read or change in another process; the distant past if there was none.
  let lastReadElsewhere: Atomic<Int64>
  /// The history in memory; unused with a journal.
  let history = Lock(HistoryList<HistoryEntry>())
  /// The time up to which all commits of other processes are included, in nanoseconds since the start of the process;
  /// the distant past if unknown.
  private let currentSince = Atomic(Int64.min)
  /// The time of the last change by another process, in the same unit; the distant past if there was none.
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

  /// Records that all commits before a moment are included.
  func noteCurrent(since time: ContinuousClock.Instant) {
    currentSince.store(Int64(Self.start.duration(to: time) / .nanoseconds(1)), ordering: .relaxed)
  }

  /// Returns true if the session includes every commit of other processes that is older than `time`.
  package func isCurrent(within time: Duration) -> Bool {
    Self.isWithin(time, since: currentSince.load(ordering: .relaxed))
  }

  /// Records a change by another process.
  func noteChangeElsewhere() {
    changedElsewhere.store(
      Int64(Self.start.duration(to: .now) / .nanoseconds(1)), ordering: .relaxed)
  }

  /// True if another process changed the session recently, and so is likely to do so again.
  var isContended: Bool {
    Self.isWithin(.milliseconds(100), since: changedElsewhere.load(ordering: .relaxed))
  }

  private static func isWithin(_ time: Duration, since moment: Int64) -> Bool {
    moment != .min && start.duration(to: .now) - .nanoseconds(moment) < time
  }

  private static let start = ContinuousClock.now

  /// Returns true if the session has not been read since a moment.
  func isIdle(since moment: Int64) -> Bool {
    lastRead.load(ordering: .relaxed) <= moment
      && lastReadElsewhere.load(ordering: .relaxed) <= moment
  }
}

/// The catalogue and, if open, a session at one moment.
package struct StoreSnapshot: Sendable {
  /// The catalogue.
  package let catalog: CatalogEdition
  /// The session; nil if no session of the name is open and in memory.
  package let session: SessionEdition?
  /// True if the session is open, but not in memory: see ``SessionStore/refresh(_:keys:)``.
  package let isUnloaded: Bool
  /// True if it is not in memory, and the last attempt to load it failed. The default is false.
  package var isDamaged = false
  /// The number of open sessions.
  package let count: Int
}

/// The numbers of editions of one store.
final class EditionNumbers: Sendable {
  private let count = Atomic(0)

  /// The last number assigned.
  var last: Int { count.load(ordering: .relaxed) }

  /// Returns a number greater than all earlier ones.
  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
