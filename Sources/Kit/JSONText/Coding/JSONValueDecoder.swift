/// Decodes one value.
final class JSONValueDecoder: Decoder {
  /// The value; nil for a missing member, which is decoded as empty.
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
  /// Decodes a value from JSON or from a missing member.
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

/// Reads the members of an object.
struct JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let decoder: JSONValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { object.position(of: key.stringValue) != nil }

  func decodeNil(forKey key: Key) -> Bool {
    if case .null? = object[key.stringValue] { true } else { false }
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let name = key.stringValue
    return try value(type, from: object[name], name)
  }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    let name = key.stringValue
    guard let json = object[name] else { return nil }
    // Null is a value of `JSON`.
    if case .null = json, type != JSON.self { return nil }
    return try value(type, from: json, name)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key.stringValue).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { nested("super") }

  func superDecoder(forKey key: Key) throws -> any Decoder { nested(key.stringValue) }

  private func nested(_ name: String) -> JSONValueDecoder {
    JSONValueDecoder(object[name], at: decoder.place.appending(name), decoder.maximumDepth)
  }

  private func value<Value: Decodable>(
    _ type: Value.Type, from json: JSON?, _ name: String
  ) throws -> Value {
    try JSONValueDecoder.value(
      type, from: json, at: decoder.place.appending(name), decoder.maximumDepth)
  }
}

/// Reads the elements of an array.
struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
  let elements: [JSON]
  let decoder: JSONValueDecoder
  private(set) var currentIndex = 0

  init(elements: [JSON], decoder: JSONValueDecoder) {
    self.elements = elements
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard case .null = try current() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try JSONValueDecoder.value(
      type, from: try current(), at: decoder.place.appending(currentIndex), decoder.maximumDepth)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try nested().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try nested() }

  private mutating func nested() throws -> JSONValueDecoder {
    let place = decoder.place.appending(currentIndex)
    let nested = JSONValueDecoder(try current(), at: place, decoder.maximumDepth)
    currentIndex += 1
    return nested
  }

  private func current() throws(JSONCodingFault) -> JSON {
    guard !isAtEnd else {
      throw JSONCodingFault(.endOfArray(count: elements.count), at: decoder.place)
    }
    return elements[currentIndex]
  }
}
