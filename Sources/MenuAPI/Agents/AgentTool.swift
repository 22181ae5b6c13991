import JSONText
import MenuEngine

/// A command as an agent sees it.
struct AgentTool {
  let command: CommandID
  let title: String
  let description: String
  let schema: JSON
  /// True if the item is marked as one that destroys something.
  let isDestructive: Bool
  /// The hints that are declared.
  let hints: CommandHints?

  /// The schema of a tool without parameters.
  static let emptySchema: JSON = ["type": "object", "additionalProperties": false]

  /// The tool in a list.
  var json: JSON {
    [
      "name": .string(ToolName.text(of: command)), "title": .string(title),
      "description": .string(description), "inputSchema": schema,
      "annotations": annotations,
      "_meta": ["menud/command": .string(command.rawValue)],
    ]
  }

  private var annotations: JSON {
    var object: JSONObject = ["destructiveHint": .bool(isDestructive)]
    if let hints {
      object["readOnlyHint"] = .bool(hints.isReadOnly)
      object["idempotentHint"] = .bool(hints.isIdempotent)
    }
    return .object(object)
  }
}
