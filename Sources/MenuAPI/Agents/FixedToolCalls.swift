import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

extension SessionAgent {
  /// The tools that the request is about, and the client if what it does has decided that.
  func listedTools(
    _ request: AgentRequest
  ) throws(Problem) -> (tools: ListedTools, client: AgentClient?) {
    let asked = try call.askedTools
    guard asked == .listening else { return (asked, nil) }
    let opening = try call.look(at: call.session).sessionEdition.opening
    let client = try AgentClient(call, of: opening)
    guard client.name != nil, !request.revision.isStateless else { return (.enabled, nil) }
    return (call.service.agents.clients.isListening(client) ? .enabled : .find, client)
  }

  /// True if a call is of a tool of the fixed set. A client that begins to listen, or ends, may call the tools that it knows.
  func isCallOfFixedTool(_ request: AgentRequest) throws(AgentFault) -> Bool {
    let (listed, client) = try AgentFault.asking { () throws(Problem) in try listedTools(request) }
    guard client != nil else { return listed == .find }
    let name = try request.string("name")
    let isFixed = FixedTool(rawValue: name) != nil
    let isOfCommand = ToolName.command(named: name, in: call.catalog) != nil
    return listed == .find ? isFixed || !isOfCommand : isFixed && !isOfCommand
  }

  /// The tools of the fixed set that the token may call (T3).
  var fixedTools: [FixedTool] {
    FixedTool.allCases.filter { call.grant.rights.contains($0.right) }
  }

  /// Returns the result of calling a tool of the fixed set.
  func callFixedTool(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    guard let tool = fixedTools.first(where: { $0.rawValue.hasSameBytes(as: name) }) else {
      throw .invalidParams("Unknown tool: \(quoted(name)).")
    }
    let faults = tool.faults(of: arguments)
    guard faults.isEmpty else {
      return .members(Self.mistaken(faults.joined(separator: "\n")))
    }
    switch tool {
    case .describe: return try describe()
    case .find: return try find(arguments)
    case .undo: return try undo(arguments, request)
    case .focus: return try focus(arguments)
    case .explain, .perform: break
    }
    guard let command = command(in: arguments) else { return .members(unknown(arguments)) }
    guard tool == .perform else { return try explain(command, arguments) }
    return try perform(called(command, arguments), calledAs: tool.rawValue, request)
  }

  /// Returns the call of a command by `perform_command`.
  private func called(_ command: Command, _ arguments: JSONObject) -> ToolCall {
    var parameters = JSONObject()
    if case .object(let given)? = arguments["arguments"] { parameters = given }
    var called = ToolCall(
      command, key: arguments["itemKey"], parameters, plan: arguments.text("plan"),
      consent: consent(of: command), in: call.catalog)
    called.from = arguments["from"]
    return called
  }

  /// Takes back what was done last, or does it again: by the application's command, if it has one, with its consent (T7).
  private func undo(
    _ arguments: JSONObject, _ request: AgentRequest
  ) throws(AgentFault) -> AgentResult {
    let isRedo = arguments["redo"] == true
    let own = call.catalog.commands.first { $0.action == (isRedo ? .redo : .undo) }
    let consent = own.map { self.consent(of: $0) } ?? call.service.limits.agentConsent
    if let own, consent != .hidden {
      let called = ToolCall(
        own, key: nil, JSONObject(), plan: arguments.text("plan"), consent: consent,
        in: call.catalog)
      return try perform(called, calledAs: FixedTool.undo.rawValue, request)
    }
    guard consent == .call else {
      return .members(
        Self.mistaken("Agents may not \(isRedo ? "do anything again" : "take anything back") here.")
      )
    }
    return try asking(isRedo ? "redo" : "undo") { () throws(Problem) in
      let session = try call.session
      let response = try call.answer(.post, "/sessions/\(session)/\(isRedo ? "redo" : "undo")")
      guard case .object(let answer)? = try? JSON(parsing: response.body) else {
        return JSONObject()
      }
      return UndoneText(answer, of: session, isRedo: isRedo).result
    }
  }

