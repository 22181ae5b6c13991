import Locks
import MenuEngine
import MenuStore

/// The finders of the sessions that are searched, beside the sessions and never part of them.
///
/// The least recently asked one is evicted when there are too many, and all that nobody asks for a while.
final class CommandFinders: Sendable {
  /// The finder of one opening.
  private final class Entry: Sendable {
    private let finder = Lock(
      CommandFinder(askingBy: ValidationPlan { fault, writer in writer.value(fault) }))
    /// The number of the last search.
    let asked = Atomic(0)
    /// True if it was asked since idle ones were looked for.
    let isFresh = Atomic(true)

    func find(
      _ query: CommandQuery, at moment: PlanMoment
    ) -> (found: Result<[FoundCommand], MutationFault>, ruleErrors: Int) {
      finder.withLock { finder in
        let found = Result { () throws(MutationFault) in try finder.find(query, at: moment) }
        return (found, finder.takeRuleErrors())
      }
    }
  }

  private struct Contents {
    /// The finders by the numbers of openings.
    var entries: [Int: Entry] = [:]
    var searches = 0
  }

  /// The number of finders that are kept.
  static let maximumCount = 64

  private let contents = Lock(Contents())

  /// Returns the commands that a query finds, and the number of rules that failed for it.
  ///
  /// - Throws: As `Session.validate`.
  func find(
    _ query: CommandQuery, _ snapshot: Snapshot
  ) throws(MutationFault) -> (found: [FoundCommand], ruleErrors: Int) {
    let answer = entry(of: snapshot.sessionEdition.opening).find(query, at: snapshot.moment)
    return (try answer.found.get(), answer.ruleErrors)
  }

  /// Evicts the finder of a session that is closed.
  func forget(_ opening: Incarnation) {
    let evicted = contents.withLock { $0.entries.removeValue(forKey: opening.number) }
    withExtendedLifetime(evicted) {}
  }

  /// Evicts the finders that nobody asked since the last time that this was done.
  func forgetIdle() {
    contents.withLock { contents in
      contents.entries = contents.entries.filter {
        $0.value.isFresh.exchange(false, ordering: .relaxed)
      }
    }
  }

  private func entry(of opening: Incarnation) -> Entry {
    contents.withLock { contents in
      contents.searches += 1
      let entry = contents.entries[opening.number] ?? Entry()
      entry.asked.store(contents.searches, ordering: .relaxed)
      entry.isFresh.store(true, ordering: .relaxed)
      contents.entries[opening.number] = entry
      if contents.entries.count > Self.maximumCount {
        let oldest = contents.entries.min {
          $0.value.asked.load(ordering: .relaxed) < $1.value.asked.load(ordering: .relaxed)
        }
        if let oldest { contents.entries[oldest.key] = nil }
      }
      return entry
    }
  }
}
