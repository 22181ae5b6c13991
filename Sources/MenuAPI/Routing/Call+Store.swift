import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The only access of routes to the store. A session that the token of the request does not open is treated as
/// absent.
extension Call {
  var store: RequestStore { RequestStore(store: service.store, waiting: waiting) }

  var catalog: Catalog { store.catalogEdition.catalog }

  /// Returns the session of an id with the catalogue of the same moment, before ``admit(_:)``, which may still
  /// refuse the request.
  ///
  /// - Parameter pointer: The part of the body that names it; nil if it is the path or the query.
  func look(at id: SessionID, at pointer: JSONPointer? = nil) throws(Problem) -> Snapshot {
    let look = try store.read(id)
    guard let session = look.session, access.opens(session.opening) else {
      throw .unknownSession(id.rawValue, at: pointer)
    }
    return Snapshot(sessionEdition: session, catalogEdition: look.catalog)
  }

  /// Answers an authorized request with a stream of events.
  func stream(_ request: EventChannels.Request) throws(Problem) -> Response {
    waiting.stream = try subscribe(request).stream
    return Response(headers: EventStream.fields)
  }

  /// Answers an authorized request with an array of events: at once if there are any, or it does not wait.
  func array(_ request: EventChannels.Request) throws(Problem) -> Response {
    let (source, stream) = try subscribe(request)
    var response = Response(
      headers: ["Content-Type": "application/json", "Cache-Control": "no-store"])
    if let array = source.arrayIfReady() {
      response.body = array
    } else {
      waiting.stream = stream
    }
    return response
  }

  private func subscribe(
    _ request: EventChannels.Request
  ) throws(Problem) -> (source: EventStream, stream: ResponseStream) {
    var request = request
    request.tokens = access.administrators
    do throws(EventChannels.Refusal) {
      return try service.events.subscribe(request, of: service.store)
    } catch {
      throw Problem(error, service.limits.events)
    }
  }

  /// Answers an authorized agent with a stream of notifications.
  func listen(to subject: AgentChannel.Subject, _ listener: AgentListener) {
    let agents = service.agents
    let channel = agents.channel(of: subject, in: service.store)
    waiting.stream = agents.stream(
      from: channel, to: listener, about: subject.session, nonce: service.nonce,
      tokens: access.administrators)
  }

  /// Answers with a stream that ends with the result of a tool call, once its deliveries are settled.
  func stream(work task: AgentWork.Task, in session: SessionID, by client: AgentClient) {
    let (stream, work) = service.agents.stream(
      of: task, by: client, tokens: access.administrators)
    follow(work, in: session)
    Ticket.whenSettled(waiting.tickets[...]) { outcome in
      switch outcome {
      case .durable: work.settle(.success(()))
      case .failed(let fault): work.settle(.failure(Problem(fault)))
      }
      work.wake()
    }
    waiting.stream = stream
  }

  /// Answers with a stream that resumes the broken stream of a call.
  func resume(
    _ event: AgentCallEventID, in session: SessionID, by client: AgentClient
  ) throws(Problem) {
    let resumed = service.agents.resume(event, by: client, tokens: access.administrators)
    guard let (stream, work) = resumed else {
      throw Problem(
        .malformedRequest,
        "The call that 'Last-Event-ID' names is not known any more. What it handed to the application "
          + "goes on, and can be asked for.")
    }
    follow(work, in: session)
    waiting.stream = stream
  }