  /// Moves focus to a responder.
  private func focus(_ arguments: JSONObject) throws(AgentFault) -> AgentResult {
    try asking("focus") { () throws(Problem) in
      let session = try call.session
      let responder = arguments["responder"] ?? .null
      _ = try call.answer(
        .put, "/sessions/\(session)/first-responder", body: ["responder": responder])
      let text = ToolText("\(quoted(arguments.text("responder") ?? "")) has focus now.")
      return ["content": [text.block], "structuredContent": ["focus": responder]]
    }
  }

  /// Returns the result of a request; a problem that a model can act on is a result, too.
  private func asking(
    _ name: String, _ ask: () throws(Problem) -> JSONObject
  ) throws(AgentFault) -> AgentResult {
    do throws(Problem) {
      return .members(try ask())
    } catch {
      guard error.isForModels else { throw .problem(error) }
      return .members(RefusedTool(problem: error, name: name).result)
    }
  }

  private func command(in arguments: JSONObject) -> Command? {
    guard let name = arguments.text("command") else { return nil }
    let catalog = call.catalog
    let command =
      CommandID(name).flatMap(catalog.command) ?? ToolName.command(named: name, in: catalog)
    return command.flatMap { consent(of: $0) == .hidden ? nil : $0 }
  }

  private func unknown(_ arguments: JSONObject) -> JSONObject {
    Self.mistaken(
      "There is no command \(quoted(arguments.text("command") ?? "")); find_commands lists them.")
  }

  private static func mistaken(_ text: String) -> JSONObject {
    ["content": [ToolText(text).block], "isError": true]
  }

  private func find(_ arguments: JSONObject) throws(AgentFault) -> AgentResult {
    try asking(FixedTool.find.rawValue) { () throws(Problem) in
      let session = try call.session
      var body: JSONObject = ["session": .string(session.rawValue), "disabled": true]
      body["query"] = arguments["query"] ?? ""
      body["from"] = arguments["from"]
      // Those that agents may not call are left out afterwards.
      body["limit"] = 100
      let answer = try call.answer(.post, "/commands/search", body: .object(body))
      return found(
        (try? JSON(parsing: answer.body)) ?? .null, arguments, at: try call.snapshot(session))
    }
  }

  /// Returns the commands of a search that agents may call.
  private func found(
    _ answer: JSON, _ arguments: JSONObject, at snapshot: Snapshot
  ) -> JSONObject {
    var found = FoundTools()
    let limit = if case .int(let limit)? = arguments["limit"] { Int(limit) } else { 20 }
    let effort = Remedies.effort
    guard case .array(let items)? = answer[JSONPointer(["items"])] else { return found.result }
    for case .object(let item) in items where found.count < limit {
      guard let command = CommandID(item.text("command") ?? "").flatMap(snapshot.catalog.command),
        consent(of: command) != .hidden
      else { continue }
      let isElsewhere = arguments["from"] == nil && item["reason"] == "noTarget"
      found.add(item, enabledBy: isElsewhere ? focuses(for: command, at: snapshot, effort) : [])
    }
    return found.result
  }

