import JSONText

/// A key by which entries are found: integers by their value whatever their type, strings by their
/// UTF-8 bytes.
enum MapKey: Sendable {
  case bool(Bool)
  case int(Int64)
  /// Only those beyond the range of `int`.
  case large(UInt64)
  case string(String)

  /// The key `value` is in a map, or nil when its type is none that a map allows.
  init?(_ value: Value) {
    switch value {
    case .bool(let bool): self = .bool(bool)
    case .int(let int): self = .int(int)
    case .uint(let uint): self = Int64(exactly: uint).map { .int($0) } ?? .large(uint)
    case .string(let string): self = .string(string)
    case .null, .double, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .optional, .type:
      return nil
    }
  }

  /// The key that `value` may be equal to, which besides the allowed types may be a double with
  /// an integral value.
  init?(lookingUp value: Value) {
    guard case .double(let double) = value else {
      self.init(value)
      return
    }
    if let int = Int64(exactly: double) {
      self = .int(int)
    } else if let uint = UInt64(exactly: double) {
      self = .large(uint)
    } else {
      return nil
    }
  }
}

extension MapKey: Hashable {
  static func == (left: MapKey, right: MapKey) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.large(let left), .large(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.bool, _), (.int, _), (.large, _), (.string, _): false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .bool(let bool): hasher.combine(bool)
    case .int(let int): hasher.combine(int)
    case .large(let uint): hasher.combine(uint)
    case .string(let string): string.hashBytes(into: &hasher)
    }
  }
}