  private func follow(_ work: AgentWork, in session: SessionID) {
    let follower = service.store.follow(.session(session)) { [weak work] in work?.wake() }
    work.begin(following: follower)
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

  /// Changes a session that the request may access, if it matches `If-Match`, and returns the answer of
  /// `change`. The answer is kept if the request has an idempotency key and changes anything.
  ///
  /// `change` is called again if a conflicting commit came first.
  func change(
    _ id: SessionID, at pointer: JSONPointer? = nil,
    _ change: (inout SessionChange) throws(Problem) -> Response
  ) throws(Problem) -> Response {
    let opening = try snapshot(id, at: pointer).sessionEdition.opening
    return try opening.inTurn { () throws(Problem) in
      try committing { () throws(Problem) in
        let snapshot = try look(at: id, at: pointer)
        try checkPrecondition(snapshot.sessionEdition)
        var copy = SessionChange(
          of: snapshot.sessionEdition, under: snapshot.catalogEdition, service.store.figures)
        let response = try change(&copy)
        if copy.isChanged { copy.entry = entry(for: response) }
        return (response, copy.proposal)
      }
    }
  }

  /// Opens the session that `session` makes under the present catalogue, and returns the response of `answer`.
  /// Fails if the session is open already or the limit is reached.
  func open(
    _ id: SessionID, with token: SessionToken?, answer: (Session, Incarnation) -> Response,
    _ session: (Catalog) throws(Problem) -> Session
  ) throws(Problem) -> Response {
    let limit = service.limits.sessions
    let opened = try committing { () throws(Problem) in
      let look = try store.read(id)
      try checkOpening(of: id, look.session)
      let session = try session(look.catalog.catalog)
      guard look.session == nil else { throw .sessionExists(id) }
      guard look.count < limit else {
        // Other requests may have closed some sessions.
        waiting.shown.noteOther()
        throw .tooManySessions(limit)
      }
      let opening = service.store.newOpening()
      let response = answer(session, opening)
      let proposal = Proposal.open(
        session, as: opening, under: look.catalog, atMost: limit,
        entry: entry(for: response, hiding: token))
      return (response, proposal)
    }
    service.budget.noteOpening(of: id, by: access.client(of: request), at: waiting.start)
    return opened
  }

  /// Closes a session, if it matches `If-Match`.
  func close(_ id: SessionID) throws(Problem) -> Response {
    let closed = Response(status: .noContent)
    var opening: Incarnation?
    let response = try committing { () throws(Problem) in
      let snapshot = try look(at: id)
      try checkPrecondition(snapshot.sessionEdition)
      opening = snapshot.sessionEdition.opening
      let proposal = Proposal.close(
        snapshot.sessionEdition, under: snapshot.catalogEdition, entry: entry(for: closed))
      return (closed, proposal)
    }
    if let opening {
      service.plans.forget(opening)
      service.finders.forget(opening)
      service.validations.forget(id)
    }
    return response
  }

  /// Changes the part of the catalogue with a kind of declarations, by the mutation that a closure makes for
  /// the present catalogue, and returns the response of `answer`.
  ///
  /// Nothing is changed if `mutation` throws, if the preconditions fail, if the mutation is refused, or if the
  /// catalogue would exceed its limit.
  func changeCatalog(
    _ holding: CatalogHolding, _ part: CatalogPart,
    by mutation: (Catalog) throws(Problem) -> CatalogMutation,
    refusal: (CatalogMutationFault, Catalog) -> Problem,
    answer: (CatalogOutcome, Catalog) -> Response
  ) throws(Problem) -> Response {
    try service.store.inTurnOfCatalog { () throws(Problem) in
      try committingInTurn { () throws(Problem) in
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
        let entry = entry(for: response)
        let proposal: Proposal? =
          outcome.isChanged
          ? .changeCatalog(base, by: mutation, to: changed, entry: entry)
          : entry.map { .keep($0, under: base) }
        return (response, proposal)
      }
    }
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

  /// Returns the response of `make` once its proposal, if there is one, is committed. `make` is called again
  /// after a conflicting commit.
  private func committing(
    _ make: () throws(Problem) -> (Response, Proposal?)
  ) throws(Problem) -> Response {
    for _ in 0..<3 {
      if let response = try attempt(make) { return response }
    }
    // From now on changes of the catalogue wait, since they could outdate a long change again and again.
    return try service.store.inTurnOfCatalog { () throws(Problem) in
      try committingInTurn(make)
    }
  }

  /// Commits while changes of the catalogue wait.
  private func committingInTurn(
    _ make: () throws(Problem) -> (Response, Proposal?)
  ) throws(Problem) -> Response {
    while true {
      if let response = try attempt(make) { return response }
    }
  }

  /// Returns the response of one attempt; nil after a conflict, and then its tickets are dropped.
  private func attempt(
    _ make: () throws(Problem) -> (Response, Proposal?)
  ) throws(Problem) -> Response? {
    let tickets = waiting.tickets
    let (response, proposal) = try make()
    guard let proposal else { return response }
    switch try store.commit(proposal) {
    case .committed: return response
    case .repeated(let entry, _): return try replayed(entry)
    case .outdated:
      waiting.tickets = tickets
      return nil
    }
  }
}

extension Problem {
  /// Returns the problem of a session that is open already.
  static func sessionExists(_ id: SessionID) -> Problem {
    Problem(
      .sessionExists,
      "The session \(quoted(id)) is open already; choose another id or close that one first.",
      at: JSONPointer.root.appending("id"))
  }
}
