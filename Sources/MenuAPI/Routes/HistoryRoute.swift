import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The history of a session (T5).
enum HistoryRoute {
  static let all = [
    Route(
      .get, "/sessions/{session}/history", needing: .read,
      describedAs: RouteDescription(
        "getHistory",
        "The changes of a session since it was opened, the latest first, a page at a time: what was asked, by whom, and what came of it. The field `Link` and the member `next` say where the next page is.",
        query: [.historySize, .cursor, .historyAfter, .actor, .historyCommand, .historyKind],
        answers: [.ok("History", "A page.")], problems: [.historyGone]),
      answeredBy: respond)
  ]

  private static let defaultSize = 50
  private static let maximumSize = 200
  /// The number of entries that are read at a time, and how often for one page: the others are for the next page.
  private static let (chunk, mostChunks) = (256, 4)

  private static func respond(_ call: Call) throws(Problem) -> Response {
    let (size, filter) = (try size(call), try HistoryFilter(call))
    let cursor = try call.queryCount("cursor").map(Int64.init) ?? .max
    let snapshot = try call.snapshot()
    let edition = snapshot.sessionEdition
    let since = try beginning(of: snapshot, call)
    if let after = filter.after, after < since { throw .historyGone(after: after, since: since) }
    let (found, place) = try page(from: cursor, size: size, of: edition, filter, call)
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

  /// Returns the entries of a page that begins before a place, and the place of the next page; nil if there is none.
  private static func page(
    from cursor: Int64, size: Int, of edition: SessionEdition, _ filter: HistoryFilter, _ call: Call
  ) throws(Problem) -> (found: [HistoryDocument], next: Int64?) {
    var (found, place) = ([HistoryDocument](), cursor)
    for _ in 0..<mostChunks {
      let entries = try call.history(of: edition, before: place, limit: chunk)
      for entry in entries {
        guard filter.reaches(entry) else { return (found, nil) }
        let document = HistoryDocument(entry)
        if filter.takes(document, for: call.viewer) {
          guard found.count < size else { return (found, place) }
          found.append(document)
        }
        place = entry.position
      }
      if entries.count < chunk { return (found, nil) }
    }
    return (found, place)
  }

  /// Returns the revision after which all changes are known.
  private static func beginning(of snapshot: Snapshot, _ call: Call) throws(Problem) -> Int {
    try call.history(of: snapshot.sessionEdition, limit: 1, isFromBeginning: true).first?.base
      ?? snapshot.session.revision
  }

  private static func size(_ call: Call) throws(Problem) -> Int {
    let size = try call.queryCount("limit") ?? defaultSize
    guard (1...maximumSize).contains(size) else {
      throw Problem(
        .invalidQuery, "'limit' in the query is from 1 to \(maximumSize), not \(size).")
    }
    return size
  }
}

/// The entries that a request asks for.
private struct HistoryFilter {
  let after: Int?
  let actor: String?
  let command: CommandID?
  let kinds: [HistoryDocument.Kind]

  init(_ call: Call) throws(Problem) {
    after = try call.queryCount("after")
    actor = call.query("actor")
    guard actor.map({ (1...Principal.longestLabel).contains($0.utf8.count) }) ?? true else {
      throw Problem(
        .invalidQuery, "'actor' in the query has 1 to \(Principal.longestLabel) bytes.")
    }
    command = try call.queryName("command")
    kinds = try call.queryWords("kind")
  }

  /// True unless it is before all entries that are asked for.
  func reaches(_ entry: HistoryEntry) -> Bool { after.map { entry.base >= $0 } ?? true }

  /// True if it is asked for. A command that does not exist for a viewer is not found either.
  func takes(_ document: HistoryDocument, for viewer: Viewer) -> Bool {
    let principal = document.entry.record.actor
    if let actor, actor != principal.label, actor != principal.kind.rawValue { return false }
    guard kinds.isEmpty || kinds.contains(document.kind) else { return false }
    guard let command else { return true }
    return viewer.shows(command) && document.commands.contains(command)
  }

  /// Returns the address of the page that begins before a place.
  func address(from place: Int64, size: Int, in snapshot: Snapshot) -> String {
    var address = "/sessions/\(snapshot.session.id)/history?limit=\(size)&cursor=\(place)"
    if let after { address += "&after=\(after)" }
    if let actor { address += "&actor=\(actor.percentEncoded)" }
    if let command { address += "&command=\(command.rawValue.percentEncoded)" }
    if !kinds.isEmpty { address += "&kind=\(kinds.map(\.rawValue).joined(separator: ","))" }
    return address
  }
}
