import JSONText
import MenuEngine
import MicroHTTP

/// The result of a tool call: a text of bounded length, and a bounded structure with the same contents.
enum ToolResult {
  /// Returns the result of a performed command, from the answer of `POST /commands/perform`.
  ///
  /// A handler may return a text, or an object with `content`, a list of content blocks, which are passed on.
  static func performance(_ answer: JSONObject, of tool: CalledTool) -> JSONObject {
    guard answer["performed"] == true else { return unperformed(answer, of: tool) }
    if let result = ContentBlocks.result(answer["result"], of: tool) { return result }
    return [
      "content": [PerformedText(answer, of: tool).text.block],
      "structuredContent": structure(of: answer, tool),
    ]
  }

  /// Returns the result of a performed command whose delivery failed or was cancelled.
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

  /// Returns the result of a tool that is a request of the API: a summary of its answer, and the answer as a
  /// bounded structure.
  ///
  /// - Parameters:
  ///   - name: The name of the tool.
  ///   - rest: The path of the complete answer; nil if the answer is not kept.
  static func answer(_ response: Response, of name: String, rest: String?) -> JSONObject {
    guard !response.body.isEmpty else { return ["content": [text("Done.")]] }
    guard let answer = response.object else {
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

  /// Returns the structured part of a performed command's result.
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
  /// The value in short: a number or a short string as is, the number of an array's elements, or the names of an
  /// object's members.
  fileprivate var summary: String {
    switch self {
    case .null, .bool, .int, .double, .string: brief()
    case .array(let elements): elements.count == 1 ? "1 element" : "\(elements.count) elements"
    case .object(let object):
      object.isEmpty ? "no members" : list(object.map { quoted($0.name) }).cut(to: 200)
    }
  }
}

extension Response {
  /// The body, if it is a JSON object.
  var object: JSONObject? {
    // Answers wrap the values of requests and of the state, which may be as deep as bodies.
    if case .object(let object)? = try? JSON(parsing: body, maximumDepth: JSON.codingDepth) {
      object
    } else {
      nil
    }
  }
}

/// The structured part of a result: members in order, without those that do not fit.
///
/// The member `cut` names each omitted member, and the place of its complete value if it is kept.
struct ToolStructure {
  /// The maximum size, in bytes of written JSON, without the member `cut`.
  static let maximumSize = 16_384

  private var members = JSONObject()
  private var cuts: [JSON] = []
  private var room = maximumSize

  /// Adds a member if it is present and fits. For an array, adds the first elements that fit.
  ///
  /// - Parameters:
  ///   - rest: The URI of the complete value; nil if it is not kept.
  ///   - isDivisible: True to add those members of an object that fit. The default is false.
  mutating func add(_ name: String, _ value: JSON?, rest: String?, isDivisible: Bool = false) {
    guard let value else { return }
    let size = value.writtenSize + name.utf8.count + 3
    guard size > room else {
      members[name] = value
      room -= size
      return
    }
    var cut: JSONObject = ["member": .string(name), "size": .int(Int64(size))]
    if case .array(let elements) = value {
      let kept = elements.prefix { element in
        room -= element.writtenSize
        return room > 0
      }
      members[name] = .array(Array(kept))
      cut["shown"] = .int(Int64(kept.count))
      cut["count"] = .int(Int64(elements.count))
      room = max(0, room)
    } else if case .object(let object) = value, isDivisible {
      var kept = JSONObject()
      for member in object {
        let size = member.value.writtenSize + member.name.utf8.count + 4
        guard size <= room else { continue }
        room -= size
        kept.add(member.name, member.value)
      }
      members[name] = .object(kept)
      cut["shown"] = .int(Int64(kept.count))
      cut["count"] = .int(Int64(object.count))
    }
    cut["rest"] = rest.map(JSON.string)
    cuts.append(.object(cut))
  }

  /// The members, and the list of omitted ones.
  var json: JSON {
    var object = members
    if !cuts.isEmpty { object["cut"] = .array(cuts) }
    return .object(object)
  }
}

/// A text for a model: lines, without those that do not fit.
struct ToolText {
  static let maximumSize = 2048
  /// The room for a sentence about omitted lines.
  private static let reserve = 160

  private(set) var text = ""
  /// The number of omitted lines.
  private(set) var leftOut = 0

  /// Creates a text with one line, truncated if it is too long.
  init(_ first: String) { text = first.cut(to: Self.maximumSize - Self.reserve) }

  /// Creates a text from an external one, truncated to fit, with a last line about the truncation.
  init(whole: String) {
    self.init(whole)
    guard whole.utf8.count > text.utf8.count else { return }
    text += "\n(These are the first of \(whole.utf8.count) bytes.)"
  }

  /// True if a line fits.
  func hasRoom(for line: String) -> Bool {
    leftOut == 0 && line.utf8.count < Self.maximumSize - Self.reserve - text.utf8.count
  }

  /// Adds a line if it fits. After one omitted line all further ones are omitted.
  mutating func add(_ line: String) {
    guard hasRoom(for: line) else {
      leftOut += 1
      return
    }
    text += "\n" + line
  }

  /// Adds a line, truncated to fit and to leave `rest` bytes.
  mutating func add(cut line: String, leaving rest: Int) {
    let room = Self.maximumSize - Self.reserve - text.utf8.count - 1 - rest
    add(room < 3 ? line : line.cut(to: room))
  }

  /// Adds the sentence about omitted lines, if there are any.
  mutating func end(_ sentence: (Int) -> String) {
    guard leftOut > 0 else { return }
    text += "\n" + sentence(leftOut).cut(to: Self.reserve - 1)
  }

  var block: JSON { ["type": "text", "text": .string(text)] }
}

extension String {
  /// Returns the text truncated to a number of bytes, at least 3; an ellipsis marks the truncation.
  func cut(to size: Int) -> String {
    guard utf8.count > size else { return self }
    var short = String.UnicodeScalarView()
    var room = size - 3
    for scalar in unicodeScalars {
      room -= UTF8.width(scalar)
      guard room >= 0 else { break }
      short.append(scalar)
    }
    return String(short) + "…"
  }
}

extension JSON {
  /// Returns the value as text for a sentence, truncated to a number of bytes.
  func brief(_ size: Int = 200) -> String { text().cut(to: size) }
}

/// The content blocks of a handler's result, which are passed on unchanged.
enum ContentBlocks {
  /// Returns the result with the content blocks; nil for any other value.
  ///
  /// An `isError` that is not a Boolean is a fault, never a silent success.
  static func result(_ answer: JSON?, of tool: CalledTool) -> JSONObject? {
    guard case .object(let object)? = answer, case .array(let blocks)? = object["content"],
      blocks.allSatisfy(\.isContentBlock)
    else { return nil }
    var result: JSONObject = ["content": .array(blocks)]
    // Up to 2025-11-25 clients expect an object.
    if let structured = object["structuredContent"],
      structured.isObject || tool.revision.isStateless
    {
      result["structuredContent"] = structured
    }
    switch object["isError"] {
    case nil: break
    case .bool(let isError)?: result["isError"] = .bool(isError)
    case let other?:
      let fault = ToolText(
        "\(quoted(tool.name)) was performed, but what it answered is malformed: its member 'isError' is "
          + "true or false, not \(other.shown). What it answered follows.")
      result["content"] = .array([fault.block] + blocks)
      result["isError"] = true
    }
    return result
  }
}

extension JSON {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }

  /// True if the value is a content block of the Model Context Protocol.
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
