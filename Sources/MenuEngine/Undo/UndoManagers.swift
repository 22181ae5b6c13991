package import JSONText

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
  ///   - responders: The responders with managers of their own, in the order in which they joined, and the places that
  ///     are no part of the document there.
  mutating func stand(
    in state: JSON, isOtherState: Bool, responders: [(id: ResponderID, ignores: [JSONPointer])]
  ) {
    stand(nil, in: state, isOtherState: isOtherState, ignoring: ignores)
    for (id, own) in responders {
      stand(id, in: state, isOtherState: isOtherState, ignoring: ignores + own)
    }
  }

  private mutating func stand(
    _ owner: ResponderID?, in state: JSON, isOtherState: Bool, ignoring ignored: [JSONPointer]
  ) {
    guard let old = self[owner], !old.isUnused || old.standing != nil,
      isOtherState || old.standing == nil || touched.contains(owner)
    else { return }
    var manager = old
    manager.stand(in: state, ignoring: ignored)
    guard old.standing == nil || !manager.isSame(as: old) else { return }
    if let owner { ofResponders[owner] = manager } else { ofSession = manager }
    if !touched.contains(owner) { touched.append(owner) }
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

/// The declaration of an undo manager in a document: `{"levelsOfUndo": 20, "ignores": ["/selection"]}`.
package struct UndoManagerDeclaration: Equatable, Sendable, Codable {
  /// The number of groups that it keeps. The default is 0, no limit.
  package internal(set) var levelsOfUndo = 0
  /// The places of the state that are no part of the document (U5): nothing is registered at or below them, and
  /// nothing conflicts there. The default is none.
  package internal(set) var ignores: [JSONPointer] = []

  /// A manager without a limit.
  package init() {}

  /// The manager that a document describes, or nil and the faults.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    levelsOfUndo = reader.member("levelsOfUndo", Read.count) ?? 0
    ignores = reader.list("ignores", Read.pointer) ?? []
    if ignores.count > Limits.ignoredPlaces {
      log.note(.mutation(.tooLarge), at: pointer.appending("ignores"))
    }
    reader.finish()
  }

  /// The manager as a document.
  package var json: JSON {
    var object: JSONObject = ["levelsOfUndo": .int(Int64(levelsOfUndo))]
    if !ignores.isEmpty { object["ignores"] = .array(ignores.map { .string($0.description) }) }
    return .object(object)
  }
}

/// The refusals of an undo manager.
package enum UndoFault: Error, Equatable, Sendable {
  /// A group is to be closed, but none was opened.
  case noGroup
  /// Nothing can be undone while so many groups, more than one, are open.
  case groupsOpen(Int)
  /// Groups stand more than this deep inside each other.
  case groupsTooDeep(limit: Int)
  /// It is undoing or redoing already.
  case inProgress
  /// Registration is to be enabled more often than it was disabled.
  case registrationEnabled
  /// One group would hold more than this (`Limits.undoSize`).
  case groupFull(limit: Int)
}
