extension Function {
  /// `size(x)` and `x.size()`: code points of a string, bytes, elements of a list, entries of a
  /// map.
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
