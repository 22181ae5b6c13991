import JSONText
import MenuEngine
import MenuStore

/// The validation plan of a session, shared by requests, events and agents.
typealias SessionPlan = MemoryPart<PlanContents>

struct PlanContents: Remakeable {
  fileprivate var plan = ValidationPlan.empty
  fileprivate(set) var size = 0

  mutating func evict() { self = PlanContents() }
}

extension SessionPlan {
  /// Creates an empty plan.
  convenience init(in memory: SessionMemory) { self.init(PlanContents(), in: memory) }

  /// Runs a request on the plan; returns the result and the number of rules that failed.
  ///
  /// Requests run one at a time: a plan learns from each of them, and a concurrent one would have to start with an
  /// empty plan.
  func ask<Answer: Sendable, Fault: Error>(
    _ snapshot: Snapshot, _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> (answer: Answer, ruleErrors: Int) {
    let sessions = memory.sessions
    return try use { (contents) throws(Fault) in
      try contents.ask(
        snapshot, upTo: sessions.maximumOfSession / 8, beginningBy: sessions.beginnings, question)
    }
  }
}

extension PlanContents {
  /// Runs a request. A new plan starts as a copy of a similar session's. A plan that exceeds its size drops the least
  /// recently used askers.
  fileprivate mutating func ask<Answer, Fault: Error>(
    _ snapshot: Snapshot, upTo maximumSize: Int, beginningBy beginnings: PlanBeginnings,
    _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> (answer: Answer, ruleErrors: Int) {
    var isUnlikeOthers = false
    if size == 0 {
      let beginning = beginnings.plan(for: snapshot)
      if let beginning { plan = beginning.plan }
      isUnlikeOthers = beginning?.resemblance ?? 0 < ValidationPlan.fullResemblance
    }
    let result = Result { () throws(Fault) in try question(&plan) }
    let ruleErrors = plan.takeRuleErrors()
    plan.forgetAskers(beyond: maximumSize)
    size = plan.size
    // A plan that learned nothing from its first question is dropped.
    if size == 0 { evict() }
    if isUnlikeOthers, size > 0, case .success = result {
      beginnings.add(plan.forAnotherSession(), snapshot)
    }
    return (try result.get(), ruleErrors)
  }
}

extension ValidationPlan {
  /// An empty plan.
  static let empty = ValidationPlan { fault, writer in writer.value(fault) }
}

extension ValidationPlan {
  /// Returns the body of a validation's answer: the session, the catalogue, and the items or a menu with all its
  /// contents.
  ///
  /// - Throws: As `Session.validate`.
  mutating func body(
    of request: ValidationRequest, about menu: Menu? = nil, _ snapshot: Snapshot
  ) throws(MutationFault) -> [UInt8] {
    let moment = snapshot.moment
    if !request.isExplaining {
      if menu == nil, request.menu == nil {
        return try answer(to: request, at: moment) { $0.members(snapshot) }
      }
      if let menu,
        let known = try answer(
          to: request, aboutMenu: menu.identifier, at: moment, opening: { $0.members(snapshot) })
      {
        return known
      }
    }
    return try validated(request, about: menu, snapshot).answer
  }

  /// Validates; returns the body, and the number of rules that failed.
  fileprivate mutating func validated(
    _ request: ValidationRequest, about menu: Menu?, _ snapshot: Snapshot
  ) throws(MutationFault) -> (answer: [UInt8], ruleErrors: Int) {
    var writer = JSONWriter()
    writer.beginObject()
    writer.members(snapshot)
    let ruleErrors: Int
    if let menu {
      let validated = try validate(menu, request, at: snapshot.moment)
      writer.member("menu")
      writer.value(validated, isExplaining: request.isExplaining)
      ruleErrors = validated.ruleErrors
    } else {
      let items = try validate(request, at: snapshot.moment)
      writer.reserveCapacity(128 + 192 * items.count)
      writer.member("items")
      writer.beginArray()
      for item in items { writer.value(item, isExplaining: request.isExplaining) }
      writer.endArray()
      ruleErrors = items.ruleErrors
    }
    writer.endObject()
    return (writer.bytes, ruleErrors)
  }
}

extension LiveSession {
  /// Returns the body of a validation's answer – the session, the catalogue, and the items or a menu with all its
  /// contents – and the number of rules that failed.
  ///
  /// - Throws: As `Session.validate`.
  func answer(
    to request: ValidationRequest, about menu: Menu? = nil, _ snapshot: Snapshot
  ) throws(MutationFault) -> (answer: [UInt8], ruleErrors: Int) {
    if request.isExplaining {
      // This blocks no other request: plans do not serve explanations.
      var plan = ValidationPlan.empty
      return try plan.validated(request, about: menu, snapshot)
    }
    return try plan(limitedTo: snapshot.commands).ask(snapshot) { (plan) throws(MutationFault) in
      try plan.body(of: request, about: menu, snapshot)
    }
  }

  /// Returns the commands that a query finds, and the number of rules that failed for it.
  ///
  /// - Throws: As `Session.validate`.
  func find(
    _ query: CommandQuery, _ snapshot: Snapshot
  ) throws(MutationFault) -> (found: FoundCommands, ruleErrors: Int) {
    // Before using the plan, because other requests may wait for it.
    snapshot.catalog.prepareSearches()
    let (found, ruleErrors) = try plan(limitedTo: snapshot.commands).ask(snapshot) {
      (plan) throws(MutationFault) in
      try plan.find(query, at: snapshot.moment)
    }
    return (found, ruleErrors)
  }
}
