/// A mistake in the source of a program, with its place.
public struct CompilationFault: Error, Sendable, Equatable {
  /// The mistakes that a source can have.
  public enum Reason: Sendable, Equatable {
    /// The source is longer than `ProgramLimits.maximumSourceLength`.
    case sourceTooLong(limit: Int)
    /// Parts stand deeper in one another than `ProgramLimits.maximumNesting`.
    case nestedTooDeeply(limit: Int)
    /// The program has more parts than `ProgramLimits.maximumNodes`.
    case tooManyNodes(limit: Int)
    /// Every evaluation takes more steps than `ProgramLimits.maximumSteps`: at least so many.
    case tooManySteps(Int, limit: Int)
    /// A string or bytes would be longer than `ProgramLimits.maximumStringLength`.
    case stringTooLong(limit: Int)
    /// A list or map would have more elements than `ProgramLimits.maximumElements`.
    case tooManyElements(limit: Int)
    /// A character with which nothing begins.
    case unexpectedCharacter(Unicode.Scalar)
    /// A string literal or quoted field name without its end.
    case unterminatedString
    /// An escape sequence, as written, that string or bytes literals do not have.
    case invalidEscape(String)
    /// A number literal, as written, of no known form.
    case invalidNumber(String)
    /// A number literal, as written, that 64 bits cannot hold.
    case numberOutOfRange(String)
    /// Something else than the grammar allows.
    case unexpected(found: String, expected: String)
    /// A word that is kept for the language, used as a name.
    case reservedWord(String)
    /// A name that is none of the variables.
    case unknownVariable(String)
    /// A call of a function that does not exist, neither as a function nor as a macro.
    case unknownFunction(String)
    /// A call with too few or too many arguments.
    case wrongArgumentCount(function: String, expected: [Int], found: Int)
    /// A macro whose arguments do not have the form it needs.
    case invalidMacro(String, expected: String)
    /// An operator or function that is not defined for arguments of these types.
    case noSuchOverload(String, [StaticType])
    /// A map literal with a key of a type that maps do not allow.
    case unsupportedKey(StaticType)
    /// A regular expression that is none of RE2's, with what RE2 says about it.
    case invalidPattern(String)
    /// A protobuf message, which a program over JSON cannot make.
    case message(String)
    /// A value of this type, where the host wants one of the others.
    case wrongType(StaticType, wanted: [StaticType])
    /// A value of this type, where the host wants one that JSON can carry.
    case noJSONForm(StaticType)
  }

  /// The mistake.
  public let reason: Reason
  /// The part of the source that is wrong.
  public let range: SourceRange
  /// The line on which the range begins, from 1.
  public let line: Int
  /// The code point within the line at which the range begins, from 1.
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

  /// A source that is too long is neither read nor shown.
  init(sourceLongerThan limit: Int) {
    let range = SourceRange(limit, limit)
    self.init(SyntaxFault(.sourceTooLong(limit: limit), at: range), source: "")
  }

  /// The offset of the fault in the source, in UTF-8 bytes.
  public var offset: Int { range.start }

  /// The mistake as a sentence without the place.
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

/// A fault before it is known which text it is in.
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

/// A usual slip, from which follows what was probably meant.
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
  /// The variables that there are.
  case variables([String])
  case unquotedKey(String)
  case reservedField(String)
  /// The overloads that there are.
  case overloads([Signature])
  case wanted(StaticType)
  /// A value of the first type is to be made one of the others.
  case conversion(of: StaticType, to: [StaticType])
  /// The range of a macro.
  case range(Comprehension.Kind)
}
