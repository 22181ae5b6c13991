import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// A present or hypothetical session, and the means to answer a query about it.
struct AskedMoment {
  let snapshot: Snapshot
  /// The effort of the request so far.
  let effort: Effort
  fileprivate var plan: AskedPlan
  /// The number of rules that failed.
  fileprivate var ruleErrors = 0
}

private enum AskedPlan {
  /// The plan of the present session.
  case live(SessionPlan)
  /// The copy for hypothetical sessions (M13).
  case copy(CopiedPlan)
}

/// A copy of a plan that all hypothetical sessions share and change in place.
private final class CopiedPlan {
  var plan: ValidationPlan

  init(_ plan: ValidationPlan) { self.plan = plan }
}

extension Call {
  /// Returns the query in the body, and its hypothetical mutations.
  func question<Question>(
    _ read: (inout ObjectReader) -> Question?
  ) throws(Problem) -> (Question, [[Mutation]]?) {
    try object(try json()) { reader in
      let question = read(&reader)
      let assumptions = Mutation.assumptions(
        &reader, upTo: service.limits.mutations, in: catalog)
      return question.map { ($0, assumptions) }
    }
  }

  /// Answers a query about the present session, and in `assumed` about hypothetical sessions: one for each list of
  /// mutations, which are discarded.
  ///
  /// For a refused list, the answer is replaced by its problem.
  ///
  /// - Parameters:
  ///   - pointer: The part of the body that names the session; nil if it is the path.
  ///   - answer: Returns the text of an answer, an object.
  func answer(
    about id: SessionID, at pointer: JSONPointer?, assuming assumptions: [[Mutation]]?,
    _ answer: (inout AskedMoment) throws(Problem) -> [UInt8]
  ) throws(Problem) -> Response {
    let (whole, seen) = try wholeSnapshot(id, at: pointer)
    var moment = AskedMoment(
      snapshot: seen, effort: Effort(service.limits.session),
      plan: .live(live(seen).plan(limitedTo: seen.commands)))
    var body = try answer(&moment)
    if let assumptions {
      body.removeLast()
      body += #","assumed":["#.utf8
      let now = service.dependencies.now()
      let base = whole.session.beforeChanges(in: whole.catalog, spending: moment.effort)
      for (index, list) in assumptions.enumerated() {
        if index > 0 { body.append(UInt8(ascii: ",")) }
        let size = body.count
        body += try answerOrProblem(
          after: list.map { $0.dated(now) }, at: index, from: base, in: whole, &moment, answer)
        moment.effort.spend((body.count - size) / AskedMoment.bytesOfStep)
        guard !moment.effort.isExhausted else { throw Problem(.tooMuchEffort, at: nil) }
      }
      body += "]}".utf8
    }
    note(ruleErrors: moment.ruleErrors)
    return Self.response(.ok, body: body)
  }

  /// Returns the text of the answer after a list of mutations, or of an object with the problem of the list.
  private func answerOrProblem(
    after list: [Mutation], at index: Int, from base: Session, in whole: Snapshot,
    _ moment: inout AskedMoment, _ answer: (inout AskedMoment) throws(Problem) -> [UInt8]
  ) throws(Problem) -> [UInt8] {
    do throws(Problem) {
      let assumed = try assume(
        list, from: base, in: whole, as: -1 - index,
        at: JSONPointer(["assuming", "\(index)"]), spending: moment.effort)
      var next = AskedMoment(
        snapshot: assumed, effort: moment.effort, plan: .copy(moment.copiedPlan()))
      defer { moment.ruleErrors += next.ruleErrors }
      return try answer(&next)
    } catch {
      // A hypothetical mutation needs the same rights as a real one, and a query that takes too much effort is refused
      // as a whole.
      guard ![.forbidden, .tooMuchEffort].contains(error.type) else { throw error }
      return Array(#"{"problem":"#.utf8) + error.shown(for: grant.rights).body
        + [UInt8(ascii: "}")]
    }
  }
}

extension AskedMoment {
  /// The number of bytes of an answer that count as one step of effort.
  fileprivate static let bytesOfStep = 16

  /// Returns the text of the answer to a validation.
  mutating func answer(to request: ValidationRequest) throws(Problem) -> [UInt8] {
    try asking(request) { (plan, snapshot) throws(MutationFault) in
      try plan.body(of: request, snapshot)
    }
  }

  /// Returns the text of the answer to a query for a menu.
  mutating func answerAboutMenu(to request: ValidationRequest) throws(Problem) -> [UInt8] {
    let id = request.menu ?? Menu.rootIdentifier
    return try asking(request) { (plan, snapshot) throws(MutationFault) in
      guard let menu = snapshot.catalog.menuAsShown(id) else { throw .unknownMenu(id) }
      return try plan.body(of: request, about: menu, snapshot)
    }
  }

  /// Returns the copy of the plan, which the first call makes.
  fileprivate mutating func copiedPlan() -> CopiedPlan {
    switch plan {
    case .live(let live):
      let copied = CopiedPlan(live.ask(snapshot) { plan in plan }.answer)
      plan = .copy(copied)
      return copied
    case .copy(let copied): return copied
    }
  }

  private mutating func asking(
    _ request: ValidationRequest,
    _ question: (inout ValidationPlan, Snapshot) throws(MutationFault) -> [UInt8]
  ) throws(Problem) -> [UInt8] {
    func ask(_ plan: inout ValidationPlan) throws(MutationFault) -> [UInt8] {
      let answer = try question(&plan, snapshot)
      effort.spend(plan.effort)
      return answer
    }
    do throws(MutationFault) {
      switch plan {
      case .live(let plan):
        let (answer, errors) = try plan.ask(snapshot, ask)
        ruleErrors += errors
        return answer
      case .copy(let copied):
        defer { ruleErrors += copied.plan.takeRuleErrors() }
        return try ask(&copied.plan)
      }
    } catch {
      throw Problem(
        error,
        at: error.placeOfResponder(
          from: request.from, request.sender, to: nil, window: request.window))
    }
  }
}
