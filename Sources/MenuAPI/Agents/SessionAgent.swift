import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// A session as a server of the Model Context Protocol: its commands are tools, it itself a resource.
struct SessionAgent: AgentServer {
  private let call: Call

  /// The session that the path of a request names.
  init(_ call: Call) { self.call = call }

  var capabilities: JSONObject {
    [
      "tools": ["listChanged": true], "resources": ["subscribe": true], "completions": [:],
    ]
  }

  var opensStreams: Bool { true }

  var instructions: String {
    "The tools are the commands that can be chosen in this application right now; the list changes as the "
      + "application does. A call that is refused says why, and what to do. The resource 'menu' shows every "
      + "command, also those that cannot be chosen, with the reason. What a tool did can be taken back by the "
      + "tool for undo, if the application has one."
  }

  func admit(_ call: Call) throws(Problem) { _ = try call.look(at: try call.session) }

  func cancel(_ id: JSON, of call: Call) {
    guard let session = try? call.session, let snapshot = try? call.look(at: session),
      let client = try? AgentClient(call, of: snapshot.sessionEdition.opening), client.name != nil
    else { return }
    call.service.agents.cancel(AgentRequestName(client: client, id: id))
  }

  func result(
    of method: AgentMethod, _ request: AgentRequest
  ) throws(AgentFault) -> AgentResult? {
    switch method {
    case .listTools: try listTools(request)
    case .callTool: try callTool(request)
    case .listResources: try listResources(request)
    case .listResourceTemplates: try listTemplates(request)
    case .readResource: try readResource(request)
    case .subscribe: try subscribe(request, isOn: true)
    case .unsubscribe: try subscribe(request, isOn: false)
    case .complete: try complete(request)
    case .listen: try listen(request)
    case .initialize, .ping, .discover: nil
    }
  }
}

// MARK: Tools

extension SessionAgent {
  /// The number of tools in a page.
  static let pageSize = 250

  private func listTools(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let cursor = try request.cursor()
    let (tools, ruleErrors) = try AgentFault.asking { () throws(Problem) in
      let snapshot = try call.snapshot()
      let listsAll = try call.subjectOfTools(of: snapshot.session.id).listsAll
      do throws(MutationFault) {
        return try call.service.plans.ask(snapshot) { (plan) throws(MutationFault) in
          try SessionTools(snapshot, listsAll: listsAll, &plan)
        }
      } catch {
        throw Problem(error, at: nil)
      }
    }
    call.note(ruleErrors: ruleErrors)
    guard let page = tools.page(after: cursor, size: Self.pageSize) else {
      throw .invalidParams(
        "The cursor is none that this list has; ask for the list from its beginning.")
    }
    var result: JSONObject = ["tools": .array(page.tools.map(\.json))]
    if let next = page.next { result["nextCursor"] = .string(next) }
    return .kept(result, milliseconds: 0)
  }

  private func callTool(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    let catalog = call.catalog
    guard let command = ToolName.command(named: name, in: catalog) else {
      let names = catalog.commands.map { ToolName.text(of: $0.id) }
      throw .invalidParams(
        "Unknown tool: \(quoted(name))" + (suggestion(for: name, among: names) ?? "."))
    }
    let session = try AgentFault.asking { () throws(Problem) in try call.session }
    var body: JSONObject = [
      "session": .string(session.rawValue), "command": .string(command.id.rawValue),
    ]
    if !arguments.isEmpty { body["parameters"] = .object(arguments) }
    do throws(Problem) {
      let response = try call.answer(.post, "/commands/perform", body: .object(body))
      guard case .object(let answer)? = try? JSON(parsing: response.body) else {
        return .members(ToolResult.answer(response))
      }
      if try isWaiting(for: answer, of: command, request) { return .stream }
      var fields = Headers()
      if let field = response.headers["idempotent-replayed"] {
        fields.append("Idempotent-Replayed", field)
      }
      return .withFields(ToolResult.performance(answer, of: command.title), fields)
    } catch {
      guard error.isForModels else { throw .problem(error) }
      return .members(ToolResult.refusal(error))
    }
  }
}

// MARK: Deliveries

extension SessionAgent {
  /// Lets a call wait until what it delivered is settled (D3), if it delivered anything.
  private func isWaiting(
    for answer: JSONObject, of command: Command, _ request: AgentRequest
  ) throws(Problem) -> Bool {
    guard answer["performed"] == true, case .array(let told)? = answer["deliveries"] else {
      return false
    }
    let ids = told.compactMap { delivery -> Int? in
      guard case .object(let members) = delivery, case .int(let id)? = members["id"] else {
        return nil
      }
      return Int(exactly: id)
    }
    guard !ids.isEmpty else { return false }
    let session = try call.session
    let opening = try call.look(at: session).sessionEdition.opening
    let task = AgentWork.Task(
      opening: opening, answer: answer, deliveries: ids, title: command.title,
      reply: request.reply, progressToken: request.progressToken,
      cancel: canceller(of: session))
    call.stream(work: task, in: session, by: try AgentClient(call, of: opening))
    return true
  }

