import CEL
import JSONText

/// Operations that show a view controller in the container that overrides the action (A1, A4, A7).
extension Operations {
  static let targetViewController = Operation(
    effect: "targetViewController",
    about:
      "Asks the nearest container that overrides an action; answers its answer (A1, A7).",
    Member(optional: "action", .selector, about: "The action. The default is the running one."),
    Member(
      optional: "arguments", .arguments, about: "The arguments. The default is the running ones."),
    Member("otherwise", .later, about: "The answer when there is none.", default: .value(.null)),
    traits: .changesScreen
  ) {
    (performer: inout Performer, scope, invocation: inout Invocation, action, arguments, otherwise)
      throws(MutationFault) in
    let isAnswered = try performer.askTarget(
      for: action, arguments: arguments, in: scope, &invocation, isYesOrNo: otherwise.isYesOrNo)
    if !isAnswered { invocation.result = try otherwise.value(in: scope, for: "otherwise") }
  }

  static let show = Operation(
    effect: "show", about: "Shows a view controller from another one (A4).",
    Member("viewController", .responder, about: "The view controller."), from, sender,
    traits: .changesScreen
  ) { (performer: inout Performer, scope, _, id, from, sender) throws(MutationFault) in
    try performer.send(.show, of: id, to: from, sender: sender, in: scope)
  }

  static let showDetail = Operation(
    effect: "showDetail", about: "Shows a view controller, or null, as detail (A4).",
    Member(
      "viewController", MemberType<ResponderID>.responder.nullable("OptionalIdentifier"),
      about: "The view controller; null for none."), from, sender, traits: .changesScreen
  ) { (performer: inout Performer, scope, _, id, from, sender) throws(MutationFault) in
    try performer.send(.showDetail, of: id, to: from, sender: sender, in: scope)
  }

  private static let from = Member(
    receiver: "from", about: "The view controller that shows it. The default is the receiver.")
  private static let sender = Member(
    optional: "sender", MemberType<JSON>.json, about: "The sender. The default is the receiver.")
}

/// A value whose rule is evaluated only when needed.
enum Later: Sendable, Equatable, Codable {
  case value(JSON)
  case rule(Rule)

  /// True if its value is always a Boolean.
  var isYesOrNo: Bool {
    switch self {
    case .value(.bool): true
    case .value: false
    case .rule(let rule): rule.isYesOrNo
    }
  }

  func value(in scope: EffectScope, for member: String) throws(MutationFault) -> JSON {
    switch self {
    case .value(let json): json
    case .rule(let rule): try scope.json(rule, for: member)
    }
  }
}

extension MemberType where Value == Later {
  /// A value whose rule is evaluated only when needed.
  static var later: MemberType {
    MemberType(
      "JSON", read: { json, _, _ in .value(json) },
      write: { if case .value(let json) = $0 { json } else { nil } },
      inEffect: .rule(
        RuleForm(answers: .json) { (rule, _, _) throws(MutationFault) in .rule(rule) }))
  }
}

extension Performer {
  /// Sends a question to the nearest container that overrides an action, and stores its answer (A7). Returns false if
  /// there is none. The receiver is skipped for the action that it is performing (A5).
  ///
  /// A yes-or-no question requires a Boolean; no answer counts as no container (V9).
  mutating func askTarget(
    for action: Selector?, arguments: [JSON]?, in scope: EffectScope,
    _ invocation: inout Invocation, isYesOrNo: Bool
  ) throws(MutationFault) -> Bool {
    let action = action ?? scope.selector
    let target = actorTarget(for: action, from: scope.responder, sender: invocation.sender)
    guard let target, target != scope.responder || action != scope.selector else { return false }
    do throws(MutationFault) {
      let asked = try pass(&invocation, to: target, as: action, arguments: arguments)
      guard isYesOrNo else { return true }
      return try asked.yesOrNo(of: target) != nil
    } catch {
      if case .message(.argumentCount) = error { throw scope.attributed(error) }
      throw error
    }
  }

