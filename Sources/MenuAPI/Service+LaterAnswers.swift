import Locks
import MenuEngine
import MenuStore
import MicroHTTP

// Answers that come later: once their change is durable, what they show is loaded and confirmed, and what they wait for
// has happened.

extension Service {
  /// Returns the answer, and the record of the request.
  func answer(
    to request: Request, attempt: Int, _ waiting: Waiting
  ) -> (EventualResponse, Waiting) {
    let response = respond(to: request, waiting)
    if waiting.awaitsOthers || !waiting.missing.isEmpty {
      return (answer(to: request, attempt: attempt, confirming: waiting.missing, waiting), waiting)
    }
    if case .ahead(let payer) = waiting.postponement {
      return (postponed(request, paidBy: payer), waiting)
    }
    if case .wanted(let owes) = waiting.postponement {
      if let later = postponed(request) { return (later, waiting) }
      // The queue is full, perhaps with requests of other clients.
      guard !owes else { return (.response(response), waiting) }
      return answer(
        to: request, attempt: attempt, Waiting(since: waiting.end, patience: waiting.patience))
    }
    let made = MadeResponse(response, waiting)
    if let proposal = waiting.proposal {
      return (
        carryOut(proposal, for: made, of: request, attempt: attempt, noting: waiting), waiting
      )
    }
    let isConfirmed = waiting.showsConfirmedSessions && waiting.shown.keys.isEmpty
    if waiting.isShared, waiting.stream == nil, !isConfirmed, !mayBeOld(waiting, to: request) {
      return (confirmed(made, to: request, attempt: attempt, waiting), waiting)
    }
    return (eventual(made), waiting)
  }

  /// A response, and what comes after it.
  private struct MadeResponse: Sendable {
    let response: Response
    let wait: Wait?
    let stream: (@Sendable () -> ResponseStream)?
    let whenPublished: (@Sendable () -> Void)?
    let missing: [SessionID]

    init(_ response: Response, _ waiting: Waiting) {
      self.response = response
      (wait, stream, whenPublished) = (waiting.wait, waiting.stream, waiting.whenPublished)
      missing = waiting.missing
    }
  }

  /// The response that was made last.
  private final class Latest: Sendable {
    /// Nil if the writer is not to make it.
    let made: Lock<MadeResponse?>

    init(_ made: MadeResponse) { self.made = Lock(made) }
  }

  /// Has the change of a request carried out. If another change came first, the writer answers the request again; a long
  /// one is prepared outside it some times before, since others wait for the writer.
  private func carryOut(
    _ proposal: Proposal, for made: MadeResponse, of request: Request, attempt: Int,
    noting waiting: Waiting
  ) -> EventualResponse {
    let patience = waiting.patience
    let isLong = waiting.cost >= ProcessorBudget.long
    return carryOut(proposal, for: made, of: request) { [self] draft in
      if isLong, attempt < Self.mostPreparations { return nil }
      let again = Waiting(
        since: dependencies.nanoseconds(), patience: patience, on: draft)
      return (respond(to: request, again), again)
    } otherwise: { [self] promise in
      answerAgain(request, attempt: attempt + 1, confirmed: nil, to: promise)
    }
  }

