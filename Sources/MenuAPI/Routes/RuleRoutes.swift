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
      describedAs: RouteDescription(
        "checkRule", "Compiles a rule and evaluates it on given values.",
        body: .json(
          "RuleCheck",
          #"{"rule":"size(state.selection) > 0","variables":{"state":{"selection":["lake"]}}}"#),
        answers: [.ok("RuleAnswer", "The value, or the fault and where it is.")],
        isQuestion: true, requiredAccess: .anyToken),
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
    writer.member("paths", .array(program.paths.map { .string($0.description) }))
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
