public import JSONText

/// A map: a JSON object as it is, or entries that a program produced.
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

  /// The value of the entry called `name`, or nil when there is none.
  public subscript(name: String) -> Value? {
    switch self {
    case .json(let object): object[name].map { Value($0) }
    case .entries(let entries): entries[.string(name)]
    }
  }

  /// The value of the entry whose key equals `key`, or nil when there is none.
  ///
  /// Numbers are equal as keys when their values are, whatever their types.
  public subscript(key: Value) -> Value? {
    if case .string(let name) = key { return self[name] }
    guard case .entries(let entries) = self, let key = MapKey(lookingUp: key) else { return nil }
    return entries[key]
  }

  /// The entry at `position`, in the order in which the entries were written.
  ///
  /// `position` must be one of them.
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

/// The entries of a map that a program produced, in the order in which they were written, with
/// unique keys.
public struct MapEntries: Sendable {
  private var keys: [Value] = []
  private var values: [Value] = []
  private var positions: [MapKey: Int] = [:]

  /// No entries.
  public init() {}

  /// The number of entries.
  public var count: Int { keys.count }

  /// Adds an entry, and returns true if it could be added: a key of another type than bool, int,
  /// uint or string, or one that is present already, cannot.
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
