/// A function of the language, called as `name(a, b)` or `a.name(b)`.
///
/// Functions are found by name, style and number of arguments when a program is compiled. Which
/// overload it is follows from the types of the arguments and is decided in the body. The
/// arities that are usual have bodies of their own, for which no array of arguments is made.
///
/// The types of its overloads stand in `Signatures.functions`; without them it is not checked.
struct Function: Sendable {
  typealias Failure = EvaluationFault.Reason
  typealias Unary = @Sendable (Value, inout Meter) throws(Failure) -> Value
  typealias Binary = @Sendable (Value, Value, inout Meter) throws(Failure) -> Value
  typealias Variadic = @Sendable ([Value], inout Meter) throws(Failure) -> Value

  enum Style: Hashable, CaseIterable {
    case global
    case member
  }

  enum Body: Sendable {
    case unary(Unary)
    case binary(Binary)
    /// With this number of arguments, the operand before the dot included.
    case variadic(Int, Variadic)
  }

  let name: String
  let styles: [Style]
  let body: Body

  /// The number of arguments, the operand before the dot included.
  var arity: Int {
    switch body {
    case .unary: 1
    case .binary: 2
    case .variadic(let count, _): count
    }
  }

  /// The instruction that calls the function.
  func call(_ arguments: [NodeID]) -> Instruction {
    switch body {
    case .unary(let body): .callUnary(body, arguments[0])
    case .binary(let body): .callBinary(body, arguments[0], arguments[1])
    case .variadic(_, let body): .callVariadic(body, arguments)
    }
  }
}

/// All functions, by name and style.
struct FunctionTable: Sendable {
  struct Name: Hashable {
    let text: String
    let style: Function.Style
  }

  /// Those of the language.
  static let standard = FunctionTable(
    Function.sizes + Function.strings + Function.conversions + Function.optionals)

  private var functions: [Name: [Function]] = [:]

  init(_ all: [Function]) {
    for function in all {
      for style in function.styles {
        functions[Name(text: function.name, style: style), default: []].append(function)
      }
    }
  }

  /// The functions called so, which differ in the number of arguments.
  func functions(_ name: String, _ style: Function.Style) -> [Function] {
    functions[Name(text: name, style: style)] ?? []
  }

  /// The names that can be called in `style`.
  func names(_ style: Function.Style) -> [String] {
    functions.keys.filter { $0.style == style }.map(\.text).sorted()
  }
}
