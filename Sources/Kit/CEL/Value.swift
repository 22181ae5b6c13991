public import JSONText

/// A value of the language.
///
/// Values from JSON are wrapped, not converted: a list or map shares the document's storage.
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
  /// Keys are strings, integers and Booleans; those of a JSON object are strings.
  case map(MapValue)
  case timestamp(Timestamp)
  case duration(TimeSpan)
  indirect case ip(IPAddress)
  indirect case cidr(IPNetwork)
  /// A type, which is a value, too.
  case type(ValueType)
  /// A value that may be absent, such as the result of `.?`.
  indirect case optional(Value?)
}

extension Value {
  /// Wraps a JSON value.
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

  /// The type of the value, as `type(x)` returns it.
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

  /// The name of the conversion to the type, also used in messages.
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

extension Value {
  /// A reason why a value has no JSON form.
  public enum Unrepresentable: Error, Sendable, Equatable {
    /// NaN and the infinities are not JSON numbers.
    case notFinite
    /// Members of a JSON object have string names; this key has another type.
    case key(ValueType)
    /// Values of this type have no JSON form.
    case type(ValueType)
    /// Neither 64 signed bits nor a double hold this integer exactly.
    case largeInteger(UInt64)
    /// The JSON form exceeds `maximumJSONSize`: a value with shared parts can be small but long when written.
    case tooLarge
  }

  /// The maximum size of the JSON form of a value, in values and bytes of text.
  public static let maximumJSONSize = 1 << 20

  /// The JSON form of the value.
  ///
  /// A `uint` is an integer if 64 signed bits hold it, else the equal double; bytes are a base64 string, times,
  /// durations and addresses their text. Lists and maps from JSON are returned unchanged.
  ///
  /// - Throws: `Unrepresentable` if there is none.
  public var json: JSON {
    get throws(Unrepresentable) {
      var room = Self.maximumJSONSize
      return try json(&room)
    }
  }

  fileprivate func json(_ room: inout Int) throws(Unrepresentable) -> JSON {
    switch self {
    case .list(let list): return .array(try list.json(&room))
    case .map(let map): return .object(try map.json(&room))
    default:
      let json = try scalar
      guard json.spend(depth: 1, size: &room) == .fits else { throw .tooLarge }
      return json
    }
  }

  private var scalar: JSON {
    get throws(Unrepresentable) {
      switch self {
      case .null: return .null
      case .bool(let bool): return .bool(bool)
      case .int(let int): return .int(int)
      case .uint(let uint):
        if let int = Int64(exactly: uint) { return .int(int) }
        guard let double = Double(exactly: uint) else { throw .largeInteger(uint) }
        return .double(double)
      case .double(let double):
        guard double.isFinite else { throw .notFinite }
        return .double(double)
      case .string(let string): return .string(string)
      case .bytes(let bytes): return .string(Base64.text(bytes))
      case .timestamp(let time): return .string(time.text)
      case .duration(let span): return .string(span.text)
      case .ip(let address): return .string(address.text)
      case .cidr(let network): return .string(network.text)
      case .list, .map, .type, .optional: throw .type(type)
      }
    }
  }
}

extension ListValue {
  fileprivate func json(_ room: inout Int) throws(Value.Unrepresentable) -> [JSON] {
    if case .json(let elements) = self {
      guard JSON.array(elements).spend(depth: .max, size: &room) == .fits else { throw .tooLarge }
      return elements
    }
    room -= 1
    guard room >= 0 else { throw .tooLarge }
    var json: [JSON] = []
    for position in 0..<count {
      guard let element = self[position] else { continue }
      json.append(try element.json(&room))
    }
    return json
  }
}

extension MapValue {
  fileprivate func json(_ room: inout Int) throws(Value.Unrepresentable) -> JSONObject {
    if case .json(let object) = self {
      guard JSON.object(object).spend(depth: .max, size: &room) == .fits else { throw .tooLarge }
      return object
    }
    room -= 1
    guard room >= 0 else { throw .tooLarge }
    var object = JSONObject()
    for position in 0..<count {
      let (key, value) = entry(at: position)
      guard case .string(let name) = key else { throw .key(key.type) }
      room -= name.utf8.count
      object[name] = try value.json(&room)
    }
    return object
  }
}

extension Value: CustomStringConvertible {
  /// The literal of the value, for messages and explanations; long ones are shortened.
  public var description: String { text(upTo: Self.shownLength) }

  /// Returns the literal, shortened to about `length` bytes.
  package func text(upTo length: Int) -> String {
    var writer = LiteralWriter(room: length)
    writer.write(self)
    return writer.text
  }

