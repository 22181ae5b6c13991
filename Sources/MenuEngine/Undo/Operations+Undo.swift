import JSONText

/// Operations on undo managers (U1 to U3): a responder's, by default that of the responder where searches
/// begin, and in an effect the receiver's.
extension Operations {
  static let ofUndo: [any AnyOperation] = [
    undo, redo, beginUndoGrouping, endUndoGrouping, setLevelsOfUndo, setUndoActionName,
    registerUndo, prepareWithInvocationTarget, disableUndoRegistration, enableUndoRegistration,
    removeAllUndoActions, setActionName,
  ]

  static let undo = ask(
    "undo", needs: .perform, about: "Undoes the last group (U2).", isOwn: true
  ) { (performer: inout Performer, manager) throws(MutationFault) in
    try performer.go(.undo, with: manager)
  }

  static let redo = ask(
    "redo", needs: .perform, about: "Redoes the last undone group (U2).", isOwn: true
  ) { (performer: inout Performer, manager) throws(MutationFault) in
    try performer.go(.redo, with: manager)
  }

  static let beginUndoGrouping = ask(
    "beginUndoGrouping", about: "Opens a group, within the open one (U2)."
  ) { (performer: inout Performer, manager) throws(MutationFault) in
    try performer.begin(manager.owner)
    performer.noteAsked(manager)
  }

  static let endUndoGrouping = ask(
    "endUndoGrouping",
    about: "Closes the innermost group, and merges it into its parent (U2)."
  ) { (performer: inout Performer, manager) throws(MutationFault) in
    try performer.update(manager) { (manager) throws(MutationFault) in
      try manager.endUndoGrouping()
    }
  }

  static let setLevelsOfUndo = Operation(
    "setLevelsOfUndo", needs: .declare, about: "Sets how many groups are kept (U2).", responder,
    receiver,
    Member("levelsOfUndo", .count("Revision"), about: "The number of groups; 0 for no limit.")
  ) { (performer: inout Performer, id, receiver, levels) throws(MutationFault) in
    let manager = try performer.manager(of: id, by: receiver)
    try performer.setLevels(levels, of: manager.owner)
    performer.noteAsked(manager)
  }

  static let setUndoActionName = Operation(
    "setUndoActionName", needs: .declare,
    about: "Names the open group, else the next to undo (U2).",
    responder, receiver,
    name
  ) { (performer: inout Performer, id, receiver, name) throws(MutationFault) in
    try performer.setActionName(name, of: performer.manager(of: id, by: receiver))
  }

  static let registerUndo = Operation(
    "registerUndo", needs: .declare,
    about: "Records a message to a responder, to be sent by undo (U1).",
    responder, receiver, target, Member("action", .selector, about: "The selector of the message."),
    Member(optional: "arguments", .arguments, about: "The arguments of the message."),
    traits: .hasAllFaults
  ) { (performer: inout Performer, id, receiver, target, action, arguments) throws(MutationFault) in
    let manager = try performer.manager(of: id, by: receiver)
    try performer.recordUndo(action, arguments: arguments, against: target, with: manager)
    performer.noteAsked(manager)
  }

  static let prepareWithInvocationTarget = Operation(
    "prepareWithInvocationTarget", needs: .declare,
    about: "Records the next message to the manager instead of running it (U3).",
    responder, receiver, target
  ) { (performer: inout Performer, id, receiver, target) throws(MutationFault) in
    try performer.prepareUndo(against: target, performer.manager(of: id, by: receiver, isOwn: true))
  }

  static let disableUndoRegistration = ask(
    "disableUndoRegistration",
    about: "Disables registration until it is enabled as often (U2)."
  ) { (performer: inout Performer, manager) throws(MutationFault) in
    try performer.update(manager) { $0.disableUndoRegistration() }
  }

  static let enableUndoRegistration = ask(
    "enableUndoRegistration", about: "Reverts one `disableUndoRegistration` (U2)."
  ) { (performer: inout Performer, manager) throws(MutationFault) in
    try performer.update(manager) { (manager) throws(MutationFault) in
      try manager.enableUndoRegistration()
    }
  }

  static let removeAllUndoActions = Operation(
    "removeAllUndoActions", needs: .declare,
    about: "Forgets everything, or what was recorded for one responder (U2).",
    responder, receiver,
    Member(
      optional: "target", .responder,
      about: "The responder. The default is everything that was recorded.")
  ) { (performer: inout Performer, id, receiver, target) throws(MutationFault) in
    try performer.update(performer.manager(of: id, by: receiver)) {
      $0.removeAllActions(against: target)
    }
  }

