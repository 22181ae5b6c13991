public import JSONText

/// A program of the Common Expression Language, compiled and ready to be evaluated.
///
/// The language is that of langdef in cel-spec, over JSON: a number without fraction and exponent
/// is an `int`, every other is a `double`, an object is a map with string keys.
public struct Program: Sendable {
  /// The text of the program.
  public let source: String
  /// What the program may mention.
  public let environment: Environment
  /// The bounds of its evaluation.
  public let limits: Limits
  private let code: Code

  /// Compiles `source`, which may mention only the given variables.
  ///
  /// Throws `CompilationFault` for the first thing that is wrong with it.
  public init(
    _ source: String, variables: [String], limits: Limits = Limits()
  ) throws(CompilationFault) {
    try self.init(source, in: Environment(variables: variables), limits: limits)
  }

  /// Compiles `source`, which may mention only what is in `environment`.
  ///
  /// Throws `CompilationFault` for the first thing that is wrong with it.
  public init(
    _ source: String, in environment: Environment, limits: Limits = Limits()
  ) throws(CompilationFault) {
    self.source = source
    self.environment = environment
    self.limits = limits
    guard source.utf8.count <= limits.maximumSourceLength else {
      throw CompilationFault(sourceLongerThan: limits.maximumSourceLength)
    }
    do throws(SyntaxFault) {
      code = try Compiler.compile(
        try Parser.parse(source, maximumNesting: limits.maximumNesting), in: environment)
    } catch {
      throw CompilationFault(error, source: source)
    }
  }

  /// The variables that the program mentions, as positions in `environment.variables`, in
  /// ascending order.
  public var readVariables: [Int] { code.variables }

  /// Where in its variables the program reads: whole paths where fields and indexes are constant,
  /// and what precedes the first computed index otherwise.
  public var paths: [Path] { code.paths(environment.variables) }

  /// The value of the program, where `root` answers a variable by its position.
  ///
  /// `root` is called only for variables that are needed, each time they are.
  ///
  /// Throws `EvaluationFault` when there is no value.
  public func evaluate(_ root: (Int) -> JSON) throws(EvaluationFault) -> Value {
    try value { Value(root($0)) }
  }

  /// The value of the program, where `root` answers a variable by its position with a value that
  /// need not be JSON.
  ///
  /// Throws `EvaluationFault` when there is no value.
  public func value(binding root: (Int) -> Value) throws(EvaluationFault) -> Value {
    var steps = 0
    return try value(addingStepsTo: &steps, binding: root)
  }

  /// As `value(binding:)`, and adds what it cost to `steps`, also when there is no value.
  public func value(
    addingStepsTo steps: inout Int, binding root: (Int) -> Value
  ) throws(EvaluationFault) -> Value {
    var evaluator = Evaluator(code, limits)
    defer { steps += evaluator.meter.used }
    do throws(EvaluationFault.Reason) {
      return try evaluator.value(of: code.root, root)
    } catch {
      throw EvaluationFault(reason: error, range: code.ranges[evaluator.site], source: source)
    }
  }
}
