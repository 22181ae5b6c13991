import JSONText

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
  /// Returns the part of the responders' documents that is to blame.
  func place(in responders: JSONPointer) -> JSONPointer {
    switch self {
    case .unknownChild(_, of: let container), .repeated(_, in: let container),
      .hasParent(_, _, not: let container):
      responders.appending(container.rawValue).appending("viewControllers")
    case .notAChild(_, of: let container):
      responders.appending(container.rawValue).appending("selectedViewController")
    case .notAViewController(let id, _), .notA(_, let id, _), .notInA(_, let id),
      .isChild(let id, of: _), .isPresented(let id, by: _), .isRoot(let id, of: _),
      .isPresenting(let id, _), .tooManyColumns(let id, _), .changesCollapsed(let id, to: _):
      responders.appending(id.rawValue)
    case .nothingToShow: responders
    }
  }
}
