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

  /// The result of a tool that asks or does something by a route: its answer, told once if it is long.
  static func answer(_ response: Response) -> JSONObject {
    guard !response.body.isEmpty else { return ["content": [text("Done.")]] }
    let whole = String(decoding: response.body, as: UTF8.self)
    guard case .object(let object)? = try? JSON(parsing: response.body) else {
      return ["content": [text(whole)]]
    }
    let isShort = response.body.count <= ToolText.maximumSize
    let told =
      isShort
      ? whole
      : "The answer, \(response.body.count) bytes with the members \(list(object.map { quoted($0.name) })), "
        + "is the structured content."
    return [
      "content": [text(told.cut(to: ToolText.maximumSize))], "structuredContent": .object(object),
    ]
  }

  /// A block of text.
  static func text(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }

  private static func unperformed(_ answer: JSONObject, of tool: CalledTool) -> JSONObject {
    let reason = answer["reason"]?.shown ?? "nobody received it"
    return [
      "content": [ToolText("\(quoted(tool.name)) was not performed: \(reason).").block],
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
