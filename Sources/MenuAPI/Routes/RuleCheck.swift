import CEL
import JSONText
import MenuEngine

/// A rule to be tried, with all that it may mention.
struct RuleCheck {
  let rule: String
  /// The roots of rules, then whatever else was given, with their values.
  let variables: [(name: String, value: JSON)]
  let container: String
  let options: Options

  /// The options of trying a rule.
  struct Options {
    var limits: ProgramLimits
    var isExplaining = false
  }

  /// The compiled rule.
  func program() throws(CompilationFault) -> Program {
    let environment = Environment(variables: variables.map(\.name), container: container)
    return try Program(rule, in: environment, limits: options.limits)
  }

  /// The value of a variable by its position.
  func value(at position: Int) -> Value {
    variables.indices.contains(position) ? Value(variables[position].value) : .null
  }
}

extension RuleCheck {
  init?(_ reader: inout ObjectReader, within limits: ProgramLimits) {
    let rule = reader.required("rule", Read.string)
    let given = reader.member("variables", Read.object) ?? JSONObject()
    container = reader.member("container", Self.container(reading:at:log:)) ?? ""
    options =
      reader.member("options") { Options(reading: $0, at: $1, log: $2, within: limits) }
      ?? Options(limits: limits)
    let roots = Rule.Root.allCases.map { (name: $0.name, value: given[$0.name] ?? $0.absent) }
    let others = given.members.filter { member in
      !Rule.rootNames.contains(where: member.name.hasSameBytes(as:))
    }
    variables = roots + others.map { (name: $0.name, value: $0.value) }
    guard let rule else { return nil }
    self.rule = rule
  }

  /// Every name of the rule is tried in every part of it, so it is as short as other names; empty for
  /// none.
  private static func container(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> String? {
    if json == "" { return "" }
    let name: Identifier<RuleCheck>? = Read.identifier(json, at: pointer, log: log)
    return name?.rawValue
  }
}

extension RuleCheck.Options {
  fileprivate init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, within limits: ProgramLimits
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    isExplaining = reader.member("explain", Read.bool) ?? false
    self.limits =
      reader.member("limits") {
        Self.limits(reading: $0, at: $1, log: $2, within: limits)
      } ?? limits
    reader.finish()
  }

  /// A request can ask for less than the server allows, never for more.
  private static func limits(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, within most: ProgramLimits
  ) -> ProgramLimits? {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    var limits = most
    for (name, limit) in ProgramLimits.named {
      guard let count = reader.member(name, Read.count) else { continue }
      limits[keyPath: limit] = min(count, most[keyPath: limit])
    }
    reader.finish()
    return limits
  }
}

extension ProgramLimits {
  fileprivate static var named: [(String, WritableKeyPath<ProgramLimits, Int>)] {
    [
      ("maximumSourceLength", \.maximumSourceLength), ("maximumNesting", \.maximumNesting),
      ("maximumNodes", \.maximumNodes), ("maximumSteps", \.maximumSteps),
      ("maximumStringLength", \.maximumStringLength), ("maximumElements", \.maximumElements),
    ]
  }
}

extension Rule.Root {
  /// The value when the request gives none.
  fileprivate var absent: JSON {
    switch self {
    case .state, .parameters: .object(JSONObject())
    case .responder, .sender, .command, .invocation, .segue: .null
    case .arguments: .array([])
    }
  }
}
