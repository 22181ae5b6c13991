import JSONText
import Languages
import MenuEngine
import MenuStore
import MicroHTTP

/// Opening, inspecting and closing sessions.
enum SessionRoutes {
  static let all = [
    Route(
      .post, at: "/sessions", needing: .administrator, id: "openSession",
      "Opens a session, by default from the catalogue's template. Where tokens are asked for, the answer has the session's own, and no other answer ever has, but for those to repetitions of the request.",
      body: .json(
        "SessionOpening", #"{"id":"tablet","firstResponder":"photoGrid"}"#, isRequired: false),
      answers: [
        .created("Session", "The session.", headers: ["Location", "ETag"], newName: "session"),
        .ok("Session", "The session that was open already, with `join`.", headers: ["ETag"]),
      ],
      problems: [
        .sessionExists, .unresolvedReference, .linkConflict, .firstResponderRefused,
        .limitReached,
        .tooManySessions,
      ],
      answeredBy: open),
    Route(
      .get, at: "/sessions/{session}", needing: .read, id: "getSession", "A session as it is.",
      answers: .tagged("Session", "The session."), answeredBy: get),
    Route(
      .delete, at: "/sessions/{session}", needing: .declare, id: "closeSession",
      "Closes a session.", parameters: ["session": "tablet"],
      answers: [.noContent("It is closed.")], answeredBy: delete),
  ]

  private static func open(_ call: Call) throws(Problem) -> Response {
    let token = call.newToken
    let body: JSON? = call.request.body.isEmpty ? .none : .some(try call.json())
    // A malformed id is reported later, when the body is read under the catalogue.
    let given: SessionID? =
      if case .string(let text)? = body?[JSONPointer(["id"])] { SessionID(text) } else { nil }
    let id = given ?? call.service.dependencies.newSessionID()
    do throws(Problem) {
      return try open(id, by: body, with: token, call)
    } catch {
      guard error.type == .sessionExists, body?[JSONPointer(["join"])] == true else { throw error }
      let snapshot = try call.look(at: id)
      return call.answer(tag: call.tag(snapshot)) { $0.value(members: snapshot.session) }
    }
  }

  private static func open(
    _ id: SessionID, by body: JSON?, with token: SessionToken?, _ call: Call
  ) throws(Problem) -> Response {
    try call.open(id, with: token) { session, opening in
      answer(
        to: call, about: session,
        tag: EntityTag(session, opening, nonce: call.service.nonce), token: token)
    } _: { (catalog) throws(Problem) in
      var template = try template(of: body, in: catalog, call)
      template.token = token.map { TokenDigest(of: $0.text) }
      template.planKey = .random
      do throws(MutationFault) {
        return try Session(id, opening: template, in: catalog, limits: call.service.limits.session)
      } catch {
        let place = error.place(in: .root, windows: template.windows)
        throw Problem(error, at: error.element(in: body ?? .null, at: place))
      }
    }
  }

  private static func answer(
    to call: Call, about session: Session, tag: EntityTag, token: SessionToken?
  ) -> Response {
    var answer = call.answer(
      .created, tag: tag, location: "/sessions/\(session.id)"
    ) { writer in
      writer.value(members: session)
      if let token { writer.member("token", token.text) }
      if let opening = session.opening {
        writer.member("steps", opening.launch)
        writer.members(opening.events)
      }
    }
    if token != nil { answer.headers.append("Cache-Control", "no-store") }
    return answer
  }

  /// Returns the session to open: the catalogue's template, overridden by the body.
  private static func template(
    of body: JSON?, in catalog: Catalog, _ call: Call
  ) throws(Problem) -> SessionTemplate {
    let template = catalog.template ?? SessionTemplate()
    guard let body else { return template }
    return try call.object(body) { reader in
      _ = reader.member("id", Read.sessionName)
      _ = reader.member("join", Read.bool)
      let usesTemplate = reader.member("template", Read.bool) ?? true
      let base = usesTemplate ? template : SessionTemplate()
      passOverHistory(&reader)
      return SessionTemplate(&reader, over: base)
    }
  }

  /// Reads and discards the members of a session's document that a new session does not use, so that a copy of the
  /// document can be opened; only their types are checked.
  private static func passOverHistory(_ reader: inout ObjectReader) {
    let object: (JSON, JSONPointer, FaultLog) -> JSONObject? = Read.object
    _ = reader.member("registrations") { json, place, log in
      for host in Read.object(json, at: place, log: log)?.members ?? [] {
        let place = place.appending(host.name)
        for token in Read.object(host.value, at: place, log: log)?.members ?? [] {
          _ = Read.count(token.value, at: place.appending(token.name), log: log)
        }
      }
      return true
    }
    _ = reader.member("undo") { json, place, log in
      guard var managers = ObjectReader(json, at: place, log: log) else { return false }
      _ = managers.member("session", object)
      _ = managers.member("responders", object)
      managers.finish()
      return true
    }
    _ = reader.list("messages", object)
    _ = reader.list("deliveries", object)
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let tag = call.tag(snapshot)
    return call.unmodified(tag)
      ?? call.answer(tag: tag) { writer in writer.value(members: snapshot.session) }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    try call.close(try call.session)
  }
}

extension JSONWriter {
  /// Writes all members of a session.
  mutating func value(members session: Session) {
    members(session)
    member("state", session.state)
    member("firstResponder", session.firstResponder)
    for role in WindowRole.allCases { member(role.member, session.window(role)) }
    member("search", session.search.rawValue)
    member("presenter", session.presenter.rawValue)
    if let keymap = session.keymap { member("keymap", keymap.rawValue) }
    if let locale = session.locale { member("locale", locale.text) }
    if let manager = session.undoManager(ownedBy: nil) {
      member("undoManager", session.undoManagerDeclaration(of: manager))
    }
    member("responders", of: session)
    member("registrations")
    beginObject()
    session.visitRegistrations { host, tokens in member(host.rawValue, tokens) }
    endObject()
    memberOfUndo(session)
    member("messages", session.messageQueue.messages)
    member("deliveries", session.deliveries.all)
  }

  /// Writes the member with all undo managers.
  private mutating func memberOfUndo(_ session: Session) {
    member("undo")
    beginObject()
    if let manager = session.undoManager(ownedBy: nil) { member("session", manager.json) }
    member("responders")
    beginObject()
    for case let owner? in session.undoManagerOwners {
      guard let manager = session.undoManager(ownedBy: owner) else { continue }
      member(owner.rawValue, manager.json)
    }
    endObject()
    endObject()
  }

  /// Writes a member with all responders by their ids.
  mutating func member(_ name: String, of session: Session) {
    member(name)
    beginObject()
    session.visitDocuments { id, document in member(id.rawValue, document) }
    endObject()
  }
}

/// The list of open sessions, in pages.
enum SessionListRoute {
  static let all = [
    Route(
      .get, at: "/sessions", needing: .read, id: "listSessions",
      "The open sessions in alphabetical order, a page at a time; the field `Link` and the member `next` say where the next page is. A session's token lists its own session.",
      query: [.pageSize, .after], answers: [.ok("Sessions", "A page.")], answeredBy: list)
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let size = try call.pageSize(default: 100, most: 1000)
    let after: SessionID? = try call.query.name("after")
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

  /// Returns the ids of the sessions that the request may access, in alphabetical order.
  private static func visibleSessions(_ call: Call) -> [SessionID] {
    if case .session(let own, _, _) = call.access { [own] } else { call.store.sessionIDs }
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
