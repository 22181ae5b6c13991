package import JSONText

/// Operations on deliveries (D1, D2).
///
/// Times are passed in, since the engine reads no clock.
extension Operations {
  static let ofDeliveries: [any AnyOperation] = [
    deliver, claimDelivery, renewDelivery, replyToDelivery, failDelivery, cancelDelivery,
    expireClaims, forgetDeliveries,
  ]

  static let deliver = Operation(
    effect: "deliver",
    about: "Delivers the message to the application; answers the delivery's number (D1).",
    Member("value", .json, about: "The value for the application.", default: .null)
  ) {
    (performer: inout Performer, scope, invocation: inout Invocation, value) throws(MutationFault)
    in
    invocation.result = .int(Int64(try performer.deliver(value, of: invocation, in: scope)))
  }

  static let claimDelivery = Operation(
    "claimDelivery", needs: .work, about: "Claims an open delivery (D2).", delivery,
    Member(
      optional: "by", .claimerName, about: "The name of who claims it, at most 256 bytes long."),
    until
  ) { (performer: inout Performer, id, by, until) throws(MutationFault) in
    try performer.claim(id, by: by, until: until)
  }

  static let renewDelivery = Operation(
    "renewDelivery", needs: .work, about: "Renews a claim (D2), and tells its progress (D6).",
    delivery, claim, until,
    Member(
      optional: "progress", .fraction,
      about: "The part of the work that is done, from 0 to 1. The default is the one told before.",
      uses: .mutation),
    Member(
      optional: "message", .claimMessage,
      about:
        "A text about the work, at most 1,024 bytes long. The default is the one told before.",
      uses: .mutation), traits: [.isProgress]
  ) { (performer: inout Performer, id, claim, until, progress, message) throws(MutationFault) in
    try performer.renew(id, claim: claim, until: until, progress: progress, message: message)
  }

  static let replyToDelivery = Operation(
    "replyToDelivery", needs: .work,
    about:
      "Settles a claimed delivery by a result, and applies mutations with it; what they change is one undo group (D2). A handler has effects in their place.",
    delivery, claim, Member("result", .json, about: "The result.", default: .null),
    Member(
      "mutations", .mutations,
      about: "The mutations; all of them are applied, or none is. The default is none.",
      default: MutationList(), uses: .mutation),
    moment,
    Member(
      optional: "undo", .undoable,
      about: "False if what the mutations change cannot be undone (U5).", uses: .mutation)
  ) {
    (performer: inout Performer, id, claim, result, list, moment, isUndoable)
      throws(MutationFault) in
    try performer.settle(id, .replied, claim: claim, with: result, at: moment)
    try performer.apply(list.mutations, replyingTo: id, isRegistered: isUndoable ?? true)
  }

  static let failDelivery = Operation(
    "failDelivery", needs: .work, about: "Settles a claimed delivery by a problem (D2).", delivery,
    claim,
    Member("problem", .object, about: "The problem."), moment
  ) { (performer: inout Performer, id, claim, problem, moment) throws(MutationFault) in
    try performer.settle(id, .failed, claim: claim, with: problem, at: moment)
  }

  static let cancelDelivery = Operation(
    "cancelDelivery", needs: .perform,
    about:
      "Settles a delivery without a result (D3). If it is claimed, its claimer is asked to do so (D6).",
    delivery, moment,
    Member(
      optional: "claim", MemberType<Int>.token,
      about: "The number of the claim of a claimer that agrees.", uses: .mutation)
  ) { (performer: inout Performer, id, moment, claim) throws(MutationFault) in
    try performer.cancel(id, claim: claim, at: moment)
  }

  static let expireClaims = Operation(
    "expireClaims", needs: .declare,
    about:
      "Reopens deliveries whose claims have expired (D2); those to be cancelled are settled (D6).",
    moment
  ) { (performer: inout Performer, moment) throws(MutationFault) in
    performer.expireClaims(at: moment ?? .min)
  }

