package import MicroHTTP

/// One thing that can be asked of the service: where, how it is described, and what answers it.
///
/// It is an object, since every request meets one, and what it says of itself is large.
package final class Route: Sendable {
  /// The method; a GET is also answered to HEAD.
  package let method: Method
  /// The path.
  package let path: PathTemplate
  /// The description in the OpenAPI document.
  package let description: RouteDescription
  /// The function that answers.
  let respond: @Sendable (Call) throws(Problem) -> Response
  /// The access that it requires. The default is a session's token when it is about one session, else an
  /// administrator's, so that a route that says nothing is closed.
  package let requiredAccess: RequiredAccess
  /// True if it changes nothing. The default is true for GET alone, so that a route that says nothing is
  /// guarded: it heeds `If-Match` and `Idempotency-Key`.
  package let isQuestion: Bool

  /// True if a ticket in its query stands for a token.
  let takesTickets: Bool

  /// True if it opens sessions.
  let opensSessions: Bool

  /// True if its answer may go on while things change.
  let isStreamed: Bool

  /// True if it answers the events of sessions as a stream.
  var isOfEvents: Bool {
    takesTickets && description.answers.contains { $0.type == "text/event-stream" }
  }

  /// The parameters of the query. Every change of a session can be tried and explained (A9).
  let query: [QueryParameter]

  /// A route.
  init(
    _ method: Method, _ path: PathTemplate, describedAs description: RouteDescription,
    answeredBy respond: @escaping @Sendable (Call) throws(Problem) -> Response
  ) {
    self.method = method
    self.path = path
    self.description = description
    self.respond = respond
    requiredAccess =
      description.requiredAccess
      ?? (path.parameters.first == "session" ? .anyToken : .administrator)
    isQuestion = method == .get || description.isQuestion
    let isPart = path.parameters.first == "session" && path.segments.count > 2
    let isChange = isPart || Self.changes.contains(path.text)
    let options = isChange && !isQuestion ? [QueryParameter.dryRun, .explainChange] : []
    let own = description.query
    opensSessions = path.text == "/sessions" && method == .post
    takesTickets = own.contains { $0.name == QueryParameter.ticket.name }
    isStreamed =
      takesTickets
      || method == .get && description.answers.contains { $0.type == "text/event-stream" }
    query = own + options.filter { option in !own.contains { $0.name == option.name } }
  }

  /// Changes of a session that the body names.
  private static let changes = ["/commands/perform", "/keys/press"]
}
