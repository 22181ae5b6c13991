import JSONText

/// The wish of a front end that its patch of the state can be undone (U6): `{"actionName": "Typing",
/// "coalesce": "line-1"}`.
public struct UndoRegistration: Sendable, Codable {
  /// The name in "Undo X"; nil for none.
  public let actionName: String?
  /// The key of the groups that are one if nothing comes between; nil for a group of its own.
  public let coalesce: String?

  /// A registration under a name, in a group of its own or in one with earlier ones of the same key.
  public init(actionName: String? = nil, coalesce: String? = nil) {
    self.actionName = actionName
    self.coalesce = coalesce
  }
}

extension UndoRegistration {
  /// The registration that a document describes, or nil and the faults.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    actionName = reader.member("actionName", Read.string)
    coalesce = reader.member("coalesce", Read.string)
    reader.finish()
  }

  /// The registration as a document.
  var json: JSON {
    var object = JSONObject()
    object["actionName"] = actionName.map(JSON.string)
    object["coalesce"] = coalesce.map(JSON.string)
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
  /// True if changes can be undone.
  static var undoable: MemberType {
    MemberType("Undoable", read: Read.bool, write: JSON.bool)
  }
}

extension Performer {
  /// Begins the group of a patch that a front end wants to be undoable, and returns the responder whose undo
  /// manager registers it; nil when there is none, and it is the session's.
  mutating func begin(_ registration: UndoRegistration) throws(MutationFault) -> ResponderID? {
    guard (registration.coalesce ?? "").utf8.count <= Limits.coalescingKey else { throw .tooLarge }
    session.undo.event.actionName = registration.actionName.flatMap(UndoGroup.plainName)
    session.undo.event.coalescingKey = registration.coalesce
    return replier ?? seen.undoOrigin
  }
}
