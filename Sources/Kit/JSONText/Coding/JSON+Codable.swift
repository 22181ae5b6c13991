extension JSON: Codable {
  /// Encodes the value as what it is. Other coders than this module's may lose the order of members,
  /// and the difference between 1 and 1.0.
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
  /// Encodes the members in their order.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? JSONValueEncoder { return encoder.set(.object(self)) }
    var container = encoder.container(keyedBy: JSONMemberName.self)
    for member in members {
      try container.encode(member.value, forKey: JSONMemberName(member.name))
    }
  }

  /// Decodes the members, in whatever order the decoder gives them.
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
