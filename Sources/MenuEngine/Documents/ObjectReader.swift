import CEL
public import JSONText

/// Reads an object member by member, notes what is wrong with it, and at the end refuses the
/// members that nobody asked for.
public struct ObjectReader {
  /// The place of the object in its document.
  public let pointer: JSONPointer
  /// The log of its faults.
  public let log: FaultLog
  private let object: JSONObject
  /// A bit for the length of each member's name: most members that are asked for are not there.
  private var lengths: UInt64 = 0
  private var known: [String] = []

  /// A reader of `json`, or nil, and a fault, when that is not an object.
  public init?(_ json: JSON, at pointer: JSONPointer, log: FaultLog) {
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
  public func place(of name: String) -> JSONPointer { pointer.appending(name) }

  /// True if there is a member called `name`, which is not read by that.
  func has(_ name: String) -> Bool { object[name] != nil }

  /// The value of a member, which is not read by that.
  func value(_ name: String) -> JSON? { object[name] }

  /// The value of a member, or nil when it is absent.
  public mutating func json(_ name: String) -> JSON? {
    known.append(name)
    return lengths & name.lengthBit == 0 ? nil : object[name]
  }

  /// Returns the result of `read` for a member, or nil when the member is absent or at fault.
  public mutating func member<Value>(
    _ name: String, _ read: (JSON, JSONPointer, FaultLog) -> Value?
  ) -> Value? {
    json(name).flatMap { read($0, place(of: name), log) }
  }

  /// As `member`, but its absence is a fault.
  public mutating func required<Value>(
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
  public mutating func list<Element>(
    _ name: String, _ read: (JSON, JSONPointer, FaultLog) -> Element?
  ) -> [Element]? {
    member(name) { Read.list($0, at: $1, log: $2, of: read) }
  }

  /// Refuses members that were not asked for.
  public func finish() {
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