  static let forgetDeliveries = Operation(
    "forgetDeliveries", needs: .declare, about: "Forgets deliveries settled before a moment (D3).",
    Member("settledBefore", .time, about: "The moment.")
  ) { (performer: inout Performer, moment) throws(MutationFault) in
    performer.forgetDeliveries(settledBefore: moment)
  }

  private static let delivery = Member(
    "delivery", MemberType<Int>.token, about: "The number of the delivery.")
  private static let claim = Member(
    "claim", MemberType<Int>.token, about: "The number of the claim.")
  private static let until = Member(
    "until", MemberType<Int64>.time, about: "The deadline.")
  private static let moment = Member(
    "at", MemberType<Int64?>.moment, about: "When. The default is now.", default: .some(nil),
    inEffect: { $0.invocation.when })
}

extension Mutation {
  /// Claims an open delivery until a deadline, in milliseconds since 1970-01-01T00:00:00Z (D2).
  package static func claimDelivery(_ id: Int, by name: String? = nil, until: Int64) -> Mutation {
    Mutation(Operations.claimDelivery, id, name, until)
  }

  /// Sets another deadline for a claim (D2), and reports its progress (D6). Nil leaves a value unchanged.
  package static func renewDelivery(
    _ id: Int, claim: Int, until: Int64, progress: Double? = nil, message: String? = nil
  ) -> Mutation {
    Mutation(Operations.renewDelivery, id, claim, until, progress, message)
  }

  /// Settles a claimed delivery with a problem, which is an object (D2).
  package static func failDelivery(
    _ id: Int, claim: Int, problem: JSON, at time: Int64? = nil
  ) -> Mutation {
    Mutation(Operations.failDelivery, id, claim, problem, time)
  }

  /// Settles an open delivery without a result (D3). For a claimed one, asks the claimer to do so (D6), unless `claim`
  /// is the number of its claim.
  package static func cancelDelivery(
    _ id: Int, claim: Int? = nil, at time: Int64? = nil
  ) -> Mutation {
    Mutation(Operations.cancelDelivery, id, time, claim)
  }

  /// Reopens, or cancels, the deliveries whose claims have expired at a time (D2, D6).
  package static func expireClaims(at time: Int64) -> Mutation {
    Mutation(Operations.expireClaims, time)
  }

  /// Drops the deliveries settled before a time (D3).
  package static func forgetDeliveries(settledBefore time: Int64) -> Mutation {
    Mutation(Operations.forgetDeliveries, time)
  }
}

extension Mutation {
  /// Reads the reply to a delivery from the members `claim`, `result`, `mutations` and `undo` of an object.
  package static func reply(
    toDelivery id: Int, reading reader: inout ObjectReader, in catalog: Catalog
  ) -> Mutation? {
    let (_, claim, result, list, _, undo) = Operations.replyToDelivery.members
    let number = claim.read(&reader, in: catalog)
    let value = result.read(&reader, in: catalog)
    let mutations = list.read(&reader, in: catalog)
    let isUndoable = undo.read(&reader, in: catalog)
    guard let number, let value, let mutations, let isUndoable else { return nil }
    return Mutation(
      Operations.replyToDelivery, id, number, value, mutations, nil, isUndoable)
  }
}

extension Outcome {
  /// The new deliveries, as they were added.
  package var delivered: [Delivery] {
    changes.compactMap { if case .delivery(let delivery) = $0 { delivery } else { nil } }
  }
}

extension Performer {
  /// Adds a delivery of the performed message, and returns its number (D1).
  mutating func deliver(
    _ value: JSON, of invocation: Invocation, in scope: EffectScope
  ) throws(MutationFault) -> Int {
    guard value.fits(depth: Limits.depth, size: Limits.work) else {
      throw scope.attributed(.tooLarge(limit: Limits.work))
    }
    var delivered = invocation
    delivered.result = nil
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
    guard (name ?? "").utf8.count <= Limits.claimerName else {
      throw .tooLarge(limit: Limits.claimerName)
    }
    delivery.claimCount += 1
    delivery.state = .claimed
    delivery.claim = Delivery.Claim(number: delivery.claimCount, by: name, until: until)
    replace(by: delivery)
  }

