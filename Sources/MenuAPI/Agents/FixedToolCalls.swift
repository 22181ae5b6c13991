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

  /// True if a call is of a tool of the fixed set. A client that has just begun or stopped to listen may still call
  /// the tools of its former list.
  func isCallOfFixedTool(_ request: AgentRequest) throws(AgentFault) -> Bool {
    let isListed = try listedTools(request) == .fixed
    guard hasBothLists else { return isListed }
    let name = try request.string("name")
    guard ToolName.command(named: name, in: call.catalog) == nil else { return false }
    return isListed || FixedTool.allCases.contains { names.name(of: $0).hasSameBytes(as: name) }
  }

  /// True if a client can be given either list, so that a name must have the same meaning in both.
  private var hasBothLists: Bool { (try? call.askedTools) == .listening }

  /// The names of the tools of the fixed set.
  var names: FixedToolNames { FixedToolNames(besides: hasBothLists ? call.catalog : nil) }

  /// The tools of the fixed set that the token may call (T3).
  var fixedTools: [FixedTool] {
    FixedTool.allCases.filter { tool in
      call.grant.rights.contains(tool.right)
        && (tool != .undo || undoing(.undo) != nil)
    }
  }

  /// The answer of a tool of the fixed set.
  private enum FixedAnswer {
    case result(JSONObject)
    /// The answer of a performed command.
    case performs(ToolCall)
  }

  /// Returns the result of calling a tool of the fixed set. A problem that a model can act on is a result too.
  func callFixedTool(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    guard let tool = fixedTools.first(where: { names.name(of: $0).hasSameBytes(as: name) }) else {
      throw .invalidParams("Unknown tool: \(quoted(name)).")
    }
    let answer: FixedAnswer
    do throws(Problem) {
      answer = try self.answer(of: tool, to: arguments)
    } catch {
      guard error.isForModels else { throw .problem(error) }
      let problem = error.blamingArguments(at: tool.place)
      return .members(RefusedTool(problem: problem, name: name).result)
    }
    switch answer {
    case .result(let members): return .members(members)
    case .performs(let called): return try perform(called, by: tool, request)
    }
  }

  private func answer(
    of tool: FixedTool, to arguments: JSONObject
  ) throws(Problem) -> FixedAnswer {
    try tool.check(arguments, for: call.grant.rights)
    return switch tool {
    case .describe: .result(try describe(arguments))
    case .find: .result(try find(arguments))
    case .explain: .result(try explain(try command(in: arguments), arguments))
    case .perform: .performs(called(try command(in: arguments), arguments))
    case .undo: try undo(arguments)
    case .focus: .result(try focus(arguments))
    }
  }

  /// Returns the call of a command by `perform_command`.
  private func called(_ command: Command, _ arguments: JSONObject) -> ToolCall {
    var parameters = JSONObject()
    if case .object(let given)? = arguments["arguments"] { parameters = given }
    var called = ToolCall(
      command, key: arguments["itemKey"], parameters, plan: arguments["plan"],
      consent: consent(of: command), in: call.catalog)
    called.from = arguments["from"]
    return called
  }

  /// The ways to undo or redo.
  private enum Undoing {
    /// By a command of the application, with its consent (T7).
    case command(Command)
    /// By the session, of an application without such commands.
    case session
  }

  /// Returns the way to undo or redo; nil if agents, or this token, may not.
  private func undoing(_ action: Selector) -> Undoing? {
    let own = call.catalog.commandsOfUndoing
    guard own.isEmpty else {
      let command = own.first { $0.action == action && consent(of: $0) != .hidden }
      return command.map(Undoing.command)
    }
    let isFree = call.service.limits.agentConsent == .call && call.grant.commands == nil
    return isFree ? .session : nil
  }

  /// Undoes or redoes the last change.
  private func undo(_ arguments: JSONObject) throws(Problem) -> FixedAnswer {
    let isRedo = arguments["redo"] == true
    switch undoing(isRedo ? .redo : .undo) {
    case .command(let command)?:
      return .performs(
        ToolCall(
          command, key: nil, JSONObject(), plan: arguments["plan"], consent: consent(of: command),
          in: call.catalog))
    case nil:
      throw Problem(
        .notPerformed, "Agents may not \(isRedo ? "do anything again" : "take anything back") here."
      )
    case .session? where arguments["plan"] != nil:
      throw Problem(
        .unknownPlan, "Nothing has a plan here; call without one.", at: JSONPointer(["plan"]))
    case .session?:
      let session = try call.session
      let response = try call.answer(.post, "/sessions/\(session)/\(isRedo ? "redo" : "undo")")
      return .result(
        response.object.map { UndoneText($0, of: session, isRedo: isRedo).result } ?? JSONObject())
    }
  }

  /// Moves focus to a responder.
  private func focus(_ arguments: JSONObject) throws(Problem) -> JSONObject {
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
          + "\(names.name(of: .perform)) asks it with 'from'.")
    return ["content": [text.block], "structuredContent": ["focus": focus ?? .null]]
  }

  /// Returns the command that arguments name.
  ///
  /// - Throws: `Problem` if no command is visible to agents under this name.
  private func command(in arguments: JSONObject) throws(Problem) -> Command {
    let name = arguments.text("command") ?? ""
    let catalog = call.catalog
    let found =
      CommandID(name).flatMap(catalog.command) ?? ToolName.command(named: name, in: catalog)
    if let found, consent(of: found) != .hidden { return found }
    let known = catalog.commands.filter { consent(of: $0) != .hidden }.map(\.id.rawValue)
    let advice = suggestion(for: name, among: known).map { "\($0) " } ?? "; "
    throw Problem(
      .unknownCommand,
      "There is no command \(quoted(name))\(advice)\(names.name(of: .find)) lists them.",
      at: JSONPointer(["command"]))
  }

  /// The maximum number of a search's results that are filtered for commands that agents may call.
  private static let searchedCommands = 1000

  private func find(_ arguments: JSONObject) throws(Problem) -> JSONObject {
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

  /// Adds an item if agents may call its command. A disabled one is added with the responders from which it could be
  /// performed, if there is effort left and the token may read their names (T3).
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
  ) throws(Problem) -> [ValidatedItem] {
    var request = ValidationRequest()
    request.from = from
    request.actor = call.actor
    return try askPlan(of: snapshot) { [request] (plan) throws(MutationFault) in
      try plan.itemsFromData(of: command.id, request, at: snapshot.moment)[command.id] ?? []
    }
  }

  private func explain(_ command: Command, _ arguments: JSONObject) throws(Problem) -> JSONObject {
    let snapshot = try call.snapshot()
    let called = called(snapshot.catalog.command(command.id) ?? command, arguments)
    if let from = arguments.text("from"),
      ResponderID(from).flatMap(snapshot.session.responder) == nil
    {
      throw Problem(
        .unresolvedReference,
        "There is no responder \(quoted(from)); \(names.name(of: .describe)) has them.",
        at: JSONPointer(["from"]))
    }
    let isItem = arguments["itemKey"] != nil
    if isItem { try called.checkKey() }
    let command = called.command
    let items =
      isItem ? [] : try itemsFromData(of: command, from: called.start, at: snapshot)
    let isPerformedByItems =
      !isItem && snapshot.catalog.menus.commandsFromDataOnly.contains(command.id)
    let form: CommandForm
    do throws(MutationFault) {
      form = try self.form(of: command, from: called.start, at: snapshot)
    } catch {
      throw Problem(error, at: nil)
    }
    let takesArguments = !isItem && !isPerformedByItems
    let advice = remedies(
      for: command, in: called.requestWithoutPlan, at: snapshot, fixed: names)
    return ExplainedTool(
      command, advice: advice, items: items,
      asking: takesArguments ? form.schema : CommandForm.schemaWithoutParameters,
      faults: takesArguments && arguments["arguments"] != nil
        ? Self.faults(of: called.parameters, in: form) : [],
      isPerformedByItems: isPerformedByItems,
      isPlanned: consent(of: command, asking: advice.item.confirmation) == .plan,
      in: MenuTitles(snapshot.catalog.menus), names
    ).result
  }

  /// Returns the faults of a command's arguments, as for performing it.
  private static func faults(
    of parameters: JSONObject, in form: CommandForm
  ) -> [Problem.BlamedPart] {
    do throws(MutationFault) {
      try form.check(parameters)
      return []
    } catch {
      return Problem(error, at: JSONPointer(["parameters"]))
        .blamingArguments(at: FixedTool.explain.place).parts
    }
  }
}
