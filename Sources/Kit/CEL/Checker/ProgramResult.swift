/// The value that a host wants of a program.
public enum ProgramResult: Sendable, Equatable {
  /// A value of one of these types; of lists and maps only that they are some counts.
  case oneOf([StaticType])
  /// A value that JSON can carry.
  case json
}

extension Program {
  /// The fault of a program whose value can never be what is wanted, as far as the checker knows its
  /// type; nil when it can be.
  public func fault(unlessItAnswers wanted: ProgramResult) -> CompilationFault? {
    guard !type.isDyn, let name = type.name else { return nil }
    let fault: SyntaxFault
    switch wanted {
    case .oneOf(let types):
      guard !types.contains(where: { $0.name == name }) else { return nil }
      fault = SyntaxFault(
        .wrongType(type, wanted: types), at: code.ranges[code.root],
        .conversion(of: type, to: types))
    case .json:
      guard StaticType.withoutJSONForm.contains(name) else { return nil }
      fault = SyntaxFault(
        .noJSONForm(type), at: code.ranges[code.root], .conversion(of: type, to: []))
    }
    return CompilationFault(fault, source: source)
  }
}

extension StaticType {
  /// Any list.
  public static let anyList = StaticType.list(.dyn)
  /// Any map.
  public static let anyMap = StaticType.map(.dyn, .dyn)

  fileprivate static let withoutJSONForm = ["type", "optional_type"]

  /// The type without what it holds.
  var shortName: String { name ?? description }

  /// Returns a hint: the expression that converts a value of this type, called x, to one of the
  /// wanted types.
  func conversion(to wanted: [StaticType]) -> String {
    if name == "optional_type" { return "write 'x.orValue(…)' instead of 'x'" }
    if wanted.contains(.bool) { return comparison }
    if let part, !wanted.contains(.anyList), !wanted.contains(.anyMap) { return part }
    if wanted.contains(.string) { return "write 'string(x)' instead of 'x'" }
    if wanted.contains(.anyList) { return "write '[x]' instead of 'x'" }
    if wanted.contains(.anyMap) { return "write '{\"name\": x}' instead of 'x'" }
    return wanted.contains(.int) ? "write 'int(x)' instead of 'x'" : "write its name as a string"
  }

  /// The expression for a part of a value of this type, called x, or for a substitute; nil if the
  /// value can be converted.
  private var part: String? {
    switch shortName {
    case "list": "take one of its elements, as in 'x[0]'"
    case "map": "take one of its members, as in 'x.name'"
    case "null_type": "write a value of that type instead"
    default: nil
    }
  }

  /// The expression that compares a value of this type, called x.
  private var comparison: String {
    switch shortName {
    case "string": "compare it, as in 'x == \"…\"'"
    case "int", "uint", "double": "compare it, as in 'x > 0'"
    case "list", "map": "compare its size, as in 'size(x) > 0'"
    default: "compare it, as in 'x == y'"
    }
  }
}
