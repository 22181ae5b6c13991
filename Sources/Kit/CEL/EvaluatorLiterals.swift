/// Lists and maps that are made while the program is evaluated.
extension Evaluator {
  mutating func list(
    of elements: [NodeID], _ root: Root
  ) throws(Failure) -> Value {
    try meter.produce(elements: elements.count)
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      if let value = try self.element(element, root) { values.append(value) }
    }
    return .list(.values(values))
  }

  /// The value of an element, or nil when it is the value of an absent optional.
  private mutating func element(_ id: NodeID, _ root: Root) throws(Failure) -> Value? {
    let value = try value(of: id, root)
    guard case .spread = code.instructions[id] else { return value }
    site = id
    guard case .optional(let optional) = value else { throw .noSuchOverload("?", [value.type]) }
    return optional
  }

  mutating func map(
    of entries: [SyntaxTree.Entry], _ root: Root
  ) throws(Failure) -> Value {
    try meter.produce(elements: entries.count)
    var map = MapEntries()
    for entry in entries {
      let key = try value(of: entry.key, root)
      guard MapKey(key) != nil else {
        site = entry.key
        throw .unsupportedKey(key.type)
      }
      guard let value = try element(entry.value, root) else { continue }
      try append(key, value, to: &map, at: entry.key)
    }
    return .map(.entries(map))
  }

  /// Adds an entry, which costs as much as its key is long; `id` is to blame for a key that is there.
  mutating func append(
    _ key: Value, _ value: Value, to map: inout MapEntries, at id: NodeID
  ) throws(Failure) {
    try meter.charge(adding: key)
    guard map.append(key: key, value: value) else {
      site = id
      throw .duplicateKey(try meter.describing(key))
    }
  }
}