  static let setActionName = Operation(
    "setActionName", needs: .declare, about: "The short name of `setUndoActionName` (U2).",
    responder, receiver,
    name,
    uses: .effect
  ) { (performer: inout Performer, id, receiver, name) throws(MutationFault) in
    try performer.setActionName(name, of: performer.manager(of: id, by: receiver))
  }

  private static let responder = Member(
    optional: "responder", MemberType<ResponderID>.responder,
    about:
      "The responder whose undo manager is meant. The default is the one where searches begin.")
  private static let receiver = Member<ResponderID?>.handlerOwner
  private static let target = Member(
    "target", MemberType<ResponderID>.responder, about: "The responder that gets the message.")
  private static let name = Member(
    "name", MemberType<String>.text, about: "The name; empty for none.")

  private static func ask(
    _ name: String, needs right: Right = .declare, about: String, isOwn: Bool = false,
    perform: @escaping @Sendable (inout Performer, AskedUndoManager) throws(MutationFault) -> Void
  ) -> Operation<ResponderID?, ResponderID?> {
    Operation(
      name, needs: right, about: about, responder, receiver
    ) { (performer: inout Performer, id, receiver) throws(MutationFault) in
      try perform(&performer, performer.manager(of: id, by: receiver, isOwn: isOwn))
    }
  }
}

extension Mutation {
  /// Undoes the last group of a responder's undo manager; has no effect if there is none (U2). The default is the
  /// responder where searches begin.
  public static func undo(of id: ResponderID? = nil) -> Mutation {
    Mutation(Operations.undo, id, nil)
  }

  /// Redoes the last undone group; has no effect if there is none.
  public static func redo(of id: ResponderID? = nil) -> Mutation {
    Mutation(Operations.redo, id, nil)
  }

  /// Removes all actions, or those recorded for one target.
  package static func removeAllUndoActions(
    withTarget target: ResponderID? = nil, of id: ResponderID? = nil
  ) -> Mutation {
    Mutation(Operations.removeAllUndoActions, id, nil, target)
  }
}

/// A request to make a patch of the state undoable (U6): `{"actionName": "Typing",
/// "coalesce": "line-1", "window": "notes"}`.
public struct UndoRegistration: Sendable, Codable {
  /// The name in "Undo X"; nil for none.
  package let actionName: String?
  /// The key by which adjacent groups are coalesced; nil for a group of its own.
  package let coalesce: String?
  /// The window whose focus leads to the undo manager (R11); nil for the key window.
  package let window: ResponderID?

  /// Creates a registration.
  ///
  /// - Parameters:
  ///   - actionName: The name in "Undo X", like `setActionName:` of an `NSUndoManager`. The default is none.
  ///   - coalesce: The key by which adjacent groups are coalesced. The default is nil, for a group of its own.
  ///   - window: The window whose focus leads to the undo manager. The default is the key window.
  public init(
    actionName: String? = nil, coalesce: String? = nil, window: ResponderID? = nil
  ) {
    self.actionName = actionName
    self.coalesce = coalesce
    self.window = window
  }
}

extension UndoRegistration {
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    actionName = reader.member("actionName", Read.string)
    coalesce = reader.member("coalesce", Read.text(upTo: Limits.coalescingKey))
    window = reader.member("window", Read.identifier)
    reader.finish()
  }

  var json: JSON {
    var object = JSONObject()
    object["actionName"] = actionName.map(JSON.string)
    object["coalesce"] = coalesce.map(JSON.string)
    object["window"] = window.map { .string($0.rawValue) }
    return .object(object)
  }
}

extension UndoRegistration: Equatable {
  /// True if both have the same document, to the byte.
  public static func == (left: UndoRegistration, right: UndoRegistration) -> Bool {
    left.json.isWritten(as: right.json)
  }
}

extension MemberType where Value == UndoRegistration {
  /// The registration of a patch.
  static var undoRegistration: MemberType {
    MemberType(
      "UndoRegistration", read: UndoRegistration.init(reading:at:log:), write: \.json)
  }
}

extension MemberType where Value == Bool {
  /// False if changes cannot be undone.
  static var undoable: MemberType {
    MemberType("Undoable", read: Read.bool, write: JSON.bool)
  }
}

extension Performer {
  /// Begins the group of an undoable patch. Returns the responder whose undo manager registers it; nil for the
  /// session's.
  mutating func begin(_ registration: UndoRegistration) throws(MutationFault) -> ResponderID? {
    guard (registration.coalesce ?? "").utf8.count <= Limits.coalescingKey else {
      throw .tooLarge(limit: Limits.coalescingKey)
    }
    let origin = try seen.withKeyWindow(registration.window).undoOrigin
    session.undo.event.actionName = registration.actionName.flatMap(UndoGroup.plainName)
    session.undo.event.coalescingKey = registration.coalesce
    return replier ?? origin
  }
}
