/// The types of the operators (langdef "List of Standard Definitions").
extension Signatures {
  static let operators = Signatures(
    arithmetic("+", ["int", "uint", "double", "string", "bytes", "list(A)"])
      + arithmetic("-", ["int", "uint", "double"]) + arithmetic("*", ["int", "uint", "double"])
      + arithmetic("/", ["int", "uint", "double"]) + arithmetic("%", ["int", "uint"])
      + times + ["<", "<=", ">", ">="].flatMap(ordering)
      + ["==", "!="].map { binary($0, "A", "A", "bool") }
      + [
        binary("in", "A", "list(A)", "bool"), binary("in", "A", "map(A, B)", "bool"),
        Signature("!", [.bool], .bool), Signature("-", [.int], .int),
        Signature("-", [.double], .double),
      ] + lookup("[]", "") + lookup("[?]", "optional") + choices)

  private static func arithmetic(_ name: String, _ types: [String]) -> [Signature] {
    types.map { binary(name, $0, $0, $0) }
  }

  private static let times = [
    binary("+", "timestamp", "duration", "timestamp"),
    binary("+", "duration", "timestamp", "timestamp"),
    binary("+", "duration", "duration", "duration"),
    binary("-", "timestamp", "timestamp", "duration"),
    binary("-", "timestamp", "duration", "timestamp"),
    binary("-", "duration", "duration", "duration"),
  ]

  /// Numbers are ordered whatever their types.
  private static func ordering(_ name: String) -> [Signature] {
    let numbers = ["int", "uint", "double"]
    let others = ["bool", "string", "bytes", "timestamp", "duration"]
    return numbers.flatMap { left in numbers.map { binary(name, left, $0, "bool") } }
      + others.map { binary(name, $0, $0, "bool") }
  }

  /// Returns the signatures of a lookup; one in an optional is optional, as is the result of `[?]`.
  private static func lookup(_ name: String, _ isOptional: String) -> [Signature] {
    let wrapped = isOptional.isEmpty ? "" : "optional_type"
    return [
      binary(name, "list(A)", "int", wrapped + (wrapped.isEmpty ? "A" : "(A)")),
      binary(name, "map(A, B)", "A", wrapped + (wrapped.isEmpty ? "B" : "(B)")),
      binary(name, "optional_type(list(A))", "int", "optional_type(A)"),
      binary(name, "optional_type(map(A, B))", "A", "optional_type(B)"),
    ]
  }

  private static let choices = [
    binary("or", "optional_type(A)", "optional_type(A)", "optional_type(A)"),
    binary("orValue", "optional_type(A)", "A", "A"),
  ]

  private static func binary(
    _ name: String, _ left: String, _ right: String, _ result: String
  ) -> Signature {
    Signature(name, [type(left), type(right)], type(result))
  }

  private static func type(_ text: String) -> StaticType {
    guard let type = StaticType(text) else { preconditionFailure("\(text) is no type") }
    return type
  }
}
