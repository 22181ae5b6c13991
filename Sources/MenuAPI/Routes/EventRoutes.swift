import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The events of sessions (E).
enum EventRoutes {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/events", needing: .items, id: "followSession",
      "Changes as they happen, as Server-Sent Events: `reset` tells everything, `change` the differences since the event before, `closed` is the last one. After `closed`, a client that connects again gets 204, which stops a browser.",
      query: EventSubscription.parts + [.select, .since, .ticket],
      answers: [
        Route.Answer(
          status: .ok, summary: "The events.", schema: "SessionEvents", type: "text/event-stream"),
        .noContent("The session that the last id tells of is closed."),
      ],
      problems: [.tooManySubscriptions], answeredBy: follow),
    Route(
      .get, at: "/sessions/{session}/changes", needing: .items, id: "pollSession",
      "The same events as a JSON array: those that there are, else those that come while the request waits, else none.",
      query: EventSubscription.parts + [.select, .since, .wait, .ticket],
      answers: [.ok("SessionChanges", "The events.")], problems: [.tooManySubscriptions],
      answeredBy: poll),
    Route(
      .post, at: "/sessions/{session}/tickets", needing: .items, id: "makeTicket",
      "Makes a ticket with which a client that cannot send a token subscribes to the session, once and within a minute.",
      answers: [.ok("EventTicket", "The ticket.")], problems: [.overloaded], isQuestion: true,
      answeredBy: makeTicket),
    Route(
      .get, at: "/events", needing: .items, id: "followSessions",
      "The events of several sessions over one connection. The data of each names its session. A session that is closed ends only its own part.",
      query: [.sessions] + EventSubscription.parts
        + [.selectOfSessions, .since, .sessionTickets],
      answers: [
        Route.Answer(
          status: .ok, summary: "The events.", schema: "SessionEvents", type: "text/event-stream"),
        .noContent("All sessions that the last id tells of are closed."),
      ],
      problems: [.unknownSession, .tooManySubscriptions], answeredBy: followSeveral),
  ]

  private static func follow(_ call: Call) throws(Problem) -> Response {
    let last = call.lastEventID
    // A malformed session name is refused, whatever the client sent before.
    let session = try call.session
    let selections = try EventSelections(call)
    let subscriptions: [EventSubscription]
    do throws(Problem) {
      subscriptions = try call.subscriptions(selections, of: session)
    } catch {
      guard last != nil, error.type == .unknownSession else { throw error }
      return Response(status: .noContent)
    }
    return try stream(
      EventChannels.Request(subscriptions: subscriptions, known: known(last)), to: call)
  }

  /// Answers with a stream. If limits are exceeded, a reconnecting client must retry later, because an error would
  /// stop a browser for good (E5).
  private static func stream(
    _ request: EventChannels.Request, to call: Call
  ) throws(Problem) -> Response {
    do throws(Problem) {
      var response = try call.stream(request)
      if call.lastEventID != nil { response.body = EventStream.again(after: 10).body }
      return response
    } catch {
      guard call.lastEventID != nil, error.type == .tooManySubscriptions else { throw error }
      return EventStream.again(after: 10)
    }
  }

  private static func followSeveral(_ call: Call) throws(Problem) -> Response {
    let last = call.lastEventID
    let sessions: [SessionID] = try call.query.names("sessions")
    let most = call.service.limits.events.sessions
    guard !sessions.isEmpty, Set(sessions).count == sessions.count, sessions.count <= most else {
      throw Problem(
        .invalidQuery,
        "'sessions' in the query names 1 to \(most) sessions (events.sessions), each once.")
    }
    let selections = try EventSelections(call, sessions: sessions)
    var request = EventChannels.Request(subscriptions: [], known: known(last))
    for session in sessions {
      do throws(Problem) {
        request.subscriptions += try call.subscriptions(selections, of: session)
      } catch {
        // A reconnecting client resumes with the sessions that are still open, and is notified of closed ones.
        guard last != nil, error.type == .unknownSession else { throw error }
        request.closed += try selections.subscriptions(of: session)
      }
    }
    guard !request.subscriptions.isEmpty else { return Response(status: .noContent) }
    return try stream(request, to: call)
  }

  private static func poll(_ call: Call) throws(Problem) -> Response {
    let wait = try call.query.count("wait") ?? 0
    guard wait <= EventLimits.maximumWait else {
      throw Problem(
        .invalidQuery, "'wait' in the query is at most \(EventLimits.maximumWait) seconds.")
    }
    let selections = try EventSelections(call)
    // The ticket has been used up, so the request cannot be postponed.
    try call.admit(call.look(at: call.session), isPostponable: call.query["ticket"] == nil)
    var request = EventChannels.Request(
      subscriptions: try call.subscriptions(selections, of: call.session),
      known: known(call.lastEventID))
    let now = call.service.dependencies.nanoseconds()
    request.form = .array(until: now + wait * 1_000_000_000)
    return try call.array(request)
  }

  private static func known(_ last: String?) -> [EventID] { last.map(EventID.list) ?? [] }

  private static func makeTicket(_ call: Call) throws(Problem) -> Response {
    let session = try call.look(at: call.session).sessionEdition
    let service = call.service
    let ticket = service.dependencies.newToken()
    let isTaken = service.tickets.insert(
      ticket, for: session.opening, by: call.access, as: call.actor,
      at: service.dependencies.nanoseconds())
    guard isTaken else {
      throw Problem(.overloaded, "Too many tickets are waiting to be used; try again later.")
        .with(header: "Retry-After", "\(EventTickets.lifetime)")
    }
    var answer = call.answer { writer in
      writer.member("session", session.session.id.rawValue)
      writer.member("ticket", ticket)
      writer.member("seconds", EventTickets.lifetime)
    }
    answer.headers.append("Cache-Control", "no-store")
    return answer
  }
}

extension Call {
  /// The id of the last event that the client received; nil if there is none. A browser that reconnects sends
  /// the newer one in the field.
  fileprivate var lastEventID: String? {
    request.headers["last-event-id"] ?? request.query["since"]
  }

  /// Returns the selections of a session, after checking that the request may access it.
  fileprivate func subscriptions(
    _ selections: EventSelections, of session: SessionID
  ) throws(Problem) -> [EventSubscription] {
    var subscriptions = try selections.subscriptions(of: session)
    let snapshot = try look(at: session)
    let grant = access.grant(in: snapshot.sessionEdition.opening)
    let isAsked = if case .tickets = access { false } else { true }
    let viewer = Viewer(actor: isAsked ? actor : grant.principal, commands: grant.commands)
    for index in subscriptions.indices {
      for right in subscriptions[index].rights where !grant.rights.contains(right) {
        throw .lacking(right)
      }
      subscriptions[index].viewer = viewer
      subscriptions[index].tellsActors = grant.rights.contains(.read)
      subscriptions[index].consent = service.limits.agentConsent
    }
    // A reconnecting client gets an event about it, since an error would stop a browser for good.
    guard lastEventID == nil else { return subscriptions }
    for subscription in subscriptions {
      if let from = subscription.from, !snapshot.session.graph.contains(from) {
        throw Problem(.invalidQuery, MutationFault.unknownResponder(from).sentence)
      }
      do throws(MutationFault) {
        _ = try snapshot.session.firstResponder(ofWindow: subscription.window)
      } catch {
        throw Problem(.invalidQuery, error.sentence)
      }
    }
    return subscriptions
  }
}
