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

    /// Asks the plan, one question at a time: a plan learns while it is asked, and a concurrent
    /// question would have to begin with an empty one.
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
    /// The plans that sessions begin with, the one chosen last first: of sessions that had little in common
    /// with one another when they were asked first.
    var beginnings: [Beginning] = []
  }

  /// The number of plans that are kept for sessions to begin with.
  fileprivate static let maximumBeginnings = 4

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

  /// Evicts the plan of a session that is closed.
  func forget(_ opening: Incarnation) { contents.withLock { $0.remove(opening.number) } }

  /// Evicts the plans that nobody asked since the last time that this was done.
  func forgetIdle() { contents.withLock { $0.removeIdle() } }

  fileprivate static let emptyPlan = ValidationPlan { fault, writer in writer.value(fault) }
}

extension SessionPlans.Contents {
  /// Returns the plan of a session, a new one if there is none; and whether that is for a session unlike those
  /// that were asked before.
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

  /// Returns the plan of the session that has most in common, an empty one if there is none.
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

  /// Keeps a plan for sessions that are like this one. The least recently chosen one is evicted.
  fileprivate mutating func add(_ beginning: ValidationPlan, _ snapshot: Snapshot) {
    beginnings.insert(
      SessionPlans.Beginning(plan: beginning, catalog: snapshot.catalogEdition.number), at: 0)
    if beginnings.count > SessionPlans.maximumBeginnings { beginnings.removeLast() }
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

extension SessionPlans {
  /// The body of a validation: the items, and of which session and catalogue they are; and how many rules
  /// failed that were asked for it.
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

  /// The body of an answer with a menu and everything in it as it is now, and how many rules failed that were
  /// asked for it.
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
