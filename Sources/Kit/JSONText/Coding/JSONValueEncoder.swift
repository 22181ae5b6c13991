/// Encodes one value, and stores what has been encoded so far.
///
/// A class, since its containers all write into it.
final class JSONValueEncoder: Encoder {
  /// A part of a value, finished or still open.
  enum Part {
    case json(JSON)
    case open(JSONValueEncoder)

    var json: JSON {
      switch self {
      case .json(let json): json
      case .open(let encoder): encoder.json
      }
    }
  }

  struct Member {
    let name: String
    let part: Part
  }

  private enum Content {
    case nothing
    case value(JSON)
    case array
    case object
  }

  let place: CodingPlace
  let maximumDepth: Int
  private var content = Content.nothing
  // Not in `content`, where every change would copy them.
  private(set) var elements: [Part] = []
  private var members: [Member] = []

  init(at place: CodingPlace, _ maximumDepth: Int) {
    self.place = place
    self.maximumDepth = maximumDepth
  }

  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    beginObject()
    return KeyedEncodingContainer(JSONKeyedEncoding<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    beginArray()
    return JSONUnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// The value encoded so far; an empty object if none.
  var json: JSON {
    switch content {
    case .nothing: .object(JSONObject())
    case .value(let json): json
    case .array: .array(elements.map(\.json))
    case .object: .object(object)
    }
  }

  private var object: JSONObject {
    var object = JSONObject()
    object.reserveCapacity(members.count)
    members.sort { $0.name.bytesPrecede($1.name) }
    for (index, member) in members.enumerated() {
      // The last member of a name wins.
      if index + 1 < members.count, members[index + 1].name.hasSameBytes(as: member.name) {
        continue
      }
      object.appendAbsent(JSONObject.Member(name: member.name, value: member.part.json))
    }
    return object
  }

  private func beginObject() {
    if case .object = content { return }
    content = .object
  }

  private func beginArray() {
    if case .array = content { return }
    content = .array
  }

  func set(_ json: JSON) { content = .value(json) }

  func append(_ part: Part) { elements.append(part) }

  func append(_ part: Part, named name: String) { members.append(Member(name: name, part: part)) }

  /// Returns an encoder for a member that is encoded later.
  func open(named name: String) -> JSONValueEncoder {
    let encoder = JSONValueEncoder(at: place.appending(name), maximumDepth)
    append(.open(encoder), named: name)
    return encoder
  }

  /// Returns an encoder for an element that is encoded later.
  func openElement() -> JSONValueEncoder {
    let encoder = JSONValueEncoder(at: place.appending(elements.count), maximumDepth)
    append(.open(encoder))
    return encoder
  }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { set(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    set(try JSONPrimitive.json(of: value, at: place) ?? Self.nested(value, at: place, maximumDepth))
  }
}

extension JSONValueEncoder {
  /// Encodes a value.
  static func json<Value: Encodable>(
    of value: Value, at place: @autoclosure () -> CodingPlace, _ maximumDepth: Int
  ) throws -> JSON {
    if let json = try JSONPrimitive.json(of: value, at: place()) { return json }
    return try nested(value, at: place(), maximumDepth)
  }

  private static func nested<Value: Encodable>(
    _ value: Value, at place: CodingPlace, _ maximumDepth: Int
  ) throws -> JSON {
    guard place.depth <= maximumDepth else {
      throw JSONCodingFault(.tooDeep(maximumDepth), at: place)
    }
    let encoder = JSONValueEncoder(at: place, maximumDepth)
    try value.encode(to: encoder)
    return encoder.json
  }
}

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

  /// True if members are properties of a type, which are omitted when empty, unlike those of a dictionary: the
  /// keys of a type are cases of an enum, others contain a name.
  private static var isProperty: Bool { MemoryLayout<Key>.size < MemoryLayout<String>.size }

  /// True for the types of clients' values, which are kept when empty.
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
