import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

extension SessionAgent {
  private func session() throws(AgentFault) -> SessionID {
    try AgentFault.asking { () throws(Problem) in try call.session }
  }

  func listResources(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    try request.checkNoCursor()
    let session = try session()
    let resources = SessionResource.allCases.map { $0.description(in: session) }
    return .kept(["resources": .array(resources)], milliseconds: 60_000)
  }

  func listTemplates(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    try request.checkNoCursor()
    let session = try session()
    let command: JSON = [
      "uriTemplate": .string(SessionPlace.commandTemplate.uri(in: session)), "name": "command",
      "title": "Command",
      "description": "A command as it is now, and why: each responder that was asked.",
      "mimeType": "application/json",
    ]
    let delivery: JSON = [
      "uriTemplate": .string(SessionPlace.deliveryTemplate.uri(in: session)), "name": "delivery",
      "title": "Delivery",
      "description":
        "Work that a call handed to the application: its state, and its result once there is one.",
      "mimeType": "application/json",
    ]
    return .kept(["resourceTemplates": [command, delivery]], milliseconds: 60_000)
  }

  func readResource(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let uri = try request.string("uri")
    let session = try session()
    let response = try AgentFault.asking { () throws(Problem) in
      try read(SessionPlace(uri: uri, in: session), in: session)
    }
    guard let response else { throw .error(unknownResource(uri, request)) }
    let content: JSON = [
      "uri": .string(uri), "mimeType": "application/json",
      "text": .string(String(decoding: response.body, as: UTF8.self)),
    ]
    return .kept(["contents": [content]], milliseconds: 0)
  }

  /// The answer about a place in the session; nil if there is nothing.
  private func read(_ place: SessionPlace?, in session: SessionID) throws(Problem) -> Response? {
    switch place {
    case .resource(let resource)?:
      return try call.answer(.get, "/sessions/\(session)\(resource.path)")
    case .command(let id)?:
      guard call.catalog.command(id) != nil else { return nil }
      let body: JSON = [
        "session": .string(session.rawValue), "commands": [.string(id.rawValue)], "explain": true,
      ]
      return try call.answer(.post, "/commands/validate", body: body)
    case .delivery(let id)?:
      guard try call.look(at: session).session.deliveries[id] != nil else { return nil }
      return try call.answer(.get, "/sessions/\(session)/deliveries/\(id)")
    case .commandTemplate?, .deliveryTemplate?, nil: return nil
    }
  }

  private func unknownResource(_ uri: String, _ request: AgentRequest) -> JSONRPCError {
    JSONRPCError(
      request.revision.isStateless ? .invalidParams : .resourceNotFound,
      "There is no resource \(quoted(uri)) here.", data: ["uri": .string(uri)])
  }

  func subscribe(
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

  func listen(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
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
    call.listen(to: subject, .request(request.reply, topics))
    return .stream
  }
}
