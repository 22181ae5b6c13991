import JSONText
import MenuEngine
import MicroHTTP

/// The result of a tool's call.
enum ToolResult {
  /// The result of a refusal, which a model can act on: the sentence of the problem, each fault, and the problem.
  static func refusal(_ problem: Problem) -> JSONObject {
    let document = (try? JSON(parsing: problem.response.body)) ?? .null
    var lines = [problem.detail]
    if problem.parts.count > 1 {
      lines += problem.parts.map { "\(argument(at: $0.pointer)): \($0.detail)" }
    }
    return [
      "content": [text(lines.joined(separator: "\n"))], "structuredContent": renamed(document),
      "isError": true,
    ]
  }

  /// The result of a command that was performed, from the answer that `POST /commands/perform` gives.
  ///
  /// A handler may answer a text, or an object with `content`, a list of content blocks, which are passed on.
  static func performance(
    _ answer: JSONObject, of title: String, in revision: AgentRevision
  ) -> JSONObject {
    let isPerformed = answer["performed"] == true
    if isPerformed, let blocks = ContentBlocks(answer["result"], in: revision) {
      return blocks.result
    }
    var structured = JSONObject()
    for name in [
      "performed", "reason", "command", "target", "revision", "result", "changes", "deliveries",
    ] {
      structured[name] = answer[name]
    }
    var result: JSONObject = [
      "content": [
        text(sentence(answer, of: title, isPerformed: isPerformed)),
        text(JSON.object(structured).text()),
      ], "structuredContent": .object(structured),
    ]
    if !isPerformed { result["isError"] = true }
    return result
  }

  /// The result of a command that was performed, but whose delivery failed or was cancelled.
  static func unfinished(
    _ answer: JSONObject, of title: String, since delivery: Delivery
  ) -> JSONObject {
    var lines = ["\(quoted(title)) \(delivery.state == .failed ? "failed" : "was cancelled")."]
    if case .object(let problem)? = delivery.problem {
      for case .string(let text)? in [problem["title"], problem["detail"]] {
        lines.append(text.hasSuffix(".") ? text : text + ".")
      }
    }
    var structured = JSONObject()
    for name in ["performed", "command", "target", "revision", "deliveries"] {
      structured[name] = answer[name]
    }
    return [
      "content": [text(lines.joined(separator: " "))], "structuredContent": .object(structured),
      "isError": true,
    ]
  }

  /// The result of a tool that asks or does something by a route: its answer.
  static func answer(_ response: Response) -> JSONObject {
    guard !response.body.isEmpty else { return ["content": [text("Done.")]] }
    var result: JSONObject = ["content": [text(String(decoding: response.body, as: UTF8.self))]]
    if case .object(let object)? = try? JSON(parsing: response.body) {
      result["structuredContent"] = .object(object)
    }
    return result
  }

  /// A block of text.
  static func text(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }

  private static func sentence(
    _ answer: JSONObject, of title: String, isPerformed: Bool
  ) -> String {
    guard isPerformed else {
      return
        "\(quoted(title)) was not performed: \(answer["reason"]?.shown ?? "nobody received it")."
    }
    if case .string(let text)? = answer["result"] { return text }
    return "Performed \(quoted(title))."
  }

  /// The place of an argument that is to blame.
  private static func argument(at pointer: JSONPointer) -> String {
    guard pointer.tokens.first == "parameters" else { return pointer.description }
    return JSONPointer(["arguments"] + pointer.tokens.dropFirst()).description
  }

  /// A problem in which parameters are called as agents do.
  private static func renamed(_ document: JSON) -> JSON {
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

/// The content blocks that a handler answers.
struct ContentBlocks {
  /// The result that passes them on.
  let result: JSONObject

  /// Reads what a handler answered; nil if it is anything else.
  init?(_ answer: JSON?, in revision: AgentRevision) {
    guard case .object(let object)? = answer, case .array(let blocks)? = object["content"],
      blocks.allSatisfy(\.isContentBlock)
    else { return nil }
    var result: JSONObject = ["content": .array(blocks)]
    // Up to 2025-11-25 clients expect an object.
    if let structured = object["structuredContent"], structured.isObject || revision.isStateless {
      result["structuredContent"] = structured
    }
    if case .bool(let isError)? = object["isError"] { result["isError"] = .bool(isError) }
    self.result = result
  }
}

extension JSON {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }

  /// True if it is a content block of the Model Context Protocol.
  fileprivate var isContentBlock: Bool {
    guard case .object(let block) = self, case .string(let type)? = block["type"] else {
      return false
    }
    switch type {
    case "text": return block.hasStrings("text")
    case "image", "audio": return block.hasStrings("data", "mimeType")
    case "resource_link": return block.hasStrings("uri", "name")
    case "resource":
      guard case .object(let resource)? = block["resource"] else { return false }
      return resource.hasStrings("uri", "text") || resource.hasStrings("uri", "blob")
    default: return false
    }
  }
}

extension JSONObject {
  fileprivate func hasStrings(_ names: String...) -> Bool {
    names.allSatisfy { name in
      if case .string? = self[name] { true } else { false }
    }
  }
}
