import CEL
public import JSONText

/// Operations by which a handler has a view controller shown by whichever container does that (A1, A4, A7).
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
    if !isAnswered { invocation.setResult(try otherwise.value(in: scope, for: "otherwise")) }
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

/// A value that is needed only sometimes: its rule is evaluated then.
enum Later: Sendable, Equatable, Codable {
  case value(JSON)
  case rule(Rule)

  /// True if it can be nothing but true and false, as far as that is known.
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
  /// Any value, whose rule is evaluated only when it is needed.
  static var later: MemberType {
    MemberType(
      "JSON", read: { json, _, _ in .value(json) },
      write: { if case .value(let json) = $0 { json } else { nil } },
      inEffect: .rule(
        RuleForm(answers: .json) { (rule, _, _) throws(MutationFault) in .rule(rule) }))
  }
}

extension Effect {
  /// Asks the nearest container that overrides an action (A1), and answers what it answers, else
  /// `otherwise` (A7). The default are the running action and its arguments.
  public static func target(
    action: Selector? = nil, arguments: [JSON]? = nil, otherwise: JSON = .null
  ) -> Effect {
    Effect(Operations.targetViewController, action, arguments, .value(otherwise))
  }

  /// Shows a view controller from another one, by default the receiver (A4).
  public static func show(
    _ id: ResponderID, from: ResponderID? = nil, sender: JSON? = nil
  ) -> Effect {
    Effect(by: Operations.show, .value(id), Term(orReceiver: from), .value(sender))
  }

  /// Presents a view controller on another one, by default the receiver.
  public static func present(_ id: ResponderID, from presenter: ResponderID? = nil) -> Effect {
    Effect(by: Operations.present, .value(id), Term(orReceiver: presenter))
  }
}

extension Term where Value == ResponderID {
  /// A responder, or the receiver.
  init(orReceiver id: ResponderID?) { self = id.map(Term.value) ?? .absent }
}
