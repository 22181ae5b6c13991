import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

/// The validation plans of sessions, kept beside the sessions.
///
/// Plans are evicted with their sessions, when idle, and when they take too much room together: then the least
/// recently used half. The last plan used always stays, however large.
final class SessionPlans: Sendable {
  /// The plan of one incarnation of a session.
  fileprivate final class Entry: Sendable {
    private let plan: Lock<ValidationPlan>
    /// The number of the last question.
    let asked = Atomic(0)
    /// True if it was used since the last eviction of idle plans.
    let isFresh = Atomic(true)
    /// The bytes after the last question; changed only under the lock of all entries.
    let size = Atomic(0)

    init(_ plan: ValidationPlan) { self.plan = Lock(plan) }

    /// Puts one question at a time to the plan: a plan learns from each question, and a concurrent one would
    /// have to begin with an empty plan.
    func ask<Answer: Sendable>(_ question: (inout ValidationPlan) -> Answer) -> Answer {
      plan.withLock { question(&$0) }
    }
  }

  /// A plan that new sessions begin with, and the version of the catalogue that it is about.
  fileprivate struct Beginning {
    let plan: ValidationPlan
    let catalog: Int
  }

  fileprivate struct Contents {
    /// The plans by incarnation number.
    var entries: [Int: Entry] = [:]
    var questions = 0
    var size = 0
    /// The plans that new sessions begin with, the last chosen first. They come from sessions that had little
    /// in common with each other at their first question.
    var beginnings: [Beginning] = []
  }

  /// The maximum number of plans that new sessions begin with.
  fileprivate static let maximumBeginnings = 4

  private let contents = Lock(Contents())
  private let maximumSize: Int

  /// Creates an empty collection.
  ///
  /// - Parameter maximumSize: The bytes of all plans; the default is 64 MiB. A plan that takes a sixteenth of
  ///   that evicts all askers but the last.
  init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize }

  var count: Int { contents.withLock(\.entries.count) }

  /// Puts a question to the plan of a session; returns the answer and the number of rules that failed for it.
  func ask<Answer: Sendable, Fault: Error>(
    _ snapshot: Snapshot, _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> (answer: Answer, ruleErrors: Int) {
    let (entry, isUnlikeOthers) = contents.withLock { $0.entry(of: snapshot) }
    let (result, ruleErrors, size, beginning) = entry.ask { plan in
      let result = Result { () throws(Fault) in try question(&plan) }
      var size = plan.size
      if size > maximumSize / 16 {
        plan.forgetOtherAskers()
        size = plan.size
      }
      let beginning: ValidationPlan? =
        if isUnlikeOthers, size > 0, case .success = result { plan.forAnotherSession() } else {
          nil
        }
      return (result, plan.takeRuleErrors(), size, beginning)
    }
    if beginning != nil || size == 0 || size != entry.size.load(ordering: .relaxed) {
      contents.withLock { contents in
        contents.note(size, of: entry, snapshot, atMost: maximumSize)
        if let beginning { contents.add(beginning, snapshot) }
      }
    }
    return (try result.get(), ruleErrors)
  }

  /// Evicts the plan of a closed session.
  func forget(_ opening: Incarnation) { contents.withLock { $0.remove(opening.number) } }

  /// Evicts the plans that were not used since the last call.
  func forgetIdle() { contents.withLock { $0.removeIdle() } }

  fileprivate static let emptyPlan = ValidationPlan { fault, writer in writer.value(fault) }
}

extension SessionPlans.Contents {
  /// Returns the plan of a session, a new one if there is none. `isUnlikeOthers` is true if the plan is new and
  /// no plan to begin with matches the session fully.
  fileprivate mutating func entry(
    of snapshot: Snapshot
  ) -> (entry: SessionPlans.Entry, isUnlikeOthers: Bool) {
    questions += 1
    let opening = snapshot.sessionEdition.opening.number
    var isUnlikeOthers = false
    let entry: SessionPlans.Entry
    if let known = entries[opening] {
      entry = known
    } else {
      let beginning = beginning(for: snapshot)
      entry = SessionPlans.Entry(beginning.plan)
      isUnlikeOthers = beginning.resemblance < ValidationPlan.fullResemblance
      entries[opening] = entry
    }
    entry.asked.store(questions, ordering: .relaxed)
    entry.isFresh.store(true, ordering: .relaxed)
    return (entry, isUnlikeOthers)
  }

