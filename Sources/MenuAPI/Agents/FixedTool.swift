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

  /// The right that a token needs to have it.
  var right: Right {
    switch self {
    case .describe: .read
    case .find, .explain: .items
    case .perform, .undo: .perform
    case .focus: .focus
    }
  }

  /// Returns the tool as it is listed for a token by a name; what names responders is for those that may read.
  func json(for rights: Rights, named name: String) -> JSONObject {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": schema(naming: rights.contains(.read)), "annotations": annotations,
    ]
  }

  private var annotations: JSON {
    switch self {
    case .describe, .find, .explain: ["readOnlyHint": true, "openWorldHint": false]
    case .perform, .undo: ["readOnlyHint": false]
    case .focus: ["readOnlyHint": false, "destructiveHint": false]
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
      "Finds the application's commands by words of their titles, names and descriptions, the best first; without "
        + "a query the menus' in order. Each has its name, and the reason if it is disabled now. 'next' is the 'offset' of those that follow."
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

extension FixedTool {
  /// Returns the sentences about tools for the beginning.
  static func instructions(to tools: [FixedTool]) -> String {
    var sentences: [String] = []
    if tools.contains(.describe) {
      sentences.append("describe_session says what is on the screen.")
    }
    sentences.append(
      "Commands of this application are found by find_commands and explained by explain_command.")
    if tools.contains(.perform) {
      sentences.append(
        "perform_command performs them. A refusal says why, and what would help. A result with a plan did nothing yet: "
          + "call again with the plan to do exactly that.")
    }
    if tools.contains(.undo) { sentences.append("undo takes back what was done last.") }
    sentences.append("The resource 'menu' shows all menus.")
    return sentences.joined(separator: " ")
  }
}

// MARK: Arguments

extension FixedTool {
  private func schema(naming namesResponders: Bool) -> JSON {
    var properties = properties
    if !namesResponders { properties["from"] = nil }
    return [
      "type": "object", "properties": .object(properties), "required": required,
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

  private var properties: JSONObject {
    switch self {
    case .describe:
      [
        "path": [
          "type": "string",
          "description": "A place of the state, as a JSON Pointer: for all of what was cut.",
        ]
      ]
    case .find: Self.propertiesOfFind
    case .explain:
      [
        "command": Self.command,
        "arguments": ["type": "object", "description": "The arguments to explain it with."],
        "itemKey": Self.itemKey, "from": Self.from,
      ]
    case .perform: Self.propertiesOfPerform
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
          "type": "string", "description": "The name of the responder.",
        ]
      ]
    }
  }

  private static let propertiesOfFind: JSONObject =
    [
      "query": [
        "type": "string", "description": "Words, or beginnings of words. All of them must match.",
      ],
      "limit": ["type": "integer", "minimum": 1, "maximum": 100, "default": 20],
      "offset": [
        "type": "integer", "minimum": 0, "maximum": 1_000_000, "default": 0,
        "description": "Where to go on: the 'next' of an earlier answer.",
      ],
      "from": Self.from,
    ]

  private static let propertiesOfPerform: JSONObject =
    [
      "command": Self.command,
      "arguments": [
        "type": "object", "description": "The arguments, as explain_command describes them.",
      ],
      "itemKey": Self.itemKey,
      "from": Self.from,
      "plan": Self.plan,
    ]

  private static let itemKey: JSON = [
    "type": "string",
    "description": "The key of an item that find_commands tells, which brings its own arguments.",
  ]

  private static let plan: JSON = ["type": "string", "description": "The plan of an earlier call."]
  private static let command: JSON = ["type": "string", "description": "The name of the command."]
  private static let from: JSON = [
    "type": "string",
    "description":
      "The responder to ask first, instead of the one that has focus, which it does not move.",
  ]

  private static let schemas: [FixedTool: Schema] = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { tool in
      (try? Schema(tool.schema(naming: true))).map { (tool, $0) }
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
