/// A JSON Pointer (RFC 6901), a place in a value: `/menus/0/title`.
///
/// Tokens are compared and hashed by their UTF-8 bytes.
public struct JSONPointer: Sendable {
  private let form: Form

  /// A longer pointer shares the shorter one: reading a document creates many pointers, and needs the tokens of few.
  private enum Form: Sendable {
    case tokens([String])
    indirect case member(Form, String)
    indirect case element(Form, Int)

    func append(to tokens: inout [String]) {
      switch self {
      case .tokens(let first): tokens += first
      case .member(let place, let name):
        place.append(to: &tokens)
        tokens.append(name)
      case .element(let place, let index):
        place.append(to: &tokens)
        tokens.append(index.description)
      }
    }
  }

  private init(_ form: Form) { self.form = form }

  /// The whole value, the empty string.
  public static let root = JSONPointer([])

  /// Creates a pointer from unescaped tokens.
  public init(_ tokens: [String]) { form = .tokens(tokens) }

  /// The unescaped member names and array indices.
  public var tokens: [String] {
    if case .tokens(let tokens) = form { return tokens }
    var tokens: [String] = []
    tokens.reserveCapacity(8)
    form.append(to: &tokens)
    return tokens
  }

  /// Parses the string representation of RFC 6901 (3), not the URI fragment.
  public init(parsing text: String) throws(JSONPointerFault) {
    let (bytes, slash) = (Array(text.utf8), UInt8(ascii: "/"))
    guard !bytes.isEmpty else {
      self = .root
      return
    }
    guard bytes[0] == slash else { throw .missingSlash }
    var tokens: [String] = []
    tokens.reserveCapacity(bytes.reduce(0) { $1 == slash ? $0 + 1 : $0 })
    var start = 1
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: slash) ?? bytes.count
      tokens.append(try Self.unescaped(bytes[start..<end]))
      start = end + 1
    }
    form = .tokens(tokens)
  }

  /// Returns the place of a member of the value at this place.
  public func appending(_ token: String) -> JSONPointer { JSONPointer(.member(form, token)) }

  /// Returns the place of an element of the value at this place.
  public func appending(_ index: Int) -> JSONPointer { JSONPointer(.element(form, index)) }

  /// True if `other` is this place or inside it.
  public func contains(_ other: JSONPointer) -> Bool {
    let (tokens, others) = (tokens, other.tokens)
    return tokens.count <= others.count
      && zip(tokens, others).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  /// Returns a token, whose offsets are those in the whole text.
  private static func unescaped(_ token: ArraySlice<UInt8>) throws(JSONPointerFault) -> String {
    guard token.contains(UInt8(ascii: "~")) else { return String(decoding: token, as: UTF8.self) }
    var bytes: [UInt8] = []
    var escape: Int?
    for (offset, byte) in zip(token.indices, token) {
      switch (escape, byte) {
      case (nil, UInt8(ascii: "~")): escape = offset
      case (nil, _): bytes.append(byte)
      case (_?, UInt8(ascii: "0")): (escape, _) = (nil, bytes.append(UInt8(ascii: "~")))
      case (_?, UInt8(ascii: "1")): (escape, _) = (nil, bytes.append(UInt8(ascii: "/")))
      case (let escape?, _): throw .invalidEscape(offset: escape)
      }
    }
    if let escape { throw .invalidEscape(offset: escape) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONPointer: Hashable {
  /// True if both have the same tokens, byte for byte.
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.tokens.elementsEqual(right.tokens) { $0.hasSameBytes(as: $1) }
  }

  /// Hashes the tokens' bytes.
  public func hash(into hasher: inout Hasher) {
    let tokens = tokens
    hasher.combine(tokens.count)
    for token in tokens { token.hashBytes(into: &hasher) }
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The string representation of RFC 6901 (3).
  public var description: String { tokens.reduce(into: "") { $0 += "/" + Self.escaped($1) } }

  /// Returns a token as it stands between slashes.
  static func escaped(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
    else { return token }
    return token.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

/// A reason why a string is not a JSON Pointer.
public enum JSONPointerFault: Error, Equatable, Sendable {
  /// The string is neither empty nor begins with a slash.
  case missingSlash
  /// The tilde at this offset is not followed by 0 or 1.
  case invalidEscape(offset: Int)
}

extension JSONPointerFault: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .missingSlash: "A JSON Pointer is empty or begins with a slash."
    case .invalidEscape(let offset):
      "The tilde at offset \(offset) must be followed by 0 (a tilde) or 1 (a slash)."
    }
  }
}
