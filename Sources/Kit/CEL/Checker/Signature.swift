/// The types of a function's parameters and of its result.
public struct Signature: Sendable, Equatable {
  /// The name of the function.
  public let name: String
  /// The types of the arguments; for a member, the first is that of the operand before the dot.
  public let parameters: [StaticType]
  /// The type of the result.
  public let result: StaticType
  /// True if it is called as `a.name(b)`, false for `name(a, b)`.
  public let isMember: Bool
  /// True if it has type parameters.
  let isGeneric: Bool

  /// Creates a signature; equal type parameters stand for equal types.
  public init(
    _ name: String, taking parameters: [StaticType], returning result: StaticType,
    isMember: Bool = false
  ) {
    self.name = name
    self.parameters = parameters
    self.result = result
    self.isMember = isMember
    isGeneric = ([result] + parameters).contains(where: \.isGeneric)
  }

  /// Parses a signature; nil if invalid.
  ///
  /// `math.abs(int) -> int` is a function, and `string.contains(string) -> bool` a member, since `string` is a
  /// type of the language.
  init?(_ text: String) {
    var reader = TypeReader(text)
    guard let first = reader.name(), reader.accept("("), let types = reader.types() else {
      return nil
    }
    if reader.accept(".") {
      guard let name = reader.name(), reader.accept("("), let rest = reader.types() else {
        return nil
      }
      self.init(
        name, taking: [StaticType(.named(first), types)] + rest, isMember: true, reading: &reader)
    } else if let (receiver, name) = Self.member(first) {
      self.init(name, taking: [receiver] + types, isMember: true, reading: &reader)
    } else {
      self.init(first, taking: types, isMember: false, reading: &reader)
    }
  }

  /// True if a call matches by name, style and number of arguments.
  func isMeant(by call: FunctionCall) -> Bool {
    name == call.name && isMember == (call.style == .member)
      && parameters.count == call.arguments.count
  }

  private init?(
    _ name: String, taking parameters: [StaticType], isMember: Bool,
    reading reader: inout TypeReader
  ) {
    guard reader.accept("->"), let result = reader.type(), reader.isAtEnd else { return nil }
    self.init(name, taking: parameters, returning: result, isMember: isMember)
  }

  /// Splits a name at the last dot into type and member.
  private static func member(_ name: String) -> (StaticType, String)? {
    guard let dot = name.lastIndex(of: "."), let type = StaticType(String(name[..<dot])) else {
      return nil
    }
    guard type.name.map(receivers.contains) ?? true else { return nil }
    return (type, String(name[name.index(after: dot)...]))
  }

  private static let receivers = Set([
    "dyn", "bool", "int", "uint", "double", "string", "bytes", "type",
    "net.IP", "net.CIDR", "google.protobuf.Timestamp", "google.protobuf.Duration",
  ])
}

extension Signature: CustomStringConvertible {
  /// The call with types as arguments: `size(string)`, `string.contains(string)`, `int + int`.
  public var description: String {
    if isMember, let receiver = parameters.first {
      return "\(receiver).\(name)(\(Self.list(parameters.dropFirst())))"
    }
    return "\(name)(\(Self.list(parameters[...])))"
  }

  /// As `description`, for operators.
  var operation: String {
    switch (name, parameters.count) {
    case ("[]", 2): "\(parameters[0])[\(parameters[1])]"
    case (_, 1): "\(name)\(parameters[0])"
    case (_, 2): "\(parameters[0]) \(name) \(parameters[1])"
    default: description
    }
  }

  private static func list(_ types: ArraySlice<StaticType>) -> String {
    types.map(\.description).joined(separator: ", ")
  }
}

/// Signatures by name, style and number of arguments.
struct Signatures: Sendable {
  private struct Key: Hashable {
    let name: String
    let isMember: Bool
    let count: Int
  }

  private var signatures: [Key: [Signature]] = [:]

  init(_ all: [Signature]) {
    for signature in all { add(signature) }
  }

  /// Parses one signature per line.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let signature = Signature(String(line)) else {
        preconditionFailure("\(line) is no signature")
      }
      add(signature)
    }
  }

  /// Returns the signatures of a name and number of arguments, in declaration order.
  func named(_ name: String, isMember: Bool = false, count: Int) -> [Signature] {
    signatures[Key(name: name, isMember: isMember, count: count)] ?? []
  }

  /// Returns the signatures of a name, by number of arguments.
  func named(_ name: String, isMember: Bool) -> [Signature] {
    signatures.filter { $0.key.name == name && $0.key.isMember == isMember }
      .sorted { $0.key.count < $1.key.count }.flatMap(\.value)
  }

  private mutating func add(_ signature: Signature) {
    let key = Key(
      name: signature.name, isMember: signature.isMember, count: signature.parameters.count)
    signatures[key, default: []].append(signature)
  }
}

