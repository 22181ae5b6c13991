import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Lists of mutations, applied all or none.
enum MutationRoutes {
  static let all = [
    Route(
      .post, "/sessions/{session}/mutations",
      describedAs: RouteDescription(
        "mutate", "Applies mutations in order, all or none.",
        body: .json(
          "Mutations",
          #"{"mutations":[{"op":"mergeState","patch":{"zoom":200}},{"op":"becomeFirstResponder","responder":"photoGrid"}]}"#
        ),
        answers: [.ok("Mutated", "The changes of each of them.", headers: ["ETag"])],
        problems: problems + [.deliveryConflict]),
      answeredBy: post)
  ]

  /// The problems that a list of mutations may meet.
  static let problems: [ProblemType] = [
    .unresolvedReference, .linkConflict, .patchConflict, .firstResponderRefused, .unknownCommand,
    .notPerformed, .effectFailed, .tooMuchEffort, .doesNotRecognizeSelector,
    .senderCarriesNoAction, .undoRefused, .messageQueueFull,
  ]

  private static func post(_ call: Call) throws(Problem) -> Response {
    let json = try call.json()
    try checkNumber(json, call.service.limits.mutations)
    let now = call.service.dependencies.now()
    let ofQuery = try ChangeOptions(call)
    return try call.change(try call.session) { (change) throws(Problem) in
      let (mutations, options) = try call.object(json) { reader in
        let options = ofQuery.joined(ChangeOptions(&reader))
        let mutations: [Mutation]? =
          reader.list("mutations") { Mutation(reading: $0, at: $1, log: $2, in: change.catalog) }
          ?? reader.missing("mutations")
        return mutations.map { ($0, options) }
      }
      change.isDry = options.isDry
      let outcomes: [Outcome]
      do throws(MutationFault) {
        outcomes = try change.apply(
          mutations.map { $0.dated(now) }, isExplaining: options.isExplaining,
          limits: call.service.limits.session)
      } catch {
        call.note(ruleErrors: error.ruleErrors)
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

  /// Refuses a list that is too long before anything of it is read.
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
  /// The command of a pressed key.
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

  /// Writes the member with what menus tell.
  mutating func members(_ events: [Outcome.Event]) {
    member("events")
    beginArray()
    for event in events { value(event) }
    endArray()
  }
}

extension ObjectReader {
  /// Notes that a member is missing, unless it is there and was found at fault.
  fileprivate mutating func missing<Value>(_ name: String) -> Value? {
    if json(name) == nil { log.note(.missingMember(name), at: pointer) }
    return nil
  }
}
