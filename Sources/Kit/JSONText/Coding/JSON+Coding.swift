// Coding of Swift's `Codable` types as JSON, without Foundation.
//
// - Integers are `int`, floating-point numbers `double`, both exact; other numbers are refused.
// - Members are sorted by the UTF-8 bytes of their names, so that equal values give equal bytes, even
//   dictionaries, if their keys are `CodingKeyRepresentable`.
// - A property that is `nil` has no member, nor has a non-optional one that is empty: `false`, `[]` or `{}`. A
//   missing member is decoded as that, so a property added later is empty in older data.
// - A `JSON` or `JSONObject` is included unchanged, in its own order; a `JSON?` distinguishes `nil` and null.

extension JSON {
  /// The default limit for the nesting of encoded or decoded arrays and objects.
  ///
  /// More than the 128 levels of a client's value, which is nested in others.
  public static let codingDepth = 512

  /// Encodes a value.
  ///
  /// - Throws: `JSONCodingFault` if the value contains something that JSON cannot express, such as an infinite
  ///   number, if a type refuses to encode it, or if its nesting exceeds `maximumDepth`.
  public init(
    encoding value: some Encodable, maximumDepth: Int = codingDepth
  ) throws(JSONCodingFault) {
    let json: JSON
    do {
      json = try JSONValueEncoder.json(of: value, at: .root, maximumDepth)
    } catch {
      throw JSONCodingFault(error)
    }
    if let obstacle = json.obstacle(depth: maximumDepth, of: maximumDepth) {
      throw JSONCodingFault(obstacle.reason, at: JSONPointer(obstacle.way.reversed()))
    }
    self = json
  }

  /// Decodes a value encoded by `init(encoding:)`.
  ///
  /// - Throws: `JSONCodingFault` with the place of the first mismatch.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, maximumDepth: Int = codingDepth
  ) throws(JSONCodingFault) -> Value {
    do {
      return try JSONValueDecoder.value(type, from: self, at: .root, maximumDepth)
    } catch {
      throw JSONCodingFault(error)
    }
  }
}

extension JSON {
  /// Returns the reason why the value would not read back: a number that is not finite, or more than `depth`
  /// levels, the remainder of `limit`; with the path, innermost step first.
  ///
  /// Clients' values are included without an earlier check.
  fileprivate func obstacle(
    depth: Int, of limit: Int
  ) -> (reason: JSONCodingFault.Reason, way: [String])? {
    switch self {
    case .null, .bool, .int, .string: return nil
    case .double(let double): return double.isFinite ? nil : (.inexact(double.description), [])
    case .array(let elements):
      guard depth > 0 else { return (.tooDeep(limit), []) }
      for (index, element) in elements.enumerated() {
        guard let found = element.obstacle(depth: depth - 1, of: limit) else { continue }
        return (found.reason, found.way + [index.description])
      }
    case .object(let object):
      guard depth > 0 else { return (.tooDeep(limit), []) }
      for member in object.members {
        guard let found = member.value.obstacle(depth: depth - 1, of: limit) else { continue }
        return (found.reason, found.way + [member.name])
      }
    }
    return nil
  }
}

extension JSON: Codable {
  /// Encodes the value unchanged. Coders other than this module's may lose the order of members, and the
  /// difference between 1 and 1.0.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? JSONValueEncoder { return encoder.set(self) }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .int(let int): try container.encode(int)
    case .double(let double): try container.encode(double)
    case .string(let string): try container.encode(string)
    case .array(let elements): try container.encode(elements)
    case .object(let object): try container.encode(object)
    }
  }

  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONValueDecoder {
      self = try decoder.decode(JSON.self)
    } else if let members = try? decoder.container(keyedBy: JSONMemberName.self) {
      self = .object(try JSONObject(members))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
      self = .array(elements)
    } else {
      self = try JSON(scalar: decoder.singleValueContainer())
    }
  }

  private init(scalar container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? container.decode(Int64.self) {
      self = .int(int)
    } else if let double = try? container.decode(Double.self) {
      self = .double(double)
    } else {
      self = .string(try container.decode(String.self))
    }
  }
}

extension JSONObject: Codable {
  /// Encodes the members in order.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? JSONValueEncoder { return encoder.set(.object(self)) }
    var container = encoder.container(keyedBy: JSONMemberName.self)
    for member in members {
      try container.encode(member.value, forKey: JSONMemberName(member.name))
    }
  }

  /// Decodes the members, in the order given by the decoder.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONValueDecoder {
      self = try decoder.decode(JSONObject.self)
      return
    }
    try self.init(decoder.container(keyedBy: JSONMemberName.self))
  }

  fileprivate init(_ container: KeyedDecodingContainer<JSONMemberName>) throws {
    for name in container.allKeys {
      append(Member(name: name.stringValue, value: try container.decode(JSON.self, forKey: name)))
    }
  }
}

extension JSONPointer: Codable {
  /// Encodes the string representation of RFC 6901.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes the string representation of RFC 6901.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(JSONPointerFault) {
      try self.init(parsing: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }
}
