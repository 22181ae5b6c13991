public import JSONText

/// A value of the language.
///
/// Values that come from JSON are wrapped, not converted: a list or map shares the document's
/// storage.
public enum Value: Sendable {
  case null
  case bool(Bool)
  /// A JSON number without fraction and exponent.
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  /// Code points; equality and order are those of its UTF-8 bytes.
  case string(String)
  case bytes([UInt8])
  case list(ListValue)
  /// Keys are strings, integers and booleans; those of a JSON object are strings.
  case map(MapValue)
  case timestamp(Timestamp)
  case duration(TimeSpan)
  indirect case ip(IPAddress)
  indirect case cidr(IPNetwork)
  /// A type, which is a value too.
  case type(ValueType)
  /// A value that may be absent, as `.?` answers it.
  indirect case optional(Value?)
}

extension Value {
  /// The value that `json` is in the language.
  public init(_ json: consuming JSON) {
    switch consume json {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .int(let int): self = .int(int)
    case .double(let double): self = .double(double)
    case .string(let string): self = .string(string)
    case .array(let elements): self = .list(.json(elements))
    case .object(let object): self = .map(.json(object))
    }
  }

  /// The type of the value, as `type(x)` answers it.
  public var type: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint: .uint
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .list: .list
    case .map: .map
    case .timestamp: .timestamp
    case .duration: .duration
    case .ip: .ip
    case .cidr: .cidr
    case .type: .type
    case .optional: .optional
    }
  }
}

/// The type of a value.
public enum ValueType: String, Sendable, CaseIterable {
  case null = "null_type"
  case bool
  case int
  case uint
  case double
  case string
  case bytes
  case list
  case map
  case timestamp = "google.protobuf.Timestamp"
  case duration = "google.protobuf.Duration"
  case ip = "net.IP"
  case cidr = "net.CIDR"
  case type
  case optional = "optional_type"

  /// The name of the conversion to it; messages call it as `type(x)` does.
  var name: String {
    switch self {
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .ip: "ip"
    case .cidr: "cidr"
    case .null, .bool, .int, .uint, .double, .string, .bytes, .list, .map, .type, .optional:
      rawValue
    }
  }
}
