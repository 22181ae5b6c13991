import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

extension SessionAgent {
  /// Returns the list of tools for the client.
  func listedTools(_ request: AgentRequest) throws(AgentFault) -> ListedTools {
    try AgentFault.asking { () throws(Problem) in
      let asked = try call.askedTools
      guard asked == .listening, !request.revision.isStateless else {
        return asked.list(isListening: true)
      }
      let opening = try call.look(at: call.session).sessionEdition.opening
      let client = try AgentClient(call, of: opening)
      let isListening = client.name == nil || call.service.agents.clients.isListening(client)
      return asked.list(isListening: isListening)
    }
  }

  /// True if a call is of a tool of the fixed set. A client that begins to listen, or ends, may call the tools that it
  /// knows.
  func isCallOfFixedTool(_ request: AgentRequest) throws(AgentFault) -> Bool {
    let isListed = try listedTools(request) == .fixed
    guard hasBothLists else { return isListed }
    let name = try request.string("name")
    guard ToolName.command(named: name, in: call.catalog) == nil else { return false }
    return isListed || FixedTool.allCases.contains { self.name(of: $0).hasSameBytes(as: name) }
  }

  /// True if a client can be given either list, so that a name has to mean the same in both.
  private var hasBothLists: Bool { (try? call.askedTools) == .listening }

  /// Returns the name of a tool of the fixed set, which is another one where a command has it.
  func name(of tool: FixedTool) -> String {
    var name = tool.rawValue
    while hasBothLists, ToolName.command(named: name, in: call.catalog) != nil {
      name = "menud_" + name
    }
    return name
  }

  /// The tools of the fixed set that the token may call (T3).
  var fixedTools: [FixedTool] {
    FixedTool.allCases.filter { tool in
      call.grant.rights.contains(tool.right)
        && (tool != .undo || undoing(.undo) != nil)
    }
  }

