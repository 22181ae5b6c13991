import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes of agents: each session is a server of the Model Context Protocol, and so is the administrator's side.
enum AgentRoutes {
  static let all = [
    Route(
      .post, "/sessions/{session}/mcp",
      describedAs: RouteDescription(
        "callSession",
        "A message of the Model Context Protocol to a session, whose commands are tools. Notifications are answered 202. Calls that wait, and `subscriptions/listen`, are answered with Server-Sent Events.",
        query: [.tools], fields: fields,
        body: .json("AgentMessage", #"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#),
        answers: answers, isQuestion: true),
      answeredBy: { (call) throws(Problem) in
        try AgentEndpoint(call: call, server: SessionAgent(call)).respond()
      }),
    Route(
      .get, "/sessions/{session}/mcp",
      describedAs: RouteDescription(
        "listenToSession",
        "Notifications of a session to an agent (MCP up to 2025-11-25), as Server-Sent Events; with the id of an event of a call whose stream broke, the rest of that stream.",
        query: [.tools], fields: ["HandshakeVersion", "AgentSession", "LastEventID"],
        answers: [
          RouteDescription.Answer(
            status: .ok, summary: "The notifications, or the rest of a call.",
            schema: "AgentEvents",
            type: "text/event-stream")
        ]),
      answeredBy: listen),
    Route(
      .post, "/mcp",
      describedAs: RouteDescription(
        "callAdministration",
        "A message of the Model Context Protocol to the administrator's side: opening and asking sessions, checking rules, searching commands.",
        fields: fields, body: .json("AgentMessage", #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
        answers: answers, isQuestion: true),
      answeredBy: { (call) throws(Problem) in
        try AgentEndpoint(call: call, server: AdministratorAgent()).respond()
      }),
  ]

  private static let fields = [
    "ProtocolVersion", "AgentMethod", "AgentName", "AgentSession", "IdempotencyKeyOfTool",
  ]

  private static let answers = [
    RouteDescription.Answer.ok("AgentAnswer", "The result, or an error of the method."),
    RouteDescription.Answer(status: .accepted, summary: "The notification arrived."),
    RouteDescription.Answer(
      status: .badRequest, summary: "The message, or a field of the request, is malformed.",
      schema: "AgentAnswer", example: malformed),
    RouteDescription.Answer(
      status: .notFound, summary: "There is no such method (2026-07-28).", schema: "AgentAnswer",
      example: unknown),
  ]

  private static let malformed =
    #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The member 'method' is missing."}}"#
  private static let unknown =
    #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"There is no method 'prompts/list' here."}}"#

  /// Opens the event stream of a client that began with a handshake.
  private static func listen(_ call: Call) throws(Problem) -> Response {
    try call.service.authorization.origins.check(call.request)
    let revision: AgentRevision
    do throws(JSONRPCError) { revision = try AgentHeaders(call.request).revision() } catch {
      throw Problem(.malformedRequest, error.message)
    }
    guard !revision.isStateless else {
      throw Problem(
        .methodNotAllowed, "Clients of \(revision.rawValue) POST 'subscriptions/listen'."
      ).with(header: "Allow", "POST, OPTIONS")
    }
    let snapshot = try call.look(at: try call.session)
    let client = try AgentClient(call, of: snapshot.sessionEdition.opening)
    let subject = try call.subjectOfTools(of: snapshot.session.id)
    let last = call.request.headers["last-event-id"]
    if let event = last.flatMap(AgentCallEventID.init) {
      try call.resume(event, in: subject.session, by: client)
    } else {
      let event = last.flatMap { AgentEventID($0) ?? .unknown }
      call.listen(to: subject, .standalone(revision, client, last: event))
    }
    return Response(headers: AgentStream.fields)
  }
}
