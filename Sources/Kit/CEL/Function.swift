import Patterns

/// A function of the language, called as `name(a, b)` or `a.name(b)`.
///
/// Functions are resolved by name, style and number of arguments at compile time; the body selects the overload
/// by the types of the arguments. Common arities have bodies of their own, which avoid an array of arguments.
///
/// The types of its overloads are in `Signatures.functions`; functions without them are not checked.
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
    /// A body for a fixed number of arguments, including the operand before the dot.
    case variadic(Int, Variadic)
    /// A body for one or more arguments.
    case unbounded(Variadic)
  }

  /// Specializes the function for a constant second argument; nil if that has no benefit. The work is the
  /// number of steps it took.
  typealias Precompilation =
    @Sendable (Value) throws(Pattern.Fault) -> (body: Unary, work: Int)?

  let name: String
  let styles: [Style]
  let body: Body
  let precompile: Precompilation?
  /// The number of arguments, including the operand before the dot; nil for one or more.
  ///
  /// Stored, because the optimizer of Swift 6.3.1 crashes on computing it in some places.
  let arity: Int?

  init(name: String, styles: [Style], body: Body, precompile: Precompilation? = nil) {
    self.name = name
    self.styles = styles
    self.body = body
    self.precompile = precompile
    arity =
      switch body {
      case .unary: 1
      case .binary: 2
      case .variadic(let count, _): count
      case .unbounded: nil
      }
  }

  func takes(_ count: Int) -> Bool { arity.map { $0 == count } ?? (count > 0) }

  /// Returns the instruction that calls the function.
  func call(_ arguments: [NodeID]) -> Instruction {
    switch body {
    case .unary(let body): .callUnary(body, arguments[0])
    case .binary(let body): .callBinary(body, arguments[0], arguments[1])
    case .variadic(_, let body), .unbounded(let body): .callVariadic(body, arguments)
    }
  }
}

/// All functions, by name and style.
struct FunctionTable: Sendable {
  struct Name: Hashable {
    let text: String
    let style: Function.Style
  }

  /// The functions of the language.
  static let standard = FunctionTable(
    [
      Function.sizes, Function.strings, Function.patterns, Function.conversions, Function.times,
      Function.optionals, Function.stringOffsets, Function.stringEdits, Function.stringLists,
      Function.formats, Function.math, Function.bits, Function.encoders, Function.lists,
      Function.sets, Function.networks, Function.translations,
    ].flatMap { $0 })

  private var functions: [Name: [Function]] = [:]
  private var namespaces: Set<String> = []

  init(_ all: [Function]) {
    for function in all {
      if let dot = function.name.firstIndex(of: ".") {
        namespaces.insert(String(function.name[..<dot]))
      }
      for style in function.styles {
        functions[Name(text: function.name, style: style), default: []].append(function)
      }
    }
  }

  /// Returns the functions of a name, which differ in the number of arguments.
  func functions(_ name: String, _ style: Function.Style) -> [Function] {
    functions[Name(text: name, style: style)] ?? []
  }

  /// True if there are functions whose names begin with `name` and a dot.
  func hasNamespace(_ name: String) -> Bool { namespaces.contains(name) }

  /// Returns the names of functions in `style`.
  func names(_ style: Function.Style) -> [String] {
    functions.keys.filter { $0.style == style }.map(\.text).sorted()
  }
}

/// A reason why a function rejects an argument of the right type.
public enum ArgumentFault: Sendable, Equatable {
  /// An offset out of the range of a string, in code points.
  case offset(Int64, length: Int)
  /// A range that ends before it begins.
  case range(Int64, Int64)
  /// An empty list where elements are required.
  case noElements(function: String)
  /// A negative number.
  case negative(Int64, function: String)
  /// Elements or keys of different types, which cannot be sorted.
  case mixedTypes(ValueType, ValueType)
  /// An unknown time zone; the name is a literal.
  case unknownTimeZone(String)
  /// A regular expression that does not compile, with RE2's message.
  case pattern(String)
  /// A format that ends within a clause.
  case formatEnd
  /// A character that is not a verb of a format.
  case formatVerb(String)
  /// A precision without digits, or with too many.
  case formatPrecision(limit: Int)
  /// A clause without an argument at this index.
  case formatArgument(Int, count: Int)
  /// A value for a placeholder in a translation, of a type that cannot be shown as text.
  case name(String, ValueType)
  /// A verb that does not accept arguments of this type.
  case formatType(verb: String, ValueType)
}

extension ArgumentFault {
  /// The message.
  var wording: String {
    switch self {
    case .offset(let offset, let length):
      "no offset \(offset) in a string of length \(length)"
    case .range(let start, let end):
      "the range from \(start) to \(end) ends before it begins"
    case .noElements(let function):
      "'\(function)' is not defined for an empty list"
    case .negative(let number, let function):
      "'\(function)' is not defined for the negative number \(number)"
    case .mixedTypes(let first, let second):
      "\(first.rawValue) and \(second.rawValue) cannot be sorted together"
    case .unknownTimeZone(let name):
      "there is no time zone \(name)"
    case .pattern(let message):
      "invalid pattern: \(message)"
    case .formatEnd:
      "the format ends within a clause"
    case .formatVerb(let verb):
      "'%\(verb)' is no clause of a format; those are %s %d %f %e %b %x %X %o and %%"
    case .formatPrecision(let limit):
      "the precision of a format is a number up to \(limit)"
    case .formatArgument(let index, let count):
      "no argument \(index) for the format, which has \(count)"
    case .name(let name, let type):
      "the value of '\(name)' has no text, since it is \(Wording.noun(type.rawValue))"
    case .formatType(let verb, let type):
      "'%\(verb)' does not take \(Wording.noun(type.rawValue))"
    }
  }
}