  /// Has a change carried out, and returns the answer that comes once it is durable.
  ///
  /// - Parameters:
  ///   - again: Answers the request by the writer's draft, if something else was committed since the response was made;
  ///     nil if it is not to be answered there.
  ///   - otherwise: Called in that case, with the promise of the answer.
  private func carryOut(
    _ proposal: Proposal, for made: MadeResponse, of request: Request,
    again: @escaping @Sendable (Draft) -> (Response, Waiting)?,
    otherwise: @escaping @Sendable (ResponsePromise) -> Void
  ) -> EventualResponse {
    if store.commitAtOnce(proposal) { return eventual(made) }
    let latest = Latest(made)
    let promise = ResponsePromise()
    let finish: @Sendable (CommitResult) -> Void = { [self] result in
      guard result.isOfLatest(inShared: store.isShared), let made = latest.made.withLock(\.self)
      else { return otherwise(promise) }
      let present =
        made.missing.isEmpty
        ? eventual(made)
        : answer(to: request, attempt: 1, confirming: made.missing)
      present.whenFulfilled { promise.fulfill(with: $0) }
    }
    do throws(JournalFault) {
      let result = try store.commit(
        proposal,
        remaking: { draft in
          let remade = again(draft)
          latest.made.withLock { $0 = remade.map(MadeResponse.init) }
          guard let (_, waiting) = remade, waiting.missing.isEmpty else { return nil }
          return waiting.proposal
        },
        finish: { [self] result in
          switch result {
          case .success(let result): finish(result)
          case .failure(let fault):
            promise.fulfill(with: finished(Problem(fault).response, to: request))
          }
        })
      if let result { finish(result) }
      return .promise(promise)
    } catch {
      return .response(finished(Problem(error).response, to: request))
    }
  }

  /// The answer once its change is published, if it makes one.
  private func eventual(_ made: MadeResponse) -> EventualResponse {
    made.whenPublished?()
    if let stream = made.stream {
      return .stream(
        StreamedResponse(
          status: made.response.status, headers: made.response.headers, stream: stream()))
    }
    guard let wait = made.wait else { return .response(made.response) }
    let promise = ResponsePromise()
    begin(wait, for: promise)
    return .promise(promise)
  }

  /// Returns the answer once the store has everything that was committed of sessions before the request came.
  private func answer(
    to request: Request, attempt: Int, confirming sessions: [SessionID], _ waiting: Waiting? = nil
  ) -> EventualResponse {
    let promise = ResponsePromise()
    let confirmed = waiting?.confirmed
    store.refresh(sessions).whenSettled { [self] outcome in
      switch outcome {
      case .durable:
        let confirmed = (confirmed ?? []).union(sessions)
        answerAgain(request, attempt: attempt, confirmed: confirmed, to: promise)
      case .failed(let fault):
        promise.fulfill(with: finished(Problem(unconfirmed: fault).response, to: request))
      }
    }
    return .promise(promise)
  }

  /// Returns the answer once it is confirmed that it shows every commit that another replica made before the
  /// request. If it does not, the request is answered again.
  private func confirmed(
    _ made: MadeResponse, to request: Request, attempt: Int, _ waiting: Waiting
  ) -> EventualResponse {
    let promise = ResponsePromise()
    let (shown, confirmed) = (waiting.shown, waiting.confirmed)
    // Sessions that were confirmed before they were shown need not be as they were.
    let isOfKeys = waiting.showsConfirmedSessions
    let sessions = isOfKeys ? [] : shown.ids
    store.refresh(sessions, keys: shown.keys).whenSettled { [self] outcome in
      switch outcome {
      case .durable where isOfKeys ? store.lacksAnswers(shown) : store.isCurrent(shown):
        eventual(made).whenFulfilled { promise.fulfill(with: $0) }
      case .durable:
        let confirmed = (confirmed ?? []).union(shown.ids)
        answerAgain(request, attempt: attempt, confirmed: confirmed, to: promise)
      case .failed(let fault):
        promise.fulfill(with: finished(Problem(unconfirmed: fault).response, to: request))
      }
    }
    return .promise(promise)
  }

  /// Lets a request wait; if it may not, it is answered at once.
  private func begin(_ wait: Wait, for promise: ResponsePromise) {
    let isWaiting = waitingRequests.add(
      waitingFor: wait.session, of: store, until: wait.deadline,
      isAbandoned: { wait.request.isAbandoned },
      answer: { [self] isLast, whenSettled in
        answer(promise, by: wait, patience: isLast ? .over : .possible, whenSettled)
      })
    if !isWaiting { _ = answer(promise, by: wait, patience: .none) { _ in } }
  }

