import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The only access of routes to the store. A session that the request's token may not access is treated as absent.
extension Call {
  var store: RequestStore { RequestStore(store: service.store, waiting: waiting) }

  /// The catalogue as visible to the token.
  var catalog: Catalog { visible(store.catalogEdition) }

  /// Returns a catalogue as visible to the token.
  func visible(_ whole: CatalogEdition) -> Catalog {
    guard let commands = grant.commands else { return whole.catalog }
    return service.sessions.limitedCatalogs.edition(of: whole, limitedTo: commands).catalog
  }

  /// Returns the session of an id, with the catalogue of the same moment as visible to the token. Call ``admit(_:)``
  /// afterwards, which may still refuse the request.
  ///
  /// - Parameter pointer: The part of the body that names it; nil if it is the path or the query.
  func look(at id: SessionID, at pointer: JSONPointer? = nil) throws(Problem) -> Snapshot {
    seen(try wholeLook(at: id, at: pointer))
  }

  /// Returns a snapshot with the whole catalogue as visible to the token.
  private func seen(_ whole: Snapshot) -> Snapshot {
    service.sessions.view(
      whole, limitedTo: access.grant(in: whole.sessionEdition.opening).commands)
  }

  /// True if other processes serve the same sessions.
  var isAmongReplicas: Bool { service.store.isShared }

  /// Returns the snapshot with the whole catalogue, under which changes are made.
  private func wholeLook(
    at id: SessionID, at pointer: JSONPointer? = nil
  ) throws(Problem) -> Snapshot {
    let look = try store.read(id)
    guard let session = look.session, access.opens(session.opening) else {
      throw .unknownSession(id.rawValue, at: pointer)
    }
    return Snapshot(sessionEdition: session, catalogEdition: look.catalog)
  }

  /// Returns the session of an id, both with the whole catalogue and as visible to the token, and charges the session
  /// for the request.
  ///
  /// - Parameter pointer: The part of the body that names it; nil if it is the path.
  func wholeSnapshot(
    _ id: SessionID, at pointer: JSONPointer?
  ) throws(Problem) -> (whole: Snapshot, seen: Snapshot) {
    let whole = try wholeLook(at: id, at: pointer)
    let seen = seen(whole)
    try admit(seen)
    return (whole, seen)
  }

  /// Returns a session after hypothetical mutations that the token may make (M13); they are discarded.
  ///
  /// - Parameters:
  ///   - base: The present session, possibly with the results of what its first change computes.
  ///   - number: The number of the edition, negative and unique in the request.
  ///   - place: The place of the mutations in the body.
  func assume(
    _ mutations: [Mutation], from base: Session, in whole: Snapshot, as number: Int,
    at place: JSONPointer, spending effort: Effort
  ) throws(Problem) -> Snapshot {
    var change = SessionChange(
      of: whole.sessionEdition, under: whole.catalogEdition, by: actor, service.store.figures)
    change.isDry = true
    try authorize(mutations, on: change, at: place)
    let session: Session
    do throws(MutationFault) {
      session = try base.assuming(
        SessionRecord(mutations, by: actor), in: whole.catalog, spending: effort)
    } catch {
      guard case .inList(index: _, let fault) = error else { throw Problem(error, at: place) }
      throw Problem(fault, at: error.placeInList(of: try json(), at: place))
    }
    return seen(
      Snapshot(
        sessionEdition: whole.sessionEdition.assuming(session, as: number),
        catalogEdition: whole.catalogEdition))
  }

  /// Returns all data that is kept beside a session.
  func live(_ snapshot: Snapshot) -> LiveSession { service.sessions.live(snapshot) }

  /// Returns the data kept beside an open session; nil if there is none. The request may have no access to it.
  func known(_ id: SessionID) -> LiveSession? {
    service.store.opening(of: id).flatMap { service.sessions.known($0.number) }
  }

  /// Answers an authorized request with a stream of events.
  func stream(_ request: EventChannels.Request) throws(Problem) -> Response {
    let stream = try subscribe(request).stream
    waiting.stream = { stream }
    return Response(headers: EventStream.fields)
  }

  /// Answers an authorized request with an array of events: at once if there are any, or if it does not wait.
  func array(_ request: EventChannels.Request) throws(Problem) -> Response {
    let (source, stream) = try subscribe(request)
    var response = Response(
      headers: ["Content-Type": "application/json", "Cache-Control": "no-store"])
    if let array = source.arrayIfReady() {
      response.body = array
    } else {
      waiting.stream = { stream }
    }
    return response
  }

