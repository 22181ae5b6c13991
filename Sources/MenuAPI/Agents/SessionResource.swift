import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// A resource of a session that clients can subscribe to.
enum SessionResource: String, CaseIterable {
  case document
  case menu
  case diagnostics
  case deliveries

  /// Creates the resource of a topic; nil for a list, or a resource of the application.
  init?(_ topic: AgentTopic) {
    guard let found = Self.allCases.first(where: { $0.topic == topic }) else { return nil }
    self = found
  }

  /// Creates the resource of a session with this URI; nil if there is none.
  init?(uri: String, in session: SessionID) {
    guard case .resource(let resource)? = SessionPlace(uri: uri, in: session) else { return nil }
    self = resource
  }

  var topic: AgentTopic {
    switch self {
    case .document: .document
    case .menu: .menu
    case .diagnostics: .diagnostics
    case .deliveries: .deliveries
    }
  }

  /// The path after that of the session, as in the API.
  var path: String {
    switch self {
    case .document: ""
    case .menu: "/menu"
    case .diagnostics: "/diagnostics"
    case .deliveries: "/deliveries"
    }
  }

  /// Returns the URI of a session's resource.
  func uri(in session: SessionID) -> String { Self.root(session) + path }

  static func root(_ session: SessionID) -> String { "menud://sessions/\(session)" }

  private var title: String {
    switch self {
    case .document: "Session"
    case .menu: "Menu"
    case .diagnostics: "Diagnostics"
    case .deliveries: "Deliveries"
    }
  }

  private var about: String {
    switch self {
    case .document: "The session: its state, responders, focus and what can be undone."
    case .menu: "The whole menu with every item as it is now, enabled or not, and why."
    case .diagnostics: "The diagnostics of the session."
    case .deliveries: "The work that was handed to the application, with its states and results."
    }
  }

  /// Returns the description in the list of resources.
  func description(in session: SessionID) -> JSON {
    [
      "uri": .string(uri(in: session)), "name": .string(rawValue), "title": .string(title),
      "description": .string(about), "mimeType": "application/json",
    ]
  }
}

/// The part of a session that a URI names.
enum SessionPlace: Equatable {
  case resource(SessionResource)
  case command(CommandID)
  case delivery(Int)
  case commandTemplate
  case deliveryTemplate

  /// Creates the place of a URI; nil if no such place can exist.
  ///
  /// Its segments may be percent-encoded: the expansion of a template encodes the colons of commands (RFC
  /// 6570).
  init?(uri: String, in session: SessionID) {
    let root = Array("menud://sessions/".utf8)
    guard uri.utf8.starts(with: root) else { return nil }
    let pieces = uri.utf8.dropFirst(root.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let segments = pieces.compactMap { String(Substring($0)).percentDecoded }
    guard segments.count == pieces.count, let name = segments.first,
      name.hasSameBytes(as: session.rawValue)
    else { return nil }
    if segments.count == 3 {
      self.init(segments[1], segments[2])
      return
    }
    let path = segments.dropFirst().map { "/" + $0 }.joined()
    let resource = SessionResource.allCases.first { $0.path.hasSameBytes(as: path) }
    guard segments.count < 3, let resource else { return nil }
    self = .resource(resource)
  }

  private init?(_ kind: String, _ name: String) {
    if kind.hasSameBytes(as: "commands") {
      if name.hasSameBytes(as: "{command}") {
        self = .commandTemplate
        return
      }
      guard let id = CommandID(name) else { return nil }
      self = .command(id)
    } else if kind.hasSameBytes(as: "deliveries") {
      if name.hasSameBytes(as: "{delivery}") {
        self = .deliveryTemplate
        return
      }
      guard let id = Int(name), "\(id)".hasSameBytes(as: name) else { return nil }
      self = .delivery(id)
    } else {
      return nil
    }
  }

  func uri(in session: SessionID) -> String {
    switch self {
    case .resource(let resource): resource.uri(in: session)
    case .command(let id): SessionResource.root(session) + "/commands/\(id)"
    case .delivery(let id): SessionResource.root(session) + "/deliveries/\(id)"
    case .commandTemplate: SessionResource.root(session) + "/commands/{command}"
    case .deliveryTemplate: SessionResource.root(session) + "/deliveries/{delivery}"
    }
  }
}

extension SessionAgent {
  private func session() throws(AgentFault) -> SessionID {
    try AgentFault.asking { () throws(Problem) in try call.session }
  }

  func listResources(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    try request.checkNoCursor()
    let session = try session()
    let resources = SessionResource.allCases.filter { call.grant.rights.contains($0.topic.right) }
      .map { $0.description(in: session) }
    let more = try presentContents()?.resourceList ?? []
    return .kept(["resources": .array(resources + more)], milliseconds: 60_000)
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
    let templates = call.grant.rights.contains(.read) ? [command, delivery] : [command]
    let more = try presentContents()?.templateList ?? []
    return .kept(["resourceTemplates": .array(templates + more)], milliseconds: 60_000)
  }

