import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The rights of a call beyond that of its route (T3).
extension Call {
  /// The grant of the token in the session of the request, or in none.
  var grant: Grant { access.grant() }

  /// The actor, and the commands that it sees.
  var viewer: Viewer { Viewer(actor: actor, commands: grant.commands) }

  /// Refuses mutations if the token lacks a right that one of them needs.
  ///
  /// - Parameter place: The list of mutations in the body; nil if there is one mutation, which is the body.
  func authorize(
    _ mutations: [Mutation], on change: SessionChange, at place: JSONPointer? = nil
  ) throws(Problem) {
    let grant = access.grant(in: change.base.opening)
    if actor.kind == .agent {
      for (index, mutation) in mutations.enumerated() {
        try checkConsent(to: mutation, change, at: place?.appending(index))
      }
    }
    guard !grant.isWhole else { return }
    for (index, mutation) in mutations.enumerated() {
      let place = place?.appending(index)
      for right in mutation.rights where !grant.rights.contains(right) {
        throw .lacking(right).blaming(place)
      }
      if let pointers = grant.pointers {
        // Among others, a mutation may make something else of an object that a merge patch seems to keep.
        let isOfPatches = mutations.allSatisfy {
          $0.rights.allSatisfy { [.patch, .work].contains($0) }
        }
        let state = isOfPatches ? change.session.state : .null
        let places = mutation.placesOfState(in: state)
        if let touched = places.first(where: { !grant.allowsPatch(at: $0) }) {
          throw .patching(touched, within: pointers).blaming(place)
        }
      }
      if grant.commands != nil { try authorizeCommands(of: mutation, grant, change, at: place) }
    }
  }

  /// Refuses an agent's mutations that perform commands without consent (T7), by whatever door: hidden commands and what no
  /// command names; those that need a plan without one, unless nothing is kept.
  private func checkConsent(
    to mutation: Mutation, _ change: SessionChange, at place: JSONPointer?
  ) throws(Problem) {
    guard !mutation.performsUnnamed || mayUndo(by: mutation, in: change.catalog) else {
      throw Problem.unnamedByAgent.blaming(place)
    }
    let isByPlan = key?.isOfPlan == true
    guard !mutation.isConfirmed || isByPlan || change.isDry else {
      throw Problem.confirmedByAgent.blaming(place)
    }
    for id in mutation.commands {
      guard let command = change.catalog.command(id) else { continue }
      let pointer = (place ?? .root).appending("command")
      switch AgentConsent.of(
        command, confirmation: command.confirmation, orElse: service.limits.agentConsent)
      {
      case .hidden: throw Problem(.unknownCommand(id), at: pointer)
      case .plan where !isByPlan && !change.isDry:
        throw Problem.forbidden(
          "Agents perform \(quoted(id)) by a plan: make a dry run, and perform its 'plan'.",
          scope: Right.perform.rawValue
        ).blaming(place)
      case .plan, .call: break
      }
    }
  }

  /// True if a mutation undoes or redoes in an application that has no commands for that, whose consent would count.
  private func mayUndo(by mutation: Mutation, in catalog: Catalog) -> Bool {
    mutation.isOfUndoing && service.limits.agentConsent == .call
      && catalog.commandsOfUndoing.isEmpty
  }

  /// Refuses what no command names, and commands and deliveries that do not exist for the token.
  private func authorizeCommands(
    of mutation: Mutation, _ grant: Grant, _ change: SessionChange, at place: JSONPointer?
  ) throws(Problem) {
    guard !mutation.performsUnnamed else { throw Problem.limitedToCommands.blaming(place) }
    for command in mutation.commands
    where !grant.shows(command) || change.catalog.command(command) == nil {
      throw Problem(
        .unknownCommand(command), at: (place ?? .root).appending("command"))
    }
    for delivery in mutation.deliveries where !shows(change.session.deliveries[delivery]) {
      throw Problem(.delivery(.unknown(delivery)), at: place?.appending("delivery"))
    }
  }

  /// True if a delivery is there, and its command exists for the token.
  func shows(_ delivery: Delivery?) -> Bool {
    delivery.map(viewer.shows) ?? false
  }

  /// True unless it is plain that the request does not ask for traces: a name in its body can be written with escapes.
  private var mayAskToExplain: Bool {
    request.query["explain"] != nil || request.body.contains(UInt8(ascii: "\\"))
      || request.body.place(of: Self.explain) != nil
  }

  private static let explain = Array("explain".utf8)

  /// Returns the answer of a route without what only `read` shows, if the token lacks that right: changes of documents,
  /// and traces. So is a refusal.
  func shownAnswer(of route: Route) throws(Problem) -> Response {
    let rights = grant.rights
    guard !rights.contains(.read) else { return try answeredOnce(by: route.respond) }
    do throws(Problem) {
      let response = try answeredOnce(by: route.respond)
      // Answers to questions can be large, and have traces only where one is asked for.
      if route.isQuestion, !mayAskToExplain { return response }
      return response.shown(for: rights)
    } catch {
      throw error.shown(for: rights)
    }
  }
}

extension Problem {
  /// Returns the problem without what only `read` and `items` show, if a token lacks these rights. The words for a person
  /// stay: whoever may perform is told why not, and has to ask (W3, W4).
  func shown(for rights: Rights) -> Problem {
    guard !rights.contains(.read) else { return self }
    var shown = self
    shown.members.removeAll { member in
      JSON.isOfDocuments(member.name)
        || !rights.contains(.items) && JSON.ofItems.contains(member.name)
    }
    return shown
  }
}

