/// The lists extension; `reverse` is with strings, and `sortBy` is a macro.
extension Function {
  static let lists = [
    Function(name: "lists.range", styles: [.global], body: .unary(range)),
    Function(name: "slice", styles: [.member], body: .variadic(3, slice)),
    Function(
      name: "flatten", styles: [.member],
      body: .unary({ (list, meter) throws(Failure) in try flatten(list, by: .int(1), &meter) })),
    Function(name: "flatten", styles: [.member], body: .binary(flatten)),
    Function(name: "distinct", styles: [.member], body: .unary(distinct)),
    Function(
      name: "sort", styles: [.member],
      body: .unary({ (value, meter) throws(Failure) in
        let elements = try list(value, "sort").elements
        try meter.produce(elements: elements.count)
        let order = try meter.sorting(elements, "sort")
        return .list(.values(order.map { elements[$0] }))
      })),
    Function(
      name: "first", styles: [.member],
      body: .unary({ (value, _) throws(Failure) in .optional(try list(value, "first")[0]) })),
    Function(
      name: "last", styles: [.member],
      body: .unary({ (value, _) throws(Failure) in
        let list = try list(value, "last")
        return .optional(list[list.count - 1])
      })),
  ]

  private static func list(_ value: Value, _ function: String) throws(Failure) -> ListValue {
    guard case .list(let list) = value else { throw .noSuchOverload(function, [value.type]) }
    return list
  }

  /// Returns the integers from 0 up to, but not including, the number; none if it is negative.
  private static func range(_ value: Value, _ meter: inout Meter) throws(Failure) -> Value {
    guard case .int(let count) = value else { throw .noSuchOverload("lists.range", [value.type]) }
    guard count > 0 else { return .list(.values([])) }
    try meter.produce(elements: Int(count))
    return .list(.values((0..<count).map { .int($0) }))
  }

  private static func slice(_ arguments: [Value], _ meter: inout Meter) throws(Failure) -> Value {
    guard case .list(let list) = arguments[0], case .int(let start) = arguments[1],
      case .int(let end) = arguments[2]
    else { throw .noSuchOverload("slice", arguments.map(\.type)) }
    for index in [start, end] where index < 0 || index > list.count {
      throw .indexOutOfRange(index, count: list.count)
    }
    guard start <= end else { throw .argument(.range(start, end)) }
    try meter.produce(elements: Int(end - start))
    return .list(.values((Int(start)..<Int(end)).compactMap { list[$0] }))
  }

  private static func flatten(
    _ value: Value, by depth: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .list(let list) = value, case .int(let depth) = depth else {
      throw .noSuchOverload("flatten", [value.type, depth.type])
    }
    guard depth >= 0 else { throw .argument(.negative(depth, function: "flatten")) }
    var flat: [Value] = []
    try append(list, to: &flat, flattenedBy: depth, &meter)
    return .list(.values(flat))
  }

  private static func append(
    _ list: ListValue, to flat: inout [Value], flattenedBy depth: Int64, _ meter: inout Meter
  ) throws(Failure) {
    try meter.enter()
    defer { meter.leave() }
    for position in 0..<list.count {
      try meter.produce(elements: flat.count + 1, growingBy: 1)
      guard let element = list[position] else { continue }
      if depth > 0, case .list(let inner) = element {
        try append(inner, to: &flat, flattenedBy: depth - 1, &meter)
      } else {
        flat.append(element)
      }
    }
  }

  private static func distinct(_ value: Value, _ meter: inout Meter) throws(Failure) -> Value {
    let list = try list(value, "distinct")
    var known = ValueSet()
    var distinct: [Value] = []
    for position in 0..<list.count {
      guard let element = list[position] else { continue }
      if try known.insert(element, &meter) { distinct.append(element) }
    }
    return .list(.values(distinct))
  }
}

