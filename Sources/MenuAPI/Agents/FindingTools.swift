import JSONSchema
import JSONText
import MenuEngine
import MicroHTTP

/// The three tools of `?tools=find`, which stay the same whatever the application does (T7): for clients that do not
/// notice that a list of tools changes, and for applications with very many commands.
enum FindingTool: String, CaseIterable {
  case find = "find_commands"
  case explain = "explain_command"
  case perform = "perform_command"

  var json: JSON {
    [
      "name": .string(rawValue), "title": .string(title), "description": .string(description),
      "inputSchema": schema,
      "annotations": self == .perform
        ? ["readOnlyHint": false] : ["readOnlyHint": true, "openWorldHint": false],
    ]
  }

  private var title: String {
    switch self {
    case .find: "Find Commands"
    case .explain: "Explain a Command"
    case .perform: "Perform a Command"
    }
  }

  private var description: String {
    switch self {
    case .find:
      "Finds the application's commands by words of their titles, the best first; all of them in menu order "
        + "without a query. Each has its name, and the reason if it is disabled now."
    case .explain:
      "Says whether a command can be performed now, and if not, why and what would help. Also gives the schema "
        + "of its arguments."
    case .perform:
      "Performs a command. If the result has a plan, nothing was done yet: call again with the plan to do "
        + "exactly what it says."
    }
  }

