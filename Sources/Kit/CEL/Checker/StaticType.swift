/// The type of an expression, as far as it is known before evaluation.
///
/// Its text is that of cel-spec: `dyn`, `int`, `list(string)`, `map(string, dyn)`, `optional_type(int)`,
/// `google.protobuf.Timestamp` or `timestamp` for short; a capital letter, with or without a number, is a type
/// parameter.
public struct StaticType: Sendable, Equatable {
  enum Head: Sendable, Equatable {
    case named(String)
    /// A parameter of a declared function.
    case parameter(String)
    /// A parameter of one call, or the element type of an empty literal, to be inferred.
    case variable(Int)
  }

  let head: Head
  let arguments: [StaticType]

  init(_ head: Head, _ arguments: [StaticType] = []) {
    self.head = head
    self.arguments = arguments
  }

  init(named name: String, _ arguments: StaticType...) { self.init(.named(name), arguments) }

  /// Any type, which is checked only during evaluation.
  public static let dyn = StaticType(named: "dyn")
  /// The type of `null`.
  public static let null = StaticType(named: "null_type")
  /// The type of Booleans.
  public static let bool = StaticType(named: "bool")
  /// A signed 64-bit integer.
  public static let int = StaticType(named: "int")
  /// An unsigned 64-bit integer.
  public static let uint = StaticType(named: "uint")
  /// An IEEE 754 double.
  public static let double = StaticType(named: "double")
  /// A string of code points.
  public static let string = StaticType(named: "string")
  /// Bytes.
  public static let bytes = StaticType(named: "bytes")

  /// A list of elements of this type.
  public static func list(_ element: StaticType) -> StaticType {
    StaticType(named: "list", element)
  }

  /// A map from keys to values of these types.
  public static func map(_ key: StaticType, _ value: StaticType) -> StaticType {
    StaticType(named: "map", key, value)
  }

  /// A value of this type, or none.
  public static func optional(_ wrapped: StaticType) -> StaticType {
    StaticType(named: "optional_type", wrapped)
  }

  /// The type of a type.
  public static func type(_ type: StaticType) -> StaticType { StaticType(named: "type", type) }

  /// The name before the parentheses; nil for a parameter or variable.
  var name: String? {
    if case .named(let name) = head { name } else { nil }
  }

  /// True if the type is unknown.
  var isDyn: Bool { name == "dyn" || name == "any" || name == "error" }

  var isVariable: Bool {
    if case .variable = head { true } else { false }
  }

  /// True if it contains type parameters.
  var isGeneric: Bool {
    if case .parameter = head { true } else { arguments.contains(where: \.isGeneric) }
  }

  /// True if null is accepted for this type: messages, timestamps, optionals and the like (langdef "Gradual
  /// Type Checking").
  var isNullable: Bool { !Self.valueNames.contains(name ?? "int") }

  private static let valueNames = Set([
    "bool", "int", "uint", "double", "string", "bytes", "list", "map", "type",
  ])
}

extension StaticType: CustomStringConvertible {
  /// The text of the type.
  public var description: String {
    let name =
      switch head {
      case .named(let name), .parameter(let name): name
      case .variable: "dyn"
      }
    guard !arguments.isEmpty else { return name }
    return "\(name)(\(arguments.map(\.description).joined(separator: ", ")))"
  }
}

extension StaticType {
  /// Parses a type: a name, with its arguments in parentheses; nil if invalid.
  ///
  /// Types nest at most 32 levels deep.
  public init?(_ text: String) {
    var reader = TypeReader(text)
    guard let type = reader.type(), reader.isAtEnd else { return nil }
    self = type
  }

  /// The maximum depth of types; deeper ones are `dyn`.
  static let maximumDepth = 32
}

/// Parses types and signatures.
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

  /// Parses types up to a closing parenthesis, after the opening one.
  mutating func types() -> [StaticType]? {
    var types: [StaticType] = []
    if accept(")") { return types }
    repeat {
      guard let type = type() else { return nil }
      types.append(type)
    } while accept(",")
    return accept(")") ? types : nil
  }

  /// Parses a name, which may be dotted.
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
