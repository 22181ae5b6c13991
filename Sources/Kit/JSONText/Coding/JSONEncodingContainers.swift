/// Writes the members of an object.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: JSONValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.append(.json(.null), named: key.stringValue) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let json = try json(of: value, key)
    if json.isEmpty, Self.isProperty, !Self.isClients(Value.self) { return }
    encoder.append(.json(json), named: key.stringValue)
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    guard let value else { return }
    encoder.append(.json(try json(of: value, key)), named: key.stringValue)
  }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
    guard let value else { return }
    encoder.append(.json(.bool(value)), named: key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder.open(named: key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.open(named: key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.open(named: "super") }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.open(named: key.stringValue) }

  /// True if members are properties of a type, and not of a dictionary, whose members are there also
  /// when they are empty: the keys of a type are the cases of an enum, others carry a name with them.
  private static var isProperty: Bool { MemoryLayout<Key>.size < MemoryLayout<String>.size }

  /// True if values of a type are a client's, and there also when they are empty.
  private static func isClients<Value>(_ type: Value.Type) -> Bool {
    type == JSON.self || type == JSONObject.self
  }

  private func json<Value: Encodable>(of value: Value, _ key: Key) throws -> JSON {
    try JSONValueEncoder.json(
      of: value, at: encoder.place.appending(key.stringValue), encoder.maximumDepth)
  }
}

/// Writes the elements of an array.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: JSONValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.elements.count }

  func encodeNil() { encoder.append(.json(.null)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    let json = try JSONValueEncoder.json(
      of: value, at: encoder.place.appending(count), encoder.maximumDepth)
    encoder.append(.json(json))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.openElement().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.openElement().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.openElement() }
}
