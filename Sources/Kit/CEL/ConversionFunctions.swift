import JSONText

extension Function {
  /// The conversions named after types, `type(x)` and `dyn(x)` (langdef "List of Standard Definitions").
  static let conversions = [
    Function(
      name: "dyn", styles: [.global], body: .unary({ (value, _) throws(Failure) in value })),
    Function(
      name: "type", styles: [.global],
      body: .unary({ (value, _) throws(Failure) in .type(value.type) })),
    conversion(to: .bool) { $0.convertedToBool },
    conversion(to: .int) { $0.convertedToInt },
    conversion(to: .uint) { $0.convertedToUInt },
    conversion(to: .double) { $0.convertedToDouble },
    conversion(to: .string) { $0.convertedToString },
    conversion(to: .bytes) { $0.convertedToBytes },
    conversion(to: .timestamp) { $0.convertedToTimestamp },
    conversion(to: .duration) { $0.convertedToDuration },
    conversion(to: .ip) { $0.convertedToAddress },
    conversion(to: .cidr) { $0.convertedToNetwork },
  ]

  /// `convert` returns nil for types that it does not accept, and `.some(nil)` for a value without counterpart.
  private static func conversion(
    to type: ValueType, _ convert: @escaping @Sendable (Value) -> Value??
  ) -> Function {
    Function(
      name: type.name, styles: [.global],
      body: .unary({ (value, meter) throws(Failure) in
        try meter.charge(conversionOf: value, to: type)
        guard let result = convert(value) else {
          throw .noSuchOverload(type.name, [value.type])
        }
        guard let result else {
          throw .conversion(of: try meter.describing(value), to: type)
        }
        return result
      }))
  }
}

extension Meter {
  /// Charges for reading or writing a text.
  fileprivate mutating func charge(
    conversionOf value: Value, to type: ValueType
  ) throws(Failure) {
    if value.type == type { return }
    let bytes = value.byteCount
    switch type {
    case .string where bytes == 0: try charge(value.textCost)
    case .string, .bytes: try produce(bytes: bytes)
    case .duration: try charge(bytes / 4)
    case .ip, .cidr: try charge(IPAddress.cost)
    default: try charge(bytes: bytes)
    }
  }
}

extension Value {
  fileprivate var byteCount: Int {
    switch self {
    case .string(let string): string.utf8.count
    case .bytes(let bytes): bytes.count
    case .null, .bool, .int, .uint, .double, .list, .map, .timestamp, .duration, .ip, .cidr,
      .optional,
      .type:
      0
    }
  }

  fileprivate var convertedToBool: Value?? {
    switch self {
    case .bool: self
    case .string(let string): .some(string.asBool.map { .bool($0) })
    case .null, .int, .uint, .double, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr,
      .optional, .type:
      nil
    }
  }

  /// A double is rounded toward zero, and must be strictly within the range of integers.
  fileprivate var convertedToInt: Value?? {
    switch self {
    case .int: self
    case .uint(let uint): .some(Int64(exactly: uint).map { .int($0) })
    case .double(let double):
      double > -0x1p63 && double < 0x1p63 ? .int(Int64(double)) : .some(nil)
    case .string(let string): .some(Int64(string).map { .int($0) })
    case .timestamp(let time): .int(time.seconds)
    case .null, .bool, .bytes, .list, .map, .duration, .ip, .cidr, .optional, .type: nil
    }
  }

  fileprivate var convertedToUInt: Value?? {
    switch self {
    case .uint: self
    case .int(let int): .some(UInt64(exactly: int).map { .uint($0) })
    case .double(let double):
      double >= 0 && double < 0x1p64 ? .uint(UInt64(double)) : .some(nil)
    case .string(let string): .some(string.unsigned.map { .uint($0) })
    case .null, .bool, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .optional, .type: nil
    }
  }

  fileprivate var convertedToDouble: Value?? {
    switch self {
    case .double: self
    case .int(let int): .double(Double(int))
    case .uint(let uint): .double(Double(uint))
    case .string(let string): .some(string.double.map { .double($0) })
    case .null, .bool, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .optional, .type: nil
    }
  }

  fileprivate var convertedToString: Value?? {
    switch self {
    case .string: self
    case .bool(let bool): .string(bool ? "true" : "false")
    case .int(let int): .string(String(int))
    case .uint(let uint): .string(String(uint))
    case .double(let double): .string(double.shortestText)
    case .bytes(let bytes): .some(String(validating: bytes, as: UTF8.self).map { .string($0) })
    case .timestamp(let time): .string(time.text)
    case .duration(let span): .string(span.text)
    case .ip(let address): .string(address.text)
    case .cidr(let network): .string(network.text)
    case .null, .list, .map, .optional, .type: nil
    }
  }

  fileprivate var convertedToBytes: Value?? {
    switch self {
    case .bytes: self
    case .string(let string): .bytes(Array(string.utf8))
    case .null, .bool, .int, .uint, .double, .list, .map, .timestamp, .duration, .ip, .cidr,
      .optional,
      .type:
      nil
    }
  }

  /// An int is the seconds since 1970.
  fileprivate var convertedToTimestamp: Value?? {
    switch self {
    case .timestamp: self
    case .int(let int): .some(Timestamp(seconds: int).map { .timestamp($0) })
    case .string(let string): .some(Timestamp(string).map { .timestamp($0) })
    default: nil
    }
  }

  fileprivate var convertedToDuration: Value?? {
    switch self {
    case .duration: self
    case .string(let string): .some(TimeSpan(string).map { .duration($0) })
    default: nil
    }
  }

  fileprivate var convertedToAddress: Value?? {
    switch self {
    case .ip: self
    case .string(let string): .some(IPAddress(string).map { .ip($0) })
    default: nil
    }
  }

  fileprivate var convertedToNetwork: Value?? {
    switch self {
    case .cidr: self
    case .string(let string): .some(IPNetwork(string).map { .cidr($0) })
    default: nil
    }
  }
}

extension String {
  /// Swift would also accept "+5".
  fileprivate var unsigned: UInt64? {
    utf8.first?.isDigit == true ? UInt64(self) : nil
  }

  /// The number; nil if it is too large. Only "inf" and the like are infinite.
  fileprivate var double: Double? {
    guard let double = Double(self) else { return nil }
    return double.isInfinite && utf8.contains(where: \.isDigit) ? nil : double
  }
}

extension String {
  /// The Boolean for a word. Words are compared by bytes: patterns of a `switch` would be normalized, which
  /// takes minutes for a long sequence of combining marks.
  fileprivate var asBool: Bool? {
    let isAmong = { (words: [String]) in words.contains(where: self.hasSameBytes(as:)) }
    if isAmong(["true", "TRUE", "True", "t", "1"]) { return true }
    return isAmong(["false", "FALSE", "False", "f", "0"]) ? false : nil
  }
}
