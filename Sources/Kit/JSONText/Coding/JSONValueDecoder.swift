/// Decodes one value.
final class JSONValueDecoder: Decoder {
  /// The value; nil for a member that is missing, which is read as an empty one.
  let json: JSON?
  let place: CodingPlace
  let maximumDepth: Int

  init(_ json: JSON?, at place: CodingPlace, _ maximumDepth: Int) {
    self.json = json
    self.place = place
    self.maximumDepth = maximumDepth
  }

  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    switch json {
    case .object(let object):
      return KeyedDecodingContainer(JSONKeyedDecoding<Key>(object: object, decoder: self))
    case nil:
      return KeyedDecodingContainer(JSONKeyedDecoding<Key>(object: JSONObject(), decoder: self))
    case .null?, .bool?, .int?, .double?, .string?, .array?: throw expected(.object)
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch json {
    case .array(let elements): return JSONUnkeyedDecoding(elements: elements, decoder: self)
    case nil: return JSONUnkeyedDecoding(elements: [], decoder: self)
    case .null?, .bool?, .int?, .double?, .string?, .object?: throw expected(.array)
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func expected(_ kind: JSONCodingFault.Kind) -> JSONCodingFault {
    JSONCodingFault(.expected(kind, found: json?.kind ?? .null), at: place)
  }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null? = json { true } else { false }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try Self.value(type, from: json, at: place, maximumDepth)
  }
}

extension JSONValueDecoder {
  /// The value of a type that JSON, or a member that is missing, stands for.
  static func value<Value: Decodable>(
    _ type: Value.Type, from json: JSON?, at place: @autoclosure () -> CodingPlace,
    _ maximumDepth: Int
  ) throws -> Value {
    if let value = try JSONPrimitive.value(type, from: json, at: place()) { return value }
    let place = place()
    guard place.depth <= maximumDepth else {
      throw JSONCodingFault(.tooDeep(maximumDepth), at: place)
    }
    return try Value(from: JSONValueDecoder(json, at: place, maximumDepth))
  }
}
