import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// A session as a server of the Model Context Protocol: its commands are tools, and it is itself a resource.
struct SessionAgent: AgentServer {
  let call: Call

  /// Creates the server of the session in a request's path.
  init(_ call: Call) { self.call = call }

  var capabilities: JSONObject {
    [
      "tools": ["listChanged": true], "resources": ["subscribe": true, "listChanged": true],
      "prompts": ["listChanged": true], "completions": [:],
    ]
  }

  var extensions: JSONObject { [ClientCapabilities.ofTasks: [:]] }

  var opensStreams: Bool { true }

  var instructions: String {
    let names = names
    let fixed = FixedTool.instructions(to: fixedTools, names)
    // Before a client's first list it is unknown whether it listens.
    switch try? call.askedTools {
    case .find: return fixed
    case .listening:
      return "\(Self.ofCommands) If \(names.name(of: .find)) is among the tools: \(fixed)"
    case .enabled, .all, nil: return Self.ofCommands
    }
  }

  private static let ofCommands =
    "The tools are the commands that can be chosen in this application right now; the list changes as the "
    + "application does. A call that is refused says why, which tool would help, and who would do it with focus. "
    + "The resource 'menu' shows every command, also those that cannot be chosen, with the reason. Work that the "
    + "application does is in the resource 'deliveries'. What a tool did can be taken back by the tool for "
    + "undo, if the application has one."

  func admit(_ call: Call) throws(Problem) {
    let session = try call.session
    _ = try call.look(at: session)
    _ = try call.subjectOfTools(of: session)
  }

  func cancel(_ id: JSON, of call: Call) {
    guard let session = try? call.session, let snapshot = try? call.look(at: session),
      let client = try? AgentClient(call, of: snapshot.sessionEdition.opening), client.name != nil
    else { return }
    call.service.agents.cancel(AgentRequestName(client: client, id: id))
  }

  func accept(_ response: JSONRPCResponse, of call: Call) -> Bool {
    guard case .string(let name) = response.id, let session = try? call.session,
      let snapshot = try? call.look(at: session),
      let client = try? AgentClient(call, of: snapshot.sessionEdition.opening)
    else { return false }
    return call.service.agents.calls.answer(name, by: client, with: response.result)
  }

  func result(
    of method: AgentMethod, _ request: AgentRequest
  ) throws(AgentFault) -> AgentResult? {
    switch method {
    case .listTools: try listTools(request)
    case .callTool: try isCallOfFixedTool(request) ? callFixedTool(request) : callTool(request)
    case .listResources: try listResources(request)
    case .listResourceTemplates: try listTemplates(request)
    case .readResource: try readResource(request)
    case .subscribe: try subscribe(request, isOn: true)
    case .unsubscribe: try subscribe(request, isOn: false)
    case .listPrompts: try listPrompts(request)
    case .getPrompt: try getPrompt(request)
    case .complete: try complete(request)
    case .listen: try listen(request)
    case .getTask: try getTask(request)
    case .updateTask: try updateTask(request)
    case .cancelTask: try cancelTask(request)
    case .initialize, .ping, .discover: nil
    }
  }
}

extension SessionAgent {
  /// The maximum number of tools in a page.
  static let pageSize = 250

  func listTools(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let cursor = try request.cursor()
    let listed = try listedTools(request)
    guard listed != .fixed else {
      try request.checkNoCursor()
      return .kept(
        ["tools": .array(fixedTools.map { .object($0.json(for: call.grant.rights, names)) })],
        milliseconds: 0)
    }
    let tools = try AgentFault.asking { () throws(Problem) in
      let snapshot = try call.snapshot()
      guard listed != .all else {
        return SessionTools(snapshot.catalog, consent: call.service.limits.agentConsent)
      }
      return try askPlan(of: snapshot) { (plan) throws(MutationFault) in
        try SessionTools(
          snapshot, by: call.actor, consent: call.service.limits.agentConsent, &plan)
      }
    }
    guard let page = tools.page(after: cursor, size: Self.pageSize) else {
      throw .invalidParams(
        "The cursor is none that this list has; ask for the list from its beginning.")
    }
    var result: JSONObject = ["tools": .array(page.tools.map(\.json))]
    if let next = page.next { result["nextCursor"] = .string(next) }
    return .kept(result, milliseconds: 0)
  }

  /// Returns the result of a snapshot's plan, and counts the rules that failed.
  func askPlan<Answer: Sendable>(
    of snapshot: Snapshot,
    _ question: (inout ValidationPlan) throws(MutationFault) -> Answer
  ) throws(Problem) -> Answer {
    do throws(MutationFault) {
      let plan = call.live(snapshot).plan(limitedTo: snapshot.commands)
      let (answer, ruleErrors) = try plan.ask(snapshot, question)
      call.note(ruleErrors: ruleErrors)
      return answer
    } catch {
      throw Problem(error, at: nil)
    }
  }

