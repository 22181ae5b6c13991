import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes of agents: each session is a server of the Model Context Protocol, and so is the administrator's
/// API.
enum AgentRoutes {
  static let all = [
    Route(
      .post, at: "/sessions/{session}/mcp", needing: .items, id: "callSession",
      "A message of the Model Context Protocol to a session, whose commands are tools. Notifications, and answers to questions, are answered 202. Calls that wait or ask, and `subscriptions/listen`, are answered with Server-Sent Events.",
      query: [.tools], fields: fields,
      body: .json("AgentMessage", #"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#),
      answers: answers, isQuestion: true,
      answeredBy: { (call) throws(Problem) in
        try AgentEndpoint(call: call, server: SessionAgent(call)).respond()
      }),
    Route(
      .get, at: "/sessions/{session}/mcp", needing: .items, id: "listenToSession",
      "Notifications of a session to an agent (MCP up to 2025-11-25), as Server-Sent Events; with the id of an event of a call whose stream broke, the rest of that stream.",
      query: [.tools], fields: ["HandshakeVersion", "AgentSession", "LastEventID"],
      answers: [
        Route.Answer(
          status: .ok, summary: "The notifications, or the rest of a call.",
          schema: "AgentEvents",
          type: "text/event-stream")
      ],
      answeredBy: listen),
    Route(
      .post, at: "/mcp", needing: .administrator, id: "callAdministration",
      "A message of the Model Context Protocol to the administrator's side: opening and asking sessions, checking rules, searching commands.",
      fields: fields, body: .json("AgentMessage", #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
      answers: answers, isQuestion: true, namesSession: true,
      answeredBy: { (call) throws(Problem) in
        try AgentEndpoint(call: call, server: AdministratorAgent()).respond()
      }),
  ]

  private static let fields = [
    "ProtocolVersion", "AgentMethod", "AgentName", "AgentSession", "IdempotencyKeyOfTool",
  ]

  private static let answers = [
    Route.Answer.ok("AgentAnswer", "The result, or an error of the method."),
    Route.Answer(
      status: .accepted, summary: "The notification, or the answer, arrived."),
    Route.Answer(
      status: .badRequest, summary: "The message, or a field of the request, is malformed.",
      schema: "AgentAnswer", example: malformed),
    Route.Answer(
      status: .notFound, summary: "There is no such method (2026-07-28).", schema: "AgentAnswer",
      example: unknown),
  ]

  private static let malformed =
    #"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The member 'method' is missing."}}"#
  private static let unknown =
    #"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"There is no method 'tasks/list' here."}}"#

  /// Opens the event stream of a handshake client.
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
      let hasOtherTools = try call.askedTools == .listening && client.name != nil
      try call.listen(
        to: subject,
        .standalone(revision, client, last: event, hasOtherTools: hasOtherTools))
    }
    return Response(headers: AgentStream.fields)
  }
}

extension Call {
  /// Answers another request in place of this one, with the same token, idempotency key and precondition.
  ///
  /// So an agent's effects go through the same routes as those of any other client.
  ///
  /// - Parameters:
  ///   - target: The path and the query, percent-encoded.
  ///   - key: The idempotency key; nil for that of this request.
  func answer(
    _ method: Method, _ target: String, body: JSON? = nil, under key: IdempotencyKey? = nil
  ) throws(Problem) -> Response {
    var headers = Headers()
    if body != nil { headers.append("Content-Type", "application/json") }
    for name in ["authorization", "idempotency-key", "if-match"] {
      for value in request.headers.values(of: name) { headers.append(name, value) }
    }
    let inner: Request
    do throws(RequestRefusal) {
      inner = try Request(method, target, headers: headers, body: body?.bytes ?? [])
    } catch {
      throw Problem(.invalidName, "\(quoted(target)) cannot be asked for.")
    }
    return try service.answer(inner, within: self, under: key)
  }

  /// Returns the subject of an agent's notifications: the session, with the list of tools whose changes are sent to a
  /// client. A client that requests notifications listens.
  func subjectOfTools(of session: SessionID) throws(Problem) -> AgentChannel.Subject {
    AgentChannel.Subject(
      session: session, tools: try askedTools.list(isListening: true),
      consent: service.limits.agentConsent, showsDocuments: grant.rights.contains(.read),
      viewer: viewer)
  }

