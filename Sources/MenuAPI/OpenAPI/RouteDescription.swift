package import MicroHTTP

/// The description of a route as an operation of the OpenAPI document.
package struct RouteDescription: Sendable {
  /// The operation id, for generated clients.
  package let id: String
  /// The summary, in one line.
  package let summary: String
  /// Examples of path parameters that differ from the usual ones.
  package var parameters: [String: String] = [:]
  /// The parameters of the query.
  package var query: [QueryParameter] = []
  /// The names in the components of header fields that it reads beside the implied ones.
  package var fields: [String] = []
  /// The body of the request.
  package var body: RequestBody?
  /// The successful answers.
  package var answers: [Answer]
  /// The problems beside those implied by path, query and body.
  package var problems: [ProblemType] = []
  /// True if it changes nothing, although it is not a GET.
  package var isQuestion = false
  /// True if the body names a session, of which the answer is made.
  package var namesSession = false
  /// True if `Prefer: wait` makes it a long poll. The default is false.
  package var heedsWait = false
  /// True if with `Prefer: wait` the answer waits until the deliveries of the request are settled. The default
  /// is false.
  package var completesDeliveries = false
  /// True if it is about the service itself, and so answered before the store is recovered.
  package var isAboutService = false

  /// The body of a request.
  package struct RequestBody: Sendable {
    /// The content types, each with the name of its schema and an example as JSON text.
    package let contents: [(type: String, schema: String, example: String)]
    package var isRequired = true
    /// The examples of the body by name; empty if there is only one.
    package var named: [(name: String, example: String)] = []

    static func json(_ schema: String, _ example: String, isRequired: Bool = true) -> RequestBody {
      RequestBody(contents: [("application/json", schema, example)], isRequired: isRequired)
    }

    /// Returns a JSON body with several examples by name. The answer to the first is the operation's, the
    /// answer to another one has the key `OPERATION.NAME`.
    static func json(
      _ schema: String, examples: [(name: String, example: String)]
    ) -> RequestBody {
      RequestBody(
        contents: [("application/json", schema, examples.first?.example ?? "{}")],
        named: examples)
    }
  }

  /// A successful answer.
  package struct Answer: Sendable {
    package let status: Status
    package let summary: String
    /// The name of the body's schema; nil for no body.
    package var schema: String?
    /// The content type of the body.
    package var type = "application/json"
    /// An example of the body as JSON text; the default is the operation's.
    package var example: String?
    /// The names of its fields in `components/headers`.
    package var headers: [String] = []
    /// The member of the body that names the new resource, if the path does not; paths have a parameter of the
    /// same name.
    package var newName: String?
  }

  init(
    _ id: String, _ summary: String, parameters: [String: String] = [:],
    query: [QueryParameter] = [], fields: [String] = [], body: RequestBody? = nil,
    answers: [Answer],
    problems: [ProblemType] = [], isQuestion: Bool = false,
    namesSession: Bool = false, isAboutService: Bool = false,
    heedsWait: Bool = false,
    completesDeliveries: Bool = false
  ) {
    self.id = id
    self.summary = summary
    self.parameters = parameters
    self.query = query
    self.fields = fields
    self.body = body
    self.answers = answers
    self.problems = problems
    self.isQuestion = isQuestion
    self.namesSession = namesSession
    self.isAboutService = isAboutService
    self.heedsWait = heedsWait || completesDeliveries
    self.completesDeliveries = completesDeliveries
  }
}

extension RouteDescription {
  /// Returns the key of the answer to an example: the operation's id for the first one.
  func id(ofExample name: String) -> String {
    name == body?.named.first?.name ? id : "\(id).\(name)"
  }
}

extension RouteDescription.Answer {
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

/// A query parameter.
package struct QueryParameter: Sendable {
  /// The name in the query.
  package let name: String
  /// The key of its description in `parameters.json`; parameters of different routes may share a name.
  let key: String
  /// True if it may occur several times in one query.
  let isRepeatable: Bool

  /// Creates a parameter; the key is its name by default.
  init(_ name: String, describedAs key: String? = nil, isRepeatable: Bool = false) {
    self.name = name
    self.key = key ?? name
    self.isRepeatable = isRepeatable
  }

  static let action = Self("action")
  static let actor = Self("actor")
  static let after = Self("after")
  /// The key of patches that are coalesced into one undo group.
  static let coalesce = Self("coalesce")
  static let commands = Self("commands")
  static let cursor = Self("cursor")
  static let deliveries = Self("deliveries")
  static let deliveryCommand = Self("command", describedAs: "deliveryCommand")
  static let deliveryState = Self("state", describedAs: "deliveryState")
  static let document = Self("document")
  static let dryRun = Self("dryRun")
  /// Requests the trace of each item.
  static let explain = Self("explain")
  /// Requests the trace of a change.
  static let explainChange = Self("explain", describedAs: "explainChange")
  static let from = Self("from")
  static let historyAfter = Self("after", describedAs: "historyAfter")
  static let historyCommand = Self("command", describedAs: "historyCommand")
  static let historyKind = Self("kind", describedAs: "historyKind")
  static let historySize = Self("limit", describedAs: "historySize")
  static let keys = Self("keys")
  static let kind = Self("kind")
  static let menu = Self("menu")
  static let messageLimit = Self("limit", describedAs: "messageLimit")
  static let modifiers = Self("modifiers")
  static let pageSize = Self("limit", describedAs: "pageSize")
  static let platform = Self("platform")
  static let select = Self("select", isRepeatable: true)
  /// The selections of a stream of several sessions.
  static let selectOfSessions = Self(
    "select", describedAs: "selectOfSessions", isRepeatable: true)
  static let session = Self("session")
  static let sessions = Self("sessions")
  /// The tickets of several sessions.
  static let sessionTickets = Self("ticket", describedAs: "sessionTickets")
  static let since = Self("since")
  static let ticket = Self("ticket")
  /// Includes the tools in events.
  static let toldTools = Self("tools", describedAs: "toldTools")
  /// Selects the listed tools.
  static let tools = Self("tools")
  static let undo = Self("undo")
  static let undoResponder = Self("responder", describedAs: "undoResponder")
  static let wait = Self("wait")
  static let window = Self("window")
}
