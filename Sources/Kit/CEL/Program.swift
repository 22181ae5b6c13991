public import JSONText

/// A program of the Common Expression Language, compiled and ready to be evaluated.
///
/// The language is that of langdef in cel-spec, over JSON: a number without fraction and exponent
/// is an `int`, every other is a `double`, an object is a map with string keys.
public struct Program: Sendable {
  let storage: Storage

  /// Keeps a program one word long, since hosts keep and hand on many.
  final class Storage: Sendable {
    let source: String
    let environment: Environment
    let limits: ProgramLimits
    let code: Code
    let fused: FusedProgram?
    /// The parts of each variable that the program reads, without the name of the variable.
    let places: [[ArraySlice<String>]]

    init(
      _ source: String, in environment: Environment, limits: ProgramLimits, code: Code,
      isFusing: Bool
    ) {
      self.source = source
      self.environment = environment
      self.limits = limits
      self.code = code
      fused = isFusing ? FusedProgram(code, limits) : nil
      let paths = code.paths(environment.variables)
      places = environment.variables.map { variable in
        paths.filter { $0.steps.first?.hasSameBytes(as: variable) == true }
          .map { $0.steps.dropFirst() }
      }
    }
  }

  /// Compiles `source`, which may mention only the given variables.
  ///
  /// An equal program that is in use is not compiled again: both are the same.
  ///
  /// Throws `CompilationFault` for the first thing that is wrong with it.
  public init(
    _ source: String, variables: [String], limits: ProgramLimits = ProgramLimits()
  ) throws(CompilationFault) {
    let key = ProgramTable.Key(source, variables: variables, limits: limits)
    storage = try ProgramTable.shared.storage(for: key) { () throws(CompilationFault) in
      try Program(source, in: Environment(variables: variables), limits: limits).storage
    }
  }

  /// Compiles `source`, which may mention only what is in `environment`.
  ///
  /// Throws `CompilationFault` for the first thing that is wrong with it.
  public init(
    _ source: String, in environment: Environment, limits: ProgramLimits = ProgramLimits()
  ) throws(CompilationFault) {
    try self.init(source, in: environment, limits: limits, isFusing: true)
  }

  /// Compiles `source`; unless `isFusing`, into instructions alone.
  init(
    _ source: String, in environment: Environment, limits: ProgramLimits = ProgramLimits(),
    isFusing: Bool
  ) throws(CompilationFault) {
    guard source.utf8.count <= limits.maximumSourceLength else {
      throw CompilationFault(sourceLongerThan: limits.maximumSourceLength)
    }
    do throws(SyntaxFault) {
      let code = try Compiler.compile(Parser.parse(source, limits), in: environment)
      try Estimate.check(code, limits)
      storage = Storage(
        source, in: environment, limits: limits, code: code, isFusing: isFusing)
    } catch {
      throw CompilationFault(error, source: source)
    }
  }

  /// The text of the program.
  public var source: String { storage.source }

  /// The names that the program may mention.
  public var environment: Environment { storage.environment }

  /// The bounds of its evaluation.
  public var limits: ProgramLimits { storage.limits }

  var code: Code { storage.code }

  /// True if both are one program in memory; equal programs of equal variables and limits are.
  public func isIdentical(to other: Program) -> Bool { storage === other.storage }

  /// True if there is code that needs no values on the way.
  var isFused: Bool { storage.fused != nil }

  /// The type that was deduced for the value of the program; `dyn` when it may have any.
  public var type: StaticType { code.type }

  /// The variables that the program mentions, as positions in `environment.variables`, in
  /// ascending order.
  public var readVariables: [Int] { code.variables }

  /// True if a text is written in the program as a string, as `Hide` is in `on ? 'Hide' : 'Show'`.
  public func spellsOut(_ text: String) -> Bool {
    code.instructions.contains { instruction in
      guard case .constant(.string(let string)) = instruction else { return false }
      return string.hasSameBytes(as: text)
    }
  }

  /// The parts of its variables that the program reads: whole paths where fields and indexes are constant,
  /// and what precedes the first computed index otherwise.
  public var paths: [Path] { code.paths(environment.variables) }

  /// The parts of one of its variables that the program reads: as `paths`, without its name.
  ///
  /// - Parameter variable: Its position in `environment.variables`.
  public func places(in variable: Int) -> [ArraySlice<String>] { storage.places[variable] }

  /// The paths without which a part of the program fails; those that it tests itself, as with `has`,
  /// are left out.
  public var requiredPaths: [Path] { code.requiredPaths(environment.variables) }

  /// The value of the program, where `root` answers a variable by its position.
  ///
  /// `root` is called only for variables that are needed, each time they are.
  ///
  /// Throws `EvaluationFault` when there is no value.
  public func evaluate(_ root: (Int) -> JSON) throws(EvaluationFault) -> Value {
    var steps = 0
    if let fused = storage.fused, let variable = fused.variable,
      case .object(let document) = root(variable),
      let value = fused.value(in: document, addingStepsTo: &steps)
    {
      return value
    }
    return try value { Value(root($0)) }
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
    if let value = storage.fused?.value(addingStepsTo: &steps, binding: root) { return value }
    return try generalValue(addingStepsTo: &steps, binding: root)
  }

  /// The value of a program that reads nothing but `document`, which is the variable at a position, and
  /// needs no more than to look there; and adds what it cost to `steps`.
  ///
  /// Nil says nothing, and adds nothing: `value(addingStepsTo:binding:)` is to be asked.
  public func value(
    addingStepsTo steps: inout Int, in document: JSON, at position: Int
  ) -> Value? {
    guard let fused = storage.fused else { return nil }
    guard let variable = fused.variable else {
      return fused.value(in: JSONObject(), addingStepsTo: &steps)
    }
    guard variable == position, case .object(let object) = document else { return nil }
    return fused.value(in: object, addingStepsTo: &steps)
  }

  /// The value that the instructions have.
  private func generalValue(
    addingStepsTo steps: inout Int, binding root: (Int) -> Value
  ) throws(EvaluationFault) -> Value {
    let code = storage.code
    var evaluator = Evaluator(code, storage.limits)
    defer { steps += evaluator.meter.used }
    do throws(EvaluationFault.Reason) {
      return try evaluator.value(of: code.root, root)
    } catch {
      throw EvaluationFault(reason: error, range: code.ranges[evaluator.site], source: source)
    }
  }
}
