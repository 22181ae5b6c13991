/// The types of a function's parameters and of its result.
public struct Signature: Sendable, Equatable {
  /// The name with which the function is called.
  public let name: String
  /// The types of the arguments; for a member that of the operand before the dot is the first.
  public let parameters: [StaticType]
  /// The type of the result.
  public let result: StaticType
  /// True if it is called as `a.name(b)` rather than as `name(a, b)`.
  public let isMember: Bool
  /// True if it has type parameters.
  let isGeneric: Bool

  /// Creates a signature, in which equal type parameters stand for equal types.
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

  /// The signature that `text` describes, or nil when it describes none.
  ///
  /// `math.abs(int) -> int` is a function, and `string.contains(string) -> bool` a member, since
  /// what stands before its last dot is a type of the language or a type parameter.
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

  /// True if a call means it: by name, style and number of arguments.
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

  /// The type and the name around the last dot.
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
  /// The call with types for arguments: `size(string)`, `string.contains(string)`, `int + int`.
  public var description: String {
    if isMember, let receiver = parameters.first {
      return "\(receiver).\(name)(\(Self.list(parameters.dropFirst())))"
    }
    return "\(name)(\(Self.list(parameters[...])))"
  }

  /// As `description`, for what is written as an operator.
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
