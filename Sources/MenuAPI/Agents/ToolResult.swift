import JSONText
import MenuEngine
import MicroHTTP

/// The result of a tool's call: a text of bounded length, and the same as a bounded structure.
enum ToolResult {
  /// The result of a command that was performed, from the answer that `POST /commands/perform` gives.
  ///
  /// A handler may answer a text, or an object with `content`, a list of content blocks, which are passed on.
  static func performance(_ answer: JSONObject, of tool: CalledTool) -> JSONObject {
    guard answer["performed"] == true else { return unperformed(answer, of: tool) }
    if let result = ContentBlocks.result(answer["result"], of: tool) { return result }
    return [
      "content": [PerformedText(answer, of: tool).text.block],
      "structuredContent": structure(of: answer, tool),
    ]
  }

  /// The result of a command that was performed, but whose delivery failed or was cancelled.
  static func unfinished(
    _ answer: JSONObject, of tool: CalledTool, since delivery: Delivery
  ) -> JSONObject {
    let state = delivery.state == .failed ? "failed" : "was cancelled"
    var text = ToolText("\(quoted(tool.name)) \(state).")
    if case .object(let problem)? = delivery.problem {
      for case .string(let sentence)? in [problem["title"], problem["detail"]] {
        text.add(sentence.hasSuffix(".") ? sentence : sentence + ".")
      }
    }
    text.end { _ in
      "There is more: read '\(SessionPlace.delivery(delivery.id).uri(in: tool.session))'."
    }
    var unfinished = answer
    unfinished["result"] = nil
    return [
      "content": [text.block], "structuredContent": structure(of: unfinished, tool),
      "isError": true,
    ]
  }

  /// The result of a tool that asks or does something by a route: what its answer has in short, and the answer as a
  /// bounded structure.
  ///
  /// - Parameters:
  ///   - name: The name of the tool.
  ///   - rest: The path of the API where all of the answer can be read; nil if it is kept nowhere.
  static func answer(_ response: Response, of name: String, rest: String?) -> JSONObject {
    guard !response.body.isEmpty else { return ["content": [text("Done.")]] }
    guard case .object(let answer)? = try? JSON(parsing: response.body) else {
      return ["content": [ToolText(whole: String(decoding: response.body, as: UTF8.self)).block]]
    }
    var structure = ToolStructure()
    var told = ToolText("\(quoted(name)) answered \(response.body.count) bytes of JSON:")
    for member in answer {
      structure.add(member.name, member.value, rest: rest)
      told.add("\(member.name): \(member.value.summary)")
    }
    told.end { "And \($0) more members; see the structured content." }
    return ["content": [told.block], "structuredContent": structure.json]
  }

  /// A block of text.
  static func text(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }

  private static func unperformed(_ answer: JSONObject, of tool: CalledTool) -> JSONObject {
    var target = "its target"
    if case .string(let receiver)? = answer["target"] { target = quoted(receiver) }
    var reason = ValidationReason.noTarget
    if case .string(let word)? = answer["reason"] {
      reason = ValidationReason(rawValue: word) ?? reason
    }
    let sentence = "\(quoted(tool.name)) was not performed: \(reason.clause(target: target))."
    return [
      "content": [ToolText(sentence).block],
      "structuredContent": structure(of: answer, tool), "isError": true,
    ]
  }

  /// The structured part of what was performed.
  private static func structure(of answer: JSONObject, _ tool: CalledTool) -> JSON {
    var structure = ToolStructure()
    for name in ["performed", "reason", "command", "target", "revision"] {
      structure.add(name, answer[name], rest: nil)
    }
    structure.add("tool", .string(tool.name), rest: nil)
    structure.add("item", answer["item"].map(PerformedText.briefItems), rest: tool.root + "/menu")
    let deliveries = PerformedText.deliveries(of: answer)
    let rest = deliveries.count == 1 ? deliveries.first : nil
    structure.add("deliveries", answer["deliveries"], rest: tool.root + "/deliveries")
    structure.add(
      "result", answer["result"],
      rest: rest.map { SessionPlace.delivery($0).uri(in: tool.session) })
    structure.add("changes", PerformedText.changes(of: answer), rest: tool.root)
    return structure.json
  }
}

extension JSON {
  /// The value in short: a number or a short string as it is, of others what they have.
  fileprivate var summary: String {
    switch self {
    case .null, .bool, .int, .double, .string: brief()
    case .array(let elements): elements.count == 1 ? "1 element" : "\(elements.count) elements"
    case .object(let object):
      object.isEmpty ? "no members" : list(object.map { quoted($0.name) }).cut(to: 200)
    }
  }
}
