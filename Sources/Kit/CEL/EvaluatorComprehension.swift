/// Comprehensions (langdef "Macros" and the two-variable extension).
extension Evaluator {
  mutating func comprehension(
    _ macro: Comprehension, over source: Value, at id: NodeID, _ root: Root
  ) throws(Failure) -> Value {
    if macro.kind == .optMap || macro.kind == .optFlatMap {
      return try mapped(macro, over: source, at: id, root)
    }
    guard let count = source.entryCount, macro.kind != .sortBy || source.type == .list else {
      throw .noSuchOverload(macro.kind.rawValue, [source.type])
    }
    var result = Result(macro.kind)
    for position in 0..<count {
      try meter.charge()
      let entry = source.entry(at: position)
      bind(macro, to: entry)
      if let condition = macro.condition, try !isTrue(condition, for: macro, root) { continue }
      if try add(entry, of: macro, to: &result, at: id, root) { break }
    }
    site = id
    return try value(of: result)
  }

  private mutating func mapped(
    _ macro: Comprehension, over source: Value, at id: NodeID, _ root: Root
  ) throws(Failure) -> Value {
    guard case .optional(let optional) = source else {
      throw .noSuchOverload(macro.kind.rawValue, [source.type])
    }
    guard let optional else { return source }
    locals[macro.slot] = optional
    let value = try value(of: macro.body, root)
    site = id
    if macro.kind == .optMap { return .optional(value) }
    guard value.type == .optional else { throw .noSuchOverload("optFlatMap", [value.type]) }
    return value
  }

  /// The intermediate result.
  private struct Result {
    var outcome: Conjunction
    var found = 0
    var elements: [Value] = []
    var entries = MapEntries()
    var keys: [Value] = []
    let kind: Comprehension.Kind

    init(_ kind: Comprehension.Kind) {
      self.kind = kind
      outcome = Conjunction(kind == .exists ? .or : .and)
    }
  }

  /// Sets the variables of `macro` for one element of `source`.
  mutating func bind(_ macro: Comprehension, toElement position: Int, of source: Value) {
    if case .optional(let optional) = source {
      locals[macro.slot] = optional ?? .null
    } else {
      bind(macro, to: source.entry(at: position))
    }
  }

  private mutating func bind(_ macro: Comprehension, to entry: ComprehensionElement) {
    if macro.variables.count == 1 {
      locals[macro.slot] = entry.single
    } else {
      locals[macro.slot] = entry.key
      locals[macro.slot + 1] = entry.value
    }
  }

  /// Evaluates the body for one element. Returns true if the remaining elements no longer matter.
  private mutating func add(
    _ entry: ComprehensionElement, of macro: Comprehension, to result: inout Result, at id: NodeID,
    _ root: Root
  ) throws(Failure) -> Bool {
    switch macro.kind {
    case .all, .exists:
      return try decides(macro.body, of: macro.kind.rawValue, in: &result.outcome, root)
    case .existsOne:
      if try isTrue(macro.body, for: macro, root) { result.found += 1 }
    case .filter:
      if try isTrue(macro.body, for: macro, root) { try append(entry.single, to: &result) }
    case .map, .transformList, .optMap, .optFlatMap, .bind:
      try append(try value(of: macro.body, root), to: &result)
    case .transformMap:
      let value = try value(of: macro.body, root)
      try meter.produce(elements: result.entries.count + 1, growingBy: 1)
      try append(entry.key, value, to: &result.entries, at: id)
    case .transformMapEntry:
      try append(entriesOf: try value(of: macro.body, root), to: &result, at: macro.body)
    case .sortBy:
      result.keys.append(try value(of: macro.body, root))
      try append(entry.single, to: &result)
    }
    return false
  }

  private mutating func append(_ value: Value, to result: inout Result) throws(Failure) {
    try meter.produce(elements: result.elements.count + 1, growingBy: 1)
    result.elements.append(value)
  }

  private mutating func append(
    entriesOf value: Value, to result: inout Result, at id: NodeID
  ) throws(Failure) {
    site = id
    guard case .map(let map) = value else {
      throw .noSuchOverload("transformMapEntry", [value.type])
    }
    try meter.produce(elements: result.entries.count + map.count, growingBy: map.count)
    for position in 0..<map.count {
      let (key, value) = map.entry(at: position)
      try append(key, value, to: &result.entries, at: id)
    }
  }

  private mutating func isTrue(
    _ id: NodeID, for macro: Comprehension, _ root: Root
  ) throws(Failure) -> Bool {
    let value = try value(of: id, root)
    site = id
    guard case .bool(let bool) = value else {
      throw .noSuchOverload(macro.kind.rawValue, [value.type])
    }
    return bool
  }

  private mutating func value(of result: Result) throws(Failure) -> Value {
    switch result.kind {
    case .all, .exists: return try self.result(of: result.outcome)
    case .existsOne: return .bool(result.found == 1)
    case .map, .filter, .transformList, .optMap, .optFlatMap, .bind:
      return .list(.values(result.elements))
    case .transformMap, .transformMapEntry: return .map(.entries(result.entries))
    case .sortBy:
      let order = try meter.sorting(result.keys, "sortBy")
      return .list(.values(order.map { result.elements[$0] }))
    }
  }
}

/// An element of a list with its index, or an entry of a map.
private struct ComprehensionElement {
  let key: Value
  let value: Value
  /// The value for a macro with one variable: the element of a list, the key of a map.
  let single: Value
}

extension Value {
  /// Returns the maximum number of evaluations of a macro's body; nil for a value that the macro does not
  /// accept.
  func elementCount(for kind: Comprehension.Kind) -> Int? {
    guard kind == .optMap || kind == .optFlatMap else { return entryCount }
    guard case .optional(let value) = self else { return nil }
    return value == nil ? 0 : 1
  }

  /// The number of elements or entries; nil for other values.
  fileprivate var entryCount: Int? {
    switch self {
    case .list(let list): list.count
    case .map(let map): map.count
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .ip, .cidr,
      .optional, .type:
      nil
    }
  }

  fileprivate func entry(at position: Int) -> ComprehensionElement {
    switch self {
    case .list(let list):
      let element = list[position] ?? .null
      return ComprehensionElement(key: .int(Int64(position)), value: element, single: element)
    case .map(let map):
      let (key, value) = map.entry(at: position)
      return ComprehensionElement(key: key, value: value, single: key)
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .ip, .cidr,
      .optional, .type:
      return ComprehensionElement(key: .null, value: .null, single: .null)
    }
  }
}
