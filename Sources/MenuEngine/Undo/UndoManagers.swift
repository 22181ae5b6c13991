import JSONText

/// The undo managers of a session: its own, and those of responders.
struct UndoManagers: Sendable, Codable {
  private var ofSession = UndoManager()
  private var ofResponders: [ResponderID: UndoManager] = [:]
  /// The owners of groups that may have begun by themselves, and so end with the mutation.
  private(set) var touched: [ResponderID?] = []
  /// The places that are no part of the document (U5).
  var ignores: [JSONPointer] = []
  /// True while a mutation is made, in which the managers do not know yet what can be taken back.
  var isUnderway = false
  /// The mutation that is being made.
  var event = UndoEvent()

  init(_ declaration: UndoManagerDeclaration = UndoManagerDeclaration()) {
    ofSession = UndoManager(levelsOfUndo: declaration.levelsOfUndo)
    ignores = declaration.ignores
  }

  /// The manager of a responder, nil when it was not used yet; or the session's.
  subscript(owner: ResponderID?) -> UndoManager? {
    guard let owner else { return ofSession }
    return ofResponders[owner]
  }

  /// Changes the manager of a responder, or the session's.
  mutating func update<Answer>(
    _ owner: ResponderID?, levelsOfUndo: Int,
    _ change: (inout UndoManager) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer {
    if !touched.contains(owner) { touched.append(owner) }
    guard let owner else { return try change(&ofSession) }
    if ofResponders[owner] == nil {
      ofResponders[owner] = UndoManager(levelsOfUndo: levelsOfUndo)
    }
    return try change(&ofResponders[owner, default: UndoManager()])
  }

  /// Ends a mutation, and the groups that began by themselves with it.
  mutating func endEvents() {
    for owner in touched {
      if let owner { ofResponders[owner]?.endEvent() } else { ofSession.endEvent() }
    }
    event = UndoEvent()
    isUnderway = false
  }

  /// Finds out what can be taken back now (U4), and notes whose managers know something else.
  ///
  /// - Parameters:
  ///   - isOtherState: True if the state is another one, so that it is found out of all managers.
  ///   - responders: The responders with managers of their own, in the order in which they joined.
  mutating func stand(
    in state: JSON, isOtherState: Bool, responders: [ResponderID], in graph: ResponderGraph
  ) {
    for owner in [nil] + responders.map(Optional.some)
    where isOtherState || touched.contains(owner) || self[owner]?.standing == nil {
      guard var manager = self[owner], !manager.isUnused || manager.standing != nil else {
        continue
      }
      let old = manager
      let own = owner.flatMap { graph[$0]?.undoManager?.ignores } ?? []
      manager.stand(in: state, ignoring: ignores + own)
      guard old.standing == nil || !manager.isSame(as: old) else { continue }
      if let owner { ofResponders[owner] = manager } else { ofSession = manager }
      if !touched.contains(owner) { touched.append(owner) }
    }
  }

  /// The number of managers of responders.
  var countOfResponders: Int { ofResponders.count }

  /// Returns whose managers may be other ones than before the mutation, and forgets them.
  mutating func takeTouched() -> [ResponderID?] {
    defer { touched = [] }
    return touched
  }

  /// True if one of these managers is another one than in a copy.
  func differs(from other: UndoManagers, in owners: [ResponderID?]) -> Bool {
    owners.contains { owner in
      switch (self[owner], other[owner]) {
      case (let mine?, let others?): !mine.isSame(as: others)
      // One that was asked for the first time is as one that was not used yet.
      case (let mine?, nil): !mine.isSame(as: UndoManager(levelsOfUndo: mine.levelsOfUndo))
      case (nil, _): false
      }
    }
  }

  /// Follows a responder that joined, was replaced or is gone: what was recorded against one that is
  /// gone goes with it, and so does its own manager.
  mutating func follow(_ id: ResponderID, _ responder: Responder?) {
    if let declaration = responder?.undoManager {
      if ofResponders[id] != nil, ofResponders[id]?.levelsOfUndo != declaration.levelsOfUndo {
        ofResponders[id]?.levelsOfUndo = declaration.levelsOfUndo
      }
    } else {
      ofResponders[id] = nil
    }
    guard responder == nil else { return }
    for owner in [nil] + ofResponders.keys.map(Optional.some)
    where self[owner]?.isUnused == false {
      if !touched.contains(owner) { touched.append(owner) }
      if let owner {
        ofResponders[owner]?.removeAllActions(against: id)
      } else {
        ofSession.removeAllActions(against: id)
      }
    }
  }
}
