import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

extension SessionAgent {
  /// Lets a call wait until what it delivered is settled (D3), if it delivered anything.
  func isWaiting(
    for answer: JSONObject, of tool: CalledTool, _ request: AgentRequest
  ) throws(Problem) -> Bool {
    let ids = PerformedText.deliveries(of: answer)
    guard answer["performed"] == true, !ids.isEmpty else { return false }
    let session = try call.session
    let opening = try call.look(at: session).sessionEdition.opening
    let task = AgentWork.Task(
      opening: opening, answer: answer, deliveries: ids, tool: tool,
      reply: request.reply, progressToken: request.progressToken,
      name: request.revision.isStateless ? nil : call.service.dependencies.newToken(),
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
