/// A failed evaluation, with the part of the program that caused it.
public struct EvaluationFault: Error, Sendable, Equatable {
  /// The kinds of faults.
  public enum Reason: Error, Sendable, Equatable {
    /// A map has no such key; `available` are the first of its keys.
    case noSuchKey(String, available: [String], count: Int)
    /// A list has no such element.
    case indexOutOfRange(Int64, count: Int)
    /// Integer division by zero, or the remainder of one.
    case divisionByZero
    /// The result is out of the range of its type.
    case overflow(ValueType)
    /// An operator or function without an overload for these types.
    case noSuchOverload(String, [ValueType])
    /// An unknown name or function, in an unchecked program.
    case undeclaredReference(String)
    /// A map literal with a key of a type that maps do not allow.
    case unsupportedKey(ValueType)
    /// A map literal with the same key twice.
    case duplicateKey(String)
    /// The evaluation exceeded `ProgramLimits.maximumSteps`.
    case stepLimit(Int)
    /// A string or bytes longer than `ProgramLimits.maximumStringLength`.
    case stringLimit(Int)
    /// A list or map with more elements than `ProgramLimits.maximumElements`.
    case elementLimit(Int)
    /// Values are nested too deeply to be compared.
    case nestingLimit(Int)
    /// The value of an absent optional was requested.
    case absent
    /// A value that cannot be converted to this type.
    case conversion(of: String, to: ValueType)
    /// An invalid argument of the right type.
    case argument(ArgumentFault)
  }

  /// The reason.
  public let reason: Reason
  /// The range in the source.
  public let range: SourceRange
  /// The source of the program.
  public let source: String

  /// The reason as a sentence without the place.
  public var message: String { reason.wording }

  /// The name that was probably meant, or another notation, if it can be guessed.
  public var hint: String? { reason.hint }

  /// The offset of the range in the source, in UTF-8 bytes.
  public var offset: Int { range.start }

  /// The line where the range begins, from 1.
  public var line: Int { SourceExcerpt(source, range).line }

  /// The column where the range begins, in code points, from 1.
  public var column: Int { SourceExcerpt(source, range).column }
}

extension EvaluationFault: CustomStringConvertible {
  /// Line, column, message and hint, with the source line and carets below them.
  public var description: String {
    SourceExcerpt(source, range).message([message, hint].compactMap { $0 }.joined(separator: "; "))
  }
}

extension EvaluationFault.Reason {
  /// True if `&&` and `||` must not absorb the fault, because evaluation would continue beyond a limit.
  var isFinal: Bool {
    switch self {
    case .stepLimit: true
    case .noSuchKey, .indexOutOfRange, .divisionByZero, .overflow, .noSuchOverload,
      .undeclaredReference, .unsupportedKey, .duplicateKey, .stringLimit, .elementLimit,
      .nestingLimit, .conversion, .absent, .argument:
      false
    }
  }
}

/// The hints of evaluation faults.
extension EvaluationFault.Reason {
  var hint: String? {
    switch self {
    case .noSuchKey(let key, let available, let count):
      let names = available.filter { $0.hasPrefix("\"") }.map { String($0.dropFirst().dropLast()) }
      if key.hasPrefix("\""),
        let near = nearest(to: String(key.dropFirst().dropLast()), among: names)
      {
        return "did you mean \"\(near)\"?"
      }
      return count > 0 ? "has() and .? are for what may be missing" : nil
    case .indexOutOfRange(let index, let count):
      return count > 0 && index == count ? "the first element is 0" : nil
    case .noSuchOverload(let function, let types):
      if types.contains(.null) { return "compare with null first" }
      if ["&&", "||", "?:", "!"].contains(function) { return "a bool is wanted" }
      return Self.numbers(function, types)
    case .absent:
      return "orValue() gives it one"
    case .divisionByZero, .overflow, .undeclaredReference, .unsupportedKey, .duplicateKey,
      .stepLimit, .stringLimit, .elementLimit, .nestingLimit, .conversion, .argument:
      return nil
    }
  }

