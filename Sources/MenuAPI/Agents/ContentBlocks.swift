import JSONText

/// Content blocks that a handler answers, which are passed on as they are.
enum ContentBlocks {
  /// The result that passes them on; nil if the handler answered anything else.
  ///
  /// An `isError` that is neither true nor false is a fault, and never silently a success.
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
