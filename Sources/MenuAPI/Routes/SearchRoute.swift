import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The route that finds commands by what somebody types, as a palette does (S).
enum SearchRoute {
  static let all = [
    Route(
      .post, "/commands/search",
      describedAs: RouteDescription(
        "searchCommands",
        "The commands that somebody may mean by what is typed, the best first, as they are now. Without a query they are those performed last, and then the menus' in order.",
        body: .json("SearchRequest", #"{"session":"demo","query":"★★★★","limit":2}"#),
        answers: [
          .ok("SearchAnswer", "The items, the best first.", headers: ["ETag"]), .notModified,
        ],
        problems: [.unknownSession, .unresolvedReference, .tooMuchEffort],
        isQuestion: true, requiredAccess: .anyToken),
      answeredBy: respond)
  ]

  private static let defaultLimit = 20
  fileprivate static let limits = 1...100

  private static func respond(_ call: Call) throws(Problem) -> Response {
    let body = try call.object(call.json()) { SearchBody(&$0) }
    let snapshot = try call.snapshot(body.session, at: JSONPointer.root.appending("session"))
    let found: [FoundCommand]
    do throws(MutationFault) {
      let (commands, ruleErrors) = try call.service.finders.find(body.query, snapshot)
      found = commands
      call.note(ruleErrors: ruleErrors)
    } catch {
      throw Problem(
        error,
        at: error.placeOfResponder(from: nil, nil, to: nil, window: body.query.window))
    }
    let parameters = "s" + AnswerCache.HashedBody(call.request.body).tagParameters
    return call.answer(about: snapshot, parameters) { writer in
      writer.member("items")
      writer.beginArray()
      for command in found { writer.value(command) }
      writer.endArray()
    }
  }

  /// The session, and what is typed.
  private struct SearchBody {
    let session: SessionID
    let query: CommandQuery

    init?(_ reader: inout ObjectReader) {
      let session: SessionID? = reader.required("session", Read.identifier)
      let text = reader.required("query", Read.string)
      let limit = reader.member("limit", Read.searchLimit) ?? defaultLimit
      let includesDisabled = reader.member("disabled", Read.bool) ?? false
      let window: ResponderID? = reader.member("window", Read.identifier)
      guard let session, let text else { return nil }
      self.session = session
      query = CommandQuery(
        text, limit: limit, includesDisabled: includesDisabled, window: window)
    }
  }
}

extension Read {
  /// The number of commands that a search may answer.
  fileprivate static func searchLimit(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Int? {
    if case .int(let int) = json, let count = Int(exactly: int), SearchRoute.limits.contains(count)
    {
      return count
    }
    return refuse(.integerFrom(SearchRoute.limits), json, at: pointer, log: log)
  }
}

extension JSONWriter {
  /// Writes a command that was found: the item, and why it was.
  fileprivate mutating func value(_ found: FoundCommand) {
    beginObject()
    members(of: found.item) { fault, writer in writer.value(fault) }
    if let key = found.item.key { member("key", key.json) }
    member("menus", .array(found.menus.map(JSON.string)))
    member("score", found.score)
    member("typos", found.typos)
    member("ranges")
    beginArray()
    for range in found.ranges {
      beginArray()
      value(range.lowerBound)
      value(range.upperBound)
      endArray()
    }
    endArray()
    endObject()
  }
}
