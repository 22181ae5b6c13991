import JSONText
import MenuEngine
import MicroHTTP

extension Call {
  /// Answers another request in the place of this one, with the same token, idempotency key and precondition.
  ///
  /// So whatever an agent does is done by the route that everybody else uses.
  ///
  /// - Parameter target: The path and the query, percent-encoded.
  func answer(
    _ method: Method, _ target: String, body: JSON? = nil
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
    return try service.answer(inner, within: self)
  }

  /// The list of tools that the query asks for.
  func subjectOfTools(of session: SessionID) throws(Problem) -> AgentChannel.Subject {
    let tools: ListedTools? = try queryWord("tools")
    return AgentChannel.Subject(session: session, listsAll: tools == .all)
  }

  /// The tools that are listed, by their word in the query.
  private enum ListedTools: String, CaseIterable {
    case enabled
    case all
  }
}
