/// A fault in the source of a program, with its place.
public struct CompilationFault: Error, Sendable, Equatable {
  /// The kinds of faults.
  public enum Reason: Sendable, Equatable {
    /// The source is longer than `ProgramLimits.maximumSourceLength`.
    case sourceTooLong(limit: Int)
    /// The nesting exceeds `ProgramLimits.maximumNesting`.
    case nestedTooDeeply(limit: Int)
    /// The program has more nodes than `ProgramLimits.maximumNodes`.
    case tooManyNodes(limit: Int)
    /// Every evaluation takes at least this number of steps, more than `ProgramLimits.maximumSteps`.
    case tooManySteps(Int, limit: Int)
    /// A string or bytes would be longer than `ProgramLimits.maximumStringLength`.
    case stringTooLong(limit: Int)
    /// A list or map would have more elements than `ProgramLimits.maximumElements`.
    case tooManyElements(limit: Int)
    /// A character that begins no token.
    case unexpectedCharacter(Unicode.Scalar)
    /// A string literal or quoted field name is not terminated.
    case unterminatedString
    /// An escape sequence that string or bytes literals do not have.
    case invalidEscape(String)
    /// A malformed number literal.
    case invalidNumber(String)
    /// A number literal that 64 bits cannot hold.
    case numberOutOfRange(String)
    /// A token that the grammar does not allow.
    case unexpected(found: String, expected: String)
    /// A reserved word used as a name.
    case reservedWord(String)
    /// A name that is not a variable.
    case unknownVariable(String)
    /// A call of an unknown function or macro.
    case unknownFunction(String)
    /// A call with too few or too many arguments.
    case wrongArgumentCount(function: String, expected: [Int], found: Int)
    /// A macro with arguments of the wrong form.
    case invalidMacro(String, expected: String)
    /// An operator or function without an overload for these types.
    case noSuchOverload(String, [StaticType])
    /// A map literal with a key of a type that maps do not allow.
    case unsupportedKey(StaticType)
    /// A regular expression that RE2 does not compile, with its message.
    case invalidPattern(String)
    /// A protobuf message, which programs over JSON cannot create.
    case message(String)
    /// The type of the value is not one of those the host accepts.
    case wrongType(StaticType, wanted: [StaticType])
    /// The type of the value has no JSON form, which the host requires.
    case noJSONForm(StaticType)
  }

  /// The reason.
  public let reason: Reason
  /// The range in the source.
  public let range: SourceRange
  /// The line where the range begins, from 1.
  public let line: Int
  /// The column where the range begins, in code points, from 1.
  public let column: Int
  private let slip: Slip?
  private let source: String

  init(_ fault: SyntaxFault, source: String) {
    reason = fault.reason
    range = fault.range
    slip = fault.slip
    self.source = source
    let excerpt = SourceExcerpt(source, fault.range)
    line = excerpt.line
    column = excerpt.column
  }

  /// A source that is too long is not shown. The place is the end of what would be read.
  init(_ source: String, longerThan limit: Int) {
    let range = SourceRange(limit, limit)
    let beginning = String(decoding: source.utf8.prefix(limit), as: UTF8.self)
    self.init(SyntaxFault(.sourceTooLong(limit: limit), at: range), source: beginning)
  }

  /// The offset of the fault in the source, in UTF-8 bytes.
  public var offset: Int { range.start }

  /// The reason as a sentence without the place.
  public var message: String { reason.wording }

  /// The name that was probably meant, if it can be guessed.
  public var hint: String? { slip?.wording }
}

extension CompilationFault: CustomStringConvertible {
  /// Line, column, message and hint, with the source line and carets below them.
  public var description: String {
    let headline = [message, hint].compactMap { $0 }.joined(separator: "; ")
    if case .sourceTooLong = reason { return headline }
    return SourceExcerpt(source, range).message(headline)
  }
}

/// A fault before its source is attached.
struct SyntaxFault: Error {
  var reason: CompilationFault.Reason
  var range: SourceRange
  var slip: Slip?

  init(_ reason: CompilationFault.Reason, at range: SourceRange, _ slip: Slip? = nil) {
    self.reason = reason
    self.range = range
    self.slip = slip
  }
}

/// A common mistake, from which the intended text can be guessed.
enum Slip: Equatable {
  case assignment
  case singleAmpersand
  case singleBar
  case wordForOperator(String, means: String)
  case missingQuote
  case typographicQuote
  case lineBreakInString
  case strictEquality(means: String)
  case misspelled(nearest: String)
  case functionOfMember(String)
  case memberOfFunction(String)
  case statement
  case comment
  case inequality
  case comparison(String)
  case conditional
  /// The existing variables.
  case variables([String])
  case unquotedKey(String)
  case reservedField(String)
  /// The existing overloads.
  case overloads([Signature])
  case wanted(StaticType)
  /// A value of the first type should be converted to one of the others.
  case conversion(of: StaticType, to: [StaticType])
  /// The range of a macro.
  case range(Comprehension.Kind)
}