extension Response {
  /// Returns the answer without documents and traces, and without the item of a performed command unless the token may see
  /// items.
  func shown(for rights: Rights) -> Response {
    guard !body.isEmpty,
      let type = headers["content-type"],
      type.hasSuffix("json")
    else { return self }
    let whole = try? JSON(parsing: body, maximumDepth: JSON.depthOfAnswers)
    guard case .object(var object)? = whole?.withoutDocuments(for: rights) else {
      return Problem(.internalError, "The answer cannot be shown without what only 'read' shows.")
        .response
    }
    if !rights.contains(.items) { for name in JSON.ofItems + JSON.words { object[name] = nil } }
    var shown = self
    shown.body = JSON.object(object).bytes
    return shown
  }
}

extension JSON {
  /// The maximum depth of answers, which are deeper than the bodies that they repeat.
  package static let depthOfAnswers = 4096

  /// The members of answers that tell of documents, or explain.
  private static let ofDocuments = ["changes", "events", "steps", "trace", "kept", "because"]

  /// The members of a delivery that tell of documents, for the application that does the work. The result is for whoever
  /// performed the command.
  private static let ofWork = ["invocation", "value"]

  /// The members with items, which only `items` shows.
  fileprivate static let ofItems = ["item", "matches"]
  /// The words of items.
  fileprivate static let words = ["confirmation", "explanation"]

  fileprivate static func isOfDocuments(_ member: String) -> Bool { ofDocuments.contains(member) }

  /// The members with items, or further answers.
  private static let nested = [
    "items", "item", "before", "after", "outcomes", "menu", "children", "alternates", "assumed",
  ]

  private func without(_ member: String) -> JSON {
    guard case .object(var object) = self else { return self }
    object[member] = nil
    return .object(object)
  }

  /// Returns the answer as a token without the right `read` sees it.
  fileprivate func withoutDocuments(for rights: Rights) -> JSON {
    switch self {
    case .object(let object):
      var kept = JSONObject()
      for member in object.members where !Self.isOfDocuments(member.name) {
        if member.name == "invocation", member.value[JSONPointer(["itemKey"])] != nil {
          // An item from data brings parameters of the state (M12).
          kept[member.name] = member.value.without("parameters")
        } else if Self.nested.contains(member.name) {
          kept[member.name] = member.value.withoutDocuments(for: rights)
        } else if ["deliveries", "delivery"].contains(member.name), !rights.contains(.work) {
          kept[member.name] = member.value.withoutWork
        } else {
          kept[member.name] = member.value
        }
      }
      return .object(kept)
    case .array(let elements): return .array(elements.map { $0.withoutDocuments(for: rights) })
    case .null, .bool, .int, .double, .string: return self
    }
  }

  /// A delivery, or several, without their values.
  private var withoutWork: JSON {
    switch self {
    case .array(let deliveries): return .array(deliveries.map(\.withoutWork))
    case .object(var delivery):
      for name in Self.ofWork { delivery[name] = nil }
      return .object(delivery)
    case .null, .bool, .int, .double, .string: return self
    }
  }
}

extension Grant {
  /// True if it allows everything.
  fileprivate var isWhole: Bool { rights == .all && pointers == nil && commands == nil }
}

extension Problem {
  /// The problem of a token that is limited to commands, with a request that names none.
  static let limitedToCommands = forbidden(
    "The token is limited to commands, and this names none: it may perform commands only.",
    scope: Right.perform.rawValue)

  /// Returns the problem of a patch beside the pointers of a token.
  fileprivate static func patching(_ place: JSONPointer, within pointers: [JSONPointer]) -> Problem
  {
    forbidden(
      "The token may patch the state at \(list(pointers.map { quoted($0.description) })), and not at "
        + "\(quoted(place.description)).", scope: Right.patch.rawValue
    ).with("right") { $0.value(Right.patch.rawValue) }
  }

  fileprivate static let confirmedByAgent = forbidden(
    "Agents confirm by a plan: make a dry run, and perform its 'plan' with 'confirmed' true.",
    scope: Right.perform.rawValue)

  fileprivate static let unnamedByAgent = forbidden(
    "Agents perform commands only; this names none.", scope: Right.perform.rawValue)

  /// Returns the problem with a part of the body to blame.
  fileprivate func blaming(_ pointer: JSONPointer?) -> Problem {
    var blaming = self
    if let pointer { blaming.parts = [BlamedPart(pointer: pointer, detail: detail)] }
    return blaming
  }
}

/// The asker of a question as far as its answer depends on that: rules read the actor (T4), and a token may see some
/// commands only (T1).
struct Viewer: Hashable, Sendable {
  let actor: Principal
  /// The commands that exist for the asker; nil for all.
  let commands: [CommandPattern]?

  /// True if the command of a delivery exists for the asker.
  func shows(_ delivery: Delivery) -> Bool {
    commands == nil || (delivery.command.map(shows) ?? false)
  }

  /// True if a command exists for the asker, if the application has it.
  func shows(_ id: CommandID) -> Bool {
    commands?.contains { $0.matches(id) } ?? true
  }

  /// Distinguishes entity tags of answers to different viewers; empty without a token.
  var mark: String {
    if commands == nil {
      // The usual ones, which have nothing in common with a hash.
      if actor == .local { return "" }
      if actor == .session { return "~p" }
      if actor == .administrator { return "~a" }
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for text in [actor.kind.rawValue, actor.label] + (commands ?? []).map(\.text) {
      for byte in Array(text.utf8) + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    return "~~" + String(hash, radix: 36)
  }

  /// The viewer where no tokens are required.
  static let local = Viewer(actor: .local, commands: nil)
}
