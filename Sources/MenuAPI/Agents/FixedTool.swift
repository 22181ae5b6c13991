import JSONSchema
import JSONText
import MenuEngine
import MenuStore

/// A tool of the fixed set (`?tools=find`), which stays the same whatever the application does (T7). It is for clients
/// that do not notice changes of the list of tools, and for applications with very many commands.
enum FixedTool: String, CaseIterable {
  case describe = "describe_session"
  case find = "find_commands"
  case explain = "explain_command"
  case perform = "perform_command"
  case undo
  case focus

  /// The right that a token needs for the tool.
  var right: Right {
    switch self {
    case .describe: .read
    case .find, .explain: .items
    case .perform, .undo: .perform
    case .focus: .focus
    }
  }

  /// Returns the tool as listed for a token; names of responders require the right `read`.
  func json(for rights: Rights, _ names: FixedToolNames) -> JSONObject {
    [
      "name": .string(names.name(of: self)), "title": .string(title),
      "description": .string(description),
      "inputSchema": schema(naming: rights.contains(.read), names),
      "annotations": annotations,
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

/// The names of the fixed set. A name that a command of the application has too is listed with the prefix `menud_`.
struct FixedToolNames {
  private let catalog: Catalog?

  /// - Parameter catalog: The catalogue whose commands a client may have as tools too; nil for none.
  init(besides catalog: Catalog? = nil) { self.catalog = catalog }

  /// Returns the name of a tool, as used in all texts.
  func name(of tool: FixedTool) -> String {
    var name = tool.rawValue
    while let catalog, ToolName.command(named: name, in: catalog) != nil { name = "menud_" + name }
    return name
  }
}

extension FixedTool {
  /// Returns the sentences about tools for the instructions to clients.
  static func instructions(to tools: [FixedTool], _ names: FixedToolNames) -> String {
    var sentences: [String] = []
    if tools.contains(.describe) {
      sentences.append("\(names.name(of: .describe)) says what is on the screen.")
    }
    sentences.append(
      "Commands of this application are found by \(names.name(of: .find)) and explained by "
        + "\(names.name(of: .explain)).")
    if tools.contains(.perform) {
      sentences.append(
        "\(names.name(of: .perform)) performs them. A refusal says why, and what would help. A result with a plan did "
          + "nothing yet: call again with the plan to do exactly that.")
    }
    if tools.contains(.undo) {
      sentences.append("\(names.name(of: .undo)) takes back what was done last.")
    }
    sentences.append("The resource 'menu' shows all menus.")
    return sentences.joined(separator: " ")
  }
}

// MARK: Arguments

extension FixedTool {
  private func schema(naming namesResponders: Bool, _ names: FixedToolNames) -> JSON {
    var properties = properties(names)
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

  private func properties(_ names: FixedToolNames) -> JSONObject {
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
        "itemKey": Self.itemKey(names), "from": Self.from,
      ]
    case .perform:
      [
        "command": Self.command,
        "arguments": [
          "type": "object",
          "description": .string("The arguments, as \(names.name(of: .explain)) describes them."),
        ],
        "itemKey": Self.itemKey(names), "from": Self.from, "plan": Self.plan,
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
        "responder": ["type": "string", "description": "The name of the responder."]
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

  private static func itemKey(_ names: FixedToolNames) -> JSON {
    let text =
      "The key of an item that \(names.name(of: .find)) tells, which brings its own arguments."
    return ["type": "string", "description": .string(text)]
  }

  private static let plan: JSON = ["type": "string", "description": "The plan of an earlier call."]
  private static let command: JSON = ["type": "string", "description": "The name of the command."]
  private static let from: JSON = [
    "type": "string",
    "description":
      "The responder to ask first, instead of the one that has focus, which it does not move.",
  ]

  /// The schemas for tokens that may read, and for others.
  private static let (schemasForReaders, schemasForOthers) = (
    schemas(naming: true), schemas(naming: false)
  )

  private static func schemas(naming namesResponders: Bool) -> [FixedTool: Schema] {
    Dictionary(
      uniqueKeysWithValues: allCases.compactMap { tool in
        (try? Schema(tool.schema(naming: namesResponders, FixedToolNames()))).map { (tool, $0) }
      })
  }

  /// Refuses arguments that do not match the schema listed for a token.
  func check(_ arguments: JSONObject, for rights: Rights) throws(Problem) {
    let schemas = rights.contains(.read) ? Self.schemasForReaders : Self.schemasForOthers
    try schemas[self]?.check(arguments)
  }

  /// Returns the place of a member of a request's body among the arguments; nil if it is not among them.
  func place(of member: String) -> [String]? {
    switch (self, member) {
    case (.explain, "parameters"), (.perform, "parameters"): ["arguments"]
    case (.undo, "command"): nil
    default: [member]
    }
  }
}

extension Schema {
  /// Refuses invalid arguments of a tool.
  func check(_ arguments: JSONObject) throws(Problem) {
    let faults = faults(of: .object(arguments))
    guard let first = faults.first else { return }
    let more = Problem.sentence(onMore: faults.count - 1, listing: faults.count)
    var problem = Problem(.invalidBody, first.reason.sentence + more)
    problem.parts = faults.map { .init(pointer: $0.pointer, detail: $0.reason.sentence) }
    throw problem
  }
}
