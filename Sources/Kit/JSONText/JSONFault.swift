/// A reason why a text is not JSON, with its place.
public struct JSONFault: Error, Equatable, Sendable {
  /// The kinds of faults.
  public enum Reason: Equatable, Sendable {
    /// The text ends before the value.
    case unexpectedEnd
    /// A value is missing; the byte cannot start one.
    case expectedValue
    /// A member's name, a string, is missing.
    case expectedName
    /// The colon between a member's name and its value is missing.
    case expectedColon
    /// Neither a comma nor the closing bracket follows an array's element.
    case expectedCommaOrBracket
    /// Neither a comma nor the closing brace follows an object's member.
    case expectedCommaOrBrace
    /// Something other than white space follows the value.
    case trailingText
    /// A number has no digit where it needs one.
    case expectedDigit
    /// A number has a zero before another digit.
    case leadingZero
    /// A number is too large for a finite double.
    case numberOutOfRange
    /// An integer has more digits than 64 bits and a double hold.
    case integerOutOfRange
    /// The text begins with a byte order mark.
    case byteOrderMark
    /// A control character is unescaped in a string.
    case controlCharacter(UInt8)
    /// A backslash begins no valid escape.
    case invalidEscape
    /// An escaped UTF-16 surrogate has no partner.
    case loneSurrogate
    /// The bytes are not UTF-8.
    case invalidUTF8
    /// An object has two members of this name; the offset is that of the second.
    case duplicateName(String)
    /// Arrays and objects are nested deeper than this limit.
    case tooDeep(Int)
  }

  /// The reason.
  public let reason: Reason
  /// The offset of the byte at fault, or the length of the text if it ends too early.
  public let offset: Int
  /// The line of the byte at fault, from 1.
  public let line: Int
  /// The column of the byte at fault in Unicode scalars, from 1.
  public let column: Int

  init(_ reason: Reason, at offset: Int, of bytes: Span<UInt8>) {
    self.reason = reason
    self.offset = offset
    var line = 1
    var column = 1
    for position in 0..<min(offset, bytes.count) {
      if bytes[position] == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if bytes[position] & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}

extension JSONFault: CustomStringConvertible {
  /// A sentence for people: the reason with line and column.
  public var description: String { "Line \(line), column \(column): \(reason)." }
}

extension JSONFault.Reason: CustomStringConvertible {
  /// The reason as a clause without a full stop.
  public var description: String {
    switch self {
    case .unexpectedEnd: "the text ends before the value is complete"
    case .expectedValue: "a value is expected here"
    case .expectedName: "a member's name in double quotes is expected here"
    case .expectedColon: "a colon is expected after the member's name"
    case .expectedCommaOrBracket: "a comma or a closing bracket is expected after the element"
    case .expectedCommaOrBrace: "a comma or a closing brace is expected after the member"
    case .trailingText: "nothing may follow the value"
    case .expectedDigit: "the number lacks a digit here"
    case .leadingZero: "a number may not begin with a zero before another digit"
    case .numberOutOfRange: "the number is too large for a double"
    case .integerOutOfRange:
      "the integer has more digits than 64 bits and a double hold; write it as a string, or with an "
        + "exponent if it may be rounded"
    case .byteOrderMark:
      "the text begins with a byte order mark (U+FEFF); save it as UTF-8 without one"
    case .controlCharacter(let byte):
      "the control character U+00\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
        + " must be escaped in a string"
    case .invalidEscape: "the backslash begins no escape of JSON"
    case .loneSurrogate: "the escaped surrogate lacks its partner"
    case .invalidUTF8: "the bytes are not valid UTF-8"
    case .duplicateName(let name): "the object already has a member named \(JSON.string(name))"
    case .tooDeep(let limit): "arrays and objects are nested more than \(limit) deep"
    }
  }
}

// Literals make values readable in code and tests: `["rating": 5, "tags": ["a", nil]]`.

extension JSON: ExpressibleByNilLiteral {
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates a Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates an integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates a double, even for an integral value.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension JSON: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object with the members in order; names must be unique.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(JSONObject(unique: members))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object with the members in order; names must be unique.
  public init(dictionaryLiteral members: (String, JSON)...) { self.init(unique: members) }

  fileprivate init(unique members: [(String, JSON)]) {
    self.init()
    reserveCapacity(members.count)
    for (name, value) in members {
      let isNew = append(Member(name: name, value: value))
      precondition(isNew, "A JSON literal has two members of one name.")
    }
  }
}
