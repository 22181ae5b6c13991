import MenuStore
import MicroHTTP

// Delayed answers: they wait until everything they show is loaded, confirmed and durable, and until their long
// poll is over.

extension Service {
  /// Returns the answer, and the record of the request.
  func answer(
    to request: Request, attempt: Int, _ waiting: Waiting
  ) -> (EventualResponse, Waiting) {
    var response = respond(to: request, waiting)
    if waiting.awaitsOthers, let position = waiting.position {
      let later = answer(
        to: request, attempt: attempt, once: store.confirm(position), isConfirmed: true)
      return (later, waiting)
    }
    guard waiting.missing.isEmpty || waiting.hasCommitted else {
      // Another request may have loaded them already.
      let later = answer(
        to: request, attempt: attempt, once: store.load(waiting.missing), isConfirmed: false)
      return (later, waiting)
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
    // A conflicting replica may roll the commit back, and then the request is carried out again.
    if waiting.hasCommitted, store.sharedPosition != nil {
      response.stream = waiting.stream
    } else if let stream = waiting.stream {
      let streamed = StreamedResponse(
        status: response.status, headers: response.headers, stream: stream)
      return (.stream(streamed), waiting)
    }
    if let position = waiting.position, !waiting.hasCommitted, !mayBeOld(waiting, to: request) {
      return (confirmed(response, to: request, at: position, attempt: attempt, waiting), waiting)
    }
    return (settled(response, to: request, Settling(waiting, attempt: attempt)), waiting)
  }

  /// Returns the answer once the store has loaded everything for it.
  ///
  /// - Parameters:
  ///   - ticket: Settled once the store has, including commits of other replicas.
  ///   - isConfirmed: True if the store then has every commit made before the request.
  private func answer(
    to request: Request, attempt: Int, once ticket: Ticket, isConfirmed: Bool
  ) -> EventualResponse {
    let promise = ResponsePromise()
    ticket.whenSettled { [self] outcome in
      switch outcome {
      case .durable, .failed(.conflict):
        answerAgain(
          request, attempt: attempt, after: .conflict, isConfirmed: isConfirmed, to: promise)
      case .failed(let fault):
        promise.fulfill(with: finished(Problem(unconfirmed: fault).response, to: request))
      }
    }
    return .promise(promise)
  }

  /// Returns the answer once it is confirmed that it shows every commit that another replica made before the
  /// request.
  private func confirmed(
    _ response: Response, to request: Request, at position: Int64, attempt: Int,
    _ waiting: Waiting
  ) -> EventualResponse {
    let promise = ResponsePromise()
    let (shown, settling) = (waiting.shown, Settling(waiting, attempt: attempt))
    store.confirm(position).whenSettled { [self] outcome in
      switch outcome {
      case .failed(.conflict) where !store.isCurrent(shown):
        // The store has the commits of other replicas now, so they need no second check.
        answerAgain(
          request, attempt: attempt + 1, after: .conflict, isConfirmed: true, to: promise)
      case .durable, .failed(.conflict):
        settled(response, to: request, settling).whenFulfilled { promise.fulfill(with: $0) }
      case .failed(let fault):
        promise.fulfill(with: finished(Problem(unconfirmed: fault).response, to: request))
      }
    }
    return .promise(promise)
  }

  /// The commits and the long poll that an answer waits for.
  private struct Settling: Sendable {
    let tickets: [Ticket]
    let wait: Wait?
    let hasChanged: Bool
    let attempt: Int

    init(_ waiting: Waiting, attempt: Int) {
      (tickets, wait, hasChanged) = (waiting.tickets, waiting.wait, waiting.hasChanged)
      self.attempt = attempt
    }
  }

  /// Returns the answer once everything that it shows is durable.
  private func settled(
    _ response: Response, to request: Request, _ settling: Settling
  ) -> EventualResponse {
    guard !settling.tickets.isEmpty || settling.wait != nil else { return .response(response) }
    let promise = ResponsePromise()
    Ticket.whenSettled(settling.tickets[...]) { outcome in
      switch outcome {
      case .durable:
        if let wait = settling.wait {
          self.begin(wait, for: promise)
        } else {
          promise.fulfill(with: response)
        }
      case .failed(let fault):
        // If a commit that it only read was rolled back, the request is answered again. After a conflict
        // nothing of its own commit remains.
        let isLost = settling.hasChanged && fault != .conflict
        if isLost || settling.attempt == Self.maximumAttempts {
          promise.fulfill(with: self.finished(Problem(fault).response, to: request))
        } else {
          self.answerAgain(
            request, attempt: settling.attempt + 1, after: fault, isConfirmed: false, to: promise)
        }
      }
    }
    return .promise(promise)
  }

  /// Lets a request wait; if it may not, it is answered at once.
  private func begin(_ wait: Wait, for promise: ResponsePromise) {
    let answer: @Sendable (Bool) -> Bool = { [self] isLast in
      self.answer(promise, by: wait, patience: isLast ? .over : .possible)
    }
    let isWaiting = waitingRequests.add(
      waitingFor: wait.session, of: store, seconds: wait.seconds,
      isAbandoned: { wait.request.isAbandoned },
      answer: answer)
    if !isWaiting { _ = self.answer(promise, by: wait, patience: .none) }
  }

  /// Answers a waiting request if there is an answer; returns true if it was answered.
  private func answer(
    _ promise: ResponsePromise, by wait: Wait, patience: Wait.Patience
  ) -> Bool {
    let waiting = Waiting(since: dependencies.nanoseconds(), patience: patience)
    waiting.isAgain = true
    guard let response = wait.answer(waiting) else { return false }
    Ticket.whenSettled(waiting.tickets[...]) { outcome in
      switch outcome {
      case .durable: promise.fulfill(with: response)
      // A conflicting commit outdated the state that it read.
      case .failed(.conflict):
        if !self.answer(promise, by: wait, patience: patience) { self.begin(wait, for: promise) }
      case .failed(let fault):
        promise.fulfill(with: self.finished(Problem(fault).response, to: wait.request))
      }
    }
    return true
  }

  /// Answers a request again, on another thread if there is one: this is the journal's, and the next write
  /// waits for it. If the queue of that thread is full, the answer is the fault.
  ///
  /// - Parameter isConfirmed: True if the store has every commit made before the request.
  private func answerAgain(
    _ request: Request, attempt: Int, after fault: JournalFault, isConfirmed: Bool,
    to promise: ResponsePromise
  ) {
    let job: @Sendable () -> Void = { [self] in
      answerLater(request, attempt: attempt, isConfirmed: isConfirmed, to: promise)
    }
    guard let runLater = dependencies.runLater else { return job() }
    if !runLater(job) {
      // A conflict is not the client's fault, so it is retried here.
      if fault == .conflict { return job() }
      promise.fulfill(with: finished(Problem(fault).response, to: request))
    }
  }

  /// Returns the answer that comes after earlier long requests; nil if the queue is full.
  private func postponed(_ request: Request) -> EventualResponse? {
    let promise = ResponsePromise()
    let isTaken = dependencies.runLater?({ [self] in
      answerLater(request, attempt: 1, isConfirmed: false, to: promise)
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
      answerLater(request, attempt: 1, isConfirmed: false, to: promise)
    })
    guard isTaken == true else {
      budget.dequeue(payer)
      return refused(.tooManyLargeRequests)
    }
    return .promise(promise)
  }

  private func answerLater(
    _ request: Request, attempt: Int, isConfirmed: Bool, to promise: ResponsePromise
  ) {
    let waiting = Waiting(since: dependencies.nanoseconds(), patience: .possible)
    waiting.isConfirmed = isConfirmed
    answer(to: request, attempt: attempt, waiting).0.whenFulfilled { promise.fulfill(with: $0) }
  }

  /// The maximum number of attempts to answer a question, if commits that it read are rolled back.
  private static let maximumAttempts = 8

  /// The age that answers may have if they need not be current.
  private static let recent = Duration.milliseconds(250)

  /// True if an answer need not be confirmed: it may be a little old, but not older than the client's tags.
  private func mayBeOld(_ waiting: Waiting, to request: Request) -> Bool {
    readsRecent && store.hasCaughtUp(within: Self.recent)
      && !EntityTag.isNamed(in: request, nonce: nonce, newerThan: waiting.shown.revisions)
  }
}
