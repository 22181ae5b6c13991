import Locks
import MenuEngine
import MenuStore
import MicroHTTP

// Deferred answers: a request waits until its change is durable, the sessions that it shows are loaded and confirmed,
// and the event that it waits for has happened.

extension Service {
  /// Returns the answer, and the record of the request.
  func answer(
    to request: Request, attempt: Int, _ waiting: Waiting
  ) -> (EventualResponse, Waiting) {
    let response = respond(to: request, waiting)
    if let sessions = waiting.unconfirmed {
      return (answer(request, attempt: attempt, confirming: sessions, waiting), waiting)
    }
    if case .ahead(let payer) = waiting.postponement {
      return (postponed(request, paidBy: payer, waiting.confirmed), waiting)
    }
    if case .wanted(let owes) = waiting.postponement {
      if let later = postponed(request, waiting.confirmed) { return (later, waiting) }
      // The queue is full, perhaps with requests of other clients.
      guard !owes else { return (.response(response), waiting) }
      return answer(
        to: request, attempt: attempt,
        Waiting(since: waiting.end, patience: waiting.patience, confirmed: waiting.confirmed))
    }
    let made = MadeResponse(response, waiting)
    if let proposal = waiting.proposal {
      return (
        carryOut(proposal, for: made, of: request, attempt: attempt, noting: waiting), waiting
      )
    }
    if waiting.isUncertain(response, under: store.catalogEdition.catalog) {
      return (answer(request, attempt: attempt, confirming: waiting.read, waiting), waiting)
    }
    if !waiting.unansweredKeys.isEmpty {
      return (confirmed(made, to: request, attempt: attempt, waiting), waiting)
    }
    return (noted(made), waiting)
  }

  /// Returns the answer once its refusal is recorded in the history, if it has to be. If that fails, the answer is the
  /// same.
  private func noted(_ made: MadeResponse) -> EventualResponse {
    guard let note = made.noteOfRefusal, !store.commitAtOnce(note) else { return eventual(made) }
    let promise = ResponsePromise()
    do throws(JournalFault) {
      let result = try store.commit(note, remaking: nil) { [self] _ in
        promise.fulfill(as: eventual(made))
      }
      return result == nil ? .promise(promise) : eventual(made)
    } catch {
      return eventual(made)
    }
  }

  /// A response with the work that follows it.
  private struct MadeResponse: Sendable {
    let response: Response
    let wait: Wait?
    let stream: (@Sendable () -> ResponseStream)?
    let whenPublished: (@Sendable () -> Void)?
    /// The proposal to record a refusal in the history; nil if there is none.
    let noteOfRefusal: Proposal?

    init(_ response: Response, _ waiting: Waiting) {
      self.response = response
      (wait, stream, whenPublished) = (waiting.wait, waiting.stream, waiting.whenPublished)
      noteOfRefusal = waiting.noteOfRefusal
    }
  }

  /// The last response to a request.
  private final class Latest: Sendable {
    /// The response; nil if the writer is not to make it.
    let made: Lock<MadeResponse?>

    init(_ made: MadeResponse) { self.made = Lock(made) }
  }

  /// Commits the change of a request. If another change was committed first, the writer answers the request again; a
  /// long request is prepared outside the writer several times first, because other requests wait for the writer.
  private func carryOut(
    _ proposal: Proposal, for made: MadeResponse, of request: Request, attempt: Int,
    noting waiting: Waiting
  ) -> EventualResponse {
    let (patience, worker) = (waiting.patience, waiting.worker)
    let isLong = waiting.cost >= ProcessorBudget.long
    return carryOut(proposal, for: made, of: request) { [self] draft in
      if isLong, attempt < Self.mostPreparations { return nil }
      let again = Waiting(
        since: dependencies.nanoseconds(), patience: patience, on: draft)
      return (respond(to: request, again), again)
    } otherwise: { [self] promise in
      run(on: worker, promise) { [self] worker in
        answer(again: request, attempt: attempt + 1, by: worker)
      }
    }
  }

