public import JSONText
import Synchronization

/// A compiled program of the Common Expression Language.
///
/// The language is that of langdef in cel-spec, over JSON: a number without fraction and exponent is an `int`,
/// every other is a `double`, an object is a map with string keys.
public struct Program: Sendable {
  let storage: Storage

  /// Makes a program one word long, since hosts store and copy many.
  final class Storage: Sendable {
    let source: String
    let environment: Environment
    let limits: ProgramLimits
    let code: Code
    let fused: FusedProgram?
    /// The places of each variable that the program reads, without the name of the variable.
    let places: [[ArraySlice<String>]]
    /// The truth values of past evaluations; nil unless the program is watched.
    let sightings: Sightings?

    init(
      _ source: String, in environment: Environment, limits: ProgramLimits, code: Code,
      isFusing: Bool
    ) {
      self.source = source
      self.environment = environment
      self.limits = limits
      self.code = code
      sightings = limits.isWatched ? Sightings() : nil
      fused = isFusing && !limits.isWatched ? FusedProgram(code, limits) : nil
      let paths = code.paths(environment.variables)
      places = environment.variables.map { variable in
        paths.filter { $0.tokens.first?.hasSameBytes(as: variable) == true }
          .map { $0.tokens.dropFirst() }
      }
    }
  }

  /// Compiles `source`, which can use only the given variables.
  ///
  /// An equal program in use is shared instead of compiled again, unless it is watched.
  ///
  /// - Throws: `CompilationFault` for the first fault.
  public init(
    _ source: String, variables: [String], limits: ProgramLimits = ProgramLimits()
  ) throws(CompilationFault) {
    let compile = { () throws(CompilationFault) -> Storage in
      try Program(source, in: Environment(variables: variables), limits: limits).storage
    }
    let key = ProgramTable.Key(source, variables: variables, limits: limits)
    storage =
      limits.isWatched
      ? try compile() : try ProgramTable.shared.storage(for: key, compile: compile)
  }

  /// Compiles `source`, which can use only the names in `environment`.
  ///
  /// - Throws: `CompilationFault` for the first fault.
  public init(
    _ source: String, in environment: Environment, limits: ProgramLimits = ProgramLimits()
  ) throws(CompilationFault) {
    try self.init(source, in: environment, limits: limits, isFusing: true)
  }

  /// Compiles `source`; without `isFusing`, into instructions only.
  init(
    _ source: String, in environment: Environment, limits: ProgramLimits = ProgramLimits(),
    isFusing: Bool
  ) throws(CompilationFault) {
    guard source.utf8.count <= limits.maximumSourceLength else {
      throw CompilationFault(source, longerThan: limits.maximumSourceLength)
    }
    do throws(SyntaxFault) {
      let code = try Compiler.compile(
        Parser.parse(source, limits, isTranslating: environment.isTranslating), in: environment)
      try Estimate.check(code, limits)
      storage = Storage(
        source, in: environment, limits: limits, code: code, isFusing: isFusing)
    } catch {
      throw CompilationFault(error, source: source)
    }
  }

  /// The source of the program.
  public var source: String { storage.source }

  /// The names that the program can use.
  public var environment: Environment { storage.environment }

  /// The limits of its evaluation.
  public var limits: ProgramLimits { storage.limits }

  var code: Code { storage.code }

  /// True if both are the same object in memory. Programs with equal source, variables and limits are.
  public func isIdentical(to other: Program) -> Bool { storage === other.storage }

  /// True if the program has fused code, without intermediate values.
  var isFused: Bool { storage.fused != nil }

  /// The inferred type of the value; `dyn` if it can be any.
  public var type: StaticType { code.type }

  /// The variables of the program, as indexes into `environment.variables`, ascending.
  public var readVariables: [Int] { code.variables }

  /// True if the text is a string literal that can be the program's value, such as `Hide` in `on ? 'Hide' :
  /// 'Show'`.
  public func spellsOut(_ text: String) -> Bool {
    var open = [code.root]
    while let id = open.popLast() {
      switch code.instructions[id] {
      case .constant(.string(let string)): if string.hasSameBytes(as: text) { return true }
      case .conditional(_, let yes, let no): open += [yes, no]
      case .orElse(let first, let second, unwraps: _): open += [first, second]
      default: continue
      }
    }
    return false
  }

  /// The literal keys of all translations in the program.
  public var translatedKeys: [String] {
    code.instructions.compactMap { instruction in
      switch instruction {
      case .callBinary(_, let texts, let key): code.key(key, amongTexts: texts, in: source)
      case .callVariadic(_, let arguments) where arguments.count > 1:
        code.key(arguments[1], amongTexts: arguments[0], in: source)
      default: nil
      }
    }
  }

  /// The parts of its variables that the program reads, each with the name of the variable: whole paths if fields and
  /// indexes are constant, else up to the first computed index.
  public var paths: [JSONPointer] { code.paths(environment.variables) }

  /// Returns the parts of one variable that the program reads: as `paths`, without the variable's name.
  ///
  /// - Parameter variable: The index in `environment.variables`.
  public func places(in variable: Int) -> [ArraySlice<String>] { storage.places[variable] }

  /// The paths without which a part of the program fails. Paths that it tests, as with `has`, are omitted.
  public var requiredPaths: [JSONPointer] { code.requiredPaths(environment.variables) }

