import JSONSchema
import JSONText
import MenuEngine

/// A command as an agent sees it.
///
/// Models are given the name, the description and the schema; the rest is for the page of whoever runs them. So the
/// description has all that a model needs.
struct AgentTool {
  let command: CommandID
  let title: String
  let description: String
  let schema: JSON
  /// True if it destroys something, false if it does not; nil if nobody says.
  let isDestructive: Bool?
  /// The hints that are declared.
  let hints: CommandHints?

  /// The schema of a tool without parameters.
  static let emptySchema: JSON = ["type": "object", "additionalProperties": false]

  /// The tool of a command with a title and attributes, which may be those of its item.
  init(
    _ command: Command, titled title: String, _ attributes: CommandAttributes, in menus: MenuTitles
  ) {
    self.command = command.id
    self.title = title.isEmpty ? command.id.rawValue : title
    schema = command.parameters?.document ?? Self.emptySchema
    isDestructive = attributes.contains(.destructive) ? true : command.hints?.isDestructive
    hints = command.hints
    var text = menus.description(of: command, titled: self.title)
    if isDestructive == true { text += " Destroys something." }
    if hints?.isReadOnly == true { text += " Changes nothing." }
    description = text
  }

  /// The tool in a list.
  var json: JSON {
    var object: JSONObject = [
      "name": .string(ToolName.text(of: command)), "title": .string(title),
      "description": .string(description), "inputSchema": schema,
    ]
    let annotations = annotations
    if !annotations.isEmpty { object["annotations"] = .object(annotations) }
    object["_meta"] = ["menud/command": .string(command.rawValue)]
    return .object(object)
  }

  /// The hints that are declared, and nothing else: the protocol has defaults of its own.
  private var annotations: JSONObject {
    var object = JSONObject()
    object["destructiveHint"] = isDestructive.map(JSON.bool)
    if let hints {
      object["readOnlyHint"] = .bool(hints.isReadOnly)
      object["idempotentHint"] = .bool(hints.isIdempotent)
    }
    return object
  }
}
