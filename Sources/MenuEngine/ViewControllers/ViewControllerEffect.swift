public import JSONText

/// An effect on view controllers (A4, A7, V4).
public enum ViewControllerEffect: Equatable, Sendable, Codable {
  /// Asks the nearest container that overrides an action (A1), and answers what it answers; when
  /// there is none, what `otherwise` says (A7). The default are the running action and its arguments,
  /// and null.
  case target(action: Rule?, arguments: Rule?, otherwise: Rule?)
  /// Shows a view controller from another one, by default the receiver (A4).
  case show(Rule, from: Rule?, sender: Rule?)
  /// Shows a view controller, or null, as the detail (A4).
  case showDetail(Rule, from: Rule?, sender: Rule?)
  /// Presents a view controller on another one, by default the receiver.
  case present(Rule, from: Rule?)
  /// Dismisses what a view controller presents, else itself; by default the receiver.
  case dismiss(Rule?)
  /// Pops the navigation controller that a view controller is or is in, by default the receiver; to
  /// another one of its stack, by default by one. Of a pop by the user navigation coordinators hear (C5);
  /// the default is by code.
  case pop(Rule?, to: Rule?, by: SegueRequest.Trigger = .code)
}

/// A ``ViewControllerEffect`` with its values computed.
public enum ComputedViewControllerEffect: Equatable, Sendable {
  /// Asks the nearest container that overrides an action (A1), and answers what it answers, else
  /// `otherwise` (A7). The default are the running action and its arguments.
  case target(action: Selector? = nil, arguments: [JSON]? = nil, otherwise: JSON = .null)
  /// Shows a view controller from another one, by default the receiver (A4). The default sender is the
  /// receiver.
  case show(ResponderID, from: ResponderID? = nil, sender: JSON? = nil)
  /// Shows a view controller, or nothing, as the detail (A4).
  case showDetail(ResponderID?, from: ResponderID? = nil, sender: JSON? = nil)
  /// Presents a view controller on another one, by default the receiver.
  case present(ResponderID, from: ResponderID? = nil)
  /// Dismisses what a view controller presents, else itself; by default the receiver.
  case dismiss(ResponderID? = nil)
  /// Pops the navigation controller that a view controller is or is in, by default the receiver; to
  /// another one of its stack, by default by one. Of a pop by the user navigation coordinators hear (C5).
  case pop(ResponderID? = nil, to: ResponderID? = nil, by: SegueRequest.Trigger = .code)
}

extension EffectScope {
  /// An effect with its values computed.
  func computed(
    _ effect: ViewControllerEffect
  ) throws(MutationFault) -> ComputedViewControllerEffect {
    switch effect {
    case .target(let action, let arguments, let otherwise):
      .target(
        action: try optional(action) { (rule) throws(MutationFault) in
          try name(rule, "action", .selector, Selector.init(_:))
        },
        arguments: try optional(arguments) { (rule) throws(MutationFault) in
          try array(rule, "arguments")
        },
        otherwise: try optional(otherwise) { (rule) throws(MutationFault) in
          try json(rule, "otherwise")
        } ?? .null)
    case .show(let id, let from, let sender):
      .show(
        try responder(id, "viewController"), from: try optionalResponder(from, "from"),
        sender: try self.sender(sender))
    case .showDetail(let id, let from, let sender):
      .showDetail(
        try nullableResponder(id, "viewController"), from: try optionalResponder(from, "from"),
        sender: try self.sender(sender))
    case .present(let id, let from):
      .present(
        try responder(id, "viewController"), from: try optionalResponder(from, "from"))
    case .dismiss(let id): .dismiss(try optionalResponder(id, "viewController"))
    case .pop(let id, let destination, let trigger):
      .pop(
        try optionalResponder(id, "viewController"), to: try optionalResponder(destination, "to"),
        by: trigger)
    }
  }

  private func sender(_ rule: Rule?) throws(MutationFault) -> JSON? {
    try optional(rule) { (rule) throws(MutationFault) in try json(rule, "sender") }
  }

  private func optional<Value>(
    _ rule: Rule?, _ evaluate: (Rule) throws(MutationFault) -> Value
  ) throws(MutationFault) -> Value? {
    guard let rule else { return nil }
    return try evaluate(rule)
  }

  /// The responder that a rule names when there is one.
  func optionalResponder(
    _ rule: Rule?, _ member: String
  ) throws(MutationFault) -> ResponderID? {
    guard let rule else { return nil }
    return try responder(rule, member)
  }

  /// The responder that a rule names, or nil when it answers null.
  func nullableResponder(
    _ rule: Rule, _ member: String
  ) throws(MutationFault) -> ResponderID? {
    try json(rule, member) == .null ? nil : try responder(rule, member)
  }
}
