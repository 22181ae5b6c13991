package import JSONText

extension Session {
  /// Returns the owner of the undo manager of a responder: itself, else the nearest on its chain
  /// that has its own, else nil for the session.
  package func undoManagerOwner(for id: ResponderID) -> ResponderID? {
    var current = graph.position(of: id)
    var remaining = graph.count
    while let position = current, remaining > 0 {
      if graph.responders[position].undoManager != nil { return graph.responders[position].id }
      current = graph.next(of: position)
      remaining -= 1
    }
    return nil
  }

  /// The undo manager of a responder that has its own, or for nil the session's.
  package func undoManager(ownedBy owner: ResponderID?) -> UndoManager? {
    if let manager = undo[owner] { return manager }
    guard let owner, let declaration = graph[owner]?.undoManager else { return nil }
    return UndoManager(levelsOfUndo: declaration.levelsOfUndo)
  }

  /// The declaration of the session's undo manager as it is now.
  package func undoManagerDeclaration(of manager: UndoManager) -> JSON {
    var declaration = UndoManagerDeclaration()
    declaration.levelsOfUndo = manager.levelsOfUndo
    declaration.ignores = undo.ignores
    return declaration.json
  }

  /// The owners of undo managers: the session, which is nil, and responders in the order in which
  /// they joined.
  package var undoManagerOwners: [ResponderID?] {
    let responders = graph.responders
    var owners: [ResponderID?] = [nil]
    for position in responders.indices where responders[position].undoManager != nil {
      owners.append(responders[position].id)
    }
    return owners
  }

  /// The responder whose undo manager is meant when none is named: where searches begin.
  ///
  /// **Decision:** the first responder, as shaking a device asks it for its undo manager.
  package var undoOrigin: ResponderID? { firstResponder ?? focusOfKeyWindow ?? graph.application }

  /// Names the group of the mutation after the item that is performed.
  ///
  /// - Parameter isComposed: True if the title is neither declared nor spelled out in a rule.
  mutating func nameUndoGroup(
    after title: String, of command: Command?, isComposed: Bool = false
  ) {
    undo.event.title = title
    undo.event.actionName = UndoGroup.name(
      title: title, declared: command?.title, isComposed: isComposed)
  }

  /// Names the group of a reply after the command that delivered (D2).
  mutating func nameUndoGroup(after delivery: Delivery) {
    guard let title = delivery.title else { return }
    undo.event.title = title
    undo.event.actionName = delivery.actionName
  }

  /// Changes an undo manager.
  mutating func updateUndoManager<Answer>(
    ownedBy owner: ResponderID?, _ change: (inout UndoManager) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer {
    let declaration = owner.flatMap { graph[$0]?.undoManager }
    return try undo.update(owner, levelsOfUndo: declaration?.levelsOfUndo ?? 0, change)
  }

  /// Keeps undo in step with a mutation that was made: ends groups that began with it, and follows
  /// responders that came or went. Returns whose managers were asked something.
  @discardableResult
  mutating func concludeUndo(_ changes: [Outcome.Change]) -> [ResponderID?] {
    undo.endEvents()
    let isOtherState = changes.contains(where: \.isOfState)
    for change in changes {
      if case .responder(let responder) = change { undo.follow(responder.id, graph[responder.id]) }
      if case .responderRemoved(let id) = change, graph[id] == nil { undo.follow(id, nil) }
    }
    stand(isOtherState: isOtherState)
    return undo.takeTouched()
  }

  /// Finds out which groups can be taken back in the state as it is (U4).
  mutating func stand(isOtherState: Bool) {
    // Of a session that was never undone there is nothing to look at.
    guard isOtherState || !undo.touched.isEmpty else { return }
    let owners = undo.countOfResponders == 0 ? [] : undoManagerOwners.compactMap(\.self)
    let responders = owners.map { ($0, graph[$0]?.undoManager?.ignores ?? []) }
    undo.stand(in: state, isOtherState: isOtherState, responders: responders)
  }

  /// The places that conflict with nothing in an undo manager (U5): those of the session, and its own.
  func ignoredPlaces(of owner: ResponderID?) -> [JSONPointer] {
    undo.ignores + (owner.flatMap { graph[$0]?.undoManager?.ignores } ?? [])
  }

  /// Returns the next group of an undo manager in the state as it is.
  ///
  /// - Parameter effort: Counts looking for it in the middle of a mutation; between mutations it is known.
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
  /// True if the state is another one by it.
  fileprivate var isOfState: Bool {
    switch self {
    case .state, .mergedState: true
    default: false
    }
  }
}

extension Selector {
  /// Undoes: `undo:`, of windows, applications and responders with an undo manager of their own.
  package static let undo: Selector = "undo:"
  /// Does again what was undone: `redo:`, of the same.
  package static let redo: Selector = "redo:"
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