  func callTool(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    let catalog = call.catalog
    guard let command = ToolName.command(named: name, in: catalog), consent(of: command) != .hidden
    else {
      let names = catalog.commands.filter { consent(of: $0) != .hidden }
        .map { ToolName.text(of: $0.id) }
      throw .invalidParams(
        "Unknown tool: \(quoted(name))" + (suggestion(for: name, among: names) ?? "."))
    }
    if request.revision.isStateless {
      do throws(JSONRPCError) {
        try MirroredParameters(command.parameters?.schema)
          .check(arguments, against: AgentHeaders(call.request))
      } catch {
        throw .error(error)
      }
    }
    let called = ToolCall(
      command, arguments: arguments, consent: consent(of: command), in: catalog)
    return try perform(called, request)
  }

  /// Returns the declared consent of a command. Rules of its target may require a confirmation nevertheless.
  func consent(of command: Command) -> AgentConsent {
    consent(of: command, asking: command.confirmation)
  }

  /// Returns the consent of a command that requires this confirmation at present.
  func consent(of command: Command, asking confirmation: Confirmation?) -> AgentConsent {
    .of(command, confirmation: confirmation, orElse: call.service.limits.agentConsent)
  }

  /// Returns the present form of a command (P4).
  func form(
    of command: Command, from: ResponderID?, at snapshot: Snapshot
  ) throws(MutationFault) -> CommandForm {
    var question = ValidationRequest()
    question.actor = call.actor
    question.from = from
    return try snapshot.session.form(of: command.id, question, in: snapshot.catalog)
  }

  /// Returns the schema of a command's parameters with the present choices (P4); nil for the declared one.
  func presentSchema(
    of command: Command, at snapshot: Snapshot
  ) throws(AgentFault) -> JSON? {
    try AgentFault.asking { () throws(Problem) in
      do throws(MutationFault) {
        return try snapshot.presentSchema(of: command, for: call.actor)
      } catch {
        throw Problem(error, at: nil)
      }
    }
  }

  /// Returns the reason why a command cannot be performed, and the commands for agents that would enable it. Values of
  /// the state and names of responders require the right `read` (T3).
  ///
  /// - Parameter fixed: The names of the fixed set of tools, if the model uses it; nil if each command is a tool.
  func remedies(
    for command: Command, in request: ActionRequest, at snapshot: Snapshot, fixed: FixedToolNames?
  ) -> RemediesText {
    let consent = call.service.limits.agentConsent
    let rights = call.grant.rights
    let remedies = snapshot.session.remedies(
      for: snapshot.catalog.command(command.id) ?? command, in: request, under: snapshot.catalog,
      by: call.actor, triesFocus: rights.contains(.read),
      suggesting: { rights.contains(.perform) && ($0.agents ?? consent) != .hidden })
    return RemediesText(
      remedies, of: fixed == nil ? ToolName.text(of: command.id) : command.id.rawValue,
      rights: rights, fixed: fixed, isFromElsewhere: request.from != nil,
      in: snapshot.catalog)
  }

  /// Performs a command, plans it, or asks the client's user.
  ///
  /// - Parameter fixed: The called tool of the fixed set; nil for the command's own tool.
  func perform(
    _ called: ToolCall, by fixed: FixedTool? = nil, _ request: AgentRequest
  ) throws(AgentFault) -> AgentResult {
    let session = try AgentFault.asking { () throws(Problem) in try call.session }
    let tool = CalledTool(
      called.command.id, in: session, request.revision, by: fixed,
      named: fixed.map(names.name))
    let questions = try ToolQuestions(about: called, of: tool, request, by: self)
    switch try questions.next() {
    case .ends(let result): return result
    case .performs(let called):
      do throws(Problem) {
        return try perform(called, as: tool, request, asking: questions)
      } catch {
        return try refuse(called, of: tool, error, asking: questions)
      }
    }
  }