  /// Returns the result of calling a tool of the fixed set.
  func callFixedTool(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    guard let tool = fixedTools.first(where: { self.name(of: $0).hasSameBytes(as: name) }) else {
      throw .invalidParams("Unknown tool: \(quoted(name)).")
    }
    let faults = tool.faults(of: arguments)
    guard faults.isEmpty else {
      return .members(Self.mistaken(faults.joined(separator: "\n")))
    }
    switch tool {
    case .describe: return try describe(arguments)
    case .find: return try find(arguments)
    case .undo: return try undo(arguments, request)
    case .focus: return try focus(arguments)
    case .explain, .perform: break
    }
    guard let command = command(in: arguments) else { return .members(unknown(arguments)) }
    guard tool == .perform else { return try explain(command, arguments) }
    return try perform(called(command, arguments), by: tool, request)
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

  /// The way to undo or redo.
  private enum Undoing {
    /// By a command of the application, with its consent (T7).
    case command(Command)
    /// By the session, of an application without such commands.
    case session
  }

  /// Returns the way to undo or redo; nil if agents may not, or not with this token.
  private func undoing(_ action: Selector) -> Undoing? {
    let own = call.catalog.commandsOfUndoing
    guard own.isEmpty else {
      let command = own.first { $0.action == action && consent(of: $0) != .hidden }
      return command.map(Undoing.command)
    }
    let isFree = call.service.limits.agentConsent == .call && call.grant.commands == nil
    return isFree ? .session : nil
  }

  /// Takes back what was done last, or does it again.
  private func undo(
    _ arguments: JSONObject, _ request: AgentRequest
  ) throws(AgentFault) -> AgentResult {
    let isRedo = arguments["redo"] == true
    switch undoing(isRedo ? .redo : .undo) {
    case .command(let command)?:
      let called = ToolCall(
        command, key: nil, JSONObject(), plan: arguments.text("plan"),
        consent: consent(of: command),
        in: call.catalog)
      return try perform(called, by: .undo, request)
    case nil:
      return .members(
        Self.mistaken("Agents may not \(isRedo ? "do anything again" : "take anything back") here.")
      )
    case .session? where arguments["plan"] != nil:
      return .members(Self.mistaken("/arguments/plan: Nothing has a plan here; call without one."))
    case .session?:
      return try asking(.undo) { () throws(Problem) in
        let session = try call.session
        let response = try call.answer(.post, "/sessions/\(session)/\(isRedo ? "redo" : "undo")")
        return response.object.map { UndoneText($0, of: session, isRedo: isRedo).result }
          ?? JSONObject()
      }
    }
  }

  /// Moves focus to a responder.
  private func focus(_ arguments: JSONObject) throws(AgentFault) -> AgentResult {
    try asking(.focus) { () throws(Problem) in
      let session = try call.session
      let name = arguments["responder"] ?? .null
      var focus = try call.look(at: session).session.firstResponder.map { JSON.string($0.rawValue) }
      let response = try call.answer(
        .put, "/sessions/\(session)/first-responder", body: ["responder": name])
      if case .array(let changes)? = response.object?["changes"] {
        for case .object(let change) in changes where change["change"] == "firstResponder" {
          focus = change["responder"]
        }
      }
      let text = ToolText(
        focus == name
          ? "\(quoted(arguments.text("responder") ?? "")) has focus now."
          : "It has the focus of its window, which is not key, so that commands do not ask it. "
            + "perform_command asks it with 'from'.")
      return ["content": [text.block], "structuredContent": ["focus": focus ?? .null]]
    }
  }

  /// Returns the result of a request; a problem that a model can act on is a result, too.
  private func asking(
    _ tool: FixedTool, _ ask: () throws(Problem) -> JSONObject
  ) throws(AgentFault) -> AgentResult {
    do throws(Problem) {
      return .members(try ask())
    } catch {
      guard error.isForModels else { throw .problem(error) }
      return .members(RefusedTool(problem: error, name: tool.rawValue).result)
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
    let name = arguments.text("command") ?? ""
    let names = call.catalog.commands.filter { consent(of: $0) != .hidden }.map(\.id.rawValue)
    let advice = suggestion(for: name, among: names).map { "\($0) " } ?? "; "
    return Self.mistaken("There is no command \(quoted(name))\(advice)find_commands lists them.")
  }

  static func mistaken(_ text: String) -> JSONObject {
    ["content": [ToolText(text).block], "isError": true]
  }

  /// The most commands of a search that are looked through for those that agents may call.
  private static let searchedCommands = 1000

  private func find(_ arguments: JSONObject) throws(AgentFault) -> AgentResult {
    try asking(.find) { () throws(Problem) in
      let snapshot = try call.snapshot(call.session)
      let limit = arguments.int("limit") ?? 20
      var found = FoundTools(beginning: arguments.int("offset") ?? 0)
      let effort = Remedies.newEffort()
      let end = found.offset + Self.searchedCommands
      while found.count < limit, found.offset < min(found.total, end) {
        let answer = try search(arguments, from: found.offset)
        guard case .array(let items)? = answer["items"], !items.isEmpty else { break }
        found.total = answer.int("total") ?? 0
        for case .object(let item) in items where found.count < limit {
          let triesFocus = arguments["from"] == nil
          guard add(item, to: &found, at: snapshot, effort: triesFocus ? effort : nil) else {
            return found.result
          }
          found.offset += 1
        }
      }
      return found.result
    }
  }

  /// Returns a page of a search.
  private func search(_ arguments: JSONObject, from offset: Int) throws(Problem) -> JSONObject {
    var body: JSONObject = [
      "session": .string(try call.session.rawValue), "disabled": true, "limit": 100,
      "offset": .int(Int64(offset)),
    ]
    body["query"] = arguments["query"] ?? ""
    body["from"] = arguments["from"]
    return try call.answer(.post, "/commands/search", body: .object(body)).object ?? JSONObject()
  }

  /// Adds an item if agents may call its command; a disabled one with the responders that would perform it, if there is
  /// an effort for that and the token may read their names (T3).
  ///
  /// - Returns: False if there is no room for it.
  private func add(
    _ item: JSONObject, to found: inout FoundTools, at snapshot: Snapshot, effort: Effort?
  ) -> Bool {
    guard let command = CommandID(item.text("command") ?? "").flatMap(snapshot.catalog.command),
      consent(of: command) != .hidden
    else { return true }
    guard let effort, item["enabled"] == false, call.grant.rights.contains(.read) else {
      return found.add(item, enabledBy: [])
    }
    let request = ActionRequest(
      .command(command.id), itemKey: item.text("itemKey").flatMap(ItemKey.init))
    return found.add(
      item,
      enabledBy: snapshot.session.focuses(
        enabling: command, in: request, under: snapshot.catalog, by: call.actor,
        spending: effort))
  }

  /// Returns the items from data of a command (M12).
  private func itemsFromData(
    of command: Command, from: ResponderID?, at snapshot: Snapshot
  ) throws(AgentFault) -> [ValidatedItem] {
    var request = ValidationRequest()
    request.from = from
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
    if let from = arguments.text("from"),
      ResponderID(from).flatMap(snapshot.session.responder) == nil
    {
      return .members(
        Self.mistaken(
          "/arguments/from: There is no responder \(quoted(from)); describe_session has them."))
    }
    if let key = arguments.text("itemKey"), ItemKey(key) == nil {
      return .members(
        Self.mistaken("/arguments/itemKey: Expected a key that find_commands tells."))
    }
    return try explain(
      snapshot.catalog.command(command.id) ?? command,
      in: called(command, arguments).requestWithoutPlan, at: snapshot)
  }

  private func explain(
    _ command: Command, in request: ActionRequest, at snapshot: Snapshot
  ) throws(AgentFault) -> AgentResult {
    let isItem = request.itemKey != nil
    let items = isItem ? [] : try itemsFromData(of: command, from: request.from, at: snapshot)
    let schema = try presentSchema(of: command, from: request.from, at: snapshot)
    let advice = remedies(for: command, in: request, at: snapshot, isFixed: true)
    let explained = ExplainedTool(
      command, advice: advice, items: items, asking: isItem ? nil : schema,
      isPerformedByItems: !isItem
        && snapshot.catalog.menus.commandsFromDataOnly.contains(command.id),
      isPlanned: consent(of: command, asking: advice.item.confirmation) == .plan,
      in: MenuTitles(snapshot.catalog.menus))
    return .members(explained.result)
  }
}