  /// Sends an action about a view controller to a responder.
  mutating func send(
    _ action: Selector, of id: ResponderID?, to receiver: ResponderID?, sender: JSON?,
    in scope: EffectScope
  ) throws(MutationFault) {
    let id = id.map { JSON.string($0.rawValue) } ?? .null
    let sender = sender ?? scope.sender(of: action).json(in: session.graph)
    let receiver = Receiver.responder(receiver ?? scope.responder)
    try scope.attributing { () throws(MutationFault) in
      try session.check(receiver.responder)
    }
    _ = try send(action, to: receiver, arguments: [id, sender], in: scope)
  }

  /// Changes the session; faults are attributed to the effect.
  mutating func changing(
    _ scope: EffectScope, _ change: (inout Session) throws(MutationFault) -> [Outcome.Change]
  ) throws(MutationFault) {
    try scope.attributing { () throws(MutationFault) in note(try change(&session)) }
  }
}

extension Performer {
  /// Sends an optional message to a responder, as to a delegate (V7). Returns its answer; nil if the message is
  /// not implemented.
  mutating func ask(
    _ id: ResponderID?, _ selector: Selector, arguments: [JSON], sending: Sending
  ) throws(MutationFault) -> JSON? {
    try reply(of: id, selector, arguments: arguments, sending: sending)?.answer
  }

  /// Sends an optional yes-or-no question to a responder (V9). Returns nil if it is not implemented or not
  /// answered.
  ///
  /// - Throws: `MutationFault.wrongAnswer` for an answer that is not a Boolean.
  mutating func askWhether(
    _ id: ResponderID?, _ selector: Selector, arguments: [JSON], sending: Sending
  ) throws(MutationFault) -> Bool? {
    guard let id, let reply = try reply(of: id, selector, arguments: arguments, sending: sending)
    else { return nil }
    return try reply.yesOrNo(of: id)
  }

  /// Sends an optional message to a responder and returns the invocation after it; nil if the message is not
  /// implemented.
  private mutating func reply(
    of id: ResponderID?, _ selector: Selector, arguments: [JSON], sending: Sending
  ) throws(MutationFault) -> Invocation? {
    guard let id, session.graph.contains(id) else { return nil }
    let inquiry = session.inquiry(in: context)
    guard inquiry.delivery(of: selector, to: id) != nil else {
      trace.note(.optionalMessage, .responder(id), about: selector, answer: .null)
      return nil
    }
    let invocation = try send(
      selector, to: .responder(id), arguments: arguments, sending: sending)
    trace.note(.optionalMessage, .responder(id), about: selector, answer: invocation.answer)
    return invocation
  }

  /// Returns the target of an action on the actor chain (A1).
  mutating func actorTarget(
    for action: Selector, from id: ResponderID, sender: Sender?
  ) -> ResponderID? {
    let search = inquire(sender) { $0.actorSearch(for: action, from: id) }
    guard case .found(let target) = search else { return nil }
    return target.receiver.responder
  }

  /// Passes the message on to another responder, optionally with another action; its answer becomes the
  /// message's answer. Returns the invocation after it.
  @discardableResult
  mutating func pass(
    _ invocation: inout Invocation, to id: ResponderID, as action: Selector? = nil,
    arguments: [JSON]? = nil
  ) throws(MutationFault) -> Invocation {
    var inner = try Invocation(
      action ?? invocation.selector, of: invocation.sender, to: .responder(id),
      arguments: arguments ?? invocation.arguments, when: invocation.when, in: session)
    if action == nil { inner.parameters = invocation.parameters }
    _ = try deliver(&inner, to: .responder(id))
    if let result = inner.result { invocation.result = result }
    return inner
  }
}

extension Invocation {
  /// Returns the answer to a yes-or-no question (V9); nil for none.
  ///
  /// - Throws: `MutationFault.wrongAnswer`.
  func yesOrNo(of id: ResponderID) throws(MutationFault) -> Bool? {
    guard let result else { return nil }
    guard case .bool(let isYes) = result else {
      throw .effect(.wrongAnswer(result, of: id, selector, expected: .bool))
    }
    return isYes
  }
}