  /// The maximum length of a literal in a message.
  static let shownLength = 240
}

/// Writes values as literals, up to a length.
private struct LiteralWriter {
  private(set) var text = ""
  private var room: Int
  private var depth = 0

  init(room: Int) { self.room = room }

  mutating func write(_ value: Value) {
    switch value {
    case .null: append("null")
    case .bool(let bool): append(bool ? "true" : "false")
    case .int(let int): append(String(int))
    case .uint(let uint): append("\(uint)u")
    case .double(let double):
      append(double.isFinite ? double.description : "double(\"\(double.shortestText)\")")
    case .string(let string): writeQuoted(string.unicodeScalars)
    case .bytes(let bytes):
      append("b")
      writeQuoted(bytes.lazy.map { Unicode.Scalar($0) }, areBytes: true)
    case .list(let list): writeList(list)
    case .map(let map): writeMap(map)
    case .timestamp(let time): append("timestamp(\"\(time.text)\")")
    case .duration(let span): append("duration(\"\(span.text)\")")
    case .ip(let address): append("ip(\"\(address.text)\")")
    case .cidr(let network): append("cidr(\"\(network.text)\")")
    case .type(let type): append(type.rawValue)
    case .optional(nil): append("optional.none()")
    case .optional(let value?):
      writeParts(1, between: "optional.of(", and: ")") { writer, _ in writer.write(value) }
    }
  }

  private mutating func append(_ part: String) {
    text += part
    room -= part.utf8.count
  }

  private mutating func writeList(_ list: ListValue) {
    writeParts(list.count, between: "[", and: "]") { writer, position in
      if let element = list[position] { writer.write(element) }
    }
  }

  private mutating func writeMap(_ map: MapValue) {
    writeParts(map.count, between: "{", and: "}") { writer, position in
      let (key, value) = map.entry(at: position)
      writer.write(key)
      writer.append(": ")
      writer.write(value)
    }
  }

  private mutating func writeParts(
    _ count: Int, between open: String, and close: String,
    _ part: (inout LiteralWriter, Int) -> Void
  ) {
    append(open)
    depth += 1
    for position in 0..<count {
      if position > 0 { append(", ") }
      guard room > 0, depth < 16 else {
        append("…")
        break
      }
      part(&self, position)
    }
    depth -= 1
    append(close)
  }

  /// Writes scalars, or bytes as scalars.
  private mutating func writeQuoted(
    _ scalars: some Sequence<Unicode.Scalar>, areBytes: Bool = false
  ) {
    append("\"")
    for scalar in scalars {
      guard room > 0 else {
        append("…")
        break
      }
      if let escape = escape(scalar, isByte: areBytes) {
        append(escape)
      } else {
        text.unicodeScalars.append(scalar)
        room -= UTF8.width(scalar)
      }
    }
    append("\"")
  }
}

/// Returns the escape of the scalar in quotes; nil if it needs none. In bytes, every octet beyond ASCII is escaped:
/// `"ÿ"` would be two octets.
private func escape(_ scalar: Unicode.Scalar, isByte: Bool) -> String? {
  switch scalar {
  case "\"": "\\\""
  case "\\": "\\\\"
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  case _ where scalar.value < 0x20 || (0x7F...(isByte ? 0xFF : 0x9F)).contains(scalar.value):
    "\\x" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
  default: nil
  }
}

/// A set by the language's equality: constant-time for keys of maps and whole doubles, linear for other values.
struct ValueSet {
  private var keys: Set<MapKey> = []
  private var others: [Value] = []

  init() {}

  init(_ list: ListValue, _ meter: inout Meter) throws(EvaluationFault.Reason) {
    for position in 0..<list.count {
      guard let element = list[position] else { continue }
      if MapKey(lookingUp: element) != nil {
        try insert(element, &meter)
      } else {
        try meter.charge()
        others.append(element)
      }
    }
  }

  /// Adds `value`; returns false if an equal one was present.
  @discardableResult
  mutating func insert(
    _ value: Value, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    try meter.charge(adding: value)
    if let key = MapKey(lookingUp: value) { return keys.insert(key).inserted }
    guard try !contains(value, &meter) else { return false }
    others.append(value)
    return true
  }

  /// True if the set has a value equal to `value`.
  func contains(
    _ value: Value, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    try meter.charge(key: value)
    if let key = MapKey(lookingUp: value) { return keys.contains(key) }
    for other in others {
      try meter.charge()
      if try other.isEqual(to: value, &meter) { return true }
    }
    return false
  }
}
