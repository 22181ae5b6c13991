import JSONText

extension Performer {
  /// Adds a delivery of the message that a handler performs, and returns its number (D1).
  mutating func deliver(
    _ value: JSON, of invocation: Invocation, in scope: EffectScope
  ) throws(MutationFault) -> Int {
    guard value.fits(depth: Limits.depth, size: Limits.work) else {
      throw scope.attributed(.tooLarge)
    }
    var delivered = invocation
    delivered.clearResult()
    let size = delivered.json.writtenSize + value.writtenSize
    effort.spend(Effort.effect + size / Effort.member)
    let event = session.undo.event
    let title = event.title ?? event.actionName ?? invocation.sender?.title
    let delivery = session.deliveries.add(
      Delivery.Content(
        invocation: delivered, value: value, title: title,
        actionName: event.actionName ?? title.flatMap(UndoGroup.plainName),
        responder: scope.responder, size: size))
    note([.delivery(delivery)])
    return delivery.id
  }

  /// Claims an open delivery (D2).
  mutating func claim(_ id: Int, by name: String?, until: Int64) throws(MutationFault) {
    var delivery = try delivery(id)
    if let claim = delivery.claim {
      throw .delivery(.alreadyClaimed(id, by: claim.by, until: claim.until))
    }
    guard (name ?? "").utf8.count <= Limits.claimerName else { throw .tooLarge }
    delivery.claimCount += 1
    delivery.state = .claimed
    delivery.claim = Delivery.Claim(number: delivery.claimCount, by: name, until: until)
    replace(by: delivery)
  }

  /// Holds a claim until another moment (D2); one that it has already changes nothing.
  mutating func renew(_ id: Int, _ number: Int, until: Int64) throws(MutationFault) {
    var delivery = try delivery(id)
    let claim = try delivery.held(number)
    guard claim.until != until else { return }
    delivery.claim = Delivery.Claim(number: claim.number, by: claim.by, until: until)
    replace(by: delivery)
  }

  /// Settles a delivery (D2). Who has no claim may only cancel it.
  mutating func settle(
    _ id: Int, _ state: Delivery.State, claim: Int? = nil, with answer: JSON? = nil,
    at time: Int64?
  ) throws(MutationFault) {
    var delivery = try delivery(id)
    // A claim that is cancelled settles nothing: whoever cancels need not be the claimer.
    let claimer = if let claim { try delivery.held(claim).by } else { String?.none }
    if let answer {
      guard answer.fits(depth: Limits.depth, size: Limits.work) else { throw .tooLarge }
      effort.spend(answer.writtenSize / Effort.member)
    }
    delivery.state = state
    delivery.claim = nil
    delivery.settledAt = time
    delivery.settledBy = claimer
    delivery.answer = answer
    replace(by: delivery)
    let forgotten = session.deliveries.trimSettled(keeping: id)
    record(forgotten.map { .deliveryForgotten($0) })
  }

  /// Opens the deliveries again whose claims have expired (D2).
  mutating func expireClaims(at time: Int64) {
    for delivery in session.deliveries.all {
      guard let claim = delivery.claim, claim.until <= time else { continue }
      var delivery = delivery
      delivery.state = .open
      delivery.claim = nil
      replace(by: delivery)
    }
  }

  /// Forgets deliveries that were settled before a time, and those that were settled without a time
  /// (D3).
  mutating func forgetDeliveries(settledBefore time: Int64) {
    let forgotten = session.deliveries.forget { ($0.settledAt ?? .min) < time }
    record(forgotten.map { .deliveryForgotten($0) })
  }

  /// The delivery of a number, which is not settled.
  private func delivery(_ id: Int) throws(MutationFault) -> Delivery {
    guard let delivery = session.deliveries[id] else { throw .delivery(.unknown(id)) }
    guard !delivery.state.isSettled else {
      throw .delivery(.alreadySettled(id, delivery.state))
    }
    return delivery
  }

  private mutating func replace(by delivery: Delivery) {
    session.deliveries.replace(by: delivery)
    record([.deliveryState(delivery)])
  }
}

extension Delivery {
  /// The claim, if it has this number.
  fileprivate func held(_ number: Int) throws(MutationFault) -> Claim {
    if let claim, claim.number == number { return claim }
    let wasGiven = (1...max(1, claimCount)).contains(number) && claimCount > 0
    throw .delivery(
      wasGiven ? .claimLost(id, claim: number) : .notClaimed(id, claim: number))
  }
}

extension Performer {
  /// Applies the mutations of a reply, as a handler of the responder would make its effects: what they change
  /// is registered with the undo manager of that, in one group that is named after what was performed.
  ///
  /// - Parameter isRegistered: False if that cannot be undone (U5).
  mutating func apply(
    _ mutations: [Mutation], replyingTo id: Int, isRegistered: Bool
  ) throws(MutationFault) {
    guard !mutations.isEmpty, let delivery = session.deliveries[id] else { return }
    session.nameUndoGroup(after: delivery)
    session.undo.event.isRegistered = isRegistered
    session.undo.event.owner = session.undoManagerOwner(for: delivery.responder)
    session.undo.event.isReceived = true
    let (outerPhase, outerOutcome) = (phase, outcome)
    phase = phase.inHandler
    replier = delivery.responder
    defer { (phase, outcome, replier) = (outerPhase, outerOutcome, nil) }
    for (index, mutation) in mutations.enumerated() {
      do throws(MutationFault) {
        try countEffect()
        try mutation.perform(by: &self)
        _ = takeAnswer()
        if mutation.operation.traits.contains(.changesScreen) { try settleViews() }
      } catch {
        throw .inList(index: index, error)
      }
    }
  }
}
