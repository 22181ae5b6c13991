import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Lists of mutations, applied atomically.
enum MutationRoutes {
  static let all = [
    Route(
      .post, at: "/sessions/{session}/mutations", needing: .token, id: "mutate",
      "Applies mutations in order, all or none.",
      body: .json(
        "Mutations",
        #"{"mutations":[{"op":"mergeState","patch":{"zoom":200}},{"op":"becomeFirstResponder","responder":"photoGrid"}]}"#
      ),
      answers: [.ok("Mutated", "The changes of each of them.", headers: ["ETag"])],
      problems: problems + [.deliveryConflict], answeredBy: post)
  ]

  /// The problems of a list of mutations.
  static let problems: [ProblemType] = [
    .unresolvedReference, .linkConflict, .patchConflict, .firstResponderRefused, .unknownCommand,
    .notPerformed, .needsConfirmation, .effectFailed, .tooMuchEffort, .doesNotRecognizeSelector,
    .senderCarriesNoAction, .undoRefused, .messageQueueFull,
  ]

  private static func post(_ call: Call) throws(Problem) -> Response {
    let json = try call.json()
    try checkNumber(json, call.service.limits.mutations)
    let now = call.service.dependencies.now()
    let ofQuery = try ChangeOptions(call)
    return try call.change(try call.session) { (change) throws(Problem) in
      let catalog = call.visible(change.catalogEdition)
      let (mutations, options) = try call.object(json) { reader in
        let options = ofQuery.joined(ChangeOptions(&reader))
        let mutations: [Mutation]? = reader.required("mutations") {
          Mutation.list(reading: $0, at: $1, log: $2, in: catalog)
        }
        return mutations.map { ($0, options) }
      }
      change.isDry = options.isDry
      try call.authorize(
        mutations, on: change, at: JSONPointer.root.appending("mutations"))
      let outcomes: [Outcome]
      do throws(MutationFault) {
        outcomes = try change.apply(
          mutations.map { $0.dated(now) }, call, isExplaining: options.isExplaining)
      } catch {
        throw Problem(error, at: error.placeInList(of: json))
      }
      return call.answer(tag: call.tag(change)) { writer in
        writer.members(change)
        writer.member("outcomes")
        writer.beginArray()
        for (mutation, outcome) in zip(mutations, outcomes) {
          writer.value(outcome, of: mutation, isExplaining: options.isExplaining)
        }
        writer.endArray()
      }
    }
  }

  /// Refuses a list that is too long before reading any of it.
  static func checkNumber(_ json: JSON, _ limit: Int) throws(Problem) {
    guard case .object(let object) = json, case .array(let list)? = object["mutations"],
      list.count > limit
    else { return }
    throw Problem(
      .tooMuchEffort,
      "There are \(list.count) mutations in the list, and no more than \(limit) may be "
        + "(limits.mutations); send them in several requests.",
      at: JSONPointer.root.appending("mutations")
    ).with(limit: "mutations", limit)
  }
}

extension Outcome {
  fileprivate var commandOfKey: CommandID? {
    resolution == nil ? nil : performance?.invocation.sender?.command?.id
  }
}

extension JSONWriter {
  fileprivate mutating func value(
    _ outcome: Outcome, of mutation: Mutation, isExplaining: Bool
  ) {
    beginObject()
    if let token = outcome.token { member("token", token) }
    if let performance = outcome.performance {
      members(performance, of: mutation.command ?? outcome.commandOfKey)
    }
    if let resolution = outcome.resolution { members(resolution) }
    optionalMember("instance", outcome.instance?.rawValue)
    if let segue = outcome.segue { members(segue) }
    if let message = outcome.message { members(message) }
    if !outcome.processed.isEmpty {
      member("processed", outcome.processed, isExplaining: isExplaining)
    }
    if !outcome.launch.isEmpty { member("steps", outcome.launch) }
    members(deliveriesOf: outcome)
    members(changesOf: outcome)
    if !outcome.events.isEmpty { members(outcome.events) }
    if isExplaining { member("trace", outcome.wholeTrace) }
    endObject()
  }

  /// Writes the member with the events of menus.
  mutating func members(_ events: [Outcome.Event]) {
    member("events")
    beginArray()
    for event in events { value(event) }
    endArray()
  }
}

extension MutationFault {
  /// Returns the place that the fault is about in a body with a list of mutations: the member with the faulty
  /// name, otherwise the mutation.
  func placeInList(
    of body: JSON, at list: JSONPointer = JSONPointer.root.appending("mutations")
  ) -> JSONPointer {
    guard case .inList(let index, let fault) = self else { return list }
    let place = list.appending(index)
    if case .patch = fault {
      return JSONPointer(place.tokens + ["patch"] + fault.placeInPatch.tokens)
    }
    switch fault {
    case .inList: return fault.placeInList(of: body, at: place.appending("mutations"))
    case .command(.invalidParameters), .command(.noParameters): return place.appending("parameters")
    case .command(.keyLacksParameters): return place.appending("key")
    default: break
    }
    return fault.placeInResponder(in: body, at: place) ?? fault.placeOfName(in: body, at: place)
      ?? place
  }

  /// Returns the faulty member of the document in a `putResponder`; nil if the fault is not in that document.
  private func placeInResponder(in body: JSON, at place: JSONPointer) -> JSONPointer? {
    let own = self.place(in: .root).tokens
    guard own.count > 2, own[0] == "responders", case .object(let mutation)? = body[place],
      mutation["op"] == "putResponder", mutation["responder"] == .string(own[1])
    else { return nil }
    let found = JSONPointer(place.tokens + ["value"] + own.dropFirst(2))
    return body[found] == nil ? nil : element(in: body, at: found)
  }

  /// Returns the member of a mutation, or of an object in it, with the faulty name.
  private func placeOfName(
    in body: JSON, at place: JSONPointer, depth: Int = 3
  ) -> JSONPointer? {
    guard depth > 0, let name, case .object(let object)? = body[place] else { return nil }
    // A mutation does not name the objects that its handlers touch.
    let members = object.members.filter { !["op", "handlers", "handler"].contains($0.name) }
    if let member = members.first(where: { $0.value == name }) {
      return place.appending(member.name)
    }
    for member in members {
      let inMember = place.appending(member.name)
      let found = element(in: body, at: inMember)
      if found != inMember { return found }
    }
    return members.lazy.compactMap {
      placeOfName(in: body, at: place.appending($0.name), depth: depth - 1)
    }.first
  }
}

extension MutationFault {
  /// Returns the member of a question or request that names the unknown responder; nil if the fault is about
  /// something else.
  func placeOfResponder(
    from: ResponderID?, _ sender: SenderDescription?, to: Receiver?, window: ResponderID? = nil
  ) -> JSONPointer? {
    switch self {
    case .unknownResponder(let id) where id == window: JSONPointer.root.appending("window")
    case .focus(.notAWindow): JSONPointer.root.appending("window")
    case .unknownResponder(let id) where id == from: JSONPointer.root.appending("from")
    case .unknownResponder(let id) where id == to?.responder: JSONPointer.root.appending("to")
    case .unknownResponder(let id) where id == sender?.responder:
      JSONPointer.root.appending("sender").appending("responder")
    case .containment, .presentation: JSONPointer.root.appending("from")
    case .unknownMenu: JSONPointer.root.appending("menu")
    case .handler(.noCoordinator): JSONPointer.root.appending("to")
    case .message(.argumentCount): JSONPointer.root.appending("arguments")
    case .command(.invalidParameters), .command(.noParameters):
      JSONPointer.root.appending("parameters")
    default: nil
    }
  }
}