  /// Sets another deadline for a claim (D2), and stores the reported progress (D6). Equal values change nothing.
  mutating func renew(
    _ id: Int, claim number: Int, until: Int64, progress: Double?, message: String?
  ) throws(MutationFault) {
    var delivery = try delivery(id)
    let former = try delivery.held(number)
    var claim = former
    claim.until = until
    claim.progress = progress ?? claim.progress
    claim.message = message ?? claim.message
    guard claim != former else { return }
    claim.firstUntil = former.firstUntil ?? former.until
    delivery.claim = claim
    replace(by: delivery)
  }

  /// Cancels a delivery: at once if it is open or its claimer agrees, else by asking the claimer (D6).
  mutating func cancel(_ id: Int, claim: Int?, at time: Int64?) throws(MutationFault) {
    var delivery = try delivery(id)
    guard claim == nil, delivery.state != .open else {
      return try settle(id, .cancelled, claim: claim, at: time)
    }
    guard delivery.state != .cancelling else { return }
    delivery.state = .cancelling
    replace(by: delivery)
  }

  /// Settles a delivery (D2). Without a claim it can only be cancelled.
  ///
  /// - Parameter claim: The number of the valid claim; nil, the default, if the delivery has none.
  mutating func settle(
    _ id: Int, _ state: Delivery.State, claim: Int? = nil, with answer: JSON? = nil,
    at time: Int64?
  ) throws(MutationFault) {
    var delivery = try delivery(id)
    let claimer = if let claim { try delivery.held(claim).by } else { String?.none }
    if let answer {
      guard answer.fits(depth: Limits.depth, size: Limits.work) else {
        throw .tooLarge(limit: Limits.work)
      }
      effort.spend(answer.writtenSize / Effort.member)
    }
    delivery.answer = answer
    settle(delivery, state, by: claimer, at: time)
  }

  private mutating func settle(
    _ delivery: Delivery, _ state: Delivery.State, by claimer: String?, at time: Int64?
  ) {
    var delivery = delivery
    delivery.state = state
    delivery.claim = nil
    delivery.settledAt = time
    delivery.settledBy = claimer
    replace(by: delivery)
    let forgotten = session.deliveries.trimSettled(keeping: delivery.id)
    record(forgotten.map { .deliveryForgotten($0) })
  }

  /// Reopens deliveries with expired claims (D2), and settles those being cancelled (D6).
  mutating func expireClaims(at time: Int64) {
    for delivery in session.deliveries.all {
      guard let claim = delivery.claim, claim.until <= time else { continue }
      var delivery = delivery
      delivery.claim = nil
      if delivery.state == .cancelling {
        settle(delivery, .cancelled, by: nil, at: time)
      } else {
        delivery.state = .open
        replace(by: delivery)
      }
    }
  }

  /// Drops the deliveries settled before a time, and those settled without a time (D3).
  mutating func forgetDeliveries(settledBefore time: Int64) {
    let forgotten = session.deliveries.forget { ($0.settledAt ?? .min) < time }
    record(forgotten.map { .deliveryForgotten($0) })
  }

  /// Returns an unsettled delivery.
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
  /// Returns the claim, if it has this number.
  fileprivate func held(_ number: Int) throws(MutationFault) -> Claim {
    if let claim, claim.number == number { return claim }
    let wasGiven = (1...max(1, claimCount)).contains(number) && claimCount > 0
    throw .delivery(
      wasGiven ? .claimLost(id, claim: number) : .notClaimed(id, claim: number))
  }
}

extension Performer {
  /// Applies the mutations of a reply like effects of a handler of the responder: its undo manager registers
  /// the changes, in one group named after the performed item.
  ///
  /// - Parameter isRegistered: False if they cannot be undone (U5).
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
