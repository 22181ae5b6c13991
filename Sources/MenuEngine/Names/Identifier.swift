import JSONText

/// The name of a `Subject`: 1 to 128 of the characters `A–Z a–z 0–9 _ . : -`.
///
/// Only ASCII is allowed, so that comparing and hashing need no Unicode normalization.
public struct Identifier<Subject>: Hashable, Sendable {
  /// The name as text.
  public let rawValue: String

  /// Creates the identifier with this text; nil if it is empty, too long or has another character.
  public init?(_ text: String) {
    guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    rawValue = text
  }

  /// Creates an identifier from a text known to be valid.
  init(unchecked text: String) { rawValue = text }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension Identifier {
  /// False for `.` and `..`, which clients treat as path segments, so that they cannot be in a URL.
  package var isAddressable: Bool {
    !rawValue.hasSameBytes(as: ".") && !rawValue.hasSameBytes(as: "..")
  }
}

extension Identifier: CustomStringConvertible {
  /// The name as text.
  public var description: String { rawValue }
}

/// The name of a command, by default its selector (M1).
public typealias CommandID = Identifier<Command>
/// The name of a menu (M3).
public typealias MenuID = Identifier<ValidatedMenu>
/// The name of a responder in its session.
public typealias ResponderID = Identifier<Responder>
/// The name of a responder class in the catalogue.
package typealias ClassName = Identifier<ResponderClass>
/// The name of a session.
public typealias SessionID = Identifier<Session>

/// The name of a method, whose colons count its arguments: `copy:`, `insert:at:`.
///
/// A selector is one ASCII word, or a row of possibly empty words each followed by a colon, in
/// 1 to 128 characters; a word has letters, digits, `_` and `$` and does not begin with a digit.
public struct Selector: Hashable, Sendable {
  /// The selector as text.
  public let rawValue: String

  /// Creates the selector with this text; nil if the text is malformed.
  public init?(_ text: String) {
    guard (1...128).contains(text.utf8.count) else { return nil }
    var isWordStart = true
    for byte in text.utf8 {
      guard Self.isAllowed(byte, atWordStart: isWordStart) else { return nil }
      isWordStart = byte == UInt8(ascii: ":")
    }
    let hasColons = text.utf8.contains(UInt8(ascii: ":"))
    guard !hasColons || text.utf8.last == UInt8(ascii: ":"), text != ":" else { return nil }
    rawValue = text
  }

  /// The number of arguments of a message with this selector.
  package var argumentCount: Int { rawValue.utf8.count { $0 == UInt8(ascii: ":") } }

  /// The selector to which a catch-all forwards every message (F5): `handleAction:`.
  package static let handleAction = Selector(unchecked: "handleAction:")

  private init(unchecked text: String) { rawValue = text }

  private static func isAllowed(_ byte: UInt8, atWordStart isWordStart: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: ":"):
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): !isWordStart
    default: false
    }
  }
}

extension Selector: CustomStringConvertible {
  /// The selector as text.
  public var description: String { rawValue }
}

// String literals must be valid names; the initializers from any text return nil for invalid ones.

extension Identifier: ExpressibleByStringLiteral {
  /// Creates a name from a literal. Traps if the text is invalid.
  public init(stringLiteral text: String) {
    guard let name = Identifier(text) else { preconditionFailure("'\(text)' is no name") }
    self = name
  }
}

extension Selector: ExpressibleByStringLiteral {
  /// Creates a selector from a literal. Traps if the text is invalid.
  public init(stringLiteral text: String) {
    guard let selector = Selector(text) else { preconditionFailure("'\(text)' is no selector") }
    self = selector
  }
}

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

  /// The name as a member of an encoded dictionary.
  public var codingKey: any CodingKey { JSONMemberName(rawValue) }

  /// Creates a name from a member of an encoded dictionary.
  public init?(codingKey: some CodingKey) { self.init(coded: codingKey.stringValue) }

  /// Creates a decoded name, which may have characters that clients' names cannot: a slash (registry ends) or a dollar
  /// sign (a selector as name), and which may be longer. It is always ASCII, so that comparing needs no normalization.
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

  /// The selector as a member of an encoded dictionary.
  public var codingKey: any CodingKey { JSONMemberName(rawValue) }

  /// Creates a selector from a member of an encoded dictionary.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}
