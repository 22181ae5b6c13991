/// The members of a JSON object, in the order in which they were written, with unique names.
///
/// Names are compared and hashed by their UTF-8 bytes. A look-up in a large object takes
/// constant time; removing a member moves those behind it.
public struct JSONObject: Sendable {
  /// One name and its value.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public let name: String
    /// The member's value.
    public var value: JSON

    /// Joins a name and a value.
    public init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }

    /// True if names are the same bytes and values are equal.
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

  /// Empty while the object is searched member by member, else the one index.
  ///
  /// An array because it is a single word in every JSON value and copies on write.
  private var index: [JSONObjectIndex] = []

  /// An object without members.
  public init() {}

  /// An object with these members, or nil when two of them have the same name.
  public init?(_ members: [Member]) {
    reserveCapacity(members.count)
    for member in members where !append(member) { return nil }
  }

  /// The number of members.
  public var count: Int { members.count }

  /// True if there are no members.
  public var isEmpty: Bool { members.isEmpty }

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
      case (nil, let value?): appendAbsent(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The position in `members` of the member called `name`, or nil when there is none.
  public func position(of name: String) -> Int? {
    if let index = index.first { return index.position(of: name) }
    let members = members.span
    for position in members.indices where members[position].name.hasSameBytes(as: name) {
      return position
    }
    return nil
  }

  /// Appends `member` and answers true, or answers false when its name is taken.
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

  /// Puts a member whose name is known to be free back where it was, or behind the last one when
  /// that is beyond the end; in time proportional to `count`.
  mutating func restore(_ member: Member, at position: Int) {
    guard position < count else { return appendAbsent(member) }
    members.insert(member, at: position)
    if index.isEmpty || !index[0].restore(member.name, at: position) { reindex() }
  }

  /// Removes the member called `name` and answers its value, or nil when there is none.
  @discardableResult
  public mutating func removeValue(forName name: String) -> JSON? {
    position(of: name).map { remove(at: $0).value }
  }

  /// Removes the members that satisfy `shouldRemove`, in time proportional to their number.
  public mutating func removeAll(where shouldRemove: (Member) -> Bool) {
    let before = count
    members.removeAll(where: shouldRemove)
    if count != before { reindex() }
  }

  /// Makes room for `capacity` members.
  public mutating func reserveCapacity(_ capacity: Int) {
    members.reserveCapacity(capacity)
  }

  @discardableResult
  mutating func remove(at position: Int) -> Member {
    let member = members.remove(at: position)
    if !index.isEmpty { index[0].remove(member.name) }
    return member
  }

  /// Appends a member whose name is known to be free.
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

  /// Up to this many members are searched one by one, which is faster than hashing.
  private static var linearLimit: Int { 16 }
}

extension JSONObject: Hashable {
  /// True if both have the same names with equal values, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
  }

  /// Hashes the members so that their order makes no difference.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for member in members { sum &+= member.hashValue }
    hasher.combine(count)
    hasher.combine(sum)
  }
}

extension JSONObject: Sequence {
  /// The members in order.
  public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}

/// The positions of the names of a large object, updated in constant time.
///
/// Every name gets a serial number when it is added. As long as nothing was removed a serial is
/// the position; after that the ascending list of the serials left over is searched for it.
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

  /// Adds a name behind all others, or answers false when it is there already.
  @discardableResult
  mutating func append(_ name: String) -> Bool {
    guard serials.register(NameBytes(name), as: next) else { return false }
    remaining?.append(next)
    next += 1
    return true
  }

  /// Adds a name that is not there before the one at a position, under the serial number of one that
  /// was removed there; answers false, and changes nothing, when there is none.
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
  /// Hashes `name` once to add it, unless it is there.
  fileprivate mutating func register(_ name: NameBytes, as serial: Int) -> Bool {
    let stored = { (value: inout Int) in value }(&self[name, default: serial])
    return stored == serial
  }
}

extension [Int] {
  /// The number of leading elements that satisfy `isBefore`, which no later one may satisfy.
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
  /// The value at `pointer`, or nil when there is none.
  ///
  /// Array indices are decimal without leading zeros; `-` names no element that exists.
  public subscript(pointer: JSONPointer) -> JSON? { value(at: pointer) }

  /// The value at `pointer`, or nil when there is none.
  public func value(at pointer: JSONPointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      guard let child = value.child(token) else { return nil }
      value = child
    }
    return value
  }

  /// The member or element that a token names.
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
  /// The array index that the token is by RFC 6901 (4): digits without a leading zero.
  ///
  /// One that is larger than an `Int` is larger than every array: `Int.max`.
  var arrayIndex: Int? {
    let digits = utf8
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1,
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(self) ?? .max
  }
}
