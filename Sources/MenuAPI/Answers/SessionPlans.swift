import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The plans of the sessions that are asked, beside the sessions and never part of them.
///
/// Plans are evicted when they take too much room together, the least recently asked half first; when
/// nobody asks for a while; and with their sessions. One always stays, however large.
final class SessionPlans: Sendable {
  /// The plan of one opening.
  fileprivate final class Entry: Sendable {
    private let plan: Lock<ValidationPlan>
    /// The number of the last question that it was asked.
    let asked = Atomic(0)
    /// True if it was asked since idle ones were looked for.
    let isFresh = Atomic(true)
    /// The bytes that it took after the last question; changed under the lock of all entries only.
    let size = Atomic(0)

    init(_ plan: ValidationPlan) { self.plan = Lock(plan) }

    /// Asks the plan, while nobody else does: it learns while it is asked, and whoever asked beside it
    /// would have to begin with an empty one.
    func ask<Answer: Sendable>(_ question: (inout ValidationPlan) -> Answer) -> Answer {
      plan.withLock { question(&$0) }
    }
  }

  /// A plan to begin with, and the number of the catalogue's edition that it is about.
  fileprivate struct Beginning {
    let plan: ValidationPlan
    let catalog: Int
  }

  fileprivate struct Contents {
    /// The plans by the numbers of openings.
    var entries: [Int: Entry] = [:]
    var questions = 0
    var size = 0
    /// The plan that the next session begins with; nil until one was asked.
    var beginning: Beginning?
  }

  private let contents = Lock(Contents())
  private let maximumSize: Int

  /// No plans.
  ///
  /// - Parameter maximumSize: The bytes of all plans; the default is 64 MiB. A plan that takes a sixteenth
  ///   of that forgets all askers but the last.
  init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize }

  /// The number of plans.
  var count: Int { contents.withLock(\.entries.count) }

  /// Asks the plan of a session; answers also the number of rules that failed for it.
  func ask<Answer: Sendable, Fault: Error>(
    _ snapshot: Snapshot, _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> (answer: Answer, ruleErrors: Int) {
    let (entry, isFirst) = contents.withLock { contents in
      (contents.entry(of: snapshot), contents.beginning?.catalog != snapshot.catalogEdition.number)
    }
    let (result, ruleErrors, size, beginning) = entry.ask { plan in
      let result = Result { () throws(Fault) in try question(&plan) }
      if plan.size > maximumSize / 16 { plan.forgetOtherAskers() }
      let beginning: ValidationPlan? =
        if isFirst, case .success = result { plan.forAnotherSession() } else { nil }
      return (result, plan.takeRuleErrors(), plan.size, beginning)
    }
    if beginning != nil || size == 0 || size != entry.size.load(ordering: .relaxed) {
      contents.withLock { contents in
        contents.note(size, of: entry, snapshot, atMost: maximumSize)
        if let beginning {
          contents.beginning = Beginning(plan: beginning, catalog: snapshot.catalogEdition.number)
        }
      }
    }
    return (try result.get(), ruleErrors)
  }

  /// Evicts the plan of a session that is closed.
  func forget(_ opening: Incarnation) { contents.withLock { $0.remove(opening.number) } }

  /// Evicts the plans that nobody asked since the last time that this was done.
  func forgetIdle() { contents.withLock { $0.removeIdle() } }

  fileprivate static let emptyPlan = ValidationPlan { fault, writer in writer.value(fault) }
}

extension SessionPlans.Contents {
  /// Returns the plan of a session, a new one if there is none.
  fileprivate mutating func entry(of snapshot: Snapshot) -> SessionPlans.Entry {
    questions += 1
    let opening = snapshot.sessionEdition.opening.number
    let entry = entries[opening] ?? SessionPlans.Entry(plan(under: snapshot))
    entries[opening] = entry
    entry.asked.store(questions, ordering: .relaxed)
    entry.isFresh.store(true, ordering: .relaxed)
    return entry
  }

  private func plan(under snapshot: Snapshot) -> ValidationPlan {
    guard let beginning, beginning.catalog == snapshot.catalogEdition.number else {
      return SessionPlans.emptyPlan
    }
    return beginning.plan
  }

  /// Notes the size of a plan that was just asked. Evicts the plan if it is empty, and the least recently
  /// asked half of all plans if they take too much.
  fileprivate mutating func note(
    _ size: Int, of entry: SessionPlans.Entry, _ snapshot: Snapshot, atMost maximumSize: Int
  ) {
    let opening = snapshot.sessionEdition.opening.number
    guard entries[opening] === entry else { return }
    guard size > 0 else { return remove(opening) }
    self.size += size - entry.size.exchange(size, ordering: .relaxed)
    guard self.size > maximumSize else { return }
    let times = entries.values.map { $0.asked.load(ordering: .relaxed) }.sorted()
    let middle = times[times.count / 2]
    keep { $0.asked.load(ordering: .relaxed) >= middle }
  }

  fileprivate mutating func remove(_ opening: Int) {
    guard let old = entries.removeValue(forKey: opening) else { return }
    size -= old.size.load(ordering: .relaxed)
  }

  fileprivate mutating func removeIdle() {
    keep { $0.isFresh.exchange(false, ordering: .relaxed) }
  }

  private mutating func keep(_ isKept: (SessionPlans.Entry) -> Bool) {
    entries = entries.filter { isKept($0.value) }
    size = entries.values.reduce(0) { $0 + $1.size.load(ordering: .relaxed) }
  }
}
