public import JSONText

/// A map: a JSON object, or entries created by a program.
public enum MapValue: Sendable {
  case json(JSONObject)
  case entries(MapEntries)

  /// The number of entries.
  public var count: Int {
    switch self {
    case .json(let object): object.count
    case .entries(let entries): entries.count
    }
  }

  /// The value of the entry called `name`; nil for none.
  public subscript(name: String) -> Value? {
    switch self {
    case .json(let object): object[name].map { Value($0) }
    case .entries(let entries): entries[.string(name)]
    }
  }

  /// The value of the entry whose key equals `key`; nil for none.
  ///
  /// Numbers are equal keys if their values are equal, whatever their types.
  public subscript(key: Value) -> Value? {
    if case .string(let name) = key { return self[name] }
    guard case .entries(let entries) = self, let key = MapKey(lookingUp: key) else { return nil }
    return entries[key]
  }

  /// Returns the entry at `position`, in insertion order; it must exist.
  public func entry(at position: Int) -> (key: Value, value: Value) {
    switch self {
    case .json(let object):
      let member = object.members[position]
      return (.string(member.name), Value(member.value))
    case .entries(let entries):
      return entries.entry(at: position)
    }
  }
}

/// The entries of a map created by a program, in insertion order, with unique keys.
public struct MapEntries: Sendable {
  private var keys: [Value] = []
  private var values: [Value] = []
  private var positions: [MapKey: Int] = [:]

  /// Creates an empty map.
  public init() {}

  /// The number of entries.
  public var count: Int { keys.count }

  /// Adds an entry; returns false for a key of a type other than bool, int, uint or string, and for an existing
  /// key.
  @discardableResult
  public mutating func append(key: Value, value: Value) -> Bool {
    guard let position = MapKey(key), positions[position] == nil else { return false }
    positions[position] = keys.count
    keys.append(key)
    values.append(value)
    return true
  }

  subscript(key: MapKey) -> Value? { positions[key].map { values[$0] } }

  func entry(at position: Int) -> (key: Value, value: Value) {
    (keys[position], values[position])
  }
}

/// A key for look-ups: integers by value whatever their type, strings by UTF-8 bytes.
enum MapKey: Sendable {
  case bool(Bool)
  case int(Int64)
  /// Only values beyond the range of `int`.
  case large(UInt64)
  case string(String)

  /// Nil if `value` has a type that map keys cannot have.
  init?(_ value: Value) {
    switch value {
    case .bool(let bool): self = .bool(bool)
    case .int(let int): self = .int(int)
    case .uint(let uint): self = Int64(exactly: uint).map { .int($0) } ?? .large(uint)
    case .string(let string): self = .string(string)
    case .null, .double, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .optional, .type:
      return nil
    }
  }

  /// Creates the key that `value` may equal; besides the key types it can be a double with an integral value.
  init?(lookingUp value: Value) {
    guard case .double(let double) = value else {
      self.init(value)
      return
    }
    if let int = Int64(exactly: double) {
      self = .int(int)
    } else if let uint = UInt64(exactly: double) {
      self = .large(uint)
    } else {
      return nil
    }
  }
}

extension MapKey: Hashable {
  static func == (left: MapKey, right: MapKey) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.large(let left), .large(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.bool, _), (.int, _), (.large, _), (.string, _): false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .bool(let bool): hasher.combine(bool)
    case .int(let int): hasher.combine(int)
    case .large(let uint): hasher.combine(uint)
    case .string(let string): string.hashBytes(into: &hasher)
    }
  }
}

/// A list: a JSON array, or elements created by a program.
public enum ListValue: Sendable {
  case json([JSON])
  case values([Value])

  /// The number of elements.
  public var count: Int {
    switch self {
    case .json(let elements): elements.count
    case .values(let elements): elements.count
    }
  }

  /// The element at `index`; nil if out of range.
  public subscript(index: Int) -> Value? {
    guard index >= 0, index < count else { return nil }
    switch self {
    case .json(let elements): return Value(elements[index])
    case .values(let elements): return elements[index]
    }
  }

  /// All elements, in order.
  var elements: [Value] {
    switch self {
    case .json(let elements): elements.map { Value($0) }
    case .values(let elements): elements
    }
  }
}
