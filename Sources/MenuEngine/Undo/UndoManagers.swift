package import JSONText

/// The undo managers of a session: its own, and those of responders.
struct UndoManagers: Sendable, Codable {
  private var ofSession = UndoManager()
  private var ofResponders: [ResponderID: UndoManager] = [:]
  /// The owners of managers that may have changed since the mutation began; their implicit groups close with it.
  private(set) var touched: [ResponderID?] = []
  /// The session's ignored places (U5).
  var ignores: [JSONPointer] = []
  /// True during a mutation, when it is not determined what can be undone.
  var isUnderway = false
  /// The state of the current mutation.
  var event = UndoEvent()

  init(_ declaration: UndoManagerDeclaration = UndoManagerDeclaration()) {
    ofSession = UndoManager(levelsOfUndo: declaration.levelsOfUndo)
    ignores = declaration.ignores
  }

  /// The manager of the session or of a responder; nil if it was never used.
  subscript(owner: ResponderID?) -> UndoManager? {
    guard let owner else { return ofSession }
    return ofResponders[owner]
  }

  /// Changes the manager of a responder, or the session's.
  mutating func update<Answer>(
    _ owner: ResponderID?, levelsOfUndo: Int,
    _ change: (inout UndoManager) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer {
    touch(owner)
    guard let owner else { return try change(&ofSession) }
    if ofResponders[owner] == nil {
      ofResponders[owner] = UndoManager(levelsOfUndo: levelsOfUndo)
    }
    return try change(&ofResponders[owner, default: UndoManager()])
  }

  /// Prevents later groups from being coalesced with the top one of a manager, because a message came between (U6).
  mutating func endCoalescing(with owner: ResponderID?) {
    if let owner { ofResponders[owner]?.endCoalescing() } else { ofSession.endCoalescing() }
  }

  private mutating func touch(_ owner: ResponderID?) {
    if !touched.contains(owner) { touched.append(owner) }
  }

  /// Ends a mutation and closes its implicit groups.
  mutating func endEvents() {
    for owner in touched {
      if let owner { ofResponders[owner]?.endEvent() } else { ofSession.endEvent() }
    }
    event = UndoEvent()
    isUnderway = false
  }

  /// Determines which groups can be undone (U4), and records the managers for which this changed.
  ///
  /// - Parameters:
  ///   - isOtherState: True if the state has changed, so that all managers are examined.
  ///   - responders: The responders with managers of their own, in joining order, with their ignored places.
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
    touch(owner)
  }

  /// The number of managers of responders.
  var countOfResponders: Int { ofResponders.count }

  /// Returns the owners whose managers may have changed since the mutation began, and clears them.
  mutating func takeTouched() -> [ResponderID?] {
    defer { touched = [] }
    return touched
  }

  /// Returns and clears the name of the group registered last with one of these managers; nil for none.
  mutating func takeRegisteredName(of owners: [ResponderID?]) -> String? {
    var name: String?
    for owner in owners {
      if let owner {
        name = ofResponders[owner]?.registeredName ?? name
        ofResponders[owner]?.registeredName = nil
      } else {
        name = ofSession.registeredName ?? name
        ofSession.registeredName = nil
      }
    }
    return name
  }

  /// True if one of these managers differs from that in a copy.
  func differs(from other: UndoManagers, in owners: [ResponderID?]) -> Bool {
    owners.contains { owner in
      switch (self[owner], other[owner]) {
      case (let mine?, let others?): !mine.isSame(as: others)
      // A manager after its first question equals an unused one.
      case (let mine?, nil): !mine.isSame(as: UndoManager(levelsOfUndo: mine.levelsOfUndo))
      case (nil, _): false
      }
    }
  }

  /// Follows a responder that joined, was replaced or was removed: actions recorded for a removed responder are
  /// removed, as is its own manager.
  mutating func follow(_ id: ResponderID, _ responder: Responder?) {
    if let declaration = responder?.undoManager {
      if ofResponders[id] != nil {
        ofResponders[id]?.levelsOfUndo = declaration.levelsOfUndo
        // A change of the levels or the ignored places changes which groups can be undone.
        touch(id)
      }
    } else {
      ofResponders[id] = nil
    }
    guard responder == nil else { return }
    let used = ([nil] + ofResponders.keys.map(Optional.some))
      .filter { self[$0]?.isUnused == false }
    // Answers list the managers in this order, the session's first.
    for owner in used.sorted(by: { ($0?.rawValue ?? "") < ($1?.rawValue ?? "") }) {
      touch(owner)
      if let owner {
        ofResponders[owner]?.removeAllActions(against: id)
      } else {
        ofSession.removeAllActions(against: id)
      }
    }
  }
}

/// The declaration of an undo manager: `{"levelsOfUndo": 20, "ignores": ["/selection"]}`.
package struct UndoManagerDeclaration: Equatable, Sendable, Codable {
  /// The number of groups to keep. The default, 0, is no limit.
  package internal(set) var levelsOfUndo = 0
  /// The ignored places of the state (U5): at or below them nothing is registered, and nothing conflicts. The
  /// default is none.
  package internal(set) var ignores: [JSONPointer] = []

  package init() {}

  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    levelsOfUndo = reader.member("levelsOfUndo", Read.count) ?? 0
    ignores = reader.list("ignores", Read.pointer) ?? []
    if ignores.count > Limits.ignoredPlaces {
      log.note(.mutation(.tooLarge(limit: Limits.ignoredPlaces)), at: pointer.appending("ignores"))
    }
    reader.finish()
  }

  package var json: JSON {
    var object: JSONObject = ["levelsOfUndo": .int(Int64(levelsOfUndo))]
    if !ignores.isEmpty { object["ignores"] = .array(ignores.map { .string($0.description) }) }
    return .object(object)
  }
}

/// The reasons why an undo manager refuses an operation.
package enum UndoFault: Error, Equatable, Sendable {
  /// A group is to be closed, but none was opened.
  case noGroup
  /// Nothing can be undone while more than one group is open.
  case groupsOpen(Int)
  /// Groups are nested deeper than the limit.
  case groupsTooDeep(limit: Int)
  /// Undoing or redoing is in progress.
  case inProgress
  /// Registration was to be enabled, but is not disabled.
  case registrationEnabled
  /// One group would exceed `Limits.undoSize`.
  case groupFull(limit: Int)
}