  /// Returns a hint about arithmetic with different number types.
  private static func numbers(_ function: String, _ types: [ValueType]) -> String? {
    let isArithmetic = BinaryOperator(rawValue: function).map { $0.precedence > 0 } ?? false
    let numbers: [ValueType] = [.int, .uint, .double]
    guard isArithmetic, types.allSatisfy(numbers.contains), Set(types).count > 1 else { return nil }
    let target: ValueType = types.contains(.double) ? .double : .int
    return "convert with \(target.rawValue)()"
  }
}

/// The messages of evaluation faults.
extension EvaluationFault.Reason {
  var wording: String {
    switch self {
    case .noSuchKey(let key, let available, let count):
      "no such key \(key); " + Self.keys(available, of: count)
    case .indexOutOfRange(let index, let count):
      "no element \(index) in a list of \(count)"
    case .divisionByZero:
      "division by zero"
    case .overflow(let type):
      "the result does not fit \(Wording.noun(type.rawValue))"
    case .noSuchOverload(let function, let types):
      Wording.undefined(function, for: types.map(\.rawValue))
    case .undeclaredReference(let name):
      "'\(name)' is not declared"
    case .unsupportedKey(let type):
      Wording.unsupportedKey(type.rawValue)
    case .duplicateKey(let key):
      "the key \(key) is there twice"
    case .stepLimit(let limit):
      "the evaluation takes more than \(limit) steps (maximumSteps)"
    case .stringLimit(let limit): Wording.stringTooLong(limit)
    case .elementLimit(let limit): Wording.tooManyElements(limit)
    case .nestingLimit(let limit):
      "the values are nested more than \(limit) levels deep"
    case .absent:
      "the optional has no value"
    case .conversion(let value, let type):
      "\(value) cannot be converted to \(type.rawValue)"
    case .argument(let fault):
      fault.wording
    }
  }

  private static func keys(_ available: [String], of count: Int) -> String {
    if available.isEmpty { return "the map is empty" }
    let shown = available.prefix(8)
    let names = shown.joined(separator: ", ")
    let more = count - shown.count
    return "the keys are \(names)" + (more > 0 ? " and \(more) more" : "")
  }
}

/// Phrases shared by the messages of compilation and evaluation faults.
enum Wording {
  /// Returns a clause: `function` is undefined for these types; a field is written with its dot.
  static func undefined(_ function: String, for types: [String]) -> String {
    if function.hasPrefix("."), let type = types.first {
      return "\(noun(type)) has no field '\(function.dropFirst())'"
    }
    return "'\(function)' is not defined for \(types.isEmpty ? "no arguments" : list(types))"
  }

  static func unsupportedKey(_ type: String) -> String {
    "a key of a map is a string, an int, a uint or a bool, not \(noun(type))"
  }

  static func stringTooLong(_ limit: Int) -> String {
    "the string has more than \(limit) bytes (maximumStringLength)"
  }

  static func tooManyElements(_ limit: Int) -> String {
    "the list or map has more than \(limit) elements (maximumElements)"
  }

  /// Returns the overloads of a function as a clause.
  static func overloads(_ signatures: [Signature]) -> String {
    if signatures.first?.name == "==" || signatures.first?.name == "!=" {
      return "both sides must have the same type"
    }
    let isOperator = signatures.first.map { $0.name.utf8.first?.isLetter == false } ?? false
    let isInfix = isOperator || signatures.first?.name == "in"
    let texts = signatures.map { isInfix ? $0.operation : $0.description }
    let shown = texts.prefix(8) + (texts.count > 8 ? ["\(texts.count - 8) more"] : [])
    return "there \(texts.count == 1 ? "is" : "are") \(list(Array(shown), separator: ", "))"
  }

  /// Returns `type` with its article: "an int", "a list(int)", "null".
  static func noun(_ type: String) -> String {
    if type == "null_type" { return "null" }
    let isVowel = ["int", "optional_type"].contains { type.hasPrefix($0) }
    return (isVowel ? "an " : "a ") + type
  }

  /// Returns "a", or "a or b".
  static func alternatives(_ parts: [String]) -> String { parts.joined(separator: " or ") }

  /// Returns "a and b", or with a separator "a, b and c".
  static func list(_ parts: [String], separator: String = " and ") -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: separator) + " and " + last
  }
}
