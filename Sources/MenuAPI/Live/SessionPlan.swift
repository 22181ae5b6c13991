import JSONText
import MenuEngine
import MenuStore

/// The validation plan of a session, which serves questions, events and agents alike.
final class SessionPlan: Sendable {
  fileprivate struct Contents: Remakeable {
    var plan = ValidationPlan.empty
    fileprivate(set) var size = 0

    mutating func evict() { self = Contents() }
  }

  private let contents: MemoryPart<Contents>

  /// Creates an empty plan.
  init(in memory: SessionMemory) { contents = MemoryPart(Contents(), in: memory) }

  var evictable: EvictablePart? { contents.evictable { [self] in contents.evict() } }

  func evict(unlessUsedSince use: Int) { contents.evict(unlessUsedSince: use) }

  /// Puts a question to the plan; returns the answer and the number of rules that failed for it.
  ///
  /// One question at a time is asked: a plan learns from each question, and a concurrent one would have to begin
  /// with an empty plan.
  func ask<Answer: Sendable, Fault: Error>(
    _ snapshot: Snapshot, _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> (answer: Answer, ruleErrors: Int) {
    let sessions = contents.memory.sessions
    return try contents.use { (contents) throws(Fault) in
      try contents.ask(
        snapshot, upTo: sessions.maximumOfSession / 8, beginningBy: sessions.beginnings, question)
    }
  }
}

extension SessionPlan.Contents {
  /// A new plan begins with that of a similar session. A plan of more bytes than allowed forgets the askers that were
  /// least recently used.
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
  /// A plan that knows nothing.
  static let empty = ValidationPlan { fault, writer in writer.value(fault) }
}

extension ValidationPlan {
  /// Returns the body of an answer to a validation: the session, the catalogue and the items.
  ///
  /// - Throws: As `Session.validate`.
  mutating func body(
    of request: ValidationRequest, _ snapshot: Snapshot
  ) throws(MutationFault) -> [UInt8] {
    guard !request.isExplaining, request.menu == nil else {
      return Self.body(of: try validate(request, at: snapshot.moment), request, snapshot)
    }
    return try answer(to: request, at: snapshot.moment) { $0.members(snapshot) }
  }

  /// Returns the body of an answer with a menu and everything in it in its present state.
  ///
  /// - Throws: As `Session.validate`.
  mutating func body(
    of request: ValidationRequest, about menu: Menu, _ snapshot: Snapshot
  ) throws(MutationFault) -> [UInt8] {
    let moment = snapshot.moment
    if !request.isExplaining,
      let known = try answer(
        to: request, aboutMenu: menu.identifier, at: moment,
        opening: { $0.members(snapshot) })
    {
      return known
    }
    return Self.body(of: try validate(menu, request, at: moment), request, snapshot)
  }

  fileprivate static func body(
    of menu: ValidatedMenu, _ request: ValidationRequest, _ snapshot: Snapshot
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.members(snapshot)
    writer.member("menu")
    writer.value(menu, isExplaining: request.isExplaining)
    writer.endObject()
    return writer.bytes
  }

  fileprivate static func body(
    of items: [ValidatedItem], _ request: ValidationRequest, _ snapshot: Snapshot
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

extension LiveSession {
  /// Returns the body of a validation – the session, the catalogue and the items – and the number of rules that
  /// failed for it.
  ///
  /// - Throws: As `Session.validate`.
  func answer(
    to request: ValidationRequest, _ snapshot: Snapshot
  ) throws(MutationFault) -> (answer: [UInt8], ruleErrors: Int) {
    if request.isExplaining {
      // Nobody waits for it: a plan does not explain.
      var plan = ValidationPlan.empty
      let items = try plan.validate(request, at: snapshot.moment)
      return (ValidationPlan.body(of: items, request, snapshot), items.ruleErrors)
    }
    return try plan(limitedTo: snapshot.commands).ask(snapshot) { (plan) throws(MutationFault) in
      try plan.body(of: request, snapshot)
    }
  }

  /// Returns the body of an answer with a menu and everything in it in its present state, and the number of
  /// rules that failed for it.
  ///
  /// - Throws: As `Session.validate`.
  func answer(
    to request: ValidationRequest, about menu: Menu, _ snapshot: Snapshot
  ) throws(MutationFault) -> (answer: [UInt8], ruleErrors: Int) {
    if request.isExplaining {
      var plan = ValidationPlan.empty
      let validated = try plan.validate(menu, request, at: snapshot.moment)
      return (ValidationPlan.body(of: validated, request, snapshot), validated.ruleErrors)
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
    // Before the plan is asked, since others may wait for it.
    snapshot.catalog.prepareSearches()
    let (found, ruleErrors) = try plan(limitedTo: snapshot.commands).ask(snapshot) {
      (plan) throws(MutationFault) in
      try plan.find(query, at: snapshot.moment)
    }
    return (found, ruleErrors)
  }
}
