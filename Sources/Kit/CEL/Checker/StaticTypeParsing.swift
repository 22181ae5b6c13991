extension StaticType {
  /// The type with this text, or nil when it is none: a name, and in parentheses its arguments.
  ///
  /// Types nest at most 32 levels deep.
  public init?(_ text: String) {
    var reader = TypeReader(text)
    guard let type = reader.type(), reader.isAtEnd else { return nil }
    self = type
  }

  /// The greatest depth of types; what is deeper is `dyn`.
  static let maximumDepth = 32
}

/// Reads types, and the signatures in which they stand.
struct TypeReader {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position == bytes.count }

  mutating func type() -> StaticType? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= StaticType.maximumDepth, let name = name() else { return nil }
    guard accept("(") else { return StaticType(Self.head(name)) }
    guard let arguments = types() else { return nil }
    return StaticType(.named(name), arguments)
  }

  /// Types up to a closing parenthesis, after the opening one.
  mutating func types() -> [StaticType]? {
    var types: [StaticType] = []
    if accept(")") { return types }
    repeat {
      guard let type = type() else { return nil }
      types.append(type)
    } while accept(",")
    return accept(")") ? types : nil
  }

  /// A name, which may be dotted.
  mutating func name() -> String? {
    skipBlanks()
    let start = position
    while position < bytes.count, bytes[position].isNamePart { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    return bytes[start..<position].first?.isLetter == true ? name : nil
  }

  mutating func accept(_ text: String) -> Bool {
    skipBlanks()
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
  }

  private static let abbreviations = [
    "timestamp": ValueType.timestamp.rawValue, "duration": ValueType.duration.rawValue,
  ]

  private static func head(_ name: String) -> StaticType.Head {
    let bytes = Array(name.utf8)
    let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[0])
    let isParameter = isCapital && bytes.dropFirst().allSatisfy(\.isDigit)
    return isParameter ? .parameter(name) : .named(abbreviations[name] ?? name)
  }
}

extension UInt8 {
  fileprivate var isNamePart: Bool { isLetter || isDigit || self == UInt8(ascii: ".") }
}
