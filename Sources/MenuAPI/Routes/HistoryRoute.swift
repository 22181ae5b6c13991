import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The history of a session (T5).
enum HistoryRoute {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/history", needing: .read, id: "getHistory",
      "The changes of a session since it was opened, the latest first, a page at a time: what was asked, by whom, and what came of it. The field `Link` and the member `next` say where the next page is.",
      query: [.historySize, .cursor, .historyAfter, .actor, .historyCommand, .historyKind],
      answers: [.ok("History", "A page.")], problems: [.historyGone], answeredBy: respond)
  ]

  /// The maximum number of entries that are read at a time.
  private static let chunk = 256
  /// The maximum number of readings for one page.
  private static let mostChunks = 4

  private static func respond(_ call: Call) throws(Problem) -> Response {
    try call.postponeForJournal()
    let (size, filter) = (try call.pageSize(default: 50, most: 200), try HistoryFilter(call))
    let cursor = try call.query.count("cursor").map(Int64.init) ?? .max
    let snapshot = try call.snapshot()
    let (found, place) = try page(from: cursor, size: size, of: snapshot, filter, call)
    // After the page, because entries can expire meanwhile.
    let since = try call.historyBeginning(of: snapshot.sessionEdition)
    if let after = filter.after, after < since { throw .historyGone(after: after, since: since) }
    let next = place.map { filter.address(from: $0, size: size, in: snapshot) }
    var answer = call.answer { writer in
      writer.members(snapshot.session)
      writer.member("entries", .array(found.map { $0.json(for: call.viewer) }))
      writer.member("since", since)
      writer.optionalMember("next", next)
    }
    answer.headers.append("Cache-Control", "no-store")
    if let next { answer.headers.append("Link", "<\(next)>; rel=\"next\"") }
    return answer
  }

  /// Returns the entries of a page that begins before a position, and the position of the next page; nil if there is
  /// none.
  private static func page(
    from cursor: Int64, size: Int, of snapshot: Snapshot, _ filter: HistoryFilter, _ call: Call
  ) throws(Problem) -> (found: [HistoryDocument], next: Int64?) {
    var (found, place) = ([HistoryDocument](), cursor)
    for _ in 0..<mostChunks {
      let limit = filter.takesAll ? min(chunk, size - found.count + 1) : chunk
      let entries = try call.history(of: snapshot.sessionEdition, before: place, limit: limit)
      for entry in entries {
        guard filter.reaches(entry) else { return (found, nil) }
        // Changes after the answer's revision belong to the next answer.
        if entry.revision <= snapshot.session.revision {
          let document = HistoryDocument(entry)
          if filter.takes(document, for: call.viewer) {
            guard found.count < size else { return (found, place) }
            found.append(document)
          }
        }
        place = entry.position
      }
      if entries.count < limit { return (found, nil) }
    }
    return (found, place)
  }
}

/// The filter of a request for entries.
private struct HistoryFilter {
  let after: Int?
  let actor: String?
  let command: CommandID?
  let kinds: [HistoryDocument.Kind]

  init(_ call: Call) throws(Problem) {
    after = try call.query.count("after")
    actor = call.query["actor"]
    guard actor.map({ (1...Principal.longestLabel).contains($0.utf8.count) }) ?? true else {
      throw Problem(
        .invalidQuery, "'actor' in the query has 1 to \(Principal.longestLabel) bytes.")
    }
    command = try call.query.name("command")
    kinds = try call.query.words("kind")
  }

  /// True if it accepts all entries.
  var takesAll: Bool { after == nil && actor == nil && command == nil && kinds.isEmpty }

  /// False if all requested changes are later. A refusal can follow later changes.
  func reaches(_ entry: HistoryEntry) -> Bool {
    after.map { entry.revision > $0 || entry.isRefusal } ?? true
  }

  /// Returns true if the filter accepts an entry. Parts that are not visible to the viewer do not count.
  func takes(_ document: HistoryDocument, for viewer: Viewer) -> Bool {
    let principal = document.entry.record.actor
    if let after, document.entry.revision < after { return false }
    if let actor, actor != principal.label, actor != principal.kind.rawValue { return false }
    guard kinds.isEmpty || kinds.contains(document.kind) else { return false }
    guard let command else { return true }
    return document.commands.contains(command) && document.isShown(to: viewer)
  }

  /// Returns the address of the page that begins before a position.
  func address(from place: Int64, size: Int, in snapshot: Snapshot) -> String {
    var address = "/sessions/\(snapshot.session.id)/history?limit=\(size)&cursor=\(place)"
    if let after { address += "&after=\(after)" }
    if let actor { address += "&actor=\(actor.percentEncoded)" }
    if let command { address += "&command=\(command.rawValue.percentEncoded)" }
    if !kinds.isEmpty { address += "&kind=\(kinds.map(\.rawValue).joined(separator: ","))" }
    return address
  }
}