  private func subscribe(
    _ request: EventChannels.Request
  ) throws(Problem) -> (source: EventStream, stream: ResponseStream) {
    var request = request
    request.tokens = StreamTokens(of: access)
    do throws(EventChannels.Refusal) {
      return try service.events.subscribe(request, of: service.store)
    } catch {
      throw Problem(error, service.limits.events)
    }
  }

  /// Answers an authorized agent with a stream of notifications.
  ///
  /// - Throws: A problem if the stream must be opened on another replica.
  func listen(to subject: AgentChannel.Subject, _ listener: AgentListener) throws(Problem) {
    if let problem = service.whyNoStreams { throw problem }
    let agents = service.agents
    let channel = agents.channel(of: subject, in: service.store)
    let stream = agents.stream(
      from: channel, to: listener, about: subject.session,
      nonce: service.dependencies.nonce,
      allowing: grant.rights, tokens: StreamTokens(of: access))
    waiting.stream = { stream }
  }

  /// Answers with the stream of a tool call, which ends with its result.
  func stream(_ source: any CallSource, in session: SessionID, by client: AgentClient) {
    let (service, tokens) = (service, StreamTokens(of: access))
    waiting.stream = {
      let (stream, call) = service.agents.stream(of: source, by: client, tokens: tokens)
      call.follow(session, in: service.store)
      return stream
    }
  }

  /// Answers with a stream that asks a client's user, and ends with the result of the tool call.
  ///
  /// - Parameter state: The state with which the call is repeated, once there is an answer.
  /// - Throws: A problem if the stream must be opened on another replica.
  func ask(
    _ params: JSON, _ state: String, for asking: AgentRequest, of session: SessionID
  ) throws(Problem) {
    if let problem = service.whyNoStreams { throw problem }
    let opening = try look(at: session).sessionEdition.opening
    let content = AgentQuestion.Content(
      params, state, for: asking, of: session, openedAs: opening)
    stream(AgentQuestion(content), in: session, by: try AgentClient(self, of: opening))
  }

  /// Answers with a stream that resumes the broken stream of a call.
  func resume(
    _ event: AgentCallEventID, in session: SessionID, by client: AgentClient
  ) throws(Problem) {
    let resumed = service.agents.resume(event, by: client, tokens: StreamTokens(of: access))
    guard let (stream, call) = resumed else {
      throw Problem(
        .malformedRequest,
        "The call that 'Last-Event-ID' names is not known any more. What it handed to the application "
          + "goes on, and can be asked for.")
    }
    call.follow(session, in: service.store)
    waiting.stream = { stream }
  }

  /// Returns the session of an id with the catalogue of the same moment, and charges the session for the
  /// request.
  ///
  /// - Parameter pointer: The part of the body that names it; nil if it is the path or the query.
  func snapshot(_ id: SessionID, at pointer: JSONPointer? = nil) throws(Problem) -> Snapshot {
    let snapshot = try look(at: id, at: pointer)
    try admit(snapshot)
    return snapshot
  }

  /// Returns the session in the path with the catalogue of the same moment.
  func snapshot() throws(Problem) -> Snapshot { try snapshot(try session) }

  /// Changes a session that the request may access, if it matches `If-Match`, and returns the answer of `change`. The
  /// answer is kept, without the hidden token, if the request has an idempotency key and changes anything.
  ///
  /// If something else was committed meanwhile, the writer answers the whole request again.
  func change(
    _ id: SessionID, at pointer: JSONPointer? = nil, isDry: Bool = false,
    hiding token: SessionToken? = nil, whenPublished act: (@Sendable () -> Void)? = nil,
    _ change: (inout SessionChange) throws(Problem) -> Response
  ) throws(Problem) -> Response {
    let snapshot = try wholeLook(at: id, at: pointer)
    try admit(snapshot)
    try checkPrecondition(snapshot.sessionEdition)
    var copy = SessionChange(
      of: snapshot.sessionEdition, under: snapshot.catalogEdition, by: actor,
      service.store.figures, noting: service.store.history)
    copy.isDry = isDry
    copy.requestSize = request.body.count
    let response: Response
    do throws(Problem) {
      response = try change(&copy)
    } catch {
      if let proposal = copy.proposalOfRefusal { store.proposeToNote(proposal) }
      throw error
    }
    if copy.isChanged { copy.entry = entry(for: response, hiding: token) }
    if let proposal = copy.proposal { store.propose(proposal, whenPublished: act) }
    return response
  }

  /// Returns entries of the history of a session, the latest first.
  func history(
    of edition: SessionEdition, before: Int64, limit: Int
  ) throws(Problem) -> [HistoryEntry] {
    do throws(JournalFault) {
      return try service.store.history(of: edition, before: before, limit: limit)
    } catch {
      throw Problem(unread: error)
    }
  }

