package import JSONText

extension Session {
  /// Returns the owner of a responder's undo manager: itself, else the nearest on its chain with one, else nil
  /// for the session.
  package func undoManagerOwner(for id: ResponderID) -> ResponderID? {
    graph.undoManagerOwner(for: id)
  }

  /// Returns the undo manager of a responder with its own or, for nil, the session's.
  package func undoManager(ownedBy owner: ResponderID?) -> UndoManager? {
    if let manager = undo[owner] { return manager }
    guard let owner, let declaration = graph[owner]?.undoManager else { return nil }
    return UndoManager(levelsOfUndo: declaration.levelsOfUndo)
  }

  /// Returns the present declaration of the session's undo manager.
  package func undoManagerDeclaration(of manager: UndoManager) -> JSON {
    var declaration = UndoManagerDeclaration()
    declaration.levelsOfUndo = manager.levelsOfUndo
    declaration.ignores = undo.ignores
    return declaration.json
  }

  /// The owners of undo managers: nil for the session, then responders in joining order.
  package var undoManagerOwners: [ResponderID?] {
    let responders = graph.responders
    var owners: [ResponderID?] = [nil]
    for position in responders.indices where responders[position].undoManager != nil {
      owners.append(responders[position].id)
    }
    return owners
  }

  /// The responder whose undo manager is used without a name: where searches begin.
  ///
  /// **Decision:** the first responder, as when a device is shaken.
  package var undoOrigin: ResponderID? { firstResponder ?? focusOfKeyWindow ?? graph.application }

  /// Names the mutation's group after the performed item.
  ///
  /// - Parameter isComposed: True if the title is neither declared nor a literal in a rule.
  mutating func nameUndoGroup(
    after title: String, of command: Command?, isComposed: Bool = false
  ) {
    undo.event.title = title
    undo.event.actionName = UndoGroup.name(
      title: title, declared: command?.title, isComposed: isComposed)
  }

  /// Names the group of a reply after the command of the delivery (D2).
  mutating func nameUndoGroup(after delivery: Delivery) {
    guard let title = delivery.title else { return }
    undo.event.title = title
    undo.event.actionName = delivery.actionName
  }

  mutating func updateUndoManager<Answer>(
    ownedBy owner: ResponderID?, _ change: (inout UndoManager) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer {
    let declaration = owner.flatMap { graph[$0]?.undoManager }
    return try undo.update(owner, levelsOfUndo: declaration?.levelsOfUndo ?? 0, change)
  }

  /// Updates undo after a mutation: ends the groups that it began, and follows responders that joined or left.
  /// Returns the owners of managers that were used.
  @discardableResult
  mutating func concludeUndo(_ changes: [Outcome.Change]) -> [ResponderID?] {
    undo.endEvents()
    let isOtherState = changes.contains(where: \.isOfState)
    for change in changes {
      if case .responder(let responder) = change { undo.follow(responder.id, graph[responder.id]) }
      if case .responderRemoved(let id) = change, !graph.contains(id) { undo.follow(id, nil) }
    }
    stand(isOtherState: isOtherState)
    return undo.takeTouched()
  }

  /// Determines which groups can be undone in the present state (U4).
  mutating func stand(isOtherState: Bool) {
    // A session without undo history has nothing to check.
    guard isOtherState || !undo.touched.isEmpty else { return }
    let owners = undo.countOfResponders == 0 ? [] : undoManagerOwners.compactMap(\.self)
    let responders = owners.map { ($0, graph[$0]?.undoManager?.ignores ?? []) }
    undo.stand(in: state, isOtherState: isOtherState, responders: responders)
  }

  /// Returns the places without conflicts in an undo manager (U5): those of the session, and its own.
  func ignoredPlaces(of owner: ResponderID?) -> [JSONPointer] {
    undo.ignores + (owner.flatMap { graph[$0]?.undoManager?.ignores } ?? [])
  }

  /// Returns the next group of an undo manager in the present state.
  ///
  /// - Parameter effort: Counts the search within a mutation; between mutations the result is known.
  func undoTurn(
    _ direction: UndoManager.Direction, ownedBy owner: ResponderID?, effort: Effort
  ) -> UndoTurn {
    let manager = undoManager(ownedBy: owner) ?? UndoManager()
    guard undo.isUnderway else { return manager.turn(direction) }
    let passed = manager.passedOver(
      direction, in: state, ignoring: ignoredPlaces(of: owner), effort: effort)
    return manager.turn(direction, passingOver: passed)
  }
}

extension Outcome.Change {
  /// True if it is an edit of the state.
  var isOfState: Bool {
    switch self {
    case .state, .mergedState: true
    default: false
    }
  }
}

extension Selector {
  /// Undoes. Windows, applications and responders with an undo manager of their own implement it.
  package static let undo: Selector = "undo:"
  /// Redoes. The same responders implement it.
  package static let redo: Selector = "redo:"
}

extension UndoManager.Direction {
  /// The action for the direction.
  var action: Selector {
    switch self {
    case .undo: .undo
    case .redo: .redo
    }
  }
}

extension Handler {
  /// The direction of the built-in `undo:` or `redo:`; nil for other methods.
  var undoDirection: UndoManager.Direction? {
    perform.count == 1 ? builtIn?.undoDirection : nil
  }

  static let undoing: [Selector: Handler] = [
    .undo: Handler(builtIn: .undo), .redo: Handler(builtIn: .redo),
  ]
}

extension BuiltInMethod {
  /// The direction, if it is one of undo.
  var undoDirection: UndoManager.Direction? {
    self == .undo ? .undo : self == .redo ? .redo : nil
  }
}

extension Responder {
  /// The methods that it has through its own undo manager.
  var undoHandlers: [Selector: Handler] { undoManager == nil ? [:] : Handler.undoing }

  /// Returns the method that `super` runs, above all classes (A2).
  func undoMethod(for selector: Selector) -> ResponderClasses.DefinedMethod? {
    undoHandlers[selector].map {
      ResponderClasses.DefinedMethod(handler: $0, definer: "UIResponder")
    }
  }
}

extension Inquiry {
  /// The built-in validation of `undo:` and `redo:` (M5): the title includes the name of the next group, and the item
  /// is disabled if nothing can be undone (U4). The undo manager is the target's, even if others follow on the chain.
  mutating func validateUndo(
    _ direction: UndoManager.Direction, of target: Target, _ item: inout ValidatedItem
  ) {
    let owner = session.undoManagerOwner(for: target.implementer)
    trace.note(
      .undoManager, .undoManager(of: target.implementer),
      answer: owner.map { .string($0.rawValue) } ?? .null)
    let turn = session.undoTurn(direction, ownedBy: owner, effort: effort)
    let isPossible = turn.canBeTaken
    item.title = turn.menuItemTitle(in: catalog.translations)
    item.attributes.set(.disabled, to: !isPossible)
    item.conclude(isForbidden: !isPossible)
    trace.note(
      .validate, target.receiver,
      answer: ["enabled": .bool(isPossible), "title": .string(item.title)])
  }
}

extension ResponderGraph {
  /// Returns the next responder of a chain, from `id` on, with an undo manager of its own; nil for none.
  fileprivate func undoManagerOwner(for id: ResponderID) -> ResponderID? {
    var current = position(of: id)
    var remaining = count
    while let position = current, remaining > 0 {
      if responders[position].undoManager != nil { return responders[position].id }
      current = next(of: position)
      remaining -= 1
    }
    return nil
  }
}
