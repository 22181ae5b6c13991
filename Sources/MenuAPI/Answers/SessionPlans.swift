import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The plans of the sessions that are asked, beside the sessions and never part of them.
///
/// They are spread over several locks, so that two sessions seldom wait for each other, and bounded
/// together: the plans of sessions that nobody asked for the longest time go first, and are made anew when
/// somebody does. Of each lock one stays, however large. They also go when nobody asks for a while, and
/// with their sessions.
final class SessionPlans: Sendable {
  /// A plan, for whoever asks its session.
  fileprivate final class Entry: Sendable {
    /// Which of all sessions it is of, and how often something had been taken back when it was made: what
    /// came of that is not to be known any more.
    let incarnation: Int
    let generation: Int
    let plan: Lock<ValidationPlan>
    /// When it was asked last, in questions of its part.
    let asked = Atomic(0)
    /// True if it was asked since idle ones were looked for.
    let isFresh = Atomic(true)
    /// How much it took after it was asked last; changed by its part alone.
    let size = Atomic(0)

    init(_ version: SessionVersion, beginningWith plan: ValidationPlan) {
      incarnation = version.incarnation
      generation = version.generation
      self.plan = Lock(plan)
    }
  }

  /// A plan to begin with, and under which catalogue it came about. What is taken back makes room for
  /// another catalogue of the same revision.
  private struct Beginning {
    let plan: ValidationPlan
    let catalogRevision: Int
    let generation: Int
  }

  fileprivate struct Part {
    var entries: [SessionID: Entry] = [:]
    var questions = 0
    var size = 0
  }

  /// A part behind its lock, which cannot be an element of an array itself.
  private final class Shelf: Sendable {
    let part = Lock(Part())
  }

  /// The beginning of a session that is asked for the first time: the findings about the one before
  /// it under the same catalogue.
  private let beginning = Lock<Beginning?>(nil)
  private let shelves = (0..<16).map { _ in Shelf() }
  private let maximumSize: Int

  /// No plans, and room for so many bytes of them. The default is 64 MiB.
  init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize / 16 }

  /// How many plans there are.
  var count: Int { shelves.reduce(0) { $0 + $1.part.withLock(\.entries.count) } }

  /// Asks the plan of a session, which nobody else asks meanwhile; answers also how many rules failed
  /// that were asked for it.
  func ask<Answer: Sendable, Fault: Error>(
    _ snapshot: SessionSnapshot, _ catalog: Catalog,
    _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> (answer: Answer, ruleErrors: Int) {
    let shelf = shelf(of: snapshot.session.id)
    let entry = shelf.part.withLock { $0.entry(of: snapshot) } ?? add(snapshot, to: shelf)
    let (result, ruleErrors, size) = entry.plan.withLock { plan in
      let result = Result { () throws(Fault) in try question(&plan) }
      if plan.size > maximumSize { plan.forgetOtherAskers() }
      if case .success = result, entry.size.load(ordering: .relaxed) == 0 {
        keepBeginning(plan, catalog.revision, entry.generation)
      }
      return (result, plan.takeRuleErrors(), plan.size)
    }
    if size != entry.size.load(ordering: .relaxed) || size == 0 {
      shelf.part.withLock {
        $0.note(size, of: entry, snapshot.session.id, atMost: maximumSize)
      }
    }
    return (try result.get(), ruleErrors)
  }

  /// Forgets the plan of a session that is closed.
  func forget(_ id: SessionID) { shelf(of: id).part.withLock { $0.remove(id) } }

  /// Forgets the plans that nobody asked since the last time that this was done.
  func forgetIdle() {
    for shelf in shelves { shelf.part.withLock { $0.removeIdle() } }
  }

  private func shelf(of id: SessionID) -> Shelf {
    shelves[Int(UInt(bitPattern: id.hashValue) % UInt(shelves.count))]
  }

  private func add(_ snapshot: SessionSnapshot, to shelf: Shelf) -> Entry {
    let known = beginning.withLock(\.self)
    let plan = known?.generation == snapshot.version.generation ? known?.plan : nil
    let entry = Entry(snapshot.version, beginningWith: plan ?? Self.emptyPlan)
    return shelf.part.withLock { $0.add(entry, for: snapshot) }
  }

  private static let emptyPlan = ValidationPlan { item, writer in
    writer.value(item, isExplaining: false)
  }

  private func keepBeginning(_ plan: ValidationPlan, _ catalogRevision: Int, _ generation: Int) {
    beginning.withLock { beginning in
      guard beginning?.catalogRevision != catalogRevision || beginning?.generation != generation
      else { return }
      beginning = Beginning(
        plan: plan.forAnotherSession(), catalogRevision: catalogRevision, generation: generation)
    }
  }
}

extension SessionPlans.Part {
  /// The plan of a session, if there is one of the same opening.
  fileprivate mutating func entry(of snapshot: SessionSnapshot) -> SessionPlans.Entry? {
    questions += 1
    guard let entry = entries[snapshot.session.id], entry.incarnation == snapshot.incarnation,
      entry.generation == snapshot.version.generation
    else { return nil }
    entry.asked.store(questions, ordering: .relaxed)
    entry.isFresh.store(true, ordering: .relaxed)
    return entry
  }

  /// Keeps a new plan of a session, unless somebody else did meanwhile; answers the one that is kept.
  fileprivate mutating func add(
    _ entry: SessionPlans.Entry, for snapshot: SessionSnapshot
  ) -> SessionPlans.Entry {
    if let known = self.entry(of: snapshot) { return known }
    entry.asked.store(questions, ordering: .relaxed)
    if let old = entries.updateValue(entry, forKey: snapshot.session.id) {
      size -= old.size.load(ordering: .relaxed)
    }
    return entry
  }

  /// Notes how much a plan takes that was just asked, and forgets the older half of all when they take too
  /// much; and the plan, when it knows nothing.
  fileprivate mutating func note(
    _ size: Int, of entry: SessionPlans.Entry, _ id: SessionID, atMost maximumSize: Int
  ) {
    guard entries[id] === entry else { return }
    guard size > 0 else { return remove(id) }
    self.size += size - entry.size.exchange(size, ordering: .relaxed)
    guard self.size > maximumSize else { return }
    let times = entries.values.map { $0.asked.load(ordering: .relaxed) }.sorted()
    let middle = times[times.count / 2]
    keep { $0.asked.load(ordering: .relaxed) >= middle }
  }

  fileprivate mutating func remove(_ id: SessionID) {
    guard let old = entries.removeValue(forKey: id) else { return }
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
