import JSONText
import MicroHTTP

/// Answers the messages that agents POST (MCP, Streamable HTTP).
struct AgentEndpoint {
  let call: Call
  let server: any AgentServer

  /// Answers one message.
  ///
  /// - Throws: `Problem` for everything that other routes refuse too: a token, an origin, a content type, an unknown
  ///   session, a full disk. Every other fault is answered with a message.
  func respond() throws(Problem) -> Response {
    try call.service.authorization.origins.check(call.request)
    try call.require(["application/json"])
    try server.admit(call)
    let message: JSONRPCMessage
    do throws(JSONFault) {
      let json = try call.bodyJSON()
      do throws(MalformedMessage) { message = try JSONRPCMessage(json) } catch {
        return answer(JSONRPCError(.invalidRequest, error.message), to: error.id)
      }
    } catch {
      let sentence = "The body is not JSON. \(error) (Byte \(error.offset) of it.)"
      return answer(JSONRPCError(.parseError, sentence), to: nil)
    }
    switch message {
    case .request(let request): return try answer(to: request)
    case .notification(let method, let params): return accept(method, params)
    case .response(let response): return accept(response)
    }
  }

  /// Accepts a notification. A cancellation has an effect; all other notifications are ignored.
  private func accept(_ method: String, _ params: JSONObject) -> Response {
    do throws(JSONRPCError) {
      let revision = try AgentHeaders(call.request).revision()
      if !revision.isStateless, method.hasSameBytes(as: "notifications/cancelled"),
        let id = params["requestId"]
      {
        server.cancel(id, of: call)
      }
      return Response(status: .accepted)
    } catch {
      return answer(error, to: nil)
    }
  }

  /// Accepts the answer to an open question. Clients of 2026-07-28 are asked in results instead.
  private func accept(_ response: JSONRPCResponse) -> Response {
    do throws(JSONRPCError) {
      let revision = try AgentHeaders(call.request).revision()
      if !revision.isStateless, server.accept(response, of: call) {
        return Response(status: .accepted)
      }
      return answer(
        JSONRPCError(
          .invalidRequest,
          "The body is an answer, and nothing was asked, or it was answered already."), to: nil)
    } catch {
      return answer(error, to: nil)
    }
  }

  private func answer(to message: JSONRPCRequest) throws(Problem) -> Response {
    let revision: AgentRevision
    do throws(JSONRPCError) {
      revision = try AgentHeaders(call.request).revision(of: message)
    } catch {
      return answer(error, to: message.id, in: .july2026)
    }
    do throws(AgentFault) {
      guard let method = AgentMethod(named: message.method, in: revision),
        let result = try outcome(
          of: method,
          AgentRequest(
            call: call, revision: revision, id: message.id, params: message.params))
      else {
        throw .error(
          JSONRPCError(.methodNotFound, "There is no method \(quoted(message.method)) here."))
      }
      return answer(result, to: message.id, in: revision)
    } catch {
      switch error {
      case .error(let error): return answer(error, to: message.id, in: revision)
      case .problem(let problem): throw problem
      }
    }
  }
}

// MARK: Methods of every server

extension AgentEndpoint {
  private func outcome(
    of method: AgentMethod, _ request: AgentRequest
  ) throws(AgentFault) -> AgentResult? {
    switch method {
    case .initialize: try handshake(request)
    case .ping: .members(JSONObject())
    case .discover: .kept(description, milliseconds: 60_000)
    case .listen, .listTools, .callTool, .listResources, .listResourceTemplates, .readResource,
      .subscribe, .unsubscribe, .listPrompts, .getPrompt, .complete, .getTask, .updateTask,
      .cancelTask:
      try server.result(of: method, request)
    }
  }

  /// Negotiates a revision, and assigns the client a name for its subscriptions.
  private func handshake(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let wanted = AgentRevision(named: try request.string("protocolVersion"))
    let spoken = wanted.flatMap { $0.isStateless ? nil : $0 } ?? AgentRevision.latestHandshake
    let result: JSONObject = [
      "protocolVersion": .string(spoken.rawValue), "capabilities": .object(server.capabilities),
      "serverInfo": call.service.agentInfo, "instructions": .string(server.instructions),
    ]
    guard server.opensStreams else { return .members(result) }
    let name = ClientCapabilities(request.params["capabilities"])
      .name(from: call.service.dependencies.newToken())
    return .withFields(result, ["Mcp-Session-Id": name])
  }

  private var description: JSONObject {
    var capabilities = server.capabilities
    if !server.extensions.isEmpty { capabilities["extensions"] = .object(server.extensions) }
    return [
      "supportedVersions": .array(AgentRevision.allCases.map { .string($0.rawValue) }),
      "capabilities": .object(capabilities), "instructions": .string(server.instructions),
    ]
  }
}

// MARK: Answers

extension AgentEndpoint {
  private func answer(
    _ error: JSONRPCError, to id: JSON?, in revision: AgentRevision? = nil
  ) -> Response {
    var members: JSONObject = [
      "code": .int(Int64(error.code.rawValue)), "message": .string(error.message),
    ]
    members["data"] = error.data
    let body: JSON = ["jsonrpc": "2.0", "id": id ?? .null, "error": .object(members)]
    return response(error.status(in: revision), body)
  }

  private func answer(
    _ result: AgentResult, to id: JSON, in revision: AgentRevision
  ) -> Response {
    let reply = AgentReply(id: id, revision: revision, serverInfo: call.service.agentInfo)
    switch result {
    case .members(let members): return response(.ok, reply.message(members))
    case .kept(let members, let age):
      return response(.ok, reply.message(members, keptFor: age))
    case .withFields(let members, let fields):
      return response(.ok, reply.message(members), with: fields)
    case .stream: return Response(headers: AgentStream.fields)
    }
  }

  private func response(
    _ status: Status, _ body: JSON, with fields: Headers = Headers()
  ) -> Response {
    var headers = fields
    headers.append("Content-Type", "application/json")
    headers.append("Cache-Control", "no-store")
    return Response(status: status, headers: headers, body: body.bytes)
  }
}
