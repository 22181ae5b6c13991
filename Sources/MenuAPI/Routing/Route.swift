package import MicroHTTP

/// An operation of the service: its path, its description for the OpenAPI document, and its function.
///
/// It is an object, since every request uses one, and its description is large.
package final class Route: Sendable {
  /// The method; a GET also answers HEAD.
  package let method: Method
  package let path: PathTemplate
  /// The operation id, for generated clients.
  let id: String
  /// The summary, in one line.
  let summary: String
  /// Examples of path parameters that differ from the usual ones.
  let parameters: [String: String]
  /// The parameters of the query. Every change of a session allows `dryRun` and `explain` (A9).
  let query: [QueryParameter]
  /// The names in the components of header fields that it reads beside the implied ones.
  let fields: [String]
  let body: RequestBody?
  /// The successful answers.
  let answers: [Answer]
  /// The problems beside those implied by path, query and body.
  let ownProblems: [ProblemType]
  let respond: @Sendable (Call) throws(Problem) -> Response
  /// The access that it requires (T3).
  package let requiredAccess: RequiredAccess
  /// True if it changes nothing. The default is true for GET only, so that a route is guarded by default: it
  /// applies `If-Match` and `Idempotency-Key`.
  package let isQuestion: Bool
  /// True if `Prefer: wait` makes it a long poll. The default is false.
  let heedsWait: Bool
  /// True if with `Prefer: wait` the answer waits until the deliveries of the request are settled. The default
  /// is false.
  let completesDeliveries: Bool
  /// True if it is about the service itself, so that it is answered before the store is recovered.
  let isAboutService: Bool
  /// True if a ticket in the query replaces the token.
  let takesTickets: Bool
  let opensSessions: Bool
  /// True if its answer is a stream.
  let isStreamed: Bool
  /// True if a request names a session, in the path, the query or the body, that its answer depends on.
  let readsSessions: Bool

  /// True if it answers with a stream of sessions' events.
  var isOfEvents: Bool { takesTickets && answers.contains { $0.type == "text/event-stream" } }

  /// Creates a route.
  ///
  /// - Parameter namesSession: True if the body names a session that the answer depends on.
  init(
    _ method: Method, at path: PathTemplate, needing requiredAccess: RequiredAccess, id: String,
    _ summary: String, parameters: [String: String] = [:], query own: [QueryParameter] = [],
    fields: [String] = [], body: RequestBody? = nil, answers: [Answer],
    problems: [ProblemType] = [], isQuestion: Bool = false, namesSession: Bool = false,
    isAboutService: Bool = false, heedsWait: Bool = false, completesDeliveries: Bool = false,
    answeredBy respond: @escaping @Sendable (Call) throws(Problem) -> Response
  ) {
    self.method = method
    self.path = path
    self.id = id
    self.summary = summary
    self.parameters = parameters
    self.fields = fields
    self.body = body
    self.answers = answers
    ownProblems = problems
    self.respond = respond
    self.requiredAccess = requiredAccess
    self.isQuestion = method == .get || isQuestion
    self.heedsWait = heedsWait || completesDeliveries
    self.completesDeliveries = completesDeliveries
    self.isAboutService = isAboutService
    let isPart = path.parameters.first == "session" && path.segments.count > 2
    let isChange = isPart || Self.changes.contains(path.text)
    let options = isChange && !self.isQuestion ? [QueryParameter.dryRun, .explainChange] : []
    opensSessions = path.text == "/sessions" && method == .post
    readsSessions =
      path.parameters.first == "session" || namesSession
      || own.contains {
        $0.name == QueryParameter.session.name || $0.name == QueryParameter.sessions.name
      }
    takesTickets = own.contains { $0.name == QueryParameter.ticket.name }
    isStreamed =
      takesTickets || method == .get && answers.contains { $0.type == "text/event-stream" }
    query = own + options.filter { option in !own.contains { $0.name == option.name } }
  }

  /// The routes that change a session named in the body.
  private static let changes = ["/commands/perform", "/keys/press"]
}

extension Route {
  struct RequestBody: Sendable {
    /// The content types, each with the name of its schema and an example as JSON text.
    let contents: [(type: String, schema: String, example: String)]
    var isRequired = true
    /// The examples of the body by name; empty if there is only one.
    var named: [(name: String, example: String)] = []

    static func json(_ schema: String, _ example: String, isRequired: Bool = true) -> Self {
      Self(contents: [("application/json", schema, example)], isRequired: isRequired)
    }

    /// Returns a JSON body with several examples by name. The answer to the first is the operation's, the
    /// answer to another one has the key `OPERATION.NAME`.
    static func json(
      _ schema: String, examples: [(name: String, example: String)]
    ) -> Self {
      Self(
        contents: [("application/json", schema, examples.first?.example ?? "{}")],
        named: examples)
    }
  }

  /// A successful answer.
  struct Answer: Sendable {
    let status: Status
    let summary: String
    /// The name of the body's schema; nil for no body.
    var schema: String?
    var type = "application/json"
    /// An example of the body as JSON text; the default is the operation's.
    var example: String?
    /// The names of its fields in `components/headers`.
    var headers: [String] = []
    /// The member of the body that names the new resource, if the path does not; paths have a parameter of the
    /// same name.
    var newName: String?
  }
}

extension Route {
  /// Returns the key of the answer to an example: the operation's id for the first one.
  func id(ofExample name: String) -> String {
    name == body?.named.first?.name ? id : "\(id).\(name)"
  }
}

extension Route.Answer {
  /// Returns an answer 200 with a body.
  static func ok(_ schema: String, _ summary: String, headers: [String] = []) -> Self {
    Self(status: .ok, summary: summary, schema: schema, headers: headers)
  }

  /// Returns an answer 201 with a body.
  static func created(
    _ schema: String, _ summary: String, headers: [String] = ["Location"], newName: String? = nil
  ) -> Self {
    Self(
      status: .created, summary: summary, schema: schema, headers: headers, newName: newName)
  }

  /// Returns an answer 202 for an unsettled delivery.
  static func accepted(_ schema: String) -> Self {
    Self(
      status: .accepted,
      summary:
        "The delivery is not settled yet; `Location` is its address. Only with `Prefer: wait`.",
      schema: schema, headers: ["Location", "Preference-Applied"])
  }

  /// Returns an answer 204.
  static func noContent(_ summary: String, headers: [String] = []) -> Self {
    Self(status: .noContent, summary: summary, headers: headers)
  }

  /// An answer 304.
  static let notModified = Self(
    status: .notModified, summary: "The answer is the one that `If-None-Match` names.",
    headers: ["ETag"])
}

extension [Route.Answer] {
  /// Returns an answer 200 with a body and a tag, or 304.
  static func tagged(_ schema: String, _ summary: String) -> Self {
    [.ok(schema, summary, headers: ["ETag"]), .notModified]
  }
}
