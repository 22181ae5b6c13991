import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The deliveries to the application: listing, claiming and settling them (D1 to D3).
enum DeliveryRoutes {
  static let all = questions + ClaimRoutes.all + changes

  private static let questions = [
    Route(
      .get, at: "/sessions/{session}/deliveries", needing: .read, id: "listDeliveries",
      "The deliveries of a session, in the order of their numbers.",
      parameters: ["session": "desk"], query: [.deliveryState, .deliveryCommand],
      answers: .tagged("Deliveries", "The deliveries."), answeredBy: list),
    Route(
      .get, at: "/sessions/{session}/deliveries/{delivery}", needing: .token, id: "getDelivery",
      "A delivery, for tokens with `read`, `perform` or `work`; with `Prefer: wait` once it is settled.",
      parameters: ["session": "desk"],
      answers: .tagged("DeliveryAnswer", "The delivery."), problems: [.unknownDelivery],
      heedsWait: true, answeredBy: get),
  ]

  private static let changes = [
    change(
      "claim", named: "claimDelivery", summary: "Claims a delivery that is open.", example: "3",
      body: .json("Claim", #"{"by":"worker"}"#, isRequired: false)
    ) { reader, _, _ in .claim(by: reader.member("by", Read.text(upTo: Limits.claimerName))) },
    change(
      "renew", named: "renewDelivery",
      summary:
        "Holds a claim for as long again from now on, and tells the progress. If the answer's state is `cancelling`, the claimer is asked to give the work up.",
      example: "4",
      body: .json("Renewal", #"{"claim":1,"progress":0.5,"message":"1 of 2"}"#)
    ) { reader, _, _ in
      let progress = reader.member("progress", Read.fraction)
      let message = reader.member("message", Read.text(upTo: Limits.claimMessage))
      return reader.required("claim", Read.count).map {
        .renewal(claim: $0, progress: progress, message: message)
      }
    },
    change(
      "reply", named: "replyToDelivery",
      summary:
        "Settles a claimed delivery by a result. The mutations are applied with it, all or none, and what they change is one undo group.",
      example: "4",
      body: .json(
        "Reply",
        #"{"claim":1,"result":{"file":"lake.jpg"},"mutations":[{"op":"mergeState","patch":{"exported":"lake"}}]}"#
      ), problems: MutationRoutes.problems
    ) { reader, id, catalog in
      Mutation.reply(toDelivery: id, reading: &reader, in: catalog).map(ToldChange.mutation)
    },
    change(
      "fail", named: "failDelivery", summary: "Settles a claimed delivery by a problem.",
      example: "5",
      body: .json("Failure", #"{"claim":1,"problem":{"title":"The disk is full"}}"#)
    ) { reader, id, _ in
      let claim = reader.required("claim", Read.count)
      let problem = reader.required("problem", Read.object)
      guard let claim, let problem else { return nil }
      return .mutation(.failDelivery(id, claim: claim, problem: .object(problem)))
    },
    change(
      "cancel", named: "cancelDelivery", needing: .token,
      summary:
        "Settles a delivery that is open, or asks the claimer to give it up; with the number of its claim the claimer agrees.",
      example: "6", body: .json("Cancellation", "{}", isRequired: false)
    ) { reader, id, _ in
      .mutation(.cancelDelivery(id, claim: reader.member("claim", Read.count)))
    },
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let states: [Delivery.State] = try call.query.words("state")
    let command: CommandID? = try call.query.name("command")
    let snapshot = try call.snapshot()
    let deliveries = snapshot.session.deliveries.all.filter {
      (states.isEmpty || states.contains($0.state)) && (command == nil || $0.command == command)
        && call.shows($0)
    }
    return call.answer(about: snapshot) { $0.member("deliveries", deliveries) }
  }

  /// The client that performed the command reads the result here (D3), with no more members than in its answer.
  private static func get(_ call: Call) throws(Problem) -> Response {
    let rights = call.grant.rights
    guard rights.contains(.perform) || rights.contains(.work) || rights.contains(.read) else {
      throw .lacking(.read)
    }
    let id = try call.deliveryID
    let snapshot = try call.snapshot()
    guard let delivery = snapshot.session.deliveries[id], call.shows(delivery) else {
      throw Problem(.delivery(.unknown(id)), at: nil)
    }
    if !delivery.state.isSettled { call.waitIfPreferred(for: .session(try call.session)) }
    let answer = call.answer(about: snapshot) { writer in
      writer.member("delivery")
      writer.value(delivery)
    }
    return call.heedingPreference(rights.contains(.read) ? answer : answer.shown(for: rights))
  }
}

/// A requested change of a delivery; the service adds the duration of a claim.
enum ToldChange {
  case claim(by: String?)
  case renewal(claim: Int, progress: Double?, message: String?)
  case mutation(Mutation)

  fileprivate func mutation(of id: Int, until: Int64) -> Mutation {
    switch self {
    case .claim(let name): .claimDelivery(id, by: name, until: until)
    case .renewal(let claim, let progress, let message):
      .renewDelivery(id, claim: claim, until: until, progress: progress, message: message)
    case .mutation(let mutation): mutation
    }
  }
}

extension DeliveryRoutes {
  /// Returns a route that changes one delivery.
  ///
  /// - Parameter read: Reads the change from a body.
  private static func change(
    _ word: String, named id: String, needing right: RequiredAccess = .work, summary: String,
    example: String,
    body: Route.RequestBody? = nil, problems: [ProblemType] = [],
    read: @escaping @Sendable (inout ObjectReader, Int, Catalog) -> ToldChange?
  ) -> Route {
    Route(
      .post, at: PathTemplate(stringLiteral: "/sessions/{session}/deliveries/{delivery}/\(word)"),
      needing: right, id: id, summary, parameters: ["session": "desk", "delivery": example],
      body: body,
      answers: [.ok("DeliveryChanged", "The delivery as it is now.", headers: ["ETag"])],
      problems: problems + [.unknownDelivery, .deliveryConflict],
      answeredBy: { (call) throws(Problem) in
        let id = try call.deliveryID
        let json: JSON =
          call.request.body.isEmpty && body?.isRequired != true ? [:] : try call.json()
        try MutationRoutes.checkNumber(json, call.service.limits.mutations)
        let ofQuery = try ChangeOptions(call)
        return try call.change(try call.session) { (change) throws(Problem) -> Response in
          let catalog = call.visible(change.catalogEdition)
          let (told, options) = try call.object(json) { reader in
            let options = ofQuery.joined(ChangeOptions(&reader))
            return read(&reader, id, catalog).map { ($0, options) }
          }
          change.isDry = options.isDry
          return try answer(
            call, of: &change, told, to: id, options: options, describedBy: json)
        }
      })
  }

  /// Makes the change, and answers the resulting delivery. Expired claims are released first.
  static func answer(
    _ call: Call, of change: inout SessionChange, _ told: ToldChange, to id: Int,
    options: ChangeOptions, describedBy json: JSON = .null
  ) throws(Problem) -> Response {
    let now = call.service.steadyTime
    let mutation = told.mutation(of: id, until: now + call.service.limits.claim).dated(now)
    try call.authorize([mutation], on: change)
    let isDue = (change.session.deliveries.earliestDeadline ?? .max) <= now
    let outcomes: [Outcome]
    do throws(MutationFault) {
      outcomes = try change.apply(
        isDue ? [.expireClaims(at: now), mutation] : [mutation], call,
        isExplaining: options.isExplaining)
    } catch {
      guard case .inList(index: _, let fault) = error else { throw Problem(error, at: nil) }
      throw Problem(fault, at: fault.placeInReply(json))
    }
    let delivery = outcomes.reduce(change.session.deliveries[id]) { $1.delivery(id) ?? $0 }
    return call.answer(tag: call.tag(change)) { writer in
      writer.members(change)
      if let delivery {
        writer.member("delivery")
        writer.value(delivery)
      }
      writer.member("changes")
      writer.beginArray()
      for outcome in outcomes { writer.elements(changesOf: outcome) }
      writer.endArray()
      writer.members(outcomes.flatMap(\.events))
      if options.isExplaining, let outcome = outcomes.last {
        writer.member("trace", outcome.wholeTrace)
      }
    }
  }
}

extension Outcome {
  /// Returns the changed delivery of an id; nil if it did not change.
  fileprivate func delivery(_ id: Int) -> Delivery? {
    for case .deliveryState(let delivery) in changes.reversed() where delivery.id == id {
      return delivery
    }
    return nil
  }
}

extension MutationFault {
  /// Returns the part of the body at fault; nil if it is the path.
  fileprivate func placeInReply(_ json: JSON) -> JSONPointer? {
    switch self {
    case .inList: placeInList(of: json)
    case .delivery(.claimLost), .delivery(.notClaimed): JSONPointer(["claim"])
    case .delivery: nil
    default: .root
    }
  }
}

extension Call {
  fileprivate var deliveryID: Int {
    get throws(Problem) {
      if let id = Int(parameters[1]) { return id }
      throw Problem(
        .unknownDelivery, "\(quoted(parameters[1])) is no number of a delivery; these count from 1."
      )
    }
  }
}

extension JSONWriter {
  mutating func member(_ name: String, _ deliveries: [Delivery]) {
    member(name)
    beginArray()
    for delivery in deliveries { value(delivery) }
    endArray()
  }

  /// Writes the member with a handler's deliveries, if there are any.
  mutating func members(deliveriesOf outcome: Outcome) {
    let delivered = outcome.delivered
    if !delivered.isEmpty { member("deliveries", delivered) }
  }

  /// Writes a delivery (D1).
  mutating func value(_ delivery: Delivery) {
    beginObject()
    members(delivery)
    endObject()
  }

  /// Writes the members of a delivery: the constant ones, then those of its state.
  mutating func members(_ delivery: Delivery) {
    member("id", delivery.id)
    member("command", delivery.command)
    member("title", delivery.title.map(JSON.string) ?? .null)
    member("value", delivery.value)
    member("when", moment: delivery.invocation.when)
    member("invocation")
    value(delivery.invocation)
    members(ofStateOf: delivery)
  }

  /// Writes the members of a delivery that change, always all of them.
  mutating func members(ofStateOf delivery: Delivery) {
    member("state", delivery.state.rawValue)
    member("claims", delivery.claimCount)
    member("claim")
    if let claim = delivery.claim { value(claim) } else { null() }
    member("settled", moment: delivery.settledAt)
    member("settledBy", delivery.settledBy.map(JSON.string) ?? .null)
    member("result", delivery.result ?? .null)
    member("problem", delivery.problem ?? .null)
  }

  private mutating func value(_ claim: Delivery.Claim) {
    beginObject()
    member("number", claim.number)
    member("by", claim.by.map(JSON.string) ?? .null)
    member("until", moment: claim.until)
    member("progress", claim.progress.map(JSON.double) ?? .null)
    member("message", claim.message.map(JSON.string) ?? .null)
    endObject()
  }

  private mutating func member(_ name: String, moment milliseconds: Int64?) {
    member(name)
    if let milliseconds {
      value(InternetTimestamp(milliseconds: milliseconds).text)
    } else {
      null()
    }
  }
}