  /// Returns the result of a call that was refused.
  private func refuse(
    _ called: ToolCall, of tool: CalledTool, _ problem: Problem, asking questions: ToolQuestions
  ) throws(AgentFault) -> AgentResult {
    guard problem.isForModels else { throw .problem(problem) }
    if questions.isAnswered, problem.type == .expiredPlan { throw .error(.repeatedAnswer) }
    let refused = RefusedTool(
      problem: problem.blamingArguments(at: tool.fixed?.place ?? called.command.placeOfArgument),
      name: tool.name)
    if problem.type == .planChanged, case .object(let answer)? = refused.document {
      let planned = questions.planned(answer)
      let asked = try AgentFault.asking { () throws(Problem) in
        try questions.confirm(answer, hasChanged: true)
      }
      return asked ?? .members(planned.changedResult)
    }
    guard problem.type == .notPerformed, let snapshot = try? call.look(at: tool.session),
      let asked = called.request(in: snapshot.catalog)
    else { return .members(refused.result) }
    let advice = remedies(
      for: called.command, in: asked, at: snapshot, fixed: tool.fixed == nil ? nil : names)
    // The problem names the missing item.
    guard advice.item.reason != .unknownItem else { return .members(refused.result) }
    return .members(refused.result(advice))
  }

  private func perform(
    _ called: ToolCall, as tool: CalledTool, _ request: AgentRequest,
    asking questions: ToolQuestions
  ) throws(Problem) -> AgentResult {
    let body = JSON.object(try called.body(in: tool.session, call.catalog))
    let own = try call.service.idempotencyKey(of: call.request)
    let key = called.isPlanning ? nil : questions.key(under: own, performing: body.bytes)
    let response: Response
    do throws(Problem) {
      response = try call.answer(.post, "/commands/perform", body: body, under: key)
    } catch {
      if key != nil, error.type == .idempotencyKeyReused { throw .repeatedAnswer }
      guard error.type == .needsConfirmation, called.plan == nil else { throw error }
      return try perform(called.planned, as: tool, request, asking: questions)
    }
    guard let answer = response.object else {
      return .members(ToolResult.answer(response, of: tool.name, rest: nil))
    }
    if called.isPlanning {
      return try questions.confirm(answer) ?? .members(questions.planned(answer).result)
    }
    var fields = Headers()
    let replayed = response.headers["idempotent-replayed"]
    if let field = replayed {
      // An answer is used once; a retry under the same key gets the same result. A declined question is not used.
      let isDone = response.status.rawValue < 300
      guard isDone, own != nil || !questions.isAnswered else { throw .repeatedAnswer }
      fields.append("Idempotent-Replayed", field)
    }
    let later = try later(
      answer, isReplayed: replayed != nil, of: called.command.id, as: tool, request)
    if let later { return later }
    return .withFields(ToolResult.performance(answer, of: tool), fields)
  }
}

extension Problem {
  /// True if a model can act on the problem. If false, the problem is for the client, as for any other request.
  var isForModels: Bool {
    switch type {
    case .unknownSession, .idempotencyKeyReused, .preconditionFailed, .malformedRequest,
      .unauthorized, .forbidden:
      false
    default: type.status.rawValue < 500
    }
  }
}

extension Problem {
  /// The problem of an answer that has already been performed, which the caller describes itself.
  fileprivate static let repeatedAnswer = Problem(
    .expiredPlan, "The question was answered before, and what the answer led to is not done again.")
}

struct CommandSearch: Sendable {
  private let words: [[UInt8]]
  private let limit: Int

  /// Creates the search from the arguments of a call.
  init(_ arguments: ToolArguments) {
    words = arguments.string("query").lowercased().utf8.split(separator: UInt8(ascii: " ")).map {
      Array($0)
    }
    limit = if case .int(let limit)? = arguments.object["limit"] { Int(limit) } else { 20 }
  }

  /// Returns the commands that contain all words, those with a word in the title first.
  func answer(_ call: Call) -> Response {
    let catalog = call.catalog
    let menus = MenuTitles(catalog.menus)
    let found = catalog.commands.filter { isFound($0, menus) }
    let titled = found.filter { isIn([$0.title]) }
    let ids = Set(titled.map(\.id))
    let commands = titled + found.filter { !ids.contains($0.id) }
    return call.answer { writer in
      writer.member("total", commands.count)
      writer.member("commands")
      writer.beginArray()
      for command in commands.prefix(limit) {
        writer.value(command, in: menus)
      }
      writer.endArray()
    }
  }

  private func isFound(_ command: Command, _ menus: MenuTitles) -> Bool {
    let about = [
      command.title, command.subtitle, command.discoverabilityTitle, command.description,
    ]
    return isIn(about.compactMap(\.self) + [command.id.rawValue] + menus.path(of: command.id))
  }

  private func isIn(_ texts: [String]) -> Bool {
    let text = Array(texts.joined(separator: "\n").lowercased().utf8)
    return words.allSatisfy { text.place(of: $0) != nil }
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ command: Command, in menus: MenuTitles) {
    beginObject()
    member("command", command.id.rawValue)
    member("title", command.title)
    optionalMember("description", command.description)
    optionalMember("action", command.action?.rawValue)
    member("menus", .array(menus.path(of: command.id).map(JSON.string)))
    endObject()
  }
}
