import JSONSchema
import JSONText
import MenuEngine
import MicroHTTP

/// An administrator's tool: a request of the API, with its arguments.
struct AdministratorTool: Sendable {
  let name: String
  let title: String
  let description: String
  let effect: Effect
  /// The schema of the arguments.
  let schema: Schema
  /// Returns the request of a call.
  let request: @Sendable (ToolArguments) -> AdministratorRequest

  enum Effect: Sendable {
    /// It changes nothing.
    case none
    /// It adds something, and removes nothing.
    case addition
    /// It removes something; a repetition has no further effect.
    case removal
    /// It has the effects that the application declares.
    case anything
  }

  init(
    _ name: String, _ title: String, description: String, effect: Effect = .none,
    arguments: String, request: @escaping @Sendable (ToolArguments) -> AdministratorRequest
  ) {
    self.name = name
    self.title = title
    self.description = description
    self.effect = effect
    self.request = request
    guard let document = try? JSON(parsing: arguments), let schema = try? Schema(document) else {
      preconditionFailure("The schema of the tool \(name) is none.")
    }
    self.schema = schema
  }

  var json: JSON {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": schema.document,
      "annotations": effect.annotations,
    ]
  }
}

extension AdministratorTool.Effect {
  /// The effect as the protocol's hints; an absent hint is unknown.
  fileprivate var annotations: JSON {
    switch self {
    case .none:
      ["readOnlyHint": true, "destructiveHint": false, "openWorldHint": false]
    case .addition:
      [
        "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false,
        "openWorldHint": false,
      ]
    case .removal:
      [
        "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true,
        "openWorldHint": false,
      ]
    case .anything: ["readOnlyHint": false]
    }
  }
}

/// A command as a tool for agents.
///
/// Models see only the name, the description and the schema; the rest is for the client's user interface. So the
/// description contains everything that a model needs.
struct AgentTool {
  let command: CommandID
  let title: String
  let description: String
  let schema: JSON
  /// True if the command is destructive, false if not; nil if undeclared.
  let isDestructive: Bool?
  /// The declared hints.
  let hints: CommandHints?

  /// Creates the tool of a command with a title and attributes, possibly those of its item.
  ///
  /// - Parameters:
  ///   - schema: The present schema of its arguments (P4, M12); nil for that of its declared parameters.
  ///   - isPlanned: True if a call without a plan only returns a plan (T7).
  ///   - mayBePlanned: True if unevaluated rules of its target may require a plan.
  init(
    _ command: Command, titled title: String, _ attributes: CommandAttributes,
    in menus: MenuTitles, asking schema: JSON? = nil, isPlanned: Bool,
    mayBePlanned: Bool = false
  ) {
    self.command = command.id
    self.title = title.isEmpty ? command.id.rawValue : title
    let own = schema ?? command.parameters?.document ?? CommandForm.schemaWithoutParameters
    self.schema =
      isPlanned || mayBePlanned
      ? ToolArgument.withPlan(own, for: command, isNeeded: isPlanned) : own
    isDestructive = attributes.contains(.destructive) ? true : command.hints?.isDestructive
    hints = command.hints
    var text = menus.description(of: command, titled: self.title)
    if isDestructive == true { text += " Destroys something." }
    if hints?.isReadOnly == true { text += " Changes nothing." }
    if isPlanned {
      text += " Without \(quoted(ToolArgument.plan.name(for: command))) it says what it would do."
    }
    description = text
  }

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

  /// The declared hints only, because the protocol has defaults of its own.
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

/// The tool of a call, as its result refers to it.
struct CalledTool: Sendable {
  let session: SessionID
  /// The name by which a model knows the command.
  let name: String
  let revision: AgentRevision
  /// The called tool of the fixed set; nil for the command's own tool.
  let fixed: FixedTool?
  /// The name of the called tool.
  let caller: String

  init(
    _ command: CommandID, in session: SessionID, _ revision: AgentRevision,
    by fixed: FixedTool? = nil, named caller: String? = nil
  ) {
    self.session = session
    self.revision = revision
    self.fixed = fixed
    name = fixed == nil ? ToolName.text(of: command) : command.rawValue
    self.caller = caller ?? name
  }

  /// The URI of the session, where all changes can be read.
  var root: String { SessionResource.root(session) }
}

extension AdministratorTool {
  /// All tools, in list order.
  static let all = ofSessions + ofItems + ofCatalogue

  private static let session =
    #""session":{"type":"string","description":"The id of an open session."}"#

