/// A reason why a view controller cannot be shown, or not there (V4).
public enum ContainmentFault: Error, Equatable, Sendable {
  /// A container lists a child that is not there.
  case unknownChild(ResponderID, of: ResponderID)
  /// Only view controllers can be shown.
  case notAViewController(ResponderID, ResponderKind)
  /// The view controller is of another class than is needed here.
  case notA(ContainerKind, ResponderID, ClassName)
  /// The view controller is in no container of the kind that is needed here.
  case notInA(ContainerKind, ResponderID)
  /// A container would have a child twice.
  case repeated(ResponderID, in: ResponderID)
  /// The view controller is a child of `container` already, and so cannot be one of `other`.
  case hasParent(ResponderID, ResponderID, not: ResponderID)
  /// The view controller is no child of this one.
  case notAChild(ResponderID, of: ResponderID)
  /// A child cannot be presented.
  case isChild(ResponderID, of: ResponderID)
  /// A presented view controller can neither be presented again nor become a child.
  case isPresented(ResponderID, by: ResponderID)
  /// The root view controller of a window can neither be presented nor become a child.
  case isRoot(ResponderID, of: ResponderID)
  /// The view controller presents another one.
  case isPresenting(ResponderID, ResponderID)
  /// A split view controller has two columns at most.
  case tooManyColumns(ResponderID, Int)
  /// Only collapsing and expanding change whether a split view controller is collapsed (A8); its delegate
  /// decides then what becomes of the secondary.
  case changesCollapsed(ResponderID, to: Bool)
  /// There is nothing to show.
  case nothingToShow
}

extension ContainmentFault {
  /// The view controller to blame, and the place in a session document.
  var blame: Blame {
    switch self {
    case .unknownChild(let id, of: let container), .repeated(let id, in: let container),
      .hasParent(let id, _, not: let container):
      Blame(id, at: Blame.responder(container, ["viewControllers"]))
    case .notAChild(let id, of: let container):
      Blame(id, at: Blame.responder(container, ["selectedViewController"]))
    case .notAViewController(let id, _), .notA(_, let id, _), .notInA(_, let id),
      .isChild(let id, of: _), .isPresented(let id, by: _), .isRoot(let id, of: _),
      .isPresenting(let id, _), .tooManyColumns(let id, _), .changesCollapsed(let id, to: _):
      Blame(id, at: Blame.responder(id))
    case .nothingToShow: Blame(at: ["responders"])
    }
  }
}
