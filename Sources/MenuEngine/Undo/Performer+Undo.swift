import JSONText

extension Performer {
  /// Asks something of the undo manager of a responder; of the session's when there is no responder.
  mutating func apply(
    _ operation: UndoOperation, of origin: ResponderID?
  ) throws(MutationFault) {
    try apply(operation, of: origin, origin.flatMap { session.undoManagerOwner(for: $0) })
  }

  private mutating func apply(
    _ operation: UndoOperation, of origin: ResponderID?, _ owner: ResponderID?
  ) throws(MutationFault) {
    noteManager(of: origin, owner)
    switch operation {
    case .undo: return try go(.undo, origin, owner)
    case .redo: return try go(.redo, origin, owner)
    case .registerUndo(let target, let action, let arguments):
      try record(action, arguments, against: target, with: owner, origin)
    case .prepareWithInvocationTarget(let target):
      guard session.graph[target] != nil else { throw .unknownResponder(target) }
      try session.updateUndoManager(ownedBy: owner) { $0.preparedTarget = target }
      noteUndo(.prepareWithInvocationTarget, origin, .string(target.rawValue))
    case .setLevelsOfUndo(let levels): try setLevels(levels, of: owner)
    case .setActionName(let name): try setActionName(name, of: owner)
    case .beginUndoGrouping: try begin(owner)
    case .endUndoGrouping:
      try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
        try manager.endUndoGrouping()
      }
    case .disableUndoRegistration:
      try session.updateUndoManager(ownedBy: owner) { $0.disableUndoRegistration() }
    case .enableUndoRegistration:
      try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
        try manager.enableUndoRegistration()
      }
    case .removeAllActions(withTarget: let target):
      try session.updateUndoManager(ownedBy: owner) { $0.removeAllActions(against: target) }
    }
    if depth == 0 { changes.append(.undoManager(owner)) }
  }

  /// Makes an effect on the undo manager of the responder whose handler has it. What undoing itself
  /// refuses is told as such, not as a fault of the effect.
  mutating func make(
    _ operation: UndoOperation, _ scope: EffectScope
  ) throws(MutationFault) {
    switch operation {
    case .undo, .redo: try apply(operation, of: scope.responder)
    case .prepareWithInvocationTarget:
      try scope.attributing { () throws(MutationFault) in
        try apply(operation, of: scope.responder)
      }
    case .beginUndoGrouping, .endUndoGrouping, .setLevelsOfUndo, .setActionName, .registerUndo,
      .disableUndoRegistration, .enableUndoRegistration, .removeAllActions:
      let owner = undoManagerOwner(for: scope.responder)
      try scope.attributing { () throws(MutationFault) in
        try apply(operation, of: scope.responder, owner)
      }
    }
  }

  /// Registers what takes edits of the state back (U1), with the undo manager of the responder whose
  /// handler made them.
  mutating func registerUndo(
    of edits: [JSONEdit], by responder: ResponderID
  ) throws(MutationFault) {
    let event = session.undo.event
    guard !edits.isEmpty, event.isRegistered else { return }
    let owner = undoManagerOwner(for: responder)
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      for edit in edits { try manager.register(.edit(edit.inverse), name: event.actionName) }
    }
  }

  /// Records a message for when it is undone, if its target has a method for it.
  private mutating func record(
    _ action: Selector, _ arguments: [JSON]?, against target: ResponderID,
    with owner: ResponderID?, _ origin: ResponderID?
  ) throws(MutationFault) {
    guard session.graph[target] != nil else { throw .unknownResponder(target) }
    let invocation = try Invocation(
      action, of: nil, to: .responder(target), arguments, when: nil, in: session)
    try register(invocation, against: target, with: owner, origin)
  }

  /// The undo manager that a responder has, when it is prepared to record the next message (U3).
  mutating func recorder(
    for selector: Selector, with id: ResponderID
  ) throws(MutationFault) -> Method {
    let owner = session.undoManagerOwner(for: id)
    guard session.undoManager(ownedBy: owner)?.preparedTarget != nil else {
      let receiver = Receiver.undoManager(of: id)
      trace.note(.doesNotRecognizeSelector, receiver, about: selector, .null)
      throw .doesNotRecognizeSelector(receiver, selector, trace: trace)
    }
    return .recorder(id)
  }

  /// Records a message against the target that its undo manager is prepared for, once (U3).
  mutating func record(
    _ invocation: Invocation, with id: ResponderID
  ) throws(MutationFault) {
    let owner = session.undoManagerOwner(for: id)
    let target = try session.updateUndoManager(ownedBy: owner) { manager in
      defer { manager.preparedTarget = nil }
      return manager.preparedTarget
    }
    guard let target else { return }
    var recorded = invocation
    recorded.target = .responder(target)
    try register(recorded, against: target, with: owner, id)
    if depth == 0 { changes.append(.undoManager(owner)) }
  }

  private mutating func register(
    _ invocation: Invocation, against target: ResponderID, with owner: ResponderID?,
    _ origin: ResponderID?
  ) throws(MutationFault) {
    var probe = self
    _ = try probe.method(for: invocation.selector, of: target)
    let event = session.undo.event
    guard event.isRegistered else { return }
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      try manager.register(
        .invocation(invocation, target: target), name: event.actionName)
    }
    noteUndo(.registerUndo, origin, .string(target.rawValue), about: invocation.selector)
  }

  /// A group that a handler opens stands in the one of the command, which begins now at the latest; one
  /// that a front end opens stands alone.
  private mutating func begin(_ owner: ResponderID?) throws(MutationFault) {
    let (isPerforming, name) = (depth > 0, session.undo.event.actionName)
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      if isPerforming { manager.beginEvent(name: name) }
      try manager.beginUndoGrouping()
    }
  }

  /// A name that a handler gives is its command's group's, which begins now at the latest.
  private mutating func setActionName(
    _ name: String, of owner: ResponderID?
  ) throws(MutationFault) {
    let isPerforming = depth > 0
    try session.updateUndoManager(ownedBy: owner) { (manager) throws(MutationFault) in
      if isPerforming { manager.beginEvent(name: nil) }
      try manager.setActionName(name)
    }
  }

  private mutating func setLevels(
    _ levels: Int, of owner: ResponderID?
  ) throws(MutationFault) {
    try session.updateUndoManager(ownedBy: owner) { $0.levelsOfUndo = levels }
    guard let owner else { return }
    try session.graph.update(owner) { $0.undoManager?.levelsOfUndo = levels }
  }
}

extension Performer {
  private mutating func noteManager(of origin: ResponderID?, _ owner: ResponderID?) {
    noteUndo(.undoManager, origin, owner.map { .string($0.rawValue) } ?? .null)
  }

  /// Notes what the undo manager of a responder was asked.
  mutating func noteUndo(
    _ question: Trace.Question, _ origin: ResponderID?, _ answer: JSON,
    about selector: Selector? = nil
  ) {
    guard let origin else { return }
    trace.note(question, .undoManager(of: origin), about: selector, answer)
  }
}
