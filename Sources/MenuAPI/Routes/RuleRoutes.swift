import CEL
import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Checking a rule with given values.
enum RuleRoutes {
  static let all = [
    Route(
      .post, at: "/rules/check", needing: .read, id: "checkRule",
      "Compiles a rule and evaluates it on given values.",
      body: .json(
        "RuleCheck",
        #"{"rule":"size(state.selection) > 0","variables":{"state":{"selection":["lake"]}}}"#),
      answers: [.ok("RuleAnswer", "The value, or the fault and where it is.")], isQuestion: true,
      answeredBy: check)
  ]

  private static func check(_ call: Call) throws(Problem) -> Response {
    let check = try call.object { RuleCheck(&$0, within: call.service.ruleLimits) }
    return call.answer { writer in
      do throws(CompilationFault) {
        write(check, compiledTo: try check.program(), into: &writer)
      } catch {
        writer.member("ok", false)
        writer.member("fault")
        writer.value(error)
      }
    }
  }

  private static func write(
    _ check: RuleCheck, compiledTo program: Program, into writer: inout JSONWriter
  ) {
    var cost = 0
    do throws(EvaluationFault) {
      let value = try program.value(addingStepsTo: &cost, binding: check.value)
      writer.member("ok", true)
      if let json = try? value.json { writer.member("value", json) }
      writer.member("type", value.type.rawValue)
    } catch {
      writer.member("ok", false)
      writer.member("fault")
      writer.value(error)
    }
    writer.member("cost", cost)
    writer.member("paths", .array(program.paths.map { .string($0.tokens.joined(separator: ".")) }))
    if check.options.isExplaining {
      writer.member("explanation")
      writer.value(program.explanation(binding: check.value))
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ fault: CompilationFault) {
    beginObject()
    member("phase", "compilation")
    member("message", fault.message)
    member("offset", fault.offset)
    member("line", fault.line)
    member("column", fault.column)
    optionalMember("hint", fault.hint)
    optionalMember("excerpt", excerpt(of: fault.description))
    endObject()
  }

  fileprivate mutating func value(_ fault: EvaluationFault) {
    beginObject()
    member("phase", "evaluation")
    member("message", fault.message)
    member("offset", fault.range.start)
    member("line", fault.line)
    member("column", fault.column)
    optionalMember("hint", fault.hint)
    optionalMember("excerpt", excerpt(of: fault.description))
    endObject()
  }
}

/// A rule to check, with the values of its variables.
struct RuleCheck {
  let rule: String
  /// The variables with their values: the roots of rules, then any others.
  let variables: [(name: String, value: JSON)]
  let container: String
  let options: Options

  struct Options {
    var limits: ProgramLimits
    var isExplaining = false
  }

  func program() throws(CompilationFault) -> Program {
    let environment = Environment(variables: variables.map(\.name), container: container)
    return try Program(rule, in: environment, limits: options.limits)
  }

  /// Returns the value of a variable by its position.
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

  /// Reads the container; empty for none. Every name of the rule is resolved in every prefix of it, so its
  /// length is bounded like that of other names.
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

  /// Reads the limits; a request can lower the server's limits, never raise them.
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
  /// The value without one in the request.
  fileprivate var absent: JSON {
    switch self {
    case .state, .parameters, .tr: .object(JSONObject())
    case .responder, .sender, .command, .invocation, .segue: .null
    case .arguments: .array([])
    }
  }
}
