/// Writes the members of an object.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: JSONValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.append(.json(.null), named: key.stringValue) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let json = try json(of: value, key)
    // A client's value is there also when it is empty.
    if json.isEmpty, Value.self != JSON.self, Value.self != JSONObject.self { return }
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