  private static let sessionAlone = #"""
    {"type":"object","properties":{\#(session)},"required":["session"],
    "additionalProperties":false}
    """#

  private static let ofSessions = [
    AdministratorTool(
      "list_sessions", "List Sessions",
      description: "Lists the open sessions in alphabetical order, a page at a time.",
      arguments: #"""
        {"type":"object","properties":{"limit":{"type":"integer",
        "minimum":1,"maximum":1000},"after":{"type":"string",
        "description":"The last session of the page before."}},
        "additionalProperties":false}
        """#
    ) { arguments in
      .get("/sessions" + arguments.query("limit", "after"))
    },
    AdministratorTool(
      "open_session", "Open a Session",
      description:
        "Opens a session, by default as the application's template says. The answer may have the session's token, which opens that session alone.",
      effect: .addition,
      arguments: #"""
        {"type":"object","properties":{"id":{"type":"string",
        "description":"A name; one is made up by default."},
        "state":{"type":"object","description":"The state to begin with."},
        "firstResponder":{"type":"string"},"template":{"type":"boolean",
        "description":"False for a session without anything in it."}}}
        """#
    ) { arguments in
      .post("/sessions", .object(arguments.object))
    },
    AdministratorTool(
      "close_session", "Close a Session", description: "Closes a session for good.",
      effect: .removal,
      arguments: sessionAlone
    ) { arguments in
      .delete(arguments.path)
    },
    AdministratorTool(
      "get_session", "Get a Session",
      description: "Returns a session: its state, responders, focus, and what can be undone.",
      arguments: sessionAlone
    ) { arguments in
      .get(arguments.path)
    },
    AdministratorTool(
      "get_diagnostics", "Get Diagnostics",
      description: "Returns what is odd about a session: rules that fail, links that lead nowhere.",
      arguments: sessionAlone
    ) { arguments in
      .get(arguments.path + "/diagnostics")
    },
    AdministratorTool(
      "perform_command", "Perform a Command",
      description:
        "Performs a command in a session, or tries it with 'dryRun', which answers a 'plan' for it. 'confirmed' says that a person agreed.",
      effect: .anything,
      arguments: #"""
        {"type":"object","properties":{\#(session),"command":{"type":"string"},
        "parameters":{"type":"object"},"plan":{"type":"string"},
        "confirmed":{"type":"boolean"},"dryRun":{"type":"boolean"},
        "explain":{"type":"boolean"}},"required":["session"],
        "additionalProperties":false}
        """#
    ) { arguments in
      .post("/commands/perform", .object(arguments.object))
    },
  ]

  private static let ofItems = [
    AdministratorTool(
      "get_menu", "Get a Menu",
      description: "Returns the menu of a session with every item as it is now, and why.",
      arguments: #"""
        {"type":"object","properties":{\#(session),"menu":{"type":"string",
        "description":"By default the whole menu."},"kind":{"enum":["main",
        "context"]}},"required":["session"],"additionalProperties":false}
        """#
    ) { arguments in
      .get(arguments.path + "/menu" + arguments.query("menu", "kind"))
    },
    AdministratorTool(
      "explain_item", "Explain an Item",
      description:
        "Explains why the item of a command is enabled or not in a session: each responder that was asked, each question and answer.",
      arguments: #"""
        {"type":"object","properties":{\#(session),"command":{"type":"string"},
        "from":{"type":"string","description":"A responder to begin with, instead of the first responder."}},
        "required":["session","command"],"additionalProperties":false}
        """#
    ) { arguments in
      var body = arguments.members("session", "from")
      body["commands"] = [.string(arguments.string("command"))]
      body["explain"] = true
      return .post("/commands/validate", .object(body))
    },
    AdministratorTool(
      "find_target", "Find a Target",
      description: "Finds who would receive an action in a session, and why; nothing is done.",
      arguments: #"""
        {"type":"object","properties":{\#(session),"action":{"type":"string",
        "description":"A selector, such as 'copy:'."},"from":{"type":"string"}},
        "required":["session","action"],"additionalProperties":false}
        """#
    ) { arguments in
      .post("/targets/resolve", .object(arguments.object))
    },
    AdministratorTool(
      "check_rule", "Check a Rule",
      description:
        "Compiles a rule of the Common Expression Language and evaluates it on the given variables, among them 'state', 'command' and 'parameters'.",
      arguments: #"""
        {"type":"object","properties":{"rule":{"type":"string"},
        "variables":{"type":"object"}},"required":["rule"],
        "additionalProperties":false}
        """#
    ) { arguments in
      var body = arguments.object
      body["options"] = ["explain": true]
      return .post("/rules/check", .object(body))
    },
  ]

  private static let ofCatalogue = [
    AdministratorTool(
      "search_commands", "Search Commands",
      description:
        "Finds commands by words of their titles, names, descriptions and menus; in a session as they are now, and by parts and typing mistakes too.",
      arguments: #"""
        {"type":"object","properties":{"query":{"type":"string","maxLength":200},
        \#(session),
        "limit":{"type":"integer","minimum":1,"maximum":100,"default":20}},
        "required":["query"],"additionalProperties":false}
        """#
    ) { arguments in
      guard arguments.object["session"] != nil else { return .search(CommandSearch(arguments)) }
      var body = arguments.object
      body["disabled"] = true
      return .post("/commands/search", .object(body))
    },
    AdministratorTool(
      "get_command", "Get a Command",
      description: "Returns a command as it is declared.",
      arguments: #"""
        {"type":"object","properties":{"command":{"type":"string"}},
        "required":["command"],"additionalProperties":false}
        """#
    ) { arguments in
      .get("/commands/" + arguments.string("command").percentEncoded)
    },
    AdministratorTool(
      "list_key_conflicts", "List Key Conflicts",
      description: "Lists the keys claimed more than once, in a session or in the catalogue.",
      arguments: #"""
        {"type":"object","properties":{\#(session)},"additionalProperties":false}
        """#
    ) { arguments in
      .get("/keys/conflicts" + arguments.query("session"))
    },
  ]
}

extension ToolArguments {
  fileprivate var path: String { "/sessions/" + string("session").percentEncoded }
}
