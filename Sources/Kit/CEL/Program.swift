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

  /// True if a text is one of the strings that the program answers as they are written, as `Hide` is in
  /// `on ? 'Hide' : 'Show'`.
  public func spellsOut(_ text: String) -> Bool {
    var open = [code.root]
    while let id = open.popLast() {
      switch code.instructions[id] {
      case .constant(.string(let string)) where string.hasSameBytes(as: text): return true
      case .conditional(_, let yes, let no): open += [yes, no]
      case .orElse(let first, let second, unwraps: _): open += [first, second]
      default: continue
      }
    }
    return false
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

/// The bounds that keep a program from costing more than its host can spare.
///
/// A program beyond the first three is refused when it is compiled. The others end an evaluation
/// with a fault; a program that is certain to exceed them is refused, too.
public struct ProgramLimits: Sendable, Hashable, Encodable {
  /// The longest source, in UTF-8 bytes.
  ///
  /// The default is 4096, the greatest is 65,536.
  public var maximumSourceLength: Int {
    didSet { maximumSourceLength = min(maximumSourceLength, Self.greatestSourceLength) }
  }

  /// The depth to which parentheses, brackets, braces, arguments and branches may nest.
  ///
  /// The default is 64, the greatest is 128. Chains of operators and selections do not nest.
  public var maximumNesting: Int {
    didSet { maximumNesting = min(maximumNesting, Self.greatestNesting) }
  }

  /// The most parts that a program may have: literals, names, operators, calls and their like.
  ///
  /// The default is 2,000.
  public var maximumNodes: Int

  /// The most steps that an evaluation may take.
  ///
  /// A sub-expression is one step; reading, comparing or producing strings and bytes is one more
  /// for every 16 bytes, and one for every element of a list or map that is compared or copied.
  /// Matching a pattern is one for every 8 bytes and instruction of the pattern.
  /// A name of 64 bytes or more costs one for every 4 bytes, the text of a double, time or address 20,
  /// the first use of a time zone 1,000, and a fault that quotes a value one for every 2 bytes of it.
  /// So no step takes longer than about 100 ns (`make bounds`).
  /// The default is 200,000.
  public var maximumSteps: Int

  /// The longest string or byte sequence that may be produced, in bytes.
  ///
  /// The default is 1 MiB.
  public var maximumStringLength: Int

  /// The most elements that a produced list or map may have.
  ///
  /// The default is 65,536.
  public var maximumElements: Int

  /// Bounds, where those not mentioned have their defaults.
  public init(
    maximumSourceLength: Int = 4096,
    maximumNesting: Int = 64,
    maximumNodes: Int = 2000,
    maximumSteps: Int = 200_000,
    maximumStringLength: Int = 1 << 20,
    maximumElements: Int = 1 << 16
  ) {
    self.maximumSourceLength = min(maximumSourceLength, Self.greatestSourceLength)
    self.maximumNesting = min(maximumNesting, Self.greatestNesting)
    self.maximumNodes = maximumNodes
    self.maximumSteps = maximumSteps
    self.maximumStringLength = maximumStringLength
    self.maximumElements = maximumElements
  }

  /// A chain of macros can nest a value deeper with every few bytes, and releasing it recurses.
  private static let greatestSourceLength = 1 << 16

  /// A level takes about 3 KiB of stack, in debug builds eight times that.
  private static let greatestNesting = 128
}

extension ProgramLimits: Decodable {
  /// Decodes bounds; those beyond the greatest ones become the greatest ones.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      maximumSourceLength: try container.decode(Int.self, forKey: .maximumSourceLength),
      maximumNesting: try container.decode(Int.self, forKey: .maximumNesting),
      maximumNodes: try container.decode(Int.self, forKey: .maximumNodes),
      maximumSteps: try container.decode(Int.self, forKey: .maximumSteps),
      maximumStringLength: try container.decode(Int.self, forKey: .maximumStringLength),
      maximumElements: try container.decode(Int.self, forKey: .maximumElements))
  }
}

/// The positions of names in a syntax tree, so that the variables of macros need not look at every node.
struct Mentions {
  /// In ascending order.
  private var nodes: [String: [NodeID]] = [:]

  init(_ tree: SyntaxTree) {
    for id in tree.nodes.indices {
      if case .name(let name, isAbsolute: false) = tree.nodes[id] {
        nodes[name, default: []].append(id)
      }
    }
  }

  /// The nodes of `range` that are the name.
  func of(_ name: String, in range: Range<NodeID>) -> ArraySlice<NodeID> {
    let all = nodes[name] ?? []
    return all[position(of: range.lowerBound, in: all)..<position(of: range.upperBound, in: all)]
  }

  /// The position of the first id that is not before `id`.
  private func position(of id: NodeID, in ids: [NodeID]) -> Int {
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