/// The messages of compilation faults.
extension CompilationFault.Reason {
  var wording: String {
    switch self {
    case .sourceTooLong(let limit):
      "the source is longer than \(limit) bytes (maximumSourceLength)"
    case .nestedTooDeeply(let limit):
      "the program is nested more than \(limit) levels deep (maximumNesting)"
    case .tooManyNodes(let limit):
      "the program has more than \(limit) parts (maximumNodes)"
    case .tooManySteps(let steps, let limit):
      "evaluating this takes at least \(steps) steps, more than \(limit) (maximumSteps)"
    case .stringTooLong(let limit): Wording.stringTooLong(limit)
    case .tooManyElements(let limit): Wording.tooManyElements(limit)
    case .unexpectedCharacter(let scalar):
      "unexpected character \(Self.name(of: scalar))"
    case .unterminatedString:
      "the string does not end"
    case .invalidEscape(let text):
      "invalid escape sequence '\(text)'"
    case .invalidNumber(let text):
      "invalid number '\(text)'"
    case .numberOutOfRange(let text):
      "the number '\(text)' is out of range"
    case .unexpected(let found, let expected):
      "expected \(expected), found \(found)"
    case .reservedWord(let word):
      "'\(word)' is a reserved word"
    case .unknownVariable(let name):
      "unknown variable '\(name)'"
    case .unknownFunction(let name):
      "unknown function '\(name)'"
    case .wrongArgumentCount(let function, let expected, let found):
      "'\(function)' takes \(Self.counts(expected)), not \(found)"
    case .invalidMacro(let macro, let expected):
      "'\(macro)' takes \(expected)"
    case .noSuchOverload(let function, let types):
      Wording.undefined(function, for: types.map(\.description))
    case .unsupportedKey(let type):
      Wording.unsupportedKey(type.description)
    case .invalidPattern(let message):
      "invalid pattern: \(message)"
    case .message(let name):
      "'\(name){…}' would be a message; programs here know JSON values only"
    case .wrongType(let type, let wanted):
      "the value is \(Wording.noun(type.description)), never "
        + Wording.alternatives(wanted.map { Wording.noun($0.shortName) })
    case .noJSONForm(let type):
      "the value is \(Wording.noun(type.description)), which has no form in JSON"
    }
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    let code = String(scalar.value, radix: 16, uppercase: true)
    let isPrintable = scalar.value > 0x20 && !(0x7F...0x9F).contains(scalar.value)
    let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
    return isPrintable ? "'\(scalar)'" : "U+\(padded)"
  }

  private static func counts(_ expected: [Int]) -> String {
    let text = expected.map(String.init).joined(separator: " or ")
    return expected == [1] ? "1 argument" : "\(text) arguments"
  }
}

extension Slip {
  var wording: String {
    switch self {
    case .assignment: "did you mean '=='?"
    case .singleAmpersand: "did you mean '&&'?"
    case .singleBar: "did you mean '||'?"
    case .wordForOperator(let word, let means): "'\(word)' is written '\(means)'"
    case .missingQuote: "a quote is missing"
    case .typographicQuote: "strings stand in ' or \""
    case .lineBreakInString: "a quote is missing, or three of them for a string of several lines"
    case .strictEquality(let means): "did you mean '\(means)'?"
    case .misspelled(let nearest): "did you mean '\(nearest)'?"
    case .functionOfMember(let name): "write '\(name)(x)' instead of 'x.\(name)()'"
    case .memberOfFunction(let name): "write 'x.\(name)(…)' instead of '\(name)(x, …)'"
    case .statement: "a program is one expression"
    case .comment: "comments begin with '//'"
    case .inequality: "did you mean '!='?"
    case .comparison(let means): "did you mean '\(means)'?"
    case .conditional: "write 'condition ? a : b'"
    case .variables(let names):
      names.count == 1
        ? "the only variable is \(names[0])"
        : "the variables are \(Wording.list(names, separator: ", "))"
    case .unquotedKey(let name): "did you mean '\(name)' in quotes?"
    case .reservedField(let name): "write ['\(name)'] instead of .\(name)"
    case .overloads(let signatures): Wording.overloads(signatures)
    case .wanted(let type):
      type.name == "optional_type"
        ? "an optional is wanted" : "\(Wording.noun(type.description)) is wanted"
    case .conversion(let type, let wanted): type.conversion(to: wanted)
    case .range(let kind):
      "\(kind == .optMap || kind == .optFlatMap ? "an optional" : "a list or map") is wanted"
    }
  }
}
