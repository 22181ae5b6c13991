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
  /// base64 string. Lists and maps that came from JSON are answered as they are.
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
      case .bytes(let bytes): return .string(base64(bytes))
      case .list(let list): return .array(try list.json)
      case .map(let map): return .object(try map.json)
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

/// The standard alphabet of RFC 4648 (4), padded.
private func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    var digits: [UInt8] = []
    for _ in 0..<4 {
      digits.append(alphabet[bits & 63])
      bits >>= 6
    }
    let kept = group.count + 1
    text += digits.reversed().prefix(kept) + Array(repeating: UInt8(ascii: "="), count: 4 - kept)
  }
  return String(decoding: text, as: UTF8.self)
}
