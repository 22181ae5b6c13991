public import JSONText

extension Value {
  /// Why a value has no JSON form.
  public enum Unrepresentable: Error, Sendable, Equatable {
    /// NaN and the infinities are no JSON numbers.
    case notFinite
    /// Members of a JSON object have string names; this key has another type.
    case key(ValueType)
    /// No value of this type has a JSON form.
    case type(ValueType)
  }

  /// The JSON form of the value.
  ///
  /// A `uint` is an integer where 64 signed bits hold it and a double otherwise; bytes are a
  /// base64 string, times, durations and addresses their text. Lists and maps that came from JSON are answered as they are.
  ///
  /// Throws `Unrepresentable` for what JSON cannot say.
  public var json: JSON {
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
      case .list(let list): return .array(try list.json)
      case .map(let map): return .object(try map.json)
      case .timestamp(let time): return .string(time.text)
      case .duration(let span): return .string(span.text)
      case .ip(let address): return .string(address.text)
      case .cidr(let network): return .string(network.text)
      case .type, .optional: throw .type(type)
      }
    }
  }
}

extension ListValue {
  fileprivate var json: [JSON] {
    get throws(Value.Unrepresentable) {
      switch self {
      case .json(let elements): return elements
      case .values(let elements):
        var json: [JSON] = []
        json.reserveCapacity(elements.count)
        for element in elements { json.append(try element.json) }
        return json
      }
    }
  }
}

extension MapValue {
  fileprivate var json: JSONObject {
    get throws(Value.Unrepresentable) {
      if case .json(let object) = self { return object }
      var object = JSONObject()
      for position in 0..<count {
        let (key, value) = entry(at: position)
        guard case .string(let name) = key else { throw .key(key.type) }
        object[name] = try value.json
      }
      return object
    }
  }
}