  /// Returns the responders whose focus would enable a command, if the token may read their names (T3).
  private func focuses(
    for command: Command, at snapshot: Snapshot, _ effort: Effort
  ) -> [Remedies.Focus] {
    guard call.grant.rights.contains(.read) else { return [] }
    return snapshot.session.focuses(
      enabling: command, in: snapshot.catalog, by: call.actor, spending: effort)
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

  private func explain(
    _ command: Command, _ arguments: JSONObject
  ) throws(AgentFault) -> AgentResult {
    let snapshot = try AgentFault.asking { () throws(Problem) in try call.snapshot() }
    var start: ResponderID?
    if let from = arguments.text("from") {
      start = ResponderID(from).flatMap(snapshot.session.responder)?.id
      guard start != nil else {
        return .members(
          Self.mistaken(
            "/arguments/from: There is no responder \(quoted(from)); describe_session has them."))
      }
    }
    return try explain(snapshot.catalog.command(command.id) ?? command, from: start, at: snapshot)
  }

  private func explain(
    _ command: Command, from start: ResponderID?, at snapshot: Snapshot
  ) throws(AgentFault) -> AgentResult {
    let advice = remedies(for: command, from: start, at: snapshot, isFixed: true)
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

/// The commands that `find_commands` answers, for a model and for programs.
private struct FoundTools {
  private var text = ToolText("Commands:")
  private var commands: [JSON] = []

  private static let told = [
    "command", "itemKey", "title", "menus", "enabled", "state", "reason", "explanation",
  ]

  var count: Int { commands.count }

  /// Adds an item as a search answers it, with the responders whose focus would enable it.
  mutating func add(_ item: JSONObject, enabledBy focuses: [Remedies.Focus]) {
    text.add(Self.line(about: item, focuses))
    var brief = JSONObject()
    for name in Self.told { brief[name] = item[name] }
    if !focuses.isEmpty {
      brief["focus"] = .array(focuses.map { .string($0.responder.rawValue) })
    }
    commands.append(.object(brief))
  }

  var result: JSONObject {
    var text = commands.isEmpty ? ToolText("No command matches.") : text
    text.end { "And \($0) more; see the structured content, or ask with a narrower query." }
    var structure = ToolStructure()
    structure.add("commands", .array(commands), rest: nil)
    return ["content": [text.block], "structuredContent": structure.json]
  }

  /// `'zoomIn:' “Zoom In” is disabled: Open a photo first. It is enabled if 'viewer' has focus.`
  private static func line(about item: JSONObject, _ focuses: [Remedies.Focus]) -> String {
    let ofItem = item.text("itemKey").map { " with the key \(quoted($0))" } ?? ""
    var line = "\(quoted(item.text("command") ?? ""))\(ofItem) “\(item.text("title") ?? "")”"
    if item["enabled"] == false {
      let reason = ValidationReason(rawValue: item.text("reason") ?? "")?
        .clause(target: "its target")
      line += " is disabled: "
      line += item.text("explanation") ?? "\(reason ?? "nobody can perform it")."
    }
    guard !focuses.isEmpty else { return line }
    let names = focuses.map { quoted($0.responder) }
    return line + " It is enabled if \(list(names, "or")) has focus."
  }
}

/// The effects of undoing or redoing, for a model.
private struct UndoneText {
  private let answer: JSONObject
  private let session: SessionID
  private let isRedo: Bool

  /// Creates the text of an answer of `POST /sessions/{s}/undo` or `…/redo`.
  init(_ answer: JSONObject, of session: SessionID, isRedo: Bool) {
    (self.answer, self.session, self.isRedo) = (answer, session, isRedo)
  }

  var result: JSONObject {
    var text = ToolText(sentence)
    if case .array(let changes)? = PerformedText.changes(of: answer) {
      for change in changes {
        if let line = change.lineOfChange { text.add(line) }
      }
    }
    text.end { "And \($0) more; read '\(SessionResource.root(session))'." }
    var structure = ToolStructure()
    for name in ["undone", "redone", "actionName", "kept", "revision"] {
      structure.add(name, answer[name], rest: nil)
    }
    structure.add(
      "changes", PerformedText.changes(of: answer), rest: SessionResource.root(session))
    return ["content": [text.block], "structuredContent": structure.json]
  }

  private var sentence: String {
    guard answer[isRedo ? "redone" : "undone"] == true else {
      return "There is nothing to \(isRedo ? "do again" : "take back")."
    }
    let name = answer.text("actionName").map { " “\($0)”" } ?? ""
    return isRedo ? "Did\(name) again." : "Took back\(name.isEmpty ? " what was done last" : name)."
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