/// The sets extension: lists as sets.
extension Function {
  static let sets = [
    ofLists("sets.contains") { (first, second, meter) throws(Failure) in
      try first.containsAll(of: second, &meter)
    },
    ofLists("sets.equivalent") { (first, second, meter) throws(Failure) in
      guard try first.containsAll(of: second, &meter) else { return false }
      return try second.containsAll(of: first, &meter)
    },
    ofLists("sets.intersects") { (first, second, meter) throws(Failure) in
      let set = try ValueSet(first, &meter)
      for position in 0..<second.count {
        if let element = second[position], try set.contains(element, &meter) { return true }
      }
      return false
    },
  ]

  private static func ofLists(
    _ name: String,
    _ answer: @escaping @Sendable (ListValue, ListValue, inout Meter) throws(Failure) -> Bool
  ) -> Function {
    Function(
      name: name, styles: [.global],
      body: .binary({ (first, second, meter) throws(Failure) in
        guard case .list(let left) = first, case .list(let right) = second else {
          throw .noSuchOverload(name, [first.type, second.type])
        }
        return .bool(try answer(left, right, &meter))
      }))
  }
}

extension ListValue {
  /// True if the list contains all elements of `part`.
  fileprivate func containsAll(
    of part: ListValue, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    let set = try ValueSet(self, &meter)
    for position in 0..<part.count {
      if let element = part[position], try !set.contains(element, &meter) { return false }
    }
    return true
  }
}

extension Function {
  /// `size(x)` and `x.size()`: code points of a string, bytes, elements of a list, entries of a map.
  static let sizes = [
    Function(
      name: "size", styles: [.global, .member],
      body: .unary({ (value, meter) throws(Failure) in .int(Int64(try size(of: value, &meter))) }))
  ]

  private static func size(of value: Value, _ meter: inout Meter) throws(Failure) -> Int {
    switch value {
    case .string(let string):
      try meter.charge(bytes: string.utf8.count)
      return string.unicodeScalars.count
    case .bytes(let bytes): return bytes.count
    case .list(let list): return list.count
    case .map(let map): return map.count
    case .null, .bool, .int, .uint, .double, .timestamp, .duration, .ip, .cidr, .optional, .type:
      throw .noSuchOverload("size", [value.type])
    }
  }
}

extension Meter {
  /// Returns the positions of `keys` in ascending order, stably.
  ///
  /// Throws unless all keys have one type, which has an order.
  mutating func sorting(_ keys: [Value], _ function: String) throws(Failure) -> [Int] {
    guard let first = keys.first else { return [] }
    for key in keys {
      try charge()
      guard key.type == first.type else {
        throw .argument(.mixedTypes(first.type, key.type))
      }
    }
    guard first.isSortable else { throw .noSuchOverload(function, [first.type]) }
    return try merging(Array(keys.indices)) { (left, right, meter) throws(Failure) in
      try keys[right].order(to: keys[left], .less, &meter) == .less
    }
  }

  /// Returns the positions in the order of the names, byte for byte.
  mutating func sorting(names: [String]) throws(Failure) -> [Int] {
    try sorting(names.map { .string($0) }, "")
  }

  /// Merge sort; `isAfter` is true if the first position must come after the second.
  private mutating func merging(
    _ positions: [Int], isAfter: (Int, Int, inout Meter) throws(Failure) -> Bool
  ) throws(Failure) -> [Int] {
    var runs = positions
    var length = 1
    while length < runs.count {
      var merged: [Int] = []
      merged.reserveCapacity(runs.count)
      for start in stride(from: 0, to: runs.count, by: 2 * length) {
        let middle = min(start + length, runs.count)
        let end = min(middle + length, runs.count)
        var left = start
        var right = middle
        while left < middle, right < end {
          try charge()
          if try isAfter(runs[left], runs[right], &self) {
            merged.append(runs[right])
            right += 1
          } else {
            merged.append(runs[left])
            left += 1
          }
        }
        merged += runs[left..<middle]
        merged += runs[right..<end]
      }
      runs = merged
      length *= 2
    }
    return runs
  }
}

extension Value {
  fileprivate var isSortable: Bool {
    switch self {
    case .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration: true
    case .null, .list, .map, .ip, .cidr, .optional, .type: false
    }
  }
}
