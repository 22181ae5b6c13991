import JSONText
import MenuEngine
import MicroHTTP

/// The result of a call that is refused, which a model can act on.
struct RefusedTool {
  let problem: Problem
  /// The name of the tool.
  let name: String

  /// The result: the sentence of the problem and each fault, with arguments called as agents do.
  var result: JSONObject {
    let isOfArguments = problem.parts.contains { $0.pointer.tokens.first == "parameters" }
    let faults = problem.parts.map { "\(argument(at: $0.pointer)): \($0.detail)" }
    if isOfArguments {
      return result(
        ToolText("\(quoted(name)) was not performed: its arguments do not fit its schema."),
        faults)
    }
    let isSingle = problem.parts.count <= 1
    return result(
      ToolText("\(quoted(name)) was not performed. \(problem.detail)"), isSingle ? [] : faults)
  }

  /// The result with what would change the refusal.
  func result(_ remedies: Remedies) -> JSONObject {
    let advice = RemediesText(remedies, of: name)
    return result(ToolText(advice.sentence), advice.lines, help: advice.json)
  }

  private func result(_ first: ToolText, _ lines: [String], help: JSON? = nil) -> JSONObject {
    var text = first
    for line in lines { text.add(line) }
    text.end { "And \($0) more." }
    return [
      "content": [text.block], "structuredContent": structure(help), "isError": true,
    ]
  }

  private func structure(_ help: JSON?) -> JSON {
    let document = (try? JSON(parsing: problem.response.body)) ?? .null
    guard case .object(let problem) = renamed(document) else { return document }
    var structure = ToolStructure()
    for member in problem where member.name != "errors" {
      structure.add(member.name, member.value, rest: nil)
    }
    structure.add("tool", .string(name), rest: nil)
    structure.add("help", help, rest: nil)
    structure.add("errors", problem["errors"], rest: nil)
    return structure.json
  }

  /// The place of an argument that is to blame.
  private func argument(at pointer: JSONPointer) -> String {
    guard pointer.tokens.first == "parameters" else { return pointer.description }
    return JSONPointer(["arguments"] + pointer.tokens.dropFirst()).description
  }

  /// A problem in which parameters are called as agents do.
  private func renamed(_ document: JSON) -> JSON {
    guard case .object(var problem) = document else { return document }
    if case .string(let text)? = problem["pointer"], let pointer = try? JSONPointer(parsing: text) {
      problem["pointer"] = .string(argument(at: pointer))
    }
    if case .array(let errors)? = problem["errors"] {
      problem["errors"] = .array(errors.map(renamed))
    }
    return .object(problem)
  }
}
