extension JSON {
  /// The bytes that the value takes as it is written, with one for what stands behind it in a list.
  ///
  /// A number with a fraction counts as 25 bytes, which is the most that one takes. Parts that are shared
  /// count as often as they occur.
  public var writtenSize: Int {
    switch self {
    case .null: 5
    case .bool(let bool): bool ? 5 : 6
    case .int(let int): int.writtenSize + 1
    case .double: 25
    case .string(let string): string.quotedSize + 1
    case .array(let elements): elements.reduce(Self.emptySize) { $0 + $1.writtenSize }
    case .object(let object):
      object.reduce(Self.emptySize) { $0 + $1.name.nameSize + $1.value.writtenSize }
    }
  }

  /// The size of an empty array or object.
  static let emptySize = 3
}

extension String {
  /// The bytes that it takes as a member's name, with the colon behind it.
  var nameSize: Int { quotedSize + 1 }

  /// The bytes that it takes in quotes, with its escapes.
  fileprivate var quotedSize: Int { utf8.span.escapedSize + 2 }
}

extension Int64 {
  /// The bytes that it takes in decimal.
  fileprivate var writtenSize: Int {
    var (digits, rest) = (1, magnitude)
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    return self < 0 ? digits + 1 : digits
  }
}
