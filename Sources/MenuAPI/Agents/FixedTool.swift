import JSONSchema
import JSONText
import MenuEngine
import MenuStore

/// A tool of the fixed set (`?tools=find`). These stay the same whatever the application does (T7): for clients that do not notice that a
/// list of tools changes, and for applications with very many commands.
enum FixedTool: String, CaseIterable {
  case describe = "describe_session"
  case find = "find_commands"
  case explain = "explain_command"
  case perform = "perform_command"
  case undo
  case focus

  /// The right without which a token does not have it; the others may have less to tell.
  var right: Right {
    switch self {
    case .describe, .find, .explain: .items
    case .perform, .undo: .perform
    case .focus: .focus
    }
  }

  var json: JSON {
    [
      "name": .string(rawValue), "title": .string(title), "description": .string(description),
      "inputSchema": schema,
      "annotations": isReadOnly
        ? ["readOnlyHint": true, "openWorldHint": false]
        : self == .focus
          ? ["readOnlyHint": false, "destructiveHint": false] : ["readOnlyHint": false],
    ]
  }

  private var isReadOnly: Bool {
    switch self {
    case .describe, .find, .explain: true
    case .perform, .undo, .focus: false
    }
  }

  private var title: String {
    switch self {
    case .describe: "Describe the Session"
    case .find: "Find Commands"
    case .explain: "Explain a Command"
    case .perform: "Perform a Command"
    case .undo: "Undo"
    case .focus: "Move Focus"
    }
  }

  private var description: String {
    switch self {
    case .describe:
      "Says what is on the screen: the state of the application, the responder that has focus, those that are "
        + "asked after it, and what can be undone. Begin here, and come back when something is not as expected."
    case .find:
      "Finds the application's commands by words of their titles, the best first; all of them in menu order "
        + "without a query. Each has its name, and the reason if it is disabled now."
    case .explain:
      "Says whether a command can be performed now, and if not, why and what would help. Also gives the schema "
        + "of its arguments."
    case .perform:
      "Performs a command. If the result has a plan, nothing was done yet: call again with the plan to do "
        + "exactly what it says. A refusal says why, and what would help."
    case .undo:
      "Takes back what was done last, whoever did it, and says what that was. With 'redo', does again what was taken "
        + "back last."
    case .focus:
      "Gives focus to a responder, which is then asked first to perform a command. Explanations say which one would "
        + "help."
    }
  }
}

// MARK: Arguments

extension FixedTool {
  private var schema: JSON {
    [
      "type": "object", "properties": properties, "required": required,
      "additionalProperties": false,
    ]
  }

  private var required: JSON {
    switch self {
    case .describe, .find, .undo: []
    case .explain, .perform: ["command"]
    case .focus: ["responder"]
    }
  }

  private var properties: JSON {
    switch self {
    case .describe: [:]
    case .find:
      [
        "query": ["type": "string", "description": "Words of the title, or parts of them."],
        "limit": ["type": "integer", "minimum": 1, "maximum": 100, "default": 20],
        "from": Self.from,
      ]
    case .explain: ["command": Self.command, "from": Self.from]
    case .perform:
      [
        "command": Self.command,
        "arguments": [
          "type": "object", "description": "The arguments, as explain_command describes them.",
        ],
        "itemKey": [
          "type": "string",
          "description":
            "The key of an item that find_commands tells, which brings its own arguments.",
        ],
        "from": Self.from,
        "plan": Self.plan,
      ]
    case .undo:
      [
        "redo": [
          "type": "boolean", "default": false,
          "description": "True to do again what was taken back last.",
        ],
        "plan": Self.plan,
      ]
    case .focus:
      [
        "responder": [
          "type": "string", "description": "The name of the responder, as describe_session has it.",
        ]
      ]
    }
  }

  private static let plan: JSON = ["type": "string", "description": "The plan of an earlier call."]
  private static let command: JSON = ["type": "string", "description": "The name of the command."]
  private static let from: JSON = [
    "type": "string",
    "description":
      "The responder to ask first, instead of the one that has focus, which it does not move.",
  ]

  private static let schemas: [FixedTool: Schema] = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { tool in
      (try? Schema(tool.schema)).map { (tool, $0) }
    })

  /// The faults of arguments, as sentences.
  func faults(of arguments: JSONObject) -> [String] {
    guard let schema = Self.schemas[self] else { return [] }
    var steps = 0
    return schema.faults(of: .object(arguments), addingStepsTo: &steps).faults.map { fault in
      "\(JSONPointer(["arguments"] + fault.pointer.tokens)): \(fault.reason.sentence)"
    }
  }
}
