import JSONText

@testable import MenuEngine

/// Mutations by what they are about, as tests tell them.
typealias ViewControllerMutation = Mutation
typealias CoordinatorMutation = Mutation
typealias StoryboardMutation = Mutation

extension Mutation {
  static func viewController(_ mutation: Mutation) -> Mutation { mutation }
  static func coordinator(_ mutation: Mutation) -> Mutation { mutation }
  static func storyboard(_ mutation: Mutation) -> Mutation { mutation }
  static func messages(_ operation: MessageQueueOperation) -> Mutation { operation.mutation }
  static func undo(_ operation: UndoOperation, of id: ResponderID? = nil) -> Mutation {
    operation.mutation(id)
  }

  /// Goes back as the user does.
  static func popByUser(_ pop: UserPop) -> Mutation {
    switch pop {
    case .back(let id): .pop(id, by: .user)
    case .cancelled(let id): .pop(id, by: .user, isCancelled: true)
    case .to(let id): .popTo(id, by: .user)
    case .toRoot(let id): .popToRoot(id, by: .user)
    }
  }
}

/// A way in which the user goes back.
enum UserPop {
  case back(ResponderID)
  case cancelled(ResponderID)
  case to(ResponderID)
  case toRoot(ResponderID)
}

/// An operation on the messages that wait.
enum MessageQueueOperation {
  case process(limit: Int? = nil)
  case removeQueued(limit: Int? = nil)

  var mutation: Mutation {
    switch self {
    case .process(let limit): .processMessages(limit: limit)
    case .removeQueued(let limit): .removeQueuedMessages(limit: limit)
    }
  }
}

/// An operation on an undo manager, whosever it is.
struct UndoOperation: Sendable {
  let mutation: @Sendable (ResponderID?) -> Mutation

  static let undo = UndoOperation { .undo(of: $0) }
  static let redo = UndoOperation { .redo(of: $0) }
  static let beginUndoGrouping = UndoOperation { .beginUndoGrouping(of: $0) }
  static let endUndoGrouping = UndoOperation { .endUndoGrouping(of: $0) }
  static let disableUndoRegistration = UndoOperation { .disableUndoRegistration(of: $0) }
  static let enableUndoRegistration = UndoOperation { .enableUndoRegistration(of: $0) }

  static func setLevelsOfUndo(_ levels: Int) -> Self { Self { .setLevelsOfUndo(levels, of: $0) } }
  static func setActionName(_ name: String) -> Self { Self { .setUndoActionName(name, of: $0) } }

  static func registerUndo(
    target: ResponderID, _ action: Selector, arguments: [JSON]? = nil
  ) -> Self {
    Self { .registerUndo(target: target, action, arguments: arguments, of: $0) }
  }

  static func prepareWithInvocationTarget(_ target: ResponderID) -> Self {
    Self { .prepareWithInvocationTarget(target, of: $0) }
  }

  static func removeAllActions(withTarget target: ResponderID? = nil) -> Self {
    Self { .removeAllUndoActions(withTarget: target, of: $0) }
  }
}
