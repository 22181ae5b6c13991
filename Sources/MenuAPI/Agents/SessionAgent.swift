import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// A session as a server of the Model Context Protocol: its commands are tools, it itself a resource.
struct SessionAgent: AgentServer {
  let call: Call

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
      + "application does. A call that is refused says why, which tool would help, and who would do it with focus. "
      + "The resource 'menu' shows every command, also those that cannot be chosen, with the reason. Work that the "
      + "application does is in the resource 'deliveries'. What a tool did can be taken back by the tool for "
      + "undo, if the application has one."
  }

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
