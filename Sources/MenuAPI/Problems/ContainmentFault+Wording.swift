import MenuEngine

extension ContainmentFault {
  /// The reason for which the view controllers stay as they are, as a sentence that names both sides.
  var sentence: String {
    switch self {
    case .unknownChild(let id, of: let container):
      "\(quoted(container)) lists \(quoted(id)) in 'viewControllers', which the session does not "
        + "have; put that responder first."
    case .notAViewController(let id, let kind):
      "\(quoted(id)) is of kind '\(kind)'; only a responder of kind 'viewController' can be shown "
        + "or show another one."
    case .notA(let kind, let id, let name):
      "\(quoted(id)) is of class \(quoted(name)), which does not inherit from "
        + "\(quoted(kind.className))."
    case .notInA(let kind, let id):
      "\(quoted(id)) is in no container of a class that inherits from \(quoted(kind.className))."
    case .repeated(let id, in: let container):
      "\(quoted(id)) would be twice among the view controllers of \(quoted(container))."
    case .hasParent(let id, let parent, not: let container):
      "\(quoted(container)) lists \(quoted(id)) in 'viewControllers', whose own 'parent' is "
        + "\(quoted(parent)); leave out one of them."
    case .notAChild(let id, of: let container):
      "\(quoted(id)) is not among the view controllers of \(quoted(container))."
    case .isChild(let id, of: let container):
      "\(quoted(id)) is a child of \(quoted(container)) and cannot be presented; remove it from "
        + "there first."
    case .isPresented(let id, by: let presenter):
      "\(quoted(id)) is presented by \(quoted(presenter)); dismiss it first."
    case .isRoot(let id, of: let window):
      "\(quoted(id)) is the root view controller of \(quoted(window)) and cannot be shown elsewhere."
    case .isPresenting(let id, let presented):
      "\(quoted(id)) presents \(quoted(presented)) already; dismiss that first."
    case .tooManyColumns(let id, let count):
      "\(quoted(id)) is a split view controller, which has two columns at most, not \(count)."
    case .changesCollapsed(let id, let isCollapsed):
      "\(quoted(id)) is \(isCollapsed ? "expanded" : "collapsed"), which a document does not change; use "
        + "the operation '\(isCollapsed ? "collapse" : "expand")', which asks its delegate."
    case .nothingToShow:
      "There is no view controller to show: the first argument must be the id of one."
    }
  }

  /// The kind of problem that a request with this fault meets, when it is the body that names what
  /// does not fit.
  var type: ProblemType {
    switch self {
    case .unknownChild: .unresolvedReference
    case .notAViewController, .notA, .notInA, .repeated, .hasParent, .notAChild, .tooManyColumns,
      .changesCollapsed, .nothingToShow:
      .invalidBody
    case .isChild, .isPresented, .isRoot, .isPresenting: .linkConflict
    }
  }
}
