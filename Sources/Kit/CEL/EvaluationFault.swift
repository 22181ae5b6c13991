/// A failure of an evaluation, with the part of the program that caused it.
public struct EvaluationFault: Error, Sendable, Equatable {
  /// The ways in which an evaluation fails.
  public enum Reason: Error, Sendable, Equatable {
    /// A map has no such key. `available` are the first of those that it has.
    case noSuchKey(String, available: [String], count: Int)
    /// A list has no such element.
    case indexOutOfRange(Int64, count: Int)
    /// Division by an integer zero, or the remainder of one.
    case divisionByZero
    /// The result is outside of what its type can hold.
    case overflow(ValueType)
    /// An operator or function that is not defined for arguments of these types.
    case noSuchOverload(String, [ValueType])
    /// A name or function that is not known, in a program that was compiled unchecked.
    case undeclaredReference(String)
    /// A map literal with a key of a type that maps do not allow.
    case unsupportedKey(ValueType)
    /// A map literal with the same key twice.
    case duplicateKey(String)
    /// The evaluation took more steps than `ProgramLimits.maximumSteps`.
    case stepLimit(Int)
    /// A string or bytes longer than `ProgramLimits.maximumStringLength`.
    case stringLimit(Int)
    /// A list or map with more elements than `ProgramLimits.maximumElements`.
    case elementLimit(Int)
    /// Values nested deeper in one another than can be compared.
    case nestingLimit(Int)
    /// The value of an optional that has none.
    case absent
    /// A conversion that this value does not allow.
    case conversion(of: String, to: ValueType)
    /// An argument of the right type with which a function can do nothing.
    case argument(ArgumentFault)
  }

  /// The reason.
  public let reason: Reason
  /// The part of the source whose evaluation failed.
  public let range: SourceRange
  /// The source of the program.
  public let source: String

  /// The reason as a sentence without the place.
  public var message: String { reason.wording }

  /// The name that was probably meant, or another way to write it, if it can be guessed.
  public var hint: String? { reason.hint }

  /// The offset of the part in the source, in UTF-8 bytes.
  public var offset: Int { range.start }

  /// The line on which the range begins, from 1.
  public var line: Int { SourceExcerpt(source, range).line }

  /// The code point within the line at which the range begins, from 1.
  public var column: Int { SourceExcerpt(source, range).column }
}

extension EvaluationFault: CustomStringConvertible {
  /// Line, column, message and hint, with the source line and carets below them.
  public var description: String {
    SourceExcerpt(source, range).message([message, hint].compactMap { $0 }.joined(separator: "; "))
  }
}

extension EvaluationFault.Reason {
  /// True if `&&` and `||` must not absorb it, since going on is what the limit forbids.
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
