/// One thing that happens when a handler performs. Every argument that is a `Rule` is evaluated
/// at that moment.
public enum Effect: Equatable, Sendable, Codable {
  /// A JSON Patch operation on the session's state, whose value is a rule's answer.
  case state(StateEffect)
  /// Another effect, which happens only when the rule says so.
  indirect case conditional(Effect, when: Rule)
  /// Sends an action, on the chain or to a responder (R7).
  ///
  /// With `answers`, what it answers is what this message answers, null when nobody receives it.
  case send(action: Rule, to: Rule?, arguments: Rule?, answers: Bool = false)
  /// Makes a responder the first responder (R8).
  case firstResponder(Rule)
  /// Merges an object into a responder's properties (RFC 7396); the default is the receiver's.
  case properties(of: Rule?, merging: Rule)
  /// Passes the sender to the receiver's own coordinator (F8).
  case handleAction
  /// Asks something of the receiver's undo manager (U1 to U3).
  case undo(UndoEffect)
  /// The answer to the message (F9): the result of its invocation, the last one if there are more.
  case answer(Rule)
  /// Runs the next implementation of the same selector above this one (A2), and answers what it
  /// answers. The default are the same arguments.
  case callSuper(arguments: Rule?)
  /// Runs the next implementation above on the coordinating chain here and now (C2), as calling super
  /// in the middle of a method does, and answers what it answers unless something was answered. The
  /// default are the same arguments.
  case passOn(arguments: Rule?)
  /// Sends the messages that wait (C6).
  case processMessages
  /// The method of a built-in class; no document describes it.
  case builtIn(BuiltInMethod)
  /// Instantiates, performs segues, links delegates and the like (V1–V7).
  case storyboard(StoryboardEffect)
  /// Shows view controllers, or asks who would.
  case viewController(ViewControllerEffect)
  /// Starts coordinators, stops them, and lets them show view controllers (C4, C5).
  case coordinator(CoordinatorEffect)
  /// Registers late responders, deregisters them, and changes what proxies are found for (L4, L5, L8).
  case lateResponder(LateResponderEffect)
  /// Registers handlers with coordinators, changes registrations and removes them (F1).
  indirect case registration(RegistrationEffect)
}

extension Effect {
  /// The effect without its condition.
  var what: Effect {
    guard case .conditional(let effect, when: _) = self else { return self }
    return effect
  }

  /// The rules that it counts as (`Holding.rules`): one, and those of a handler that it registers.
  var ruleCount: Int {
    guard case .registration(let effect) = what, let handler = effect.handler else { return 1 }
    return 1 + handler.ruleCount
  }
}

/// A JSON Patch operation (RFC 6902) on the session's state, with rules for values.
public enum StateEffect: Equatable, Sendable, Codable {
  case add(StatePlace, Rule)
  case remove(StatePlace)
  case replace(StatePlace, Rule)
  case move(from: StatePlace, to: StatePlace)
  case copy(from: StatePlace, to: StatePlace)
  case test(StatePlace, Rule)
}

extension StateEffect {
  /// Its rules.
  var rules: [Rule] {
    switch self {
    case .add(let path, let rule), .replace(let path, let rule), .test(let path, let rule):
      [path.rule, rule].compactMap(\.self)
    case .remove(let path): [path.rule].compactMap(\.self)
    case .move(let from, let path), .copy(let from, let path):
      [from.rule, path.rule].compactMap(\.self)
    }
  }
}
