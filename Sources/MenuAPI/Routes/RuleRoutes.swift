import CEL
import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Trying a rule on given values.
enum RuleRoutes {
  static let all = [
    Route(
      .post, "/rules/check",
      Operation(
        "checkRule", "Compiles a rule and evaluates it on given values.",
        body: .json(
          "RuleCheck",
          #"{"rule":"size(state.selection) > 0","variables":{"state":{"selection":["lake"]}}}"#),
        answers: [.ok("RuleAnswer", "The value, or the fault and where it is.")]),
      check)
  ]

  fileprivate struct Check {
    let rule: String
    let variables: [JSON]
  }

  private static func check(_ call: Call) throws(Problem) -> Response {
    let check = try call.object { Check(&$0) }
    return call.answer { writer in
      do throws(CompilationFault) {
        answer(try Rule(check.rule), check.variables, &writer)
      } catch {
        writer.member("ok", false)
        writer.member("fault")
        writer.value(error)
      }
    }
  }

  private static func answer(_ rule: Rule, _ variables: [JSON], _ writer: inout JSONWriter) {
    var cost = 0
    do throws(EvaluationFault) {
      let value = try rule.program.value(addingStepsTo: &cost) { index in
        variables.indices.contains(index) ? Value(variables[index]) : .null
      }
      writer.member("ok", true)
      if let json = try? value.json { writer.member("value", json) }
      writer.member("type", value.type.rawValue)
    } catch {
      writer.member("ok", false)
      writer.member("fault")
      writer.value(error)
    }
    writer.member("cost", cost)
    writer.member("paths", .array(rule.program.paths.map { .string($0.description) }))
  }
}

extension RuleRoutes.Check {
  fileprivate init?(_ reader: inout ObjectReader) {
    let rule = reader.required("rule", Read.string)
    variables = reader.member("variables", Self.variables) ?? Rule.Root.allCases.map(\.absent)
    guard let rule else { return nil }
    self.rule = rule
  }

  private static func variables(
    _ json: JSON, _ pointer: JSONPointer, _ log: FaultLog
  ) -> [JSON]? {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let values = Rule.Root.allCases.map { root in reader.json(root.name) ?? root.absent }
    reader.finish()
    return values
  }
}

extension Rule.Root {
  /// The value when the request gives none.
  fileprivate var absent: JSON {
    switch self {
    case .state: .object(JSONObject())
    case .responder, .sender, .command: .null
    case .arguments: .array([])
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
    optionalMember("excerpt", excerpt(of: fault.description))
    endObject()
  }
}