/// The types of the functions of the language: one line per overload, as parsed by `Signature`.
///
/// A function without a line has arguments and results of any type.
extension Signatures {
  static let functions = Signatures(
    """
    size(string) -> int
    size(bytes) -> int
    size(list(A)) -> int
    size(map(A, B)) -> int
    string.size() -> int
    bytes.size() -> int
    list(A).size() -> int
    map(A, B).size() -> int
    string.contains(string) -> bool
    string.startsWith(string) -> bool
    string.endsWith(string) -> bool
    matches(string, string) -> bool
    string.matches(string) -> bool
    string.charAt(int) -> string
    string.substring(int) -> string
    string.substring(int, int) -> string
    string.indexOf(string) -> int
    string.indexOf(string, int) -> int
    string.lastIndexOf(string) -> int
    string.lastIndexOf(string, int) -> int
    string.lowerAscii() -> string
    string.upperAscii() -> string
    string.trim() -> string
    string.reverse() -> string
    list(A).reverse() -> list(A)
    strings.quote(string) -> string
    list(string).join() -> string
    list(string).join(string) -> string
    string.split(string) -> list(string)
    string.split(string, int) -> list(string)
    string.replace(string, string) -> string
    string.replace(string, string, int) -> string
    string.format(list(A)) -> string
    dyn.tr(string) -> string
    dyn.tr(string, map(string, dyn)) -> string
    dyn(A) -> dyn
    type(A) -> type(A)
    bool(bool) -> bool
    bool(string) -> bool
    int(int) -> int
    int(uint) -> int
    int(double) -> int
    int(string) -> int
    int(timestamp) -> int
    uint(uint) -> uint
    uint(int) -> uint
    uint(double) -> uint
    uint(string) -> uint
    double(double) -> double
    double(int) -> double
    double(uint) -> double
    double(string) -> double
    string(string) -> string
    string(bool) -> string
    string(int) -> string
    string(uint) -> string
    string(double) -> string
    string(bytes) -> string
    string(timestamp) -> string
    string(duration) -> string
    string(net.IP) -> string
    string(net.CIDR) -> string
    bytes(bytes) -> bytes
    bytes(string) -> bytes
    timestamp(timestamp) -> timestamp
    timestamp(string) -> timestamp
    timestamp(int) -> timestamp
    duration(duration) -> duration
    duration(string) -> duration
    timestamp.getFullYear() -> int
    timestamp.getFullYear(string) -> int
    timestamp.getMonth() -> int
    timestamp.getMonth(string) -> int
    timestamp.getDate() -> int
    timestamp.getDate(string) -> int
    timestamp.getDayOfMonth() -> int
    timestamp.getDayOfMonth(string) -> int
    timestamp.getDayOfWeek() -> int
    timestamp.getDayOfWeek(string) -> int
    timestamp.getDayOfYear() -> int
    timestamp.getDayOfYear(string) -> int
    timestamp.getHours() -> int
    timestamp.getHours(string) -> int
    duration.getHours() -> int
    timestamp.getMinutes() -> int
    timestamp.getMinutes(string) -> int
    duration.getMinutes() -> int
    timestamp.getSeconds() -> int
    timestamp.getSeconds(string) -> int
    duration.getSeconds() -> int
    timestamp.getMilliseconds() -> int
    timestamp.getMilliseconds(string) -> int
    duration.getMilliseconds() -> int
    optional.none() -> optional_type(A)
    optional.of(A) -> optional_type(A)
    optional.ofNonZeroValue(A) -> optional_type(A)
    optional_type(A).hasValue() -> bool
    optional_type(A).value() -> A
    math.greatest(int) -> int
    math.greatest(uint) -> uint
    math.greatest(double) -> double
    math.greatest(list(int)) -> int
    math.greatest(list(uint)) -> uint
    math.greatest(list(double)) -> double
    math.least(int) -> int
    math.least(uint) -> uint
    math.least(double) -> double
    math.least(list(int)) -> int
    math.least(list(uint)) -> uint
    math.least(list(double)) -> double
    math.ceil(double) -> double
    math.floor(double) -> double
    math.round(double) -> double
    math.trunc(double) -> double
    math.isNaN(double) -> bool
    math.isInf(double) -> bool
    math.isFinite(double) -> bool
    math.abs(int) -> int
    math.abs(uint) -> uint
    math.abs(double) -> double
    math.sign(int) -> int
    math.sign(uint) -> uint
    math.sign(double) -> double
    math.sqrt(int) -> double
    math.sqrt(uint) -> double
    math.sqrt(double) -> double
    math.bitAnd(int, int) -> int
    math.bitAnd(uint, uint) -> uint
    math.bitOr(int, int) -> int
    math.bitOr(uint, uint) -> uint
    math.bitXor(int, int) -> int
    math.bitXor(uint, uint) -> uint
    math.bitNot(int) -> int
    math.bitNot(uint) -> uint
    math.bitShiftLeft(int, int) -> int
    math.bitShiftLeft(uint, int) -> uint
    math.bitShiftRight(int, int) -> int
    math.bitShiftRight(uint, int) -> uint
    lists.range(int) -> list(int)
    list(A).slice(int, int) -> list(A)
    list(A).flatten() -> list(dyn)
    list(A).flatten(int) -> list(dyn)
    list(A).distinct() -> list(A)
    list(A).sort() -> list(A)
    list(A).first() -> optional_type(A)
    list(A).last() -> optional_type(A)
    sets.contains(list(A), list(B)) -> bool
    sets.equivalent(list(A), list(B)) -> bool
    sets.intersects(list(A), list(B)) -> bool
    base64.encode(bytes) -> string
    base64.decode(string) -> bytes
    ip(net.IP) -> net.IP
    ip(string) -> net.IP
    cidr(net.CIDR) -> net.CIDR
    cidr(string) -> net.CIDR
    isIP(string) -> bool
    isCIDR(string) -> bool
    ip.isCanonical(string) -> bool
    net.IP.family() -> int
    net.IP.isUnspecified() -> bool
    net.IP.isLoopback() -> bool
    net.IP.isGlobalUnicast() -> bool
    net.IP.isLinkLocalMulticast() -> bool
    net.IP.isLinkLocalUnicast() -> bool
    net.CIDR.ip() -> net.IP
    net.CIDR.masked() -> net.CIDR
    net.CIDR.prefixLength() -> int
    net.CIDR.containsIP(net.IP) -> bool
    net.CIDR.containsIP(string) -> bool
    net.CIDR.containsCIDR(net.CIDR) -> bool
    net.CIDR.containsCIDR(string) -> bool
    """)

