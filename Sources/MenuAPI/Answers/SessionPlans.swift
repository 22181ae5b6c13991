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
    let incarnation: Int
    let plan = Mutex(ValidationPlan { item, writer in writer.value(item, isExplaining: false) })
    /// When it was asked last, in questions of its part.
    let asked = Atomic(0)
    /// How much it took after it was asked last.
    let size = Atomic(0)

    init(incarnation: Int) { self.incarnation = incarnation }
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

  private let shelves = (0..<16).map { _ in Shelf() }
  private let maximumSize: Int

  /// No plans, and room for so many bytes of them. The default is 64 MiB.
  init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize / 16 }

  /// How many plans there are.
  var count: Int { shelves.reduce(0) { $0 + $1.part.withLock(\.entries.count) } }

  /// Asks the plan of a session, which nobody else asks meanwhile.
  func ask<Answer: Sendable, Fault: Error>(
    _ snapshot: SessionSnapshot,
    _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    let shelf = shelves[Int(UInt(bitPattern: snapshot.session.id.hashValue) % 16)]
    let entry = shelf.part.withLock { $0.entry(of: snapshot) }
    let result = try entry.plan.withLock { (plan) throws(Fault) -> (Answer, size: Int) in
      let answer = try question(&plan)
      return (answer, plan.size)
    }
    let grown = result.size - entry.size.exchange(result.size, ordering: .relaxed)
    if grown != 0 { shelf.part.withLock { $0.grow(by: grown, upTo: maximumSize) } }
    return result.0
  }
}

extension SessionPlans.Part {
  /// The plan of a session, a new one unless there is one of the same opening.
  fileprivate mutating func entry(of snapshot: SessionSnapshot) -> SessionPlans.Entry {
    questions += 1
    let id = snapshot.session.id
    if let entry = entries[id], entry.incarnation == snapshot.incarnation {
      entry.asked.store(questions, ordering: .relaxed)
      return entry
    }
    let entry = SessionPlans.Entry(incarnation: snapshot.incarnation)
    entry.asked.store(questions, ordering: .relaxed)
    if let old = entries.updateValue(entry, forKey: id) {
      size -= old.size.load(ordering: .relaxed)
    }
    return entry
  }

  /// Notes that a plan takes so much more, and forgets the older half of all when they take too much.
  fileprivate mutating func grow(by growth: Int, upTo maximumSize: Int) {
    size += growth
    guard size > maximumSize else { return }
    guard !entries.isEmpty else { return }
    let times = entries.values.map { $0.asked.load(ordering: .relaxed) }.sorted()
    let middle = times[times.count / 2]
    entries = entries.filter { $0.value.asked.load(ordering: .relaxed) > middle }
    size = entries.values.reduce(0) { $0 + $1.size.load(ordering: .relaxed) }
  }
}
