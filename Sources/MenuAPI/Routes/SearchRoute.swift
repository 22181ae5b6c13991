import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The route that finds commands by typed text, for a palette (S).
enum SearchRoute {
  static let all = [
    Route(
      .post, at: "/commands/search", needing: .items, id: "searchCommands",
      "The commands that somebody may mean by what is typed, the best first, as they are now. Without a query they are those performed last, and then the menus' in order. `total` counts all; `next` is the `offset` of the next page.",
      body: .json("SearchRequest", #"{"session":"demo","query":"★★★★","limit":2}"#),
      answers: .tagged("SearchAnswer", "A page of items, the best first."),
      problems: [.unknownSession, .unresolvedReference, .tooMuchEffort], isQuestion: true,
      namesSession: true, answeredBy: respond)
  ]

  private static let defaultLimit = 20
  fileprivate static let limits = 1...100
  fileprivate static let offsets = 0...1_000_000

  private static func respond(_ call: Call) throws(Problem) -> Response {
    var body = try call.object(call.json()) { SearchBody(&$0) }
    body.query.actor = call.actor
    let snapshot = try call.snapshot(body.session, at: JSONPointer.root.appending("session"))
    let found: FoundCommands
    do throws(MutationFault) {
      let (commands, ruleErrors) = try call.live(snapshot).find(body.query, snapshot)
      found = commands
      call.note(ruleErrors: ruleErrors)
    } catch {
      throw Problem(
        error,
        at: error.placeOfResponder(
          from: body.query.from, nil, to: nil, window: body.query.window))
    }
    let parameters = "s" + HashedBody(call.request.body).tagParameters
    let end = body.query.offset + found.commands.count
    let next = found.commands.isEmpty || end >= found.total ? nil : end
    return call.answer(about: snapshot, parameters) { writer in
      writer.member("total", found.total)
      if let next { writer.member("next", next) }
      writer.member("items")
      writer.beginArray()
      for command in found.commands { writer.value(command) }
      writer.endArray()
    }
  }

  private struct SearchBody {
    let session: SessionID
    var query: CommandQuery

    init?(_ reader: inout ObjectReader) {
      let session: SessionID? = reader.required("session", Read.identifier)
      let text = reader.required("query", Read.string)
      let limit =
        reader.member("limit") { Read.integer($0, from: limits, at: $1, log: $2) } ?? defaultLimit
      let offset = reader.member("offset") { Read.integer($0, from: offsets, at: $1, log: $2) } ?? 0
      let includesDisabled = reader.member("disabled", Read.bool) ?? false
      let from: ResponderID? = reader.member("from", Read.identifier)
      let window: ResponderID? = reader.member("window", Read.identifier)
      guard let session, let text else { return nil }
      self.session = session
      query = CommandQuery(
        text, limit: limit, offset: offset, includesDisabled: includesDisabled, from: from,
        window: window)
    }
  }
}

extension Read {
  /// Returns a number or an offset of commands.
  fileprivate static func integer(
    _ json: JSON, from range: ClosedRange<Int>, at pointer: JSONPointer, log: FaultLog
  ) -> Int? {
    if case .int(let int) = json, let count = Int(exactly: int), range.contains(count) {
      return count
    }
    return refuse(.integerFrom(range), json, at: pointer, log: log)
  }
}

extension JSONWriter {
  /// Writes a found command: the item, and how it matched.
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
