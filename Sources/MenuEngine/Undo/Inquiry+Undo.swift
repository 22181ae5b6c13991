import JSONText

extension Selector {
  /// Undoes: `undo:`, of windows, applications and responders with an undo manager of their own.
  public static let undo: Selector = "undo:"
  /// Does again what was undone: `redo:`, of the same.
  public static let redo: Selector = "redo:"
}

extension UndoManager.Direction {
  /// The action that undoes, or does again.
  var action: Selector {
    switch self {
    case .undo: .undo
    case .redo: .redo
    }
  }
}

extension Handler {
  /// The direction of the built-in method of `undo:` or `redo:`; nil for other methods.
  var undoDirection: UndoManager.Direction? {
    perform.count == 1 ? builtIn?.undoDirection : nil
  }

  /// The built-in handlers of those that undo.
  static let undoing: [Selector: Handler] = [
    .undo: Handler(builtIn: .undo), .redo: Handler(builtIn: .redo),
  ]
}

extension BuiltInMethod {
  /// The direction, if it undoes or redoes.
  var undoDirection: UndoManager.Direction? {
    self == .undo ? .undo : self == .redo ? .redo : nil
  }
}

extension Responder {
  /// The methods that it has because it has an undo manager of its own.
  var undoHandlers: [Selector: Handler] { undoManager == nil ? [:] : Handler.undoing }

  /// Returns the method that `super` runs: it stands above all classes (A2).
  func undoMethod(for selector: Selector) -> ResponderClasses.DefinedMethod? {
    undoHandlers[selector].map {
      ResponderClasses.DefinedMethod(handler: $0, definer: "UIResponder")
    }
  }
}

extension Inquiry {
  /// The built-in validation of `undo:` and `redo:` (M5): the title says what would be undone, and the
  /// item is disabled when nothing can be taken back (U4). The undo manager is the one that the target has, however
  /// many there are beyond it.
  mutating func validateUndo(
    _ direction: UndoManager.Direction, of target: Target, _ item: inout ValidatedItem
  ) {
    let owner = session.undoManagerOwner(for: target.implementer)
    trace.note(
      .undoManager, .undoManager(of: target.implementer),
      answer: owner.map { .string($0.rawValue) } ?? .null)
    let turn = session.undoTurn(direction, ownedBy: owner, effort: effort)
    let isPossible = turn.canBeTaken
    item.title = turn.menuItemTitle
    item.attributes.set(.disabled, to: !isPossible)
    item.conclude(isForbidden: !isPossible)
    trace.note(
      .validate, target.receiver,
      answer: ["enabled": .bool(isPossible), "title": .string(item.title)])
  }
}
