public import JSONText

/// One thing that happens when a handler performs, its values computed: what an ``Effect`` comes to,
/// and what a closure answers.
public enum ComputedEffect: Equatable, Sendable {
  /// A JSON Patch operation on the session's state.
  case state(JSONPatch.Operation)
  /// Sends an action, on the chain or to a receiver (R7). Without arguments the sender is the first
  /// one, and the others are null.
  ///
  /// With `answers`, what it answers is what this message answers, null when nobody receives it.
  case send(Selector, to: Receiver? = nil, arguments: [JSON]? = nil, answers: Bool = false)
  /// Makes a responder the first responder (R8).
  case firstResponder(ResponderID)
  /// Merges an object into a responder's properties (RFC 7396); the default is the receiver's.
  case properties(of: ResponderID? = nil, merging: JSON)
  /// Passes the sender to the receiver's own coordinator (F8).
  case handleAction
  /// The answer to the message (F9): the invocation's result.
  case answer(JSON)
  /// Runs the next implementation of the same selector above this one (A2), and answers what it
  /// answers. The default are the same arguments.
  case callSuper(arguments: [JSON]? = nil)
  /// Runs the next implementation above on the coordinating chain here and now (C2). The default are
  /// the same arguments.
  case passOn(arguments: [JSON]? = nil)
  /// Sends the messages that wait (C6); nothing while they are being sent.
  case processMessages
  /// The method of a built-in class, with the arguments of the message.
  case builtIn(BuiltInMethod)
  /// Instantiates, performs segues, links delegates and the like (V1–V7).
  case storyboard(ComputedStoryboardEffect)
  /// Shows view controllers, or asks who would.
  case viewController(ComputedViewControllerEffect)
  /// Starts coordinators, stops them, and lets them show view controllers (C4, C5).
  case coordinator(CoordinatorMutation)
  /// Registers late responders, deregisters them, and changes what proxies are found for (L4, L5, L8).
  case lateResponder(ComputedLateResponderEffect)
  /// Registers handlers with coordinators, changes registrations and removes them (F1).
  indirect case registration(ComputedRegistrationEffect)
  /// Asks something of the receiver's undo manager (U1 to U3).
  case undo(UndoOperation)
}

extension EffectScope {
  /// An effect with its values computed.
  func computed(_ effect: Effect) throws(MutationFault) -> ComputedEffect {
    switch effect {
    case .conditional(let effect, when: _): return try computed(effect)
    case .state(let effect): return .state(try operation(effect))
    case .send(let action, let to, let arguments, let answers):
      let action = try name(action, "action", .selector, Selector.init(_:))
      let receiver = try to.map { (rule) throws(MutationFault) in
        try name(rule, "to", .receiver, Receiver.init(_:))
      }
      let given = try arguments.map { (rule) throws(MutationFault) in
        try array(rule, "arguments")
      }
      return .send(action, to: receiver, arguments: given, answers: answers)
    case .firstResponder(let rule): return .firstResponder(try responder(rule, "responder"))
    case .properties(of: let rule, merging: let value):
      let id = try rule.map { (rule) throws(MutationFault) in try responder(rule, "responder") }
      return .properties(of: id, merging: try object(value, "value"))
    case .handleAction: return .handleAction
    case .answer(let rule): return .answer(try json(rule, "value"))
    case .callSuper(let rule):
      return .callSuper(
        arguments: try rule.map { (rule) throws(MutationFault) in try array(rule, "arguments") })
    case .passOn(let rule):
      return .passOn(
        arguments: try rule.map { (rule) throws(MutationFault) in try array(rule, "arguments") })
    case .processMessages: return .processMessages
    case .builtIn(let method): return .builtIn(method)
    case .viewController(let effect): return .viewController(try computed(effect))
    case .coordinator(let effect): return .coordinator(try computed(effect))
    case .lateResponder(let effect): return .lateResponder(try computed(effect))
    case .registration(let effect): return .registration(try computed(effect))
    case .undo(let effect): return .undo(try computed(effect))
    case .storyboard(let effect): return .storyboard(try computed(effect))
    }
  }
}
