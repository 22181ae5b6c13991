import JSONText
import MenuEngine
import MenuStore
import Synchronization

/// The plans of the sessions that are asked, beside the sessions and never part of them.
///
/// They are spread over several locks, so that two sessions seldom wait for each other, and bounded
/// together: the plans of sessions that nobody asked for the longest time go first, and are made anew when
/// somebody does.
final class SessionPlans: Sendable {
  /// A plan, for whoever asks its session.
  fileprivate final class Entry: Sendable {
    /// Which of all sessions it is of, and how often something had been taken back when it was made: what
    /// came of that is not to be known any more.
    let incarnation: Int
    let generation: Int
    let plan: Mutex<ValidationPlan>
    /// When it was asked last, in questions of its part.
    let asked = Atomic(0)
    /// How much it took after it was asked last.
    let size = Atomic(0)

    init(_ version: SessionVersion, beginningWith plan: ValidationPlan) {
      incarnation = version.incarnation
      generation = version.generation
      self.plan = Mutex(plan)
    }
  }

  fileprivate struct Part {
    var entries: [SessionID: Entry] = [:]
    var questions = 0
    var size = 0
  }

  /// A part behind its lock, which cannot be an element of an array itself.
  private final class Shelf: Sendable {
    let part = Mutex(Part())
  }

  /// What a session begins with that is asked for the first time: what was found out about the one before it
  /// under the same catalogue.
  private let beginning = Mutex<(plan: ValidationPlan, catalogRevision: Int?)>(
    (ValidationPlan { item, writer in writer.value(item, isExplaining: false) }, nil))
  private let shelves = (0..<16).map { _ in Shelf() }
  private let maximumSize: Int

  /// No plans, and room for so many bytes of them. The default is 64 MiB.
  init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize / 16 }

  /// How many plans there are.
  var count: Int { shelves.reduce(0) { $0 + $1.part.withLock(\.entries.count) } }

  /// Asks the plan of a session, which nobody else asks meanwhile.
  func ask<Answer: Sendable, Fault: Error>(
    _ snapshot: SessionSnapshot, _ catalog: Catalog,
    _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    let shelf = shelves[Int(UInt(bitPattern: snapshot.session.id.hashValue) % 16)]
    let entry = shelf.part.withLock { $0.entry(of: snapshot) } ?? add(snapshot, to: shelf)
    let result = try entry.plan.withLock { (plan) throws(Fault) -> (Answer, size: Int) in
      let answer = try question(&plan)
      if entry.size.load(ordering: .relaxed) == 0 { keepBeginning(plan, catalog.revision) }
      return (answer, plan.size)
    }
    let grown = result.size - entry.size.exchange(result.size, ordering: .relaxed)
    if grown != 0 { shelf.part.withLock { $0.grow(by: grown, upTo: maximumSize) } }
    return result.0
  }

  private func add(_ snapshot: SessionSnapshot, to shelf: Shelf) -> Entry {
    let plan = beginning.withLock(\.plan)
    let entry = Entry(snapshot.version, beginningWith: plan)
    return shelf.part.withLock { $0.add(entry, for: snapshot) }
  }

  private func keepBeginning(_ plan: ValidationPlan, _ catalogRevision: Int) {
    beginning.withLock { beginning in
      guard beginning.catalogRevision != catalogRevision else { return }
      beginning = (plan.forAnotherSession(), catalogRevision)
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

  /// Notes that a plan takes so much more, and forgets the older half of all when they take too much.
  fileprivate mutating func grow(by growth: Int, upTo maximumSize: Int) {
    size += growth
    guard size > maximumSize, !entries.isEmpty else { return }
    let times = entries.values.map { $0.asked.load(ordering: .relaxed) }.sorted()
    let middle = times[times.count / 2]
    entries = entries.filter { $0.value.asked.load(ordering: .relaxed) > middle }
    size = entries.values.reduce(0) { $0 + $1.size.load(ordering: .relaxed) }
  }
}
