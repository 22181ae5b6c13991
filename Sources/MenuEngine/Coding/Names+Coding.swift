import JSONText

extension Identifier: Codable, CodingKeyRepresentable {
  /// Encodes the name as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// Decodes a name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let name = Self(coded: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(JSON.string(text)) is no name")
    }
    self = name
  }

  /// The name of the member that a dictionary has for it.
  public var codingKey: any CodingKey { JSONMemberName(rawValue) }

  /// The name that a member of a dictionary has.
  public init?(codingKey: some CodingKey) { self.init(coded: codingKey.stringValue) }

  /// A name of the engine's own, which may have a slash (the ends of registries), a dollar sign (a
  /// selector in its place) or more characters than a client's; always ASCII, so that comparing never
  /// normalises.
  private init?(coded text: String) {
    guard !text.utf8.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
    self.init(unchecked: text)
  }
}

extension Selector: Codable, CodingKeyRepresentable {
  /// Encodes the selector as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// Decodes a selector.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let selector = Selector(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(JSON.string(text)) is no selector")
    }
    self = selector
  }

  /// The name of the member that a dictionary has for it.
  public var codingKey: any CodingKey { JSONMemberName(rawValue) }

  /// The selector that a member of a dictionary is named as.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}
