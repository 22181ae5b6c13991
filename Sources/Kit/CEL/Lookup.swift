/// Look-ups in lists and maps (langdef "Field Selection").
extension Value {
  typealias Failure = EvaluationFault.Reason

  /// Returns the value of the field `name`.
  func selecting(_ name: String, _ meter: inout Meter) throws(Failure) -> Value {
    if case .optional = self { return .optional(try selectingOptionally(name, &meter)) }
    guard case .map(let map) = self else { throw .noSuchOverload("." + name, [type]) }
    try meter.charge(name: name)
    if let value = map[name] { return value }
    throw try map.noSuchKey(.string(name), &meter)
  }

  /// Returns the value of the field `name`; nil if it or this optional is absent.
  func selectingOptionally(_ name: String, _ meter: inout Meter) throws(Failure) -> Value? {
    try meter.charge(key: .string(name))
    if case .optional(let value) = self { return try value?.selectingOptionally(name, &meter) }
    guard case .map(let map) = self else { throw .noSuchOverload("." + name, [type]) }
    return map[name]
  }

  /// True if a map has the field `name`.
  func has(_ name: String, _ meter: inout Meter) throws(Failure) -> Bool {
    try meter.charge(name: name)
    if case .optional(let value) = self { return try value?.has(name, &meter) ?? false }
    guard case .map(let map) = self else { throw .noSuchOverload("has", [type]) }
    return map[name] != nil
  }

  /// Returns the element of a list, or the value in a map, at `index`.
  func indexed(by index: Value, _ meter: inout Meter) throws(Failure) -> Value {
    switch self {
    case .list(let list):
      return try list.element(at: index)
    case .map(let map) where index.isKey:
      try meter.charge(key: index)
      if let value = map[index] { return value }
      throw try map.noSuchKey(index, &meter)
    case .optional:
      return .optional(try findingOptionally(index, &meter))
    case .map, .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .ip,
      .cidr, .type:
      throw .noSuchOverload("[]", [type, index.type])
    }
  }

  /// Returns the element or value at `index`; nil if it or this optional is absent.
  func findingOptionally(_ index: Value, _ meter: inout Meter) throws(Failure) -> Value? {
    if case .optional(let value) = self {
      try meter.charge()
      return try value?.findingOptionally(index, &meter)
    }
    if case .map(let map) = self, index.isKey {
      try meter.charge(key: index)
      return map[index]
    }
    do throws(Failure) {
      return try indexed(by: index, &meter)
    } catch {
      switch error {
      case .noSuchKey, .indexOutOfRange: return nil
      default: throw error
      }
    }
  }

  /// True if a list has an element, or a map a key, equal to this value.
  func isIn(_ container: Value, _ meter: inout Meter) throws(Failure) -> Bool {
    switch container {
    case .list(let list):
      for position in 0..<list.count {
        try meter.charge()
        if let element = list[position], try element.isEqual(to: self, &meter) { return true }
      }
      return false
    case .map(let map):
      try meter.charge(key: self)
      return map[self] != nil
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .ip, .cidr,
      .optional, .type:
      throw .noSuchOverload("in", [type, container.type])
    }
  }

  /// True for valid keys, and for doubles, which may equal one.
  private var isKey: Bool {
    switch self {
    case .bool, .int, .uint, .double, .string: true
    case .null, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .optional, .type: false
    }
  }
}

extension ListValue {
  /// Returns an element; an integral double is also an index.
  fileprivate func element(at index: Value) throws(EvaluationFault.Reason) -> Value {
    let position: Int64? =
      switch index {
      case .int(let int): int
      case .uint(let uint): Int64(clamping: uint)
      case .double(let double): Int64(exactly: double)
      case .null, .bool, .string, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .optional,
        .type:
        nil
      }
    guard let position else { throw .noSuchOverload("[]", [.list, index.type]) }
    guard let element = self[Int(position)] else {
      throw .indexOutOfRange(position, count: count)
    }
    return element
  }
}

extension MapValue {
  /// Returns the fault of a missing `key`, with the first of the existing keys.
  fileprivate func noSuchKey(
    _ key: Value, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> EvaluationFault.Reason {
    var available: [String] = []
    for position in 0..<min(count, 24) {
      available.append(try meter.describing(entry(at: position).key, upTo: 64))
    }
    return .noSuchKey(try meter.describing(key), available: available, count: count)
  }
}