  /// Returns the revision from which on the history of a session is complete.
  func historyBeginning(of edition: SessionEdition) throws(Problem) -> Int {
    do throws(JournalFault) {
      return try service.store.historyBeginning(of: edition)
    } catch {
      throw Problem(unread: error)
    }
  }

  /// Postpones a request that reads the journal to the thread of long requests, before anything else.
  func postponeForJournal() throws(Problem) {
    guard service.store.isKept, case .possible = waiting.postponement else { return }
    if let fault = service.store.fault, fault.isOfReach { throw Problem(unread: fault) }
    // If the queue is full, it is refused, because the thread of the connection must not wait.
    waiting.postponement = .wanted(owes: true)
    throw .journalBusy
  }

  /// Opens the session that `session` makes under the present catalogue, and returns the response of `answer`. Fails
  /// if the session is already open, or if the limit is reached.
  func open(
    _ id: SessionID, with token: SessionToken?, answer: (Session, Incarnation) -> Response,
    _ session: (Catalog) throws(Problem) -> Session
  ) throws(Problem) -> Response {
    let limit = service.limits.sessions
    let look = try store.read(id)
    try checkOpening(of: id, look.session)
    let session = try session(look.catalog.catalog)
    guard look.session == nil else { throw .sessionExists(id) }
    guard look.count < limit else { throw .tooManySessions(limit) }
    let opening = service.store.newOpening()
    let response = answer(session, opening)
    let (budget, client, start) = (service.budget, access.client(of: request), waiting.start)
    store.propose(
      .open(
        session, as: opening, under: look.catalog, atMost: limit,
        entry: entry(for: response, hiding: token))
    ) { budget.noteOpening(of: id, by: client, at: start) }
    return response
  }

  /// Closes a session, if it matches `If-Match`.
  func close(_ id: SessionID) throws(Problem) -> Response {
    let closed = Response(status: .noContent)
    let snapshot = try wholeLook(at: id)
    try checkPrecondition(snapshot.sessionEdition)
    let (service, opening) = (service, snapshot.sessionEdition.opening)
    store.propose(
      .close(snapshot.sessionEdition, under: snapshot.catalogEdition, entry: entry(for: closed))
    ) { service.release(opening) }
    return closed
  }

  /// Changes the part of the catalogue with a kind of declarations, by the mutation that a closure makes for
  /// the present catalogue, and returns the response of `answer`.
  ///
  /// Nothing is changed if `mutation` throws, if the preconditions fail, if the mutation is refused, or if the
  /// catalogue would exceed its limit.
  func changeCatalog(
    _ holding: CatalogHolding, _ part: CatalogPart,
    by mutation: (Catalog) throws(Problem) -> CatalogMutation,
    hiding token: SessionToken? = nil,
    refusal: (CatalogMutationFault, Catalog) -> Problem,
    answer: (CatalogOutcome, Catalog) -> Response
  ) throws(Problem) -> Response {
    let base = store.catalogEdition
    try check(part, in: base.catalog)
    let mutation = try mutation(base.catalog)
    var changed = base.catalog
    let outcome: CatalogOutcome
    do throws(CatalogMutationFault) {
      outcome = try changed.apply(mutation)
    } catch {
      throw refusal(error, base.catalog)
    }
    try service.limits.check(holding, of: changed, grownFrom: base.catalog)
    try service.limits.check(.catalogChanges, of: changed, grownFrom: base.catalog)
    let response = answer(outcome, changed)
    let entry = entry(for: response, hiding: token)
    if outcome.isChanged {
      store.propose(.changeCatalog(base, by: mutation, to: changed, entry: entry))
    } else if let entry {
      store.propose(.keep(entry, under: base))
    }
    return response
  }

  /// Changes the catalogue by one mutation.
  func changeCatalog(
    _ holding: CatalogHolding, _ part: CatalogPart, by mutation: CatalogMutation,
    refusal: (CatalogMutationFault, Catalog) -> Problem,
    answer: (CatalogOutcome, Catalog) -> Response
  ) throws(Problem) -> Response {
    try changeCatalog(
      holding, part, by: { (_) throws(Problem) in mutation }, refusal: refusal, answer: answer)
  }
}

extension Problem {
  /// Returns the problem of a session that is already open.
  static func sessionExists(_ id: SessionID) -> Problem {
    Problem(
      .sessionExists,
      "The session \(quoted(id)) is open already; choose another id or close that one first.",
      at: JSONPointer.root.appending("id"))
  }
}
