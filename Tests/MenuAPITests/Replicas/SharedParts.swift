import Dispatch
import Locks
import MicroHTTP
import StoreSupport
import Synchronization

@testable import MenuStore

/// The schema of the services of one test, and their journals and threads.
final class SharedParts: Sendable {
  let schema = PostgreSQLSchemaForTests()
  private let state = Lock(State())
  private let jobs = Atomic(0)

  private struct State {
    var journals: [AgreedJournal] = []
    /// The time at which the first journal was opened.
    var beginning: Int64?
    var threads: [DispatchQueue] = []
  }

  /// The journals, one of each service.
  var journals: [AgreedJournal] { state.withLock(\.journals) }

  /// Opens the journal of one more service.
  func journal(
    agreeing agreement: JournalAgreement, by clock: RetentionClock, at now: Int64
  ) throws -> AgreedJournal {
    let beginning = state.withLock { state in
      state.beginning = state.beginning ?? now
      return state.beginning ?? now
    }
    let journal = try AgreedJournal(
      in: schema, agreeing: agreement, clock: clock, at: now - beginning)
    state.withLock { $0.journals.append(journal) }
    return journal
  }

  /// Returns the thread of one more service for what may take long.
  func runLater() -> Worker.Runner {
    let thread = DispatchQueue(label: "later")
    state.withLock { $0.threads.append(thread) }
    return { [self] job in
      thread.async { [self] in
        job()
        jobs.add(1, ordering: .relaxed)
      }
      return true
    }
  }

  /// A number that grows whenever something is committed or done later.
  var activity: Int {
    journals.reduce(jobs.load(ordering: .relaxed)) { sum, journal in
      sum + journal.figures.records.value + journal.sharingFigures.followed.value
    }
  }

  /// Waits until everything is done that was begun.
  func settle() {
    for thread in state.withLock(\.threads) { thread.sync {} }
  }
}
