import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The open sessions, a page at a time.
enum SessionListRoute {
  static let all = [
    Route(
      .get, "/sessions",
      describedAs: RouteDescription(
        "listSessions",
        "The open sessions in alphabetical order, a page at a time; the field `Link` and the member `next` say where the next page is. A session's token lists its own session.",
        query: [.pageSize, .after],
        answers: [.ok("Sessions", "A page.")],
        requiredAccess: .anyToken),
      answeredBy: list)
  ]

  private static let defaultSize = 100
  private static let maximumSize = 1000

  private static func list(_ call: Call) throws(Problem) -> Response {
    let size = try call.queryCount("limit") ?? defaultSize
    guard (1...maximumSize).contains(size) else {
      throw Problem(
        .invalidQuery, "'limit' in the query is from 1 to \(maximumSize), not \(size).")
    }
    let after: SessionID? = try call.queryName("after")
    let ids = visibleSessions(call)
    let rest = after.map { after in ids.filter { after.rawValue < $0.rawValue } } ?? ids
    let page = rest.prefix(size)
    let isLast = page.count == rest.count
    let sessions = try call.store.sessions(page)
    let next = isLast ? nil : page.last.map { "/sessions?limit=\(size)&after=\($0)" }
    var answer = call.answer { writer in
      writer.member("total", ids.count)
      writer.member("sessions")
      writer.beginArray()
      for session in sessions { writer.value(summaryOf: session) }
      writer.endArray()
      writer.optionalMember("next", next)
    }
    if let next { answer.headers.append("Link", "<\(next)>; rel=\"next\"") }
    return answer
  }

  /// Returns the names of the sessions that the request may touch, in alphabetical order.
  private static func visibleSessions(_ call: Call) -> [SessionID] {
    if case .session(let own, _) = call.access { [own] } else { call.store.sessionIDs }
  }
}

extension JSONWriter {
  fileprivate mutating func value(summaryOf session: Session) {
    beginObject()
    members(session)
    member("firstResponder", session.firstResponder)
    member("search", session.search.rawValue)
    member("queuedMessages", session.messageQueue.messages.count)
    member("holdings")
    beginObject()
    for holding in Holding.allCases { member(holding.rawValue, session.holdings[holding]) }
    endObject()
    endObject()
  }
}