  /// Answers a waiting request if there is an answer; see ``WaitingRequests/Answer``.
  private func answer(
    _ promise: ResponsePromise, by wait: Wait, patience: Wait.Patience,
    _ whenSettled: @escaping @Sendable (_ isAnswered: Bool) -> Void
  ) -> WaitingRequests.Attempt {
    let waiting = Waiting(since: dependencies.nanoseconds(), patience: patience, isAgain: true)
    guard let response = wait.answer(waiting) else { return .waits }
    let made = MadeResponse(response, waiting)
    guard let proposal = waiting.proposal else {
      eventual(made).whenFulfilled { promise.fulfill(with: $0) }
      return .answered
    }
    let eventual = carryOut(proposal, for: made, of: wait.request) { [self] draft in
      let again = Waiting(
        since: dependencies.nanoseconds(), patience: patience, isAgain: true, on: draft)
      return wait.answer(again).map { ($0, again) }
    } otherwise: { _ in
      whenSettled(false)
    }
    eventual.whenFulfilled { response in
      promise.fulfill(with: response)
      whenSettled(true)
    }
    return .changes
  }

  /// Answers a request again, on the thread of long requests; here if its queue is full.
  ///
  /// - Parameter confirmed: The sessions of which the store has what was committed before the request; nil if nothing is confirmed.
  private func answerAgain(
    _ request: Request, attempt: Int, confirmed: Set<SessionID>?, to promise: ResponsePromise
  ) {
    let job: @Sendable () -> Void = { [self] in
      answerLater(request, attempt: attempt, confirmed: confirmed, to: promise)
    }
    if dependencies.runLater?(job) != true { job() }
  }

  /// The number of times that a change is prepared outside the writer if that takes long.
  private static let mostPreparations = 3

  /// Returns the answer that comes after earlier long requests; nil if the queue is full.
  private func postponed(_ request: Request) -> EventualResponse? {
    let promise = ResponsePromise()
    let isTaken = dependencies.runLater?({ [self] in
      answerLater(request, attempt: 1, to: promise)
    })
    return isTaken == true ? .promise(promise) : nil
  }

  /// Postpones a request with a large body; the number of such requests in the queue is limited for each payer.
  private func postponed(_ request: Request, paidBy payer: Payer) -> EventualResponse {
    let refused: (Problem) -> EventualResponse = { [self] in
      .response(finished($0.response, to: request))
    }
    guard budget.enqueue(payer) else { return refused(.tooManyLargeRequests) }
    let promise = ResponsePromise()
    let runLater = dependencies.runLargeLater ?? dependencies.runLater
    let isTaken = runLater?({ [self] in
      budget.dequeue(payer)
      answerLater(request, attempt: 1, to: promise)
    })
    guard isTaken == true else {
      budget.dequeue(payer)
      return refused(.tooManyLargeRequests)
    }
    return .promise(promise)
  }

  private func answerLater(
    _ request: Request, attempt: Int, confirmed: Set<SessionID>? = nil,
    to promise: ResponsePromise
  ) {
    let waiting = Waiting(
      since: dependencies.nanoseconds(), patience: .possible, confirmed: confirmed)
    answer(to: request, attempt: attempt, waiting).0.whenFulfilled { promise.fulfill(with: $0) }
  }

  /// The time by which answers may be old where they need not be current.
  private static let recent = Duration.milliseconds(250)

  /// True if an answer need not be confirmed: it may be a little old, but not older than the client's tags, nor than the
  /// request that this one repeats.
  private func mayBeOld(_ waiting: Waiting, to request: Request) -> Bool {
    readsRecent && waiting.shown.keys.isEmpty && store.hasCaughtUp(within: Self.recent)
      && waiting.shown.areCurrent(within: Self.recent)
      && !EntityTag.isNamed(in: request, nonce: nonce, newerThan: waiting.shown.revisions)
  }
}

extension CommitResult {
  /// True if the response that was made last tells of it. If nothing was changed, a response made by a draft is not
  /// confirmed while other processes commit too.
  fileprivate func isOfLatest(inShared isShared: Bool) -> Bool {
    switch self {
    case .committed: true
    case .unchanged: !isShared
    case .outdated, .repeated: false
    }
  }
}