  func readResource(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let uri = try request.string("uri")
    let session = try session()
    let response = try AgentFault.asking { () throws(Problem) in
      try read(SessionPlace(uri: uri, in: session), in: session)
    }
    guard let response else {
      guard let content = try readContent(uri) else {
        throw .error(unknownResource(uri, request))
      }
      return .kept(["contents": [content]], milliseconds: 0)
    }
    let content: JSON = [
      "uri": .string(uri), "mimeType": "application/json",
      "text": .string(String(decoding: response.body, as: UTF8.self)),
    ]
    return .kept(["contents": [content]], milliseconds: 0)
  }

  /// Returns the answer about a place in the session; nil if it does not exist.
  private func read(_ place: SessionPlace?, in session: SessionID) throws(Problem) -> Response? {
    switch place {
    case .resource(.menu)?: return try menu(of: session)
    case .resource(let resource)?:
      return try call.answer(.get, "/sessions/\(session)\(resource.path)")
    case .command(let id)?:
      guard let command = call.catalog.command(id), consent(of: command) != .hidden else {
        return nil
      }
      let body: JSON = [
        "session": .string(session.rawValue), "commands": [.string(id.rawValue)], "explain": true,
      ]
      return try call.answer(.post, "/commands/validate", body: body)
    case .delivery(let id)?:
      guard call.shows(try call.look(at: session).session.deliveries[id]) else { return nil }
      return try call.answer(.get, "/sessions/\(session)/deliveries/\(id)")
    case .commandTemplate?, .deliveryTemplate?, nil: return nil
    }
  }

  /// Returns the answer about all menus, without the commands that are hidden from agents (T7).
  private func menu(of session: SessionID) throws(Problem) -> Response {
    let snapshot = try call.snapshot(session)
    let menus = snapshot.catalog.menusForAgents(consenting: call.service.limits.agentConsent)
    var request = ValidationRequest()
    request.actor = call.actor
    let menu = try askPlan(of: snapshot) { [request] (plan) throws(MutationFault) in
      try plan.validate(menus, request, at: snapshot.moment)
    }
    return call.answer { writer in
      writer.members(snapshot)
      writer.member("menu")
      writer.value(menu, isExplaining: false)
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
    // The resource of a subscription may no longer exist.
    let unwanted = isOn ? nil : AgentTopic.content(Array(uri.utf8))
    let found = topic(of: uri, in: session, among: try presentContents())
    guard let topic = found ?? unwanted else {
      throw .error(unknownResource(uri, request))
    }
    let (client, live) = try AgentFault.asking { () throws(Problem) in
      let snapshot = try call.look(at: session)
      let client = try AgentClient(call, of: snapshot.sessionEdition.opening)
      return (client, call.live(snapshot))
    }
    guard client.name != nil else {
      throw .invalidParams(
        "A subscription needs the field 'Mcp-Session-Id' that 'initialize' was answered with.")
    }
    let clients = call.service.agents.clients
    if isOn { try check((clients.topics(of: client) ?? []).union([topic])) }
    clients.change(client) { topics in
      if isOn { topics.insert(topic) } else { topics.remove(topic) }
    }
    if isOn { live.watch([topic]) }
    return .members(JSONObject())
  }

  /// Returns the topic of a resource for which the token may be notified; nil if there is none.
  private func topic(
    of uri: String, in session: SessionID, among contents: AgentContents?
  ) -> AgentTopic? {
    if let resource = SessionResource(uri: uri, in: session) {
      return call.grant.rights.contains(resource.topic.right) ? resource.topic : nil
    }
    return contents?.resource(at: uri).map { _ in AgentTopic.content(Array(uri.utf8)) }
  }

  private func check(_ topics: AgentTopics) throws(AgentFault) {
    guard !topics.isWithinLimits else { return }
    throw .invalidParams(
      "A client subscribes to at most \(AgentTopics.maximumContents) resources of the application, whose URIs have "
        + "at most \(AgentTopics.maximumSize) bytes together.")
  }

  func listen(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    guard case .object(let filter)? = request.params["notifications"] else {
      throw .invalidParams("The parameter 'notifications' is missing, an object.")
    }
    let session = try session()
    var topics: AgentTopics = []
    if filter["toolsListChanged"] == true { topics.insert(.tools) }
    if filter["promptsListChanged"] == true { topics.insert(.prompts) }
    if filter["resourcesListChanged"] == true { topics.insert(.resources) }
    switch filter["resourceSubscriptions"] {
    case nil: break
    case .array(let uris)?:
      let limit = AgentTopics.maximumContents + SessionResource.allCases.count
      guard uris.count <= limit else {
        throw .invalidParams("The member 'resourceSubscriptions' has at most \(limit) URIs.")
      }
      let contents = try presentContents()
      for case .string(let uri) in uris {
        if let topic = topic(of: uri, in: session, among: contents) { topics.insert(topic) }
        try check(topics)
      }
    case let other?:
      throw .invalidParams("The member 'resourceSubscriptions' is an array, not \(other.shown).")
    }
    let followed = try tasks(followedBy: request)
    try AgentFault.asking { () throws(Problem) in
      try call.listen(
        to: call.subjectOfTools(of: session), .request(request.reply, topics, followed))
    }
    return .stream
  }
}