  private var schema: JSON {
    var properties = JSONObject()
    switch self {
    case .find:
      properties["query"] = [
        "type": "string", "description": "Words of the title, or parts of them.",
      ]
      properties["limit"] = ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]
    case .explain, .perform:
      properties["command"] = ["type": "string", "description": "The name of the command."]
    }
    if self == .perform {
      properties["arguments"] = [
        "type": "object", "description": "The arguments, as explain_command describes them.",
      ]
      properties["itemKey"] = [
        "type": "string",
        "description":
          "The key of an item that find_commands tells, which brings its own arguments.",
      ]
      properties["plan"] = ["type": "string", "description": "The plan of an earlier call."]
    }
    return [
      "type": "object", "properties": .object(properties),
      "required": self == .find ? [] : ["command"], "additionalProperties": false,
    ]
  }

  private static let schemas: [FindingTool: Schema] = Dictionary(
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

extension SessionAgent {
  /// Returns the result of calling one of the three tools.
  func callFindingTool(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    guard let tool = FindingTool(rawValue: name) else {
      throw .invalidParams("Unknown tool: \(quoted(name)).")
    }
    let faults = tool.faults(of: arguments)
    guard faults.isEmpty else {
      return .members(Self.mistaken(faults.joined(separator: "\n")))
    }
    switch tool {
    case .find: return try find(arguments)
    case .explain:
      guard let command = command(in: arguments) else { return .members(unknown(arguments)) }
      return try explain(command)
    case .perform:
      guard let command = command(in: arguments) else { return .members(unknown(arguments)) }
      var parameters = JSONObject()
      if case .object(let given)? = arguments["arguments"] { parameters = given }
      var plan: String?
      if case .string(let text)? = arguments["plan"] { plan = text }
      let called = ToolCall(
        command, key: arguments["itemKey"], parameters, plan: plan, consent: consent(of: command),
        in: call.catalog)
      return try perform(called, calledAs: tool.rawValue, request)
    }
  }

  private func command(in arguments: JSONObject) -> Command? {
    guard case .string(let name)? = arguments["command"] else { return nil }
    let catalog = call.catalog
    let command =
      CommandID(name).flatMap(catalog.command) ?? ToolName.command(named: name, in: catalog)
    return command.flatMap { consent(of: $0) == .hidden ? nil : $0 }
  }

  private func unknown(_ arguments: JSONObject) -> JSONObject {
    let name: String = if case .string(let text)? = arguments["command"] { text } else { "" }
    return Self.mistaken("There is no command \(quoted(name)); find_commands lists them.")
  }

  private static func mistaken(_ text: String) -> JSONObject {
    ["content": [ToolText(text).block], "isError": true]
  }

  private func find(_ arguments: JSONObject) throws(AgentFault) -> AgentResult {
    let (answer, catalog) = try AgentFault.asking { () throws(Problem) in
      var body: JSONObject = [
        "session": .string(try call.session.rawValue), "disabled": true, "query": "",
      ]
      if let query = arguments["query"] { body["query"] = query }
      // Those that agents may not call are left out afterwards.
      body["limit"] = 100
      return (
        try call.answer(.post, "/commands/search", body: .object(body)), call.catalog
      )
    }
    var text = ToolText("Commands:")
    var found: [JSON] = []
    let limit = if case .int(let limit)? = arguments["limit"] { Int(limit) } else { 20 }
    if case .array(let items)? = (try? JSON(parsing: answer.body))?[JSONPointer(["items"])] {
      for case .object(let item) in items {
        guard case .string(let id)? = item["command"], let id = CommandID(id),
          let command = catalog.command(id), consent(of: command) != .hidden, found.count < limit
        else { continue }
        text.add(Self.line(about: item))
        var brief = JSONObject()
        let names = [
          "command", "itemKey", "title", "menus", "enabled", "state", "reason", "explanation",
        ]
        for name in names { brief[name] = item[name] }
        found.append(.object(brief))
      }
    }
    if found.isEmpty { text = ToolText("No command matches.") }
    text.end { "And \($0) more; see the structured content, or ask with a narrower query." }
    return .members([
      "content": [text.block], "structuredContent": ["commands": .array(found)],
    ])
  }

  /// `zoomIn:: “Zoom In”, disabled: Open a photo first.`
  private static func line(about item: JSONObject) -> String {
    func text(_ name: String) -> String {
      if case .string(let text)? = item[name] { text } else { "" }
    }
    let ofItem = item["itemKey"] == nil ? "" : " with the key \(quoted(text("itemKey")))"
    var line = "\(quoted(text("command")))\(ofItem) “\(text("title"))”"
    if item["enabled"] == false {
      let reason = ValidationReason(rawValue: text("reason"))?.clause(target: "its target")
      let words = text("explanation")
      line += " is disabled: " + (words.isEmpty ? (reason ?? "nobody can perform it") + "." : words)
    }
    return line
  }

  /// Returns the items from data of a command (M12).
  private func itemsFromData(
    of command: Command, at snapshot: Snapshot
  ) throws(AgentFault) -> [ValidatedItem] {
    var request = ValidationRequest()
    request.actor = call.actor
    return try AgentFault.asking { [request] () throws(Problem) in
      try askPlan(of: snapshot) { (plan) throws(MutationFault) in
        try plan.itemsFromData(of: command.id, request, at: snapshot.moment)[command.id] ?? []
      }
    }
  }

  private func explain(_ command: Command) throws(AgentFault) -> AgentResult {
    let snapshot = try AgentFault.asking { () throws(Problem) in try call.snapshot() }
    let command = snapshot.catalog.command(command.id) ?? command
    let advice = remedies(for: command, at: snapshot)
    let item = advice.item
    let schema = try presentSchema(of: command, at: snapshot)
    let items = try itemsFromData(of: command, at: snapshot)
    var text = ToolText(
      item.isEnabled
        ? "\(quoted(command.id)) (“\(item.title.cut(to: 100))”) can be performed now."
        : advice.sentence)
    if !item.isEnabled { for line in advice.lines { text.add(line) } }
    let tool = AgentTool(
      command, titled: item.title, item.attributes, in: MenuTitles(snapshot.catalog.menus),
      asking: schema, isPlanned: false)
    text.add(tool.description)
    for item in items { text.add(item.line) }
    if consent(of: command, asking: item.confirmation) == .plan {
      text.add("Without a plan, perform_command says what it would do.")
    }
    var structure = ToolStructure()
    structure.add("command", .string(command.id.rawValue), rest: nil)
    structure.add("enabled", .bool(item.isEnabled), rest: nil)
    structure.add("reason", .string(item.reason.rawValue), rest: nil)
    structure.add("explanation", item.explanation.map(JSON.string), rest: nil)
    structure.add("confirmation", item.confirmation?.json, rest: nil)
    structure.add("arguments", tool.schema, rest: nil)
    if !items.isEmpty {
      structure.add("items", .array(items.map(\.briefJSON)), rest: nil)
    }
    if !item.isEnabled { structure.add("help", advice.json, rest: nil) }
    return .members(["content": [text.block], "structuredContent": structure.json])
  }
}

extension ValidatedItem {
  /// An item from data: `'a.txt' “Notes”, disabled`.
  fileprivate var line: String {
    "\(quoted(itemKey?.text ?? "")) “\(title.cut(to: 100))”" + (isEnabled ? "" : ", disabled")
  }

  fileprivate var briefJSON: JSON {
    var brief = JSONObject()
    brief["itemKey"] = itemKey.map { .string($0.text) }
    brief["title"] = .string(title)
    brief["enabled"] = .bool(isEnabled)
    brief["explanation"] = explanation.map(JSON.string)
    return .object(brief)
  }
}
