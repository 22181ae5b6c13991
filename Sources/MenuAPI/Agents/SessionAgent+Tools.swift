import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

extension SessionAgent {
  /// The number of tools in a page.
  static let pageSize = 250

  func listTools(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let cursor = try request.cursor()
    let (tools, ruleErrors) = try AgentFault.asking { () throws(Problem) in
      let snapshot = try call.snapshot()
      guard try !call.subjectOfTools(of: snapshot.session.id).listsAll else {
        return (SessionTools(snapshot.catalog), 0)
      }
      do throws(MutationFault) {
        return try call.service.plans.ask(snapshot) { (plan) throws(MutationFault) in
          try SessionTools(snapshot, &plan)
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

  func callTool(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    let catalog = call.catalog
    guard let command = ToolName.command(named: name, in: catalog) else {
      let names = catalog.commands.map { ToolName.text(of: $0.id) }
      throw .invalidParams(
        "Unknown tool: \(quoted(name))" + (suggestion(for: name, among: names) ?? "."))
    }
    if request.revision.isStateless {
      do throws(JSONRPCError) {
        try MirroredParameters(command.parameters)
          .check(arguments, against: AgentHeaders(call.request))
      } catch {
        throw .error(error)
      }
    }
    let session = try AgentFault.asking { () throws(Problem) in try call.session }
    let tool = CalledTool(command.id, in: session, request.revision)
    do throws(Problem) {
      return try perform(command, with: arguments, as: tool, request)
    } catch {
      guard error.isForModels else { throw .problem(error) }
      let refused = RefusedTool(problem: error, name: tool.name)
      guard error.type == .notPerformed, let snapshot = try? call.look(at: session) else {
        return .members(refused.result)
      }
      let remedies = snapshot.session.remedies(for: command, in: snapshot.catalog)
      return .members(refused.result(remedies))
    }
  }

  private func perform(
    _ command: Command, with arguments: JSONObject, as tool: CalledTool, _ request: AgentRequest
  ) throws(Problem) -> AgentResult {
    var body: JSONObject = [
      "session": .string(tool.session.rawValue), "command": .string(command.id.rawValue),
      "item": true,
    ]
    if !arguments.isEmpty { body["parameters"] = .object(arguments) }
    let response = try call.answer(.post, "/commands/perform", body: .object(body))
    guard case .object(let answer)? = try? JSON(parsing: response.body) else {
      return .members(ToolResult.answer(response, of: tool.name, rest: nil))
    }
    if try isWaiting(for: answer, of: tool, request) { return .stream }
    var fields = Headers()
    if let field = response.headers["idempotent-replayed"] {
      fields.append("Idempotent-Replayed", field)
    }
    return .withFields(ToolResult.performance(answer, of: tool), fields)
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
