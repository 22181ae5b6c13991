/// An operation of coordinators (C4, C5): by a front end with the names of responders, by the
/// effects of a handler with rules that name them.
public enum CoordinatorOperation<Name: Equatable & Sendable>: Equatable, Sendable {
  /// It becomes the owner of its root view controller, and is started; one that is started already only
  /// becomes the owner again.
  case start(Name)
  /// It becomes the child of another one, and then is started. A child that has the same identifier
  /// is replaced.
  case startChild(Name, of: Name)
  /// It is no child any more, and then is stopped.
  case stopChild(Name)
  /// Its root view controller has no owner any more, whoever that was; what it showed leaves the stack.
  case stop(Name)
  /// It becomes the owner of its root view controller again.
  case activate(Name)
  /// The same, and its view controllers become the whole stack.
  case takeover(Name)
  /// It has done what it is for: its parent stops it.
  case didFinish(Name)
  /// A view controller is pushed, and is the last one of its list.
  case show(Name, by: Name)
  /// A view controller is all that there is, on the stack and in its list.
  case root(Name, of: Name)
  /// A view controller takes the place of the last one of its list; in an empty list it becomes the
  /// root.
  case top(Name, of: Name)
  /// The last one of its list is popped, unless it is the only one; or those after another one, which
  /// does nothing when that is not in the list, or is the last.
  case pop(Name, to: Name?)
}

extension CoordinatorOperation: Codable where Name: Codable {}

/// An operation by a front end, or an effect of a handler with its values computed.
public typealias CoordinatorMutation = CoordinatorOperation<ResponderID>

/// An effect of a handler on coordinators. Where no rule names the coordinator, or the parent of a
/// child, the receiver is meant.
public typealias CoordinatorEffect = CoordinatorOperation<Rule?>

extension CoordinatorOperation {
  /// The same with other names.
  func map<Other>(
    _ name: (Name, _ member: String) throws(MutationFault) -> Other
  ) throws(MutationFault) -> CoordinatorOperation<Other> {
    switch self {
    case .start(let id): .start(try name(id, "coordinator"))
    case .startChild(let id, of: let parent):
      .startChild(try name(id, "coordinator"), of: try name(parent, "parentCoordinator"))
    case .stopChild(let id): .stopChild(try name(id, "coordinator"))
    case .stop(let id): .stop(try name(id, "coordinator"))
    case .activate(let id): .activate(try name(id, "coordinator"))
    case .takeover(let id): .takeover(try name(id, "coordinator"))
    case .didFinish(let id): .didFinish(try name(id, "coordinator"))
    case .show(let shown, by: let id):
      .show(try name(shown, "viewController"), by: try name(id, "coordinator"))
    case .root(let shown, of: let id):
      .root(try name(shown, "viewController"), of: try name(id, "coordinator"))
    case .top(let shown, of: let id):
      .top(try name(shown, "viewController"), of: try name(id, "coordinator"))
    case .pop(let id, to: nil): .pop(try name(id, "coordinator"), to: nil)
    case .pop(let id, to: let destination?):
      .pop(try name(id, "coordinator"), to: try name(destination, "to"))
    }
  }
}

extension EffectScope {
  /// Returns the operation of an effect, its values computed.
  func computed(_ effect: CoordinatorEffect) throws(MutationFault) -> CoordinatorMutation {
    try effect.map { (rule, member) throws(MutationFault) in
      try optionalResponder(rule, member) ?? responder
    }
  }
}

extension Session {
  /// Tells a coordinator something.
  mutating func change(
    by mutation: CoordinatorMutation, in catalog: Catalog, isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    try performing(in: catalog, isExplaining: isExplaining, effort) {
      (performer) throws(MutationFault) in
      try performer.perform(mutation)
    }
  }
}