  /// Commits a change, and returns the answer, which is sent once the change is durable.
  ///
  /// - Parameters:
  ///   - again: Answers the request on the writer's draft if something else was committed since the response was made;
  ///     nil to leave that to `otherwise`.
  ///   - otherwise: Called with the promise of the answer if it is not made there.
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
      promise.fulfill(as: noted(made))
    }
    do throws(JournalFault) {
      let result = try store.commit(
        proposal,
        remaking: { draft in
          let remade = again(draft)
          latest.made.withLock { $0 = remade.map(MadeResponse.init) }
          guard let (_, waiting) = remade, waiting.unconfirmed == nil else { return nil }
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

  /// Returns the answer, which is sent once its change is published, if it makes one.
  private func eventual(_ made: MadeResponse) -> EventualResponse {
    made.whenPublished?()
    if let stream = made.stream {
      return .response(
        Response(
          status: made.response.status, headers: made.response.headers, body: made.response.body,
          stream: stream()))
    }
    guard let wait = made.wait else { return .response(made.response) }
    let promise = ResponsePromise()
    begin(wait, for: promise)
    return .promise(promise)
  }

  /// Returns the new answer to a request, once the store includes all earlier commits to the directory and to sessions
  /// by any process.
  private func answer(
    _ request: Request, attempt: Int, confirming sessions: [SessionID], _ waiting: Waiting
  ) -> EventualResponse {
    let promise = ResponsePromise()
    let (known, worker) = (waiting.confirmed ?? [], waiting.worker)
    confirm(sessions, keys: waiting.unansweredKeys, for: request, by: worker, promise) {
      [self] worker in
      answer(again: request, attempt: attempt, confirmed: known.union(sessions), by: worker)
    }
    return .promise(promise)
  }

  /// Returns an answer without a change, once it is confirmed that no answer is kept under the request's key: the
  /// first request with the key may have been committed meanwhile.
  private func confirmed(
    _ made: MadeResponse, to request: Request, attempt: Int, _ waiting: Waiting
  ) -> EventualResponse {
    let promise = ResponsePromise()
    let (keys, known, worker) = (waiting.unansweredKeys, waiting.confirmed, waiting.worker)
    confirm([], keys: keys, for: request, by: worker, promise) { [self] worker in
      keys.allSatisfy { store.answer(under: $0) == nil }
        ? noted(made)
        : answer(again: request, attempt: attempt, confirmed: known, by: worker)
    }
    return .promise(promise)
  }

  /// Reads all earlier commits of any process to sessions, and then makes the answer.
  private func confirm(
    _ sessions: [SessionID], keys: [[UInt8]], for request: Request, by worker: Worker.Runner?,
    _ promise: ResponsePromise,
    then answer: @escaping @Sendable (Worker.Runner?) -> EventualResponse
  ) {
    store.refresh(sessions, keys: keys) { [self] fault in
      if let fault {
        let response = response(Problem(unconfirmed: fault), toUnread: request)
        promise.fulfill(with: finished(response, to: request))
      } else {
        run(on: worker, promise, answer)
      }
    }
  }

  /// Suspends a request; if it may not wait, it is answered at once.
  private func begin(_ wait: Wait, for promise: ResponsePromise) {
    let isWaiting = waitingRequests.add(
      waitingFor: wait.subject, of: store, until: wait.deadline,
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
      promise.fulfill(as: eventual(made))
      return .answered
    }
    let eventual = carryOut(proposal, for: made, of: wait.request) { [self] draft in
      let again = Waiting(
        since: dependencies.nanoseconds(), patience: patience, isAgain: true, on: draft)
      return wait.answer(again).map { ($0, again) }
    } otherwise: { _ in
      whenSettled(false)
    }
    promise.fulfill(as: eventual)
    eventual.whenFulfilled { _ in whenSettled(true) }
    return .changes
  }

  /// Makes an answer on the worker of a postponed request. If there is no worker, or its queue is full, the
  /// connection's thread restarts the request.
  private func run(
    on worker: Worker.Runner?, _ promise: ResponsePromise,
    _ answer: @escaping @Sendable (Worker.Runner?) -> EventualResponse
  ) {
    if let worker, worker({ promise.fulfill(as: answer(worker)) }) { return }
    promise.fulfill(by: { answer(nil) }, orOn: dependencies.runLater)
  }

  /// Answers a request again.
  ///
  /// - Parameter confirmed: The sessions for which the store includes all commits before the request; nil, the
  ///   default, if nothing is confirmed.
  private func answer(
    again request: Request, attempt: Int, confirmed: Set<SessionID>? = nil,
    by worker: Worker.Runner?
  ) -> EventualResponse {
    let isPostponable = worker == nil && dependencies.runLater != nil
    let waiting = Waiting(
      since: dependencies.nanoseconds(), isPostponable ? .possible : .impossible,
      patience: .possible, confirmed: confirmed, by: worker)
    return answer(to: request, attempt: attempt, waiting).0
  }

  /// The maximum number of times that a long change is prepared outside the writer.
  private static let mostPreparations = 3

  /// Returns the answer, which is sent after earlier long requests; nil if the queue is full.
  private func postponed(
    _ request: Request, _ confirmed: Set<SessionID>?
  ) -> EventualResponse? {
    guard let worker = dependencies.runLater else { return nil }
    let promise = ResponsePromise()
    let isTaken = worker { [self] in
      promise.fulfill(as: answer(again: request, attempt: 1, confirmed: confirmed, by: worker))
    }
    return isTaken ? .promise(promise) : nil
  }

  /// Postpones a request with a large body; the number of such requests in the queue is limited for each payer.
  private func postponed(
    _ request: Request, paidBy payer: Payer, _ confirmed: Set<SessionID>?
  ) -> EventualResponse {
    let refused: (Problem) -> EventualResponse = { [self] in
      .response(finished($0.response, to: request))
    }
    guard let worker = dependencies.runLargeLater ?? dependencies.runLater, budget.enqueue(payer)
    else { return refused(.tooManyLargeRequests) }
    let promise = ResponsePromise()
    let isTaken = worker { [self] in
      budget.dequeue(payer)
      promise.fulfill(as: answer(again: request, attempt: 1, confirmed: confirmed, by: worker))
    }
    guard isTaken else {
      budget.dequeue(payer)
      return refused(.tooManyLargeRequests)
    }
    return .promise(promise)
  }
}

extension CommitResult {
  /// True if the last response reflects the latest state. If nothing was changed, a response made on a draft is not
  /// confirmed while other processes commit too.
  fileprivate func isOfLatest(inShared isShared: Bool) -> Bool {
    switch self {
    case .committed: true
    case .unchanged: !isShared
    case .outdated, .repeated: false
    }
  }
}