  /// Cancels deliveries by the request that everybody else uses, with the token of the call.
  private func canceller(of session: SessionID) -> @Sendable (Int) -> Void {
    let service = call.service
    var headers = Headers()
    for name in ["authorization", "host"] {
      for value in call.request.headers.values(of: name) { headers.append(name, value) }
    }
    let fields = headers
    return { id in
      let path = "/sessions/\(session)/deliveries/\(id)/cancel"
      guard let request = try? Request(.post, path, headers: fields) else { return }
      let cancel: @Sendable () -> Void = { _ = service.answer(to: request) }
      if service.dependencies.runLater?(cancel) != true { cancel() }
    }
  }
}

extension AgentRequest {
  /// The token under which the client wants to know of progress.
  fileprivate var progressToken: JSON? {
    guard case .object(let meta)? = params["_meta"], let token = meta["progressToken"] else {
      return nil
    }
    return token.isMessageID ? Optional(token) : .none
  }
}

extension Problem {
  /// True if a model can do something about it; else it is for the client, as with any other request.
  var isForModels: Bool {
    switch type {
    case .unknownSession, .idempotencyKeyReused, .preconditionFailed, .malformedRequest,
      .unauthorized, .forbidden:
      false
    default: type.status.rawValue < 500
    }
  }
}

// MARK: Resources

extension SessionAgent {
  private func session() throws(AgentFault) -> SessionID {
    try AgentFault.asking { () throws(Problem) in try call.session }
  }

  private func listResources(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    try request.checkNoCursor()
    let session = try session()
    let resources = SessionResource.allCases.map { $0.description(in: session) }
    return .kept(["resources": .array(resources)], milliseconds: 60_000)
  }

  private func listTemplates(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    try request.checkNoCursor()
    let template: JSON = [
      "uriTemplate": .string(try CommandResource.template(in: session())), "name": "command",
      "title": "Command",
      "description": "A command as it is now, and why: each responder that was asked.",
      "mimeType": "application/json",
    ]
    return .kept(["resourceTemplates": [template]], milliseconds: 60_000)
  }

  private func readResource(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let uri = try request.string("uri")
    let session = try session()
    let response: Response?
    if let resource = SessionResource(uri: uri, in: session) {
      response = try AgentFault.asking { () throws(Problem) in
        try call.answer(.get, "/sessions/\(session)\(resource.path)")
      }
    } else if let id = CommandResource.command(of: uri, in: session),
      call.catalog.command(id) != nil
    {
      let body: JSON = [
        "session": .string(session.rawValue), "commands": [.string(id.rawValue)], "explain": true,
      ]
      response = try AgentFault.asking { () throws(Problem) in
        try call.answer(.post, "/commands/validate", body: body)
      }
    } else {
      response = nil
    }
    guard let response else { throw .error(unknownResource(uri, request)) }
    let content: JSON = [
      "uri": .string(uri), "mimeType": "application/json",
      "text": .string(String(decoding: response.body, as: UTF8.self)),
    ]
    return .kept(["contents": [content]], milliseconds: 0)
  }

  private func unknownResource(_ uri: String, _ request: AgentRequest) -> JSONRPCError {
    JSONRPCError(
      request.revision.isStateless ? .invalidParams : .resourceNotFound,
      "There is no resource \(quoted(uri)) here.", data: ["uri": .string(uri)])
  }

  private func subscribe(
    _ request: AgentRequest, isOn: Bool
  ) throws(AgentFault) -> AgentResult {
    let uri = try request.string("uri")
    let session = try session()
    guard let resource = SessionResource(uri: uri, in: session) else {
      throw .error(unknownResource(uri, request))
    }
    let client = try AgentFault.asking { () throws(Problem) in
      try AgentClient(call, of: call.look(at: session).sessionEdition.opening)
    }
    guard client.name != nil else {
      throw .invalidParams(
        "A subscription needs the field 'Mcp-Session-Id' that 'initialize' was answered with.")
    }
    let agents = call.service.agents
    agents.clients.change(client) { topics in
      if isOn { topics.insert(resource.topic) } else { topics.remove(resource.topic) }
    }
    if isOn { agents.watch(resource.topic, of: session) }
    return .members(JSONObject())
  }

  private func listen(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    guard case .object(let filter)? = request.params["notifications"] else {
      throw .invalidParams("The parameter 'notifications' is missing, an object.")
    }
    let session = try session()
    var topics: AgentTopics = []
    if filter["toolsListChanged"] == true { topics.insert(.tools) }
    switch filter["resourceSubscriptions"] {
    case nil: break
    case .array(let uris)?:
      for case .string(let uri) in uris {
        if let resource = SessionResource(uri: uri, in: session) { topics.insert(resource.topic) }
      }
    case let other?:
      throw .invalidParams("The member 'resourceSubscriptions' is an array, not \(other.shown).")
    }
    let subject = try AgentFault.asking { () throws(Problem) in
      try call.subjectOfTools(of: session)
    }
    call.listen(to: subject, .request(id: request.id, topics))
    return .stream
  }
}

/// A command of a session as a resource.
enum CommandResource {
  /// The template of the URIs.
  static func template(in session: SessionID) -> String { root(session) + "{command}" }

  /// The command that a URI names; nil if it is no such URI.
  static func command(of uri: String, in session: SessionID) -> CommandID? {
    let root = Array(root(session).utf8)
    guard uri.utf8.starts(with: root) else { return nil }
    return CommandID(String(Substring(uri.utf8.dropFirst(root.count))))
  }

  private static func root(_ session: SessionID) -> String {
    SessionResource.root(session) + "/commands/"
  }
}
