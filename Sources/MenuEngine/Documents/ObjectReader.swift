import CEL
public import JSONText

/// Reads an object member by member, records faults, and finally rejects the members that were not read.
package struct ObjectReader {
  package let pointer: JSONPointer
  package let log: FaultLog
  private let object: JSONObject
  /// A bit for the length of each member's name: a filter, since most members read are absent.
  private var lengths: UInt64 = 0
  private var known: [String] = []
  /// A bit for each of the first 64 members, set when it is read.
  private var readMembers: UInt64 = 0

  /// Creates a reader; nil with a fault if `json` is not an object.
  package init?(_ json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard case .object(let object) = json else {
      log.note(.expected(.object, found: json), at: pointer)
      return nil
    }
    self.object = object
    self.pointer = pointer
    self.log = log
    known.reserveCapacity(40)  // A responder asks for some 40.
    for member in object.members { lengths |= member.name.lengthBit }
  }

  package func place(of name: String) -> JSONPointer { pointer.appending(name) }

  /// True if the member exists; does not count as reading it.
  func has(_ name: String) -> Bool { object[name] != nil }

  /// Returns the value of a member; does not count as reading it.
  func value(_ name: String) -> JSON? { object[name] }

  /// Returns the value of a member; nil if absent.
  package mutating func json(_ name: String) -> JSON? {
    known.append(name)
    guard lengths & name.lengthBit != 0, let position = object.position(of: name) else {
      return nil
    }
    readMembers |= position.bit
    return object.members[position].value
  }

  /// Returns the result of `read` for a member; nil if it is absent or at fault.
  package mutating func member<Value>(
    _ name: String, _ read: (JSON, JSONPointer, FaultLog) -> Value?
  ) -> Value? {
    json(name).flatMap { read($0, place(of: name), log) }
  }

  /// As `member`, but an absent member is a fault.
  package mutating func required<Value>(
    _ name: String, _ read: (JSON, JSONPointer, FaultLog) -> Value?
  ) -> Value? {
    guard let json = json(name) else {
      log.note(.missingMember(name), at: pointer)
      return nil
    }
    return read(json, place(of: name), log)
  }

  /// Returns the results of `read` for the elements of an array; nil if it is absent or at fault.
  package mutating func list<Element>(
    _ name: String, _ read: (JSON, JSONPointer, FaultLog) -> Element?
  ) -> [Element]? {
    member(name) { Read.list($0, at: $1, log: $2, of: read) }
  }

  /// Rejects members that were not read.
  package func finish() {
    for (position, member) in object.members.enumerated()
    where readMembers & position.bit == 0 {
      // None of the first 64 members has been read.
      if known.contains(where: member.name.hasSameBytes(as:)) { continue }
      log.note(.unknownMember(member.name, known: known), at: place(of: member.name))
      guard let meant = CEL.nearest(to: member.name, among: known) else { continue }
      log.withdrawMissingMember(meant, at: pointer)
    }
  }
}

extension String {
  fileprivate var lengthBit: UInt64 { 1 << UInt64(utf8.count & 63) }
}

extension Int {
  /// The bit of a position; 0 for one from 64 on.
  fileprivate var bit: UInt64 { 1 << UInt64(self) }
}

extension KeyedDecodingContainer {
  /// Decodes a stored document in the same way as a client's.
  ///
  /// - Throws: `DecodingError` if it has a fault.
  func decodeDocument<Value>(
    forKey key: Key, _ log: FaultLog = FaultLog(),
    _ read: (JSON, JSONPointer, FaultLog) -> Value?
  ) throws -> Value {
    guard let value = read(try decode(JSON.self, forKey: key), .root, log), log.faults.isEmpty
    else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "the document has faults: \(log.faults)")
    }
    return value
  }
}

// Initializers from JSON literals in a program.

extension Responder {
  /// Creates a responder from a document: `Responder("list", ["kind": "view"])`.
  ///
  /// - Throws: `DocumentFaults` with all faults.
  public init(_ id: ResponderID, _ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Responder(id, reading: document, at: .root, log: $0) }
  }
}

extension SessionTemplate {
  /// Creates a template from a document.
  ///
  /// - Throws: `DocumentFaults` with all faults.
  public init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { SessionTemplate(reading: document, at: .root, log: $0) }
  }
}

extension Handler {
  /// Creates a handler from a document: `Handler(["perform": []])`.
  ///
  /// - Throws: `DocumentFaults` with all faults.
  public init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Handler(reading: document, at: .root, log: $0) }
  }
}

extension KeyPress {
  /// Creates a key press from a document: `KeyPress(["key": ["input": "c", "modifiers": ["command"]]])`.
  ///
  /// - Throws: `DocumentFaults` with all faults.
  public init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { log in
      guard var reader = ObjectReader(document, at: .root, log: log) else { return nil }
      let press = KeyPress(&reader)
      reader.finish()
      return press
    }
  }
}

extension Command {
  /// Creates a command from a document: `Command(["title": "Copy", "action": "copy:"])`.
  ///
  /// - Throws: `DocumentFaults` with all faults.
  package init(_ document: JSON) throws(DocumentFaults) {
    self = try FaultLog.collecting { Command(reading: document, at: .root, log: $0) }
  }
}

// Comparisons of a value with the document replacing it, to the byte.

extension Responder {
  /// True if both are equal byte for byte and have the same closures. Children are compared only if the document lists
  /// them; otherwise replacing keeps them.
  func isWritten(as document: Responder) -> Bool {
    var other = document
    if document.listsViewControllers != true, document.viewControllers.isEmpty,
      !viewControllers.isEmpty
    {
      other.content.viewControllers = viewControllers
    }
    if other.listsViewControllers != listsViewControllers {
      other.content.listsViewControllers = listsViewControllers
    }
    return self == other && json.isWritten(as: other.json)
  }
}

extension Handler {
  /// True if both are equal byte for byte and have the same closures.
  func isWritten(as other: Handler) -> Bool {
    self == other && json.isWritten(as: other.json)
  }
}