  /// Returns the value of the program.
  ///
  /// `root` returns a variable by index; its value need not be JSON. It is called once for each use of a variable
  /// that the evaluation reaches.
  ///
  /// - Throws: `EvaluationFault` if there is no value.
  public func value(binding root: (Int) -> Value) throws(EvaluationFault) -> Value {
    var steps = 0
    return try value(addingStepsTo: &steps, binding: root)
  }

  /// Returns the value as `value(binding:)` does, and adds the cost to `steps`, even if it throws.
  public func value(
    addingStepsTo steps: inout Int, binding root: (Int) -> Value
  ) throws(EvaluationFault) -> Value {
    if let value = storage.fused?.value(addingStepsTo: &steps, binding: root) { return value }
    return try generalValue(addingStepsTo: &steps, binding: root)
  }

  /// Returns the value of a fused program that reads only `document`, the variable at an index, and adds the
  /// cost to `steps`.
  ///
  /// Nil, without cost, means that `value(addingStepsTo:binding:)` must be used.
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

  /// Returns the value by the instructions.
  private func generalValue(
    addingStepsTo steps: inout Int, binding root: (Int) -> Value
  ) throws(EvaluationFault) -> Value {
    let code = storage.code
    var evaluator = Evaluator(code, storage.limits)
    defer { steps += evaluator.meter.used }
    do throws(EvaluationFault.Reason) {
      let value = try evaluator.value(of: code.root, root)
      storage.sightings?.note(value)
      return value
    } catch {
      throw EvaluationFault(reason: error, range: code.ranges[evaluator.site], source: source)
    }
  }
}

extension Program {
  /// The truth values of all evaluations so far; nil unless the limits let the program be watched.
  public var seen: Set<Bool>? {
    storage.sightings.map { Set([true, false].filter($0.has)) }
  }
}

/// The truth values of a program's past evaluations.
final class Sightings: Sendable {
  /// The first bit for true, the second for false.
  private let bits = Atomic<UInt8>(0)

  /// Records a value. A value that is not a Boolean counts as both, because the program was evaluated.
  func note(_ value: Value) {
    guard case .bool(let bool) = value else { return bits.store(3, ordering: .relaxed) }
    bits.bitwiseOr(bool ? 1 : 2, ordering: .relaxed)
  }

  func has(_ bool: Bool) -> Bool { bits.load(ordering: .relaxed) & (bool ? 1 : 2) != 0 }
}

/// The limits of the cost of a program.
///
/// A program beyond the first three is refused when compiled. The others end an evaluation with a fault; a
/// program certain to exceed them is refused, too.
public struct ProgramLimits: Sendable, Hashable, Encodable {
  /// The maximum length of the source, in UTF-8 bytes.
  ///
  /// The default is 4096, the greatest value is 65,536.
  public var maximumSourceLength: Int {
    didSet { maximumSourceLength = min(maximumSourceLength, Self.greatestSourceLength) }
  }

  /// The maximum nesting of parentheses, brackets, braces, arguments and branches.
  ///
  /// The default is 64, the greatest value is 128. Chains of operators and selections do not nest.
  public var maximumNesting: Int {
    didSet { maximumNesting = min(maximumNesting, Self.greatestNesting) }
  }

  /// The maximum number of nodes: literals, names, operators, calls and the like.
  ///
  /// The default is 2,000.
  public var maximumNodes: Int

  /// The maximum number of steps of an evaluation.
  ///
  /// A sub-expression is one step; reading, comparing or producing strings and bytes is one more for every 16
  /// bytes, and one for every element of a list or map that is compared or copied. Matching a pattern is one
  /// for every 8 bytes and instruction of the pattern. A name of 64 bytes or more costs one for every 4 bytes,
  /// the text of a double, time or address 20, the first use of a time zone 1,000, and a fault that quotes a
  /// value one for every 2 bytes of it. So no step takes longer than about 100 ns (`make bounds`). The default
  /// is 200,000.
  public var maximumSteps: Int

  /// The maximum length of a string or byte sequence that is created, in bytes.
  ///
  /// The default is 1 MiB.
  public var maximumStringLength: Int

  /// The maximum number of elements of a list or map that is created.
  ///
  /// The default is 65,536.
  public var maximumElements: Int

  /// True if a program remembers whether it was true and false, and is not shared. The default is false; it is not
  /// encoded.
  public var isWatched = false

  private enum CodingKeys: CodingKey {
    case maximumSourceLength
    case maximumNesting
    case maximumNodes
    case maximumSteps
    case maximumStringLength
    case maximumElements
  }

  /// Creates limits, with defaults for omitted ones.
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
  /// Decodes limits, clamped to the greatest values.
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

/// The positions of names in a syntax tree, so that macro variables need not visit every node.
struct Mentions {
  /// The nodes by name, ascending.
  private var nodes: [String: [NodeID]] = [:]

  init(_ tree: SyntaxTree) {
    for id in tree.nodes.indices {
      if case .name(let name, isAbsolute: false) = tree.nodes[id] {
        nodes[name, default: []].append(id)
      }
    }
  }

  /// Returns the nodes of `range` with the name.
  func of(_ name: String, in range: Range<NodeID>) -> ArraySlice<NodeID> {
    let all = nodes[name] ?? []
    return all[position(of: range.lowerBound, in: all)..<position(of: range.upperBound, in: all)]
  }

  /// Returns the position of the first id not less than `id`.
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
