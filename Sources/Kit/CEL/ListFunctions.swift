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

  /// From 0 up to the number, without it; none when it is negative.
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
