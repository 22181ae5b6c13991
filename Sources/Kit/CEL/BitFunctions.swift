/// The functions of the math extension for the bits of integers.
extension Function {
  static let bits = [
    combination("math.bitAnd", { $0 & $1 }),
    combination("math.bitOr", { $0 | $1 }),
    combination("math.bitXor", { $0 ^ $1 }),
    Function(
      name: "math.bitNot", styles: [.global],
      body: .unary({ (value, _) throws(Failure) in
        switch value {
        case .int(let int): .int(~int)
        case .uint(let uint): .uint(~uint)
        default: throw .noSuchOverload("math.bitNot", [value.type])
        }
      })),
    shift("math.bitShiftLeft", { $0 << $1 }),
    shift("math.bitShiftRight", { $0 >> $1 }),
  ]

  private static func combination(
    _ name: String, _ combine: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> Function {
    Function(
      name: name, styles: [.global],
      body: .binary({ (left, right, _) throws(Failure) in
        switch (left, right) {
        case (.uint(let left), .uint(let right)): .uint(combine(left, right))
        case (.int(let left), .int(let right)):
          .int(
            Int64(bitPattern: combine(UInt64(bitPattern: left), UInt64(bitPattern: right))))
        default: throw .noSuchOverload(name, [left.type, right.type])
        }
      }))
  }

  /// Zeros come in from either side, and are all that is left after 64 places.
  private static func shift(
    _ name: String, _ shift: @escaping @Sendable (UInt64, Int64) -> UInt64
  ) -> Function {
    Function(
      name: name, styles: [.global],
      body: .binary({ (value, places, _) throws(Failure) in
        guard case .int(let count) = places else {
          throw .noSuchOverload(name, [value.type, places.type])
        }
        guard count >= 0 else { throw .argument(.negative(count, function: name)) }
        switch value {
        case .uint(let uint): return .uint(shift(uint, count))
        case .int(let int): return .int(Int64(bitPattern: shift(UInt64(bitPattern: int), count)))
        default: throw .noSuchOverload(name, [value.type, places.type])
        }
      }))
  }
}
