extension JSON {
  /// The treatment of a second member of one name in an object, which RFC 8259 (4) discourages but
  /// does not forbid.
  public enum DuplicateNames: Sendable {
    /// The text is refused with `duplicateName`.
    case refused
    /// The last member's value takes the first one's place.
    case lastWins
  }

  /// The treatment of an integer beyond 64 bits.
  public enum LargeIntegers: Sendable {
    /// It becomes the nearest double.
    case rounded
    /// As `rounded` if it is the double exactly or its shortest decimal, so that nothing is lost; else the text is
    /// refused with `integerOutOfRange`.
    case exact
  }

  /// Parses a UTF-8 text that holds exactly one JSON value, strictly by RFC 8259.
  ///
  /// A number without fraction and exponent that fits 64 signed bits is an `int` (`-0` is the
  /// int 0), every other number the nearest `double`. A byte order mark, a number beyond the
  /// doubles, a lone surrogate and bytes that are not UTF-8 are refused.
  ///
  /// Nesting is counted, not recursed into: `maximumDepth` arrays and objects may be open at
  /// once, whatever the stack holds. The default is 128.
  public init(
    parsing bytes: [UInt8], maximumDepth: Int = 128, duplicates: DuplicateNames = .refused,
    integers: LargeIntegers = .rounded
  ) throws(JSONFault) {
    try self.init(
      parsing: bytes.span, maximumDepth: maximumDepth, duplicates: duplicates, integers: integers)
  }

  /// Parses a string as its UTF-8 bytes.
  public init(
    parsing text: String, maximumDepth: Int = 128, duplicates: DuplicateNames = .refused,
    integers: LargeIntegers = .rounded
  ) throws(JSONFault) {
    try self.init(
      parsing: text.utf8.span, maximumDepth: maximumDepth, duplicates: duplicates,
      integers: integers)
  }

  /// Parses bytes that somebody else owns.
  public init(
    parsing bytes: Span<UInt8>, maximumDepth: Int = 128, duplicates: DuplicateNames = .refused,
    integers: LargeIntegers = .rounded
  ) throws(JSONFault) {
    var parser = JSONParser(
      maximumDepth: maximumDepth, duplicates: duplicates, integers: integers)
    self = try parser.document(bytes)
  }
}

/// The state of parsing one text: where it stands and which containers are open there.
///
/// The bytes are an argument of every function because a span may not be stored.
struct JSONParser {
  let maximumDepth: Int
  let duplicates: JSON.DuplicateNames
  let integers: JSON.LargeIntegers
  var position = 0
  private var innermost = JSONContainer(kind: .document)
  private var outer: [JSONContainer] = []

  init(maximumDepth: Int, duplicates: JSON.DuplicateNames, integers: JSON.LargeIntegers = .rounded)
  {
    self.maximumDepth = maximumDepth
    self.duplicates = duplicates
    self.integers = integers
  }

  mutating func document(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw JSONFault(.byteOrderMark, at: 0, of: bytes)
    }
    while true {
      guard var value = try valueOrOpening(bytes) else { continue }
      while let container = try close(with: value, bytes) { value = container }
      if innermost.kind == .document {
        skipWhitespace(bytes)
        guard position == bytes.count else { throw fault(.trailingText, bytes) }
        return value
      }
    }
  }

  /// Reads a scalar or an empty container, or opens a container and answers nil.
  private mutating func valueOrOpening(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON? {
    skipWhitespace(bytes)
    guard let byte = peek(bytes) else { throw fault(.unexpectedEnd, bytes) }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string(bytes))
    case UInt8(ascii: "["): return try openArray(bytes)
    case UInt8(ascii: "{"): return try openObject(bytes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
    case UInt8(ascii: "t"): return try literal("true", for: .bool(true), bytes)
    case UInt8(ascii: "f"): return try literal("false", for: .bool(false), bytes)
    case UInt8(ascii: "n"): return try literal("null", for: .null, bytes)
    default: throw fault(.expectedValue, bytes)
    }
  }

  private mutating func openArray(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON? {
    try checkDepth(bytes)
    position += 1
    skipWhitespace(bytes)
    if skip(UInt8(ascii: "]"), bytes) { return .array([]) }
    outer.append(exchange(&innermost, with: JSONContainer(kind: .array)))
    return nil
  }

  private mutating func openObject(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON? {
    try checkDepth(bytes)
    position += 1
    skipWhitespace(bytes)
    if skip(UInt8(ascii: "}"), bytes) { return .object(JSONObject()) }
    outer.append(exchange(&innermost, with: JSONContainer(kind: .object)))
    try name(bytes)
    return nil
  }

  private func checkDepth(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard outer.count < maximumDepth else { throw fault(.tooDeep(maximumDepth), bytes) }
  }

  /// Hands `value` to the innermost open container, and answers that container when it ends.
  private mutating func close(
    with value: consuming JSON, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> JSON? {
    switch innermost.kind {
    case .document: nil
    case .array: try closeArray(value, bytes)
    case .object: try closeObject(value, bytes)
    }
  }

  private mutating func closeArray(
    _ value: consuming JSON, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> JSON? {
    innermost.elements.append(value)
    skipWhitespace(bytes)
    if skip(UInt8(ascii: ","), bytes) { return nil }
    guard skip(UInt8(ascii: "]"), bytes) else { throw fault(.expectedCommaOrBracket, bytes) }
    return .array(exchange(&innermost, with: outer.removeLast()).elements)
  }

  private mutating func closeObject(
    _ value: consuming JSON, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> JSON? {
    let offset = innermost.nameOffset
    if let name = innermost.addMember(value, replacing: duplicates == .lastWins) {
      throw JSONFault(.duplicateName(name), at: offset, of: bytes)
    }
    skipWhitespace(bytes)
    if skip(UInt8(ascii: ","), bytes) {
      try name(bytes)
      return nil
    }
    guard skip(UInt8(ascii: "}"), bytes) else { throw fault(.expectedCommaOrBrace, bytes) }
    return .object(exchange(&innermost, with: outer.removeLast()).object)
  }

  /// Reads a member's name and its colon into the innermost container, an object.
  private mutating func name(_ bytes: Span<UInt8>) throws(JSONFault) {
    skipWhitespace(bytes)
    innermost.nameOffset = position
    guard peek(bytes) == UInt8(ascii: "\"") else { throw fault(.expectedName, bytes) }
    innermost.name = try string(bytes)
    skipWhitespace(bytes)
    guard skip(UInt8(ascii: ":"), bytes) else { throw fault(.expectedColon, bytes) }
  }

  private mutating func literal(
    _ text: StaticString, for value: JSON, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> JSON {
    for byte in "\(text)".utf8 {
      guard peek(bytes) == byte else { throw fault(.expectedValue, bytes) }
      position += 1
    }
    return value
  }
}
