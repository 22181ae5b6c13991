import CEL
public import JSONText

/// Reads an object member by member, notes what is wrong with it, and at the end refuses the
/// members that nobody asked for.
package struct ObjectReader {
  /// The place of the object in its document.
  package let pointer: JSONPointer
  /// The log of its faults.
  package let log: FaultLog
  private let object: JSONObject
  /// A bit for the length of each member's name: most members that are asked for are not there.
  private var lengths: UInt64 = 0
  private var known: [String] = []

  /// A reader of `json`, or nil, and a fault, when that is not an object.
  package init?(_ json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard case .object(let object) = json else {
      log.note(.expected(.object, found: json), at: pointer)
      return nil
    }
    self.object = object
    self.pointer = pointer
    self.log = log
    known.reserveCapacity(16)
    for member in object.members { lengths |= member.name.lengthBit }
  }

  /// The place of the member called `name`.
  package func place(of name: String) -> JSONPointer { pointer.appending(name) }

  /// True if there is a member called `name`, which is not read by that.
  func has(_ name: String) -> Bool { object[name] != nil }

  /// The value of a member, which is not read by that.
  func value(_ name: String) -> JSON? { object[name] }

  /// The value of a member, or nil when it is absent.
  package mutating func json(_ name: String) -> JSON? {
    known.append(name)
    return lengths & name.lengthBit == 0 ? nil : object[name]
  }

  /// Returns the result of `read` for a member, or nil when the member is absent or at fault.
  package mutating func member<Value>(
    _ name: String, _ read: (JSON, JSONPointer, FaultLog) -> Value?
  ) -> Value? {
    json(name).flatMap { read($0, place(of: name), log) }
  }

  /// As `member`, but its absence is a fault.
  package mutating func required<Value>(
    _ name: String, _ read: (JSON, JSONPointer, FaultLog) -> Value?
  ) -> Value? {
    guard let json = json(name) else {
      log.note(.missingMember(name), at: pointer)
      return nil
    }
    return read(json, place(of: name), log)
  }

  /// Returns the results of `read` for the elements of an array member; nil when the member is
  /// absent or at fault.
  package mutating func list<Element>(
    _ name: String, _ read: (JSON, JSONPointer, FaultLog) -> Element?
  ) -> [Element]? {
    member(name) { Read.list($0, at: $1, log: $2, of: read) }
  }

  /// Refuses members that were not asked for.
  package func finish() {
    for member in object.members where !known.contains(where: member.name.hasSameBytes(as:)) {
      log.note(.unknownMember(member.name, known: known), at: place(of: member.name))
      guard let meant = CEL.nearest(to: member.name, among: known) else { continue }
      log.withdrawMissingMember(meant, at: pointer)
    }
  }
}

extension String {
  fileprivate var lengthBit: UInt64 { 1 << UInt64(utf8.count & 63) }
}

// Whatever a document describes, from a document in a program's text.

extension Responder {
  /// The responder that a document describes: `Responder("list", ["kind": "view"])`.
  ///
  /// - Throws: `DocumentFaults` with everything that is wrong.
  public init(_ id: ResponderID, _ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Responder(id, reading: document, at: .root, log: $0) }
  }
}

extension SessionTemplate {
  /// The template that a document describes.
  ///
  /// - Throws: `DocumentFaults` with everything that is wrong.
  public init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { SessionTemplate(reading: document, at: .root, log: $0) }
  }
}

extension Handler {
  /// The handler that a document describes: `Handler(["perform": []])`.
  ///
  /// - Throws: `DocumentFaults` with everything that is wrong.
  public init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Handler(reading: document, at: .root, log: $0) }
  }
}

extension Command {
  /// The command that a document describes: `Command(["title": "Copy", "action": "copy:"])`.
  ///
  /// - Throws: `DocumentFaults` with everything that is wrong.
  package init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Command(reading: document, at: .root, log: $0) }
  }
}

// Comparisons of what is there with a document in its place, to the byte.

extension Responder {
  /// True if a document in its place says the same, to the byte, and has the same closures. One without a
  /// list of children says nothing of them: they stay.
  func isWritten(as document: Responder) -> Bool {
    var other = document
    if document.listsViewControllers != true, document.viewControllers.isEmpty {
      other.viewControllers = viewControllers
    }
    other.listsViewControllers = listsViewControllers
    return self == other && json.isWritten(as: other.json)
  }
}

extension Handler {
  /// True if both say the same, to the byte, and have the same closures.
  func isWritten(as other: Handler) -> Bool {
    self == other && json.isWritten(as: other.json)
  }
}