  /// The functions with any number of number arguments, each checked like a single one.
  static let ofManyNumbers = Set(["math.greatest", "math.least"])
}

/// The types of the operators (langdef "List of Standard Definitions").
extension Signatures {
  static let operators = Signatures(
    arithmetic("+", ["int", "uint", "double", "string", "bytes", "list(A)"])
      + arithmetic("-", ["int", "uint", "double"]) + arithmetic("*", ["int", "uint", "double"])
      + arithmetic("/", ["int", "uint", "double"]) + arithmetic("%", ["int", "uint"])
      + times + ["<", "<=", ">", ">="].flatMap(ordering)
      + ["==", "!="].map { binary($0, taking: ["A", "A"], returning: "bool") }
      + [
        binary("in", taking: ["A", "list(A)"], returning: "bool"),
        binary("in", taking: ["A", "map(A, B)"], returning: "bool"),
        Signature("!", taking: [.bool], returning: .bool),
        Signature("-", taking: [.int], returning: .int),
        Signature("-", taking: [.double], returning: .double),
      ] + lookup("[]", isOptional: false) + lookup("[?]", isOptional: true) + choices)

  private static func arithmetic(_ name: String, _ types: [String]) -> [Signature] {
    types.map { binary(name, taking: [$0, $0], returning: $0) }
  }

  private static let times = [
    binary("+", taking: ["timestamp", "duration"], returning: "timestamp"),
    binary("+", taking: ["duration", "timestamp"], returning: "timestamp"),
    binary("+", taking: ["duration", "duration"], returning: "duration"),
    binary("-", taking: ["timestamp", "timestamp"], returning: "duration"),
    binary("-", taking: ["timestamp", "duration"], returning: "timestamp"),
    binary("-", taking: ["duration", "duration"], returning: "duration"),
  ]

  /// Numbers have an order whatever their types.
  private static func ordering(_ name: String) -> [Signature] {
    let numbers = ["int", "uint", "double"]
    let others = ["bool", "string", "bytes", "timestamp", "duration"]
    return numbers.flatMap { left in
      numbers.map { binary(name, taking: [left, $0], returning: "bool") }
    }
      + others.map { binary(name, taking: [$0, $0], returning: "bool") }
  }

  /// Returns the signatures of a look-up; in an optional it is optional, as is the result of `[?]`.
  private static func lookup(_ name: String, isOptional: Bool) -> [Signature] {
    let (element, value) = isOptional ? ("optional_type(A)", "optional_type(B)") : ("A", "B")
    return [
      binary(name, taking: ["list(A)", "int"], returning: element),
      binary(name, taking: ["map(A, B)", "A"], returning: value),
      binary(name, taking: ["optional_type(list(A))", "int"], returning: "optional_type(A)"),
      binary(name, taking: ["optional_type(map(A, B))", "A"], returning: "optional_type(B)"),
    ]
  }

  private static let choices = [
    binary("or", taking: ["optional_type(A)", "optional_type(A)"], returning: "optional_type(A)"),
    binary("orValue", taking: ["optional_type(A)", "A"], returning: "A"),
  ]

  private static func binary(
    _ name: String, taking operands: [String], returning result: String
  ) -> Signature {
    Signature(name, taking: operands.map(type), returning: type(result))
  }

  private static func type(_ text: String) -> StaticType {
    guard let type = StaticType(text) else { preconditionFailure("\(text) is no type") }
    return type
  }
}
