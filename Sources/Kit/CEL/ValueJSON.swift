public import JSONText

extension Value {
  /// A reason why a value has no JSON form.
  public enum Unrepresentable: Error, Sendable, Equatable {
    /// NaN and the infinities are no JSON numbers.
    case notFinite
    /// Members of a JSON object have string names; this key has another type.
    case key(ValueType)
    /// No value of this type has a JSON form.
    case type(ValueType)
    /// It is larger than `maximumJSONSize`: a value that is small because its parts are shared can
    /// be long when all of them are written.
    case tooLarge
  }

  /// The most values and bytes of text that the JSON form of a value may have.
  public static let maximumJSONSize = 1 << 20

  /// The JSON form of the value.
  ///
  /// A `uint` is an integer where 64 signed bits hold it and a double otherwise; bytes are a
  /// base64 string, times, durations and addresses their text. Lists and maps that came from JSON
  /// are answered as they are.
  ///
  /// Throws `Unrepresentable` for what JSON cannot say.
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
      case .uint(let uint): return Int64(exactly: uint).map { .int($0) } ?? .double(Double(uint))
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
