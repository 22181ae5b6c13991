public import JSONText

/// The values of all parts of a program, which explain its own.
public struct Explanation: Sendable {
  /// The value of a part, or the fault of the part in which it arose, which may be an operand.
  public typealias Outcome = Result<Value, EvaluationFault>

  /// A part of the program that was evaluated.
  public struct Part: Sendable {
    /// The range of the part in the source.
    public let range: SourceRange
    /// The range that names its operator, field or function.
    public let anchor: SourceRange
    /// The value of the part, or its fault.
    public let outcome: Outcome
    /// True if the result rests on it: not for an operand that a decided `&&`, `||` or `?:` skips.
    public let isDecisive: Bool
    /// True if it is a literal, which needs no explanation.
    public let isLiteral: Bool
    /// The element, from 0, for which the body of a macro was evaluated.
    public let element: Int?
  }

  /// A condition that makes a program false.
  public struct Reason: Sendable {
    /// The condition: false, or true where the program wants it not to be.
    public let part: Part
    /// The operands that it compares or tests.
    public let operands: [Part]
  }

  /// The text of the program.
  public let source: String
  /// The value of the program or its fault, as evaluating it answers.
  public let outcome: Outcome
  /// The parts, operands before what they belong to, and those that a macro evaluates for its
  /// first elements, and for the one that decided, after it.
  public let parts: [Part]
  /// True if every part is there; otherwise the steps of an evaluation did not suffice.
  public let isComplete: Bool
  /// The conditions that make the program false: changing one of them is not enough while there
  /// are others. None when it is not false.
  public let reasons: [Reason]
  /// The steps of evaluating and explaining together.
  public let steps: Int
}

extension Program {
  /// Returns the values of all parts, where `root` answers a variable by its position.
  ///
  /// All operands are evaluated, also those that do not matter for the result. This takes at most
  /// as many steps again as evaluating the program may take.
  public func explain(_ root: (Int) -> JSON) -> Explanation {
    explanation(binding: { Value(root($0)) })
  }

  /// Returns the values of all parts, where `root` answers a variable by its position with a value
  /// that need not be JSON.
  public func explanation(binding root: (Int) -> Value) -> Explanation {
    let outcome: Explanation.Outcome
    var steps = 0
    do throws(EvaluationFault) {
      outcome = .success(try value(addingStepsTo: &steps, binding: root))
    } catch {
      outcome = .failure(error)
    }
    var explainer = Explainer(code, limits, source: source)
    return explainer.explanation(of: outcome, steps, root)
  }
}
