extension Function {
  /// The functions of optionals (the "optional types" extension). `or`, `orValue`, `optMap` and `optFlatMap`
  /// evaluate their operands lazily, and so are not functions here.
  static let optionals = [
    Function(
      name: "optional.none", styles: [.global],
      body: .variadic(0, { (_, _) throws(Failure) in .optional(nil) })),
    Function(
      name: "optional.of", styles: [.global],
      body: .unary({ (value, _) throws(Failure) in .optional(value) })),
    Function(
      name: "optional.ofNonZeroValue", styles: [.global],
      body: .unary({ (value, _) throws(Failure) in .optional(value.isZero ? nil : value) })),
    Function(
      name: "hasValue", styles: [.member],
      body: .unary({ (value, _) throws(Failure) in
        guard case .optional(let optional) = value else {
          throw .noSuchOverload("hasValue", [value.type])
        }
        return .bool(optional != nil)
      })),
    Function(
      name: "value", styles: [.member],
      body: .unary({ (value, _) throws(Failure) in
        guard case .optional(let optional) = value else {
          throw .noSuchOverload("value", [value.type])
        }
        guard let optional else { throw .absent }
        return optional
      })),
  ]
}

extension Value {
  /// True for the zero value of a type; an optional with a value is not zero.
  fileprivate var isZero: Bool {
    switch self {
    case .null: true
    case .bool(let bool): !bool
    case .int(let int): int == 0
    case .uint(let uint): uint == 0
    case .double(let double): double == 0
    case .string(let string): string.isEmpty
    case .bytes(let bytes): bytes.isEmpty
    case .list(let list): list.count == 0
    case .map(let map): map.count == 0
    case .timestamp(let time): time.sinceEpoch == 0
    case .duration(let span): span.total == 0
    case .ip, .cidr, .optional, .type: false
    }
  }
}
