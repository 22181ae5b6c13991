/// The members of a JSON object, in order, with unique names.
///
/// Names are compared and hashed by their UTF-8 bytes. A look-up in a large object takes constant time;
/// removing a member moves the later ones.
public struct JSONObject: Sendable {
  /// A name with its value.
  public struct Member: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public var value: JSON

    /// Creates a member.
    public init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }

    /// True if names are equal to the byte and values are equal.
    public static func == (left: Member, right: Member) -> Bool {
      left.name.hasSameBytes(as: right.name) && left.value == right.value
    }

    /// Hashes the name's bytes and the value.
    public func hash(into hasher: inout Hasher) {
      name.hashBytes(into: &hasher)
      hasher.combine(value)
    }
  }

  /// The members in order.
  public internal(set) var members: [Member] = []

  /// The index of a large object; empty while the object is searched linearly.
  ///
  /// An array because it is one word in every JSON value and copies on write.
  private var index: [JSONObjectIndex] = []

  /// Creates an empty object.
  public init() {}

  /// Creates an object; nil if two members have the same name.
  public init?(_ members: [Member]) {
    reserveCapacity(members.count)
    for member in members where !append(member) { return nil }
  }

  /// The number of members.
  public var count: Int { members.count }

  /// True if the object has no members.
  public var isEmpty: Bool { members.isEmpty }

  /// The value of the member called `name`; nil for none.
  ///
  /// Assigning replaces the value of an existing member in place, or appends a new one; assigning nil removes
  /// it.
  public subscript(name: String) -> JSON? {
    get { position(of: name).map { members[$0].value } }
    set {
      switch (position(of: name), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): appendAbsent(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Returns the position in `members` of the member called `name`; nil for none.
  public func position(of name: String) -> Int? { position(of: name, amongFirst: count) }

  /// Returns the position of a member; nil for none among the first ones, unless the object is large.
  private func position(of name: String, amongFirst count: Int) -> Int? {
    if let index = index.first { return index.position(of: name) }
    let members = members.span
    for position in 0..<count where members[position].name.hasSameBytes(as: name) {
      return position
    }
    return nil
  }

  /// Appends a member; returns false if its name is taken.
  @discardableResult
  public mutating func append(_ member: Member) -> Bool {
    if !index.isEmpty {
      guard index[0].append(member.name) else { return false }
      members.append(member)
      return true
    }
    guard position(of: member.name) == nil else { return false }
    appendAbsent(member)
    return true
  }

  /// Replaces the values of the members that another object has, too, and appends its other members.
  public mutating func assign(membersOf other: JSONObject) {
    // The names of the other object are unique, so that they are searched for among the present ones only.
    let present = count
    reserveCapacity(present + other.count)
    for member in other.members {
      if let position = position(of: member.name, amongFirst: present) {
        members[position].value = member.value
      } else {
        appendAbsent(member)
      }
    }
  }

  /// Restores a removed member at its position, or at the end if that is beyond it; in time proportional to
  /// `count`.
  mutating func restore(_ member: Member, at position: Int) {
    guard position < count else { return appendAbsent(member) }
    members.insert(member, at: position)
    if index.isEmpty || !index[0].restore(member.name, at: position) { reindex() }
  }

  /// Removes the member called `name` and returns its value; nil for none.
  @discardableResult
  public mutating func removeValue(forName name: String) -> JSON? {
    position(of: name).map { remove(at: $0).value }
  }

  /// Removes the members that satisfy `shouldRemove`, in time proportional to `count`.
  public mutating func removeAll(where shouldRemove: (Member) -> Bool) {
    let before = count
    members.removeAll(where: shouldRemove)
    if count != before { reindex() }
  }

  /// Reserves capacity for a number of members.
  public mutating func reserveCapacity(_ capacity: Int) {
    members.reserveCapacity(capacity)
  }

  @discardableResult
  mutating func remove(at position: Int) -> Member {
    let member = members.remove(at: position)
    if !index.isEmpty { index[0].remove(member.name) }
    return member
  }

  /// Appends a member, unless the value is nil. The object must not have one of that name yet.
  public mutating func add(_ name: String, _ value: JSON?) {
    if let value { appendAbsent(Member(name: name, value: value)) }
  }

  /// Appends a member with a name known to be free.
  mutating func appendAbsent(_ member: Member) {
    members.append(member)
    if !index.isEmpty {
      index[0].append(member.name)
    } else if members.count > Self.linearLimit {
      reindex()
    }
  }

  private mutating func reindex() {
    index = count > Self.linearLimit ? [JSONObjectIndex(names: members.lazy.map(\.name))] : []
  }

  /// The maximum number of members for linear search, which is faster than hashing up to it.
  private static var linearLimit: Int { 16 }
}

extension JSONObject: Hashable {
  /// True if both have the same names with equal values, in any order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
  }

  /// Hashes the members independently of their order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for member in members { sum &+= member.hashValue }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension JSONObject: Sequence {
  /// Returns an iterator over the members, in order.
  public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

/// The positions of the names of a large object, updated in constant time.
///
/// Every name gets a serial number when it is added. Until a member is removed, the serial is the position;
/// after that the position is found in the ascending list of remaining serials.
struct JSONObjectIndex: Sendable {
  private var serials: [NameBytes: Int] = [:]
  private var remaining: [Int]?
  private var next = 0

  init(names: some Collection<String>) {
    serials.reserveCapacity(names.count)
    for name in names { append(name) }
  }

  func position(of name: String) -> Int? {
    guard let serial = serials[NameBytes(name)] else { return nil }
    guard let remaining else { return serial }
    return remaining.partition { $0 < serial }
  }

  /// Appends a name; returns false if it exists.
  @discardableResult
  mutating func append(_ name: String) -> Bool {
    guard serials.register(NameBytes(name), as: next) else { return false }
    remaining?.append(next)
    next += 1
    return true
  }

  /// Adds a new name before the one at a position, under the serial number of a name removed there; returns
  /// false, without effect, if there is none.
  mutating func restore(_ name: String, at position: Int) -> Bool {
    guard let serial = freeSerial(at: position) else { return false }
    serials[NameBytes(name)] = serial
    remaining?.insert(serial, at: position)
    return true
  }

  private func freeSerial(at position: Int) -> Int? {
    guard let remaining, position < remaining.count else { return nil }
    let serial = position == 0 ? 0 : remaining[position - 1] + 1
    return serial < remaining[position] ? serial : nil
  }

  mutating func remove(_ name: String) {
    guard let position = position(of: name) else { return }
    serials[NameBytes(name)] = nil
    if remaining == nil { remaining = Array(0..<next) }
    remaining?.remove(at: position)
  }
}

extension [NameBytes: Int] {
  /// Adds `name` unless it exists, hashing it once.
  fileprivate mutating func register(_ name: NameBytes, as serial: Int) -> Bool {
    let stored = { (value: inout Int) in value }(&self[name, default: serial])
    return stored == serial
  }
}

extension [Int] {
  /// Returns the number of leading elements that satisfy `isBefore`; the array must be partitioned by it.
  fileprivate func partition(_ isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A name hashed and compared by its UTF-8 bytes.
private struct NameBytes: Hashable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (left: NameBytes, right: NameBytes) -> Bool {
    left.name.hasSameBytes(as: right.name)
  }

  func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}

extension JSON {
  /// The value at `pointer`; nil for none.
  ///
  /// Array indices are decimal without leading zeros; `-` refers to no existing element.
  public subscript(pointer: JSONPointer) -> JSON? { value(at: pointer) }

  /// Returns the value at `pointer`; nil for none.
  public func value(at pointer: JSONPointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      guard let child = value.child(token) else { return nil }
      value = child
    }
    return value
  }

  /// Returns the member or element for a token.
  func child(_ token: String) -> JSON? {
    switch self {
    case .object(let object): return object[token]
    case .array(let elements):
      guard let index = token.arrayIndex, elements.indices.contains(index) else { return nil }
      return elements[index]
    case .null, .bool, .int, .double, .string: return nil
    }
  }
}

extension String {
  /// The array index of the token by RFC 6901 (4): digits without leading zeros.
  ///
  /// An index larger than `Int` becomes `Int.max`, which is out of range.
  var arrayIndex: Int? {
    let digits = utf8
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1,
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(self) ?? .max
  }
}
