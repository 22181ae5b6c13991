/// The members of a JSON object, in the order in which they were written, with unique names.
///
/// Names are compared and hashed by their UTF-8 bytes. A look-up in a large object takes
/// constant time.
public struct JSONObject: Sendable {
  /// One name and its value.
  public struct Member: Sendable {
    /// The member's name.
    public let name: String
    /// The member's value.
    public var value: JSON
  }

  /// The members in order.
  public private(set) var members: [Member] = []
  private var index: [NameBytes: Int]?

  /// An object without members.
  public init() {}

  /// The number of members.
  public var count: Int { members.count }

  /// The value of the member called `name`, or nil when there is none.
  ///
  /// Assigning to a present name replaces its value in place, to an absent one appends, and
  /// assigning nil removes.
  public subscript(name: String) -> JSON? {
    get { position(of: name).map { members[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  private func position(of name: String) -> Int? {
    if let index { return index[NameBytes(name)] }
    return members.firstIndex { $0.name.hasSameBytes(as: name) }
  }

  private mutating func append(_ member: Member) {
    members.append(member)
    if index != nil {
      index?[NameBytes(member.name)] = members.count - 1
    } else if members.count > Self.linearLimit {
      reindex()
    }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    if index != nil { reindex() }
  }

  private mutating func reindex() {
    var positions: [NameBytes: Int] = [:]
    positions.reserveCapacity(members.count)
    for (position, member) in members.enumerated() { positions[NameBytes(member.name)] = position }
    index = positions
  }

  /// Up to this many members are searched one by one, which is faster than hashing.
  private static var linearLimit: Int { 12 }
}

extension JSONObject: Equatable {
  /// Whether both have the same names with equal values, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
  }
}

/// A name hashed and compared by its UTF-8 bytes.
private struct NameBytes: Hashable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (left: NameBytes, right: NameBytes) -> Bool {
    left.name.hasSameBytes(as: right.name)
  }

  func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(byte) }
  }
}