  /// The tools that the query selects, or else the setting `agents.tools`.
  ///
  /// A replica knows only its own streams, so replicas treat every client as listening.
  var askedTools: AskedTools {
    get throws(Problem) {
      let asked = try query.word("tools") ?? service.limits.agentTools
      return asked == .listening && isAmongReplicas ? .enabled : asked
    }
  }
}

/// The values of the query parameter `tools` and of the setting `agents.tools`.
package enum AskedTools: String, CaseIterable, Sendable {
  /// A tool for each enabled command.
  case enabled
  /// A tool for each command.
  case all
  /// A fixed set of tools that find, explain and perform commands.
  case find
  /// The fixed set for a client that does not listen for changes of the list; otherwise a tool for each enabled
  /// command.
  case listening

  /// Returns the list for a client.
  func list(isListening: Bool) -> ListedTools {
    switch self {
    case .enabled: .enabled
    case .all: .all
    case .find: .fixed
    case .listening: isListening ? .enabled : .fixed
    }
  }
}

/// A list of tools.
enum ListedTools {
  /// A tool for each enabled command.
  case enabled
  /// A tool for each command.
  case all
  /// The fixed set.
  case fixed
}

/// The source of a stream to an agent: notifications about a session, or notifications about a call followed by its
/// result.
protocol AgentSource: AnyObject, Sendable {
  /// True if a client waits for the result, so that its disconnection must be detected soon.
  var isAwaited: Bool { get }
  /// True if it holds back notifications until the pause is over.
  var isHolding: Bool { get }
  /// Sends a heartbeat at the next wake-up.
  func beat()
  /// Ends the stream at the next wake-up.
  func stop(_ reason: StopReason)
  /// Cancels the work for a client that no longer waits; nothing more is sent to it.
  func cancel()
}

/// The reasons why a stream ends before its client closes it.
enum StopReason {
  /// The server is about to stop.
  case draining
  /// The token with which the stream was opened has expired or is revoked.
  case tokenInvalid
}

/// One server for agents: a session, or the administrator's API.
protocol AgentServer {
  var capabilities: JSONObject { get }
  /// The extensions that it offers to clients of 2026-07-28.
  var extensions: JSONObject { get }
  /// True if it sends notifications, for which clients open an event stream.
  var opensStreams: Bool { get }
  var instructions: String { get }

  /// Refuses an agent that may not use this server.
  func admit(_ call: Call) throws(Problem)

  /// Returns the result of a method that only some servers have; nil if this server does not have it.
  func result(of method: AgentMethod, _ request: AgentRequest) throws(AgentFault) -> AgentResult?

  /// Cancels a request whose client no longer waits for the answer.
  func cancel(_ id: JSON, of call: Call)

  /// Accepts the answer to a question; returns false if the question is not open.
  func accept(_ response: JSONRPCResponse, of call: Call) -> Bool
}

struct AgentRequest {
  let call: Call
  let revision: AgentRevision
  /// The id, a string or an integer.
  let id: JSON
  let params: JSONObject
}

enum AgentResult {
  case members(JSONObject)
  /// The members of a result that clients may cache privately, for a number of milliseconds.
  case kept(JSONObject, milliseconds: Int64)
  /// The result, and fields of the response.
  case withFields(JSONObject, Headers)
  /// A stream that ends with the result.
  case stream
}

extension AgentRequest {
  /// The envelope of its answers.
  var reply: AgentReply {
    AgentReply(id: id, revision: revision, serverInfo: call.service.agentInfo)
  }

  /// Returns a parameter that is a string.
  func string(_ name: String) throws(AgentFault) -> String {
    switch params[name] {
    case .string(let text)?: return text
    case nil: throw .invalidParams("The parameter '\(name)' is missing.")
    case let other?:
      throw .invalidParams("The parameter '\(name)' is a string, not \(other.shown).")
    }
  }

  /// Returns a parameter that is an object; empty if it is absent.
  func object(_ name: String) throws(AgentFault) -> JSONObject {
    switch params[name] {
    case .object(let object)?: return object
    case nil: return JSONObject()
    case let other?:
      throw .invalidParams("The parameter '\(name)' is an object, not \(other.shown).")
    }
  }

  /// Returns the cursor of a list, if there is one.
  func cursor() throws(AgentFault) -> String? {
    params["cursor"] == nil ? nil : try string("cursor")
  }

  /// Refuses a cursor, for a list of one page.
  func checkNoCursor() throws(AgentFault) {
    if try cursor() != nil { throw .invalidParams("The cursor is none that this list has.") }
  }
}
