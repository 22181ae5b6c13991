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

  /// Numbers are ordered whatever their types.
  private static func ordering(_ name: String) -> [Signature] {
    let numbers = ["int", "uint", "double"]
    let others = ["bool", "string", "bytes", "timestamp", "duration"]
    return numbers.flatMap { left in
      numbers.map { binary(name, taking: [left, $0], returning: "bool") }
    }
      + others.map { binary(name, taking: [$0, $0], returning: "bool") }
  }

  /// Returns the signatures of a lookup; one in an optional is optional, as is the result of `[?]`.
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