  /// Returns the plan of the session that has the most in common with this one; an empty plan if there is none.
  private mutating func beginning(
    for snapshot: Snapshot
  ) -> (plan: ValidationPlan, resemblance: Int) {
    beginnings.removeAll { $0.catalog != snapshot.catalogEdition.number }
    var best: (index: Int, resemblance: Int)?
    for index in beginnings.indices {
      let resemblance = beginnings[index].plan.resemblance(to: snapshot.session)
      if resemblance > best?.resemblance ?? -1 { best = (index, resemblance) }
    }
    guard let best else { return (SessionPlans.emptyPlan, 0) }
    if best.index > 0 { beginnings.insert(beginnings.remove(at: best.index), at: 0) }
    return (beginnings[0].plan, best.resemblance)
  }

  /// Keeps a plan for similar sessions to begin with. The least recently chosen plan is evicted.
  fileprivate mutating func add(_ beginning: ValidationPlan, _ snapshot: Snapshot) {
    beginnings.insert(
      SessionPlans.Beginning(plan: beginning, catalog: snapshot.catalogEdition.number), at: 0)
    if beginnings.count > SessionPlans.maximumBeginnings { beginnings.removeLast() }
  }

  /// Records the size of the plan just used. Evicts the plan if it is empty, and the least recently used half
  /// of all plans if they take too much room.
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

extension SessionPlans {
  /// Returns the body of a validation – the session, the catalogue and the items – and the number of rules that
  /// failed for it.
  ///
  /// - Throws: As `Session.validate`.
  func answer(
    to request: ValidationRequest, _ snapshot: Snapshot
  ) throws(MutationFault) -> (body: [UInt8], ruleErrors: Int) {
    guard request.menu == nil, !request.isExplaining else {
      let (items, ruleErrors) = try ask(snapshot) { (plan) throws(MutationFault) in
        try plan.validate(request, at: snapshot.moment)
      }
      return (
        body(of: items, request, at: snapshot),
        request.isExplaining ? items.ruleErrors : ruleErrors
      )
    }
    let (body, ruleErrors) = try ask(snapshot) { (plan) throws(MutationFault) in
      try plan.answer(to: request, at: snapshot.moment) { writer in
        writer.members(snapshot)
      }
    }
    return (body, ruleErrors)
  }

  /// Returns the body of an answer with a menu and everything in it in its present state, and the number of
  /// rules that failed for it.
  ///
  /// - Throws: As `Session.validate`.
  func answer(
    to request: ValidationRequest, about menu: Menu, _ snapshot: Snapshot
  ) throws(MutationFault) -> (body: [UInt8], ruleErrors: Int) {
    let (answer, ruleErrors) = try ask(snapshot) {
      (plan) throws(MutationFault) -> (body: [UInt8], shownErrors: Int) in
      let moment = snapshot.moment
      if let known = try plan.answer(
        to: request, aboutMenu: menu.identifier, at: moment,
        opening: { writer in writer.members(snapshot) })
      {
        return (known, 0)
      }
      let validated = try plan.validate(menu, request, at: moment)
      return (
        body(of: validated, request, at: snapshot), request.isExplaining ? validated.ruleErrors : 0
      )
    }
    return (answer.body, request.isExplaining ? answer.shownErrors : ruleErrors)
  }

  private func body(
    of menu: ValidatedMenu, _ request: ValidationRequest, at snapshot: Snapshot
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.members(snapshot)
    writer.member("menu")
    writer.value(menu, isExplaining: request.isExplaining)
    writer.endObject()
    return writer.bytes
  }

  private func body(
    of items: [ValidatedItem], _ request: ValidationRequest, at snapshot: Snapshot
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.reserveCapacity(128 + 192 * items.count)
    writer.beginObject()
    writer.members(snapshot)
    writer.member("items")
    writer.beginArray()
    for item in items { writer.value(item, isExplaining: request.isExplaining) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
