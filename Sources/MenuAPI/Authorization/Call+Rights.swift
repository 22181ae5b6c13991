import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The rights that a call requires beyond those of its route (T3).
extension Call {
  /// The grant of the token in the session of the request, or in none.
  var grant: Grant { access.grant() }

  /// The actor, and the commands visible to it.
  var viewer: Viewer { Viewer(actor: actor, commands: grant.commands) }

  /// Refuses mutations if the token lacks a right that one of them requires.
  ///
  /// - Parameter place: The list of mutations in the body; nil if the body is a single mutation.
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
        // In a list with other mutations, an earlier one may replace an object that a merge patch seems to keep.
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

  /// Refuses an agent's mutations that perform commands without consent (T7), by any operation: hidden commands and
  /// operations without a command name; commands that need a plan and lack one, unless it is a dry run.
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

  /// Returns true if a mutation undoes or redoes in an application without undo commands, whose consent would apply.
  private func mayUndo(by mutation: Mutation, in catalog: Catalog) -> Bool {
    mutation.isOfUndoing && service.limits.agentConsent == .call
      && catalog.commandsOfUndoing.isEmpty
  }

  /// Refuses operations without a command name, and commands and deliveries that are not visible to the token.
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

  /// Returns true if a delivery exists and its command is visible to the token.
  func shows(_ delivery: Delivery?) -> Bool {
    delivery.map(viewer.shows) ?? false
  }

  /// True unless the request certainly does not request traces; a name in its body can be written with escapes.
  private var mayAskToExplain: Bool {
    request.query["explain"] != nil || request.body.contains(UInt8(ascii: "\\"))
      || request.body.place(of: Self.explain) != nil
  }

  private static let explain = Array("explain".utf8)

  /// Returns the answer of a route. If the token lacks the right `read`, changes of documents and traces are removed,
  /// also from a refusal.
  func shownAnswer(of route: Route) throws(Problem) -> Response {
    let rights = grant.rights
    guard !rights.contains(.read) else { return try answeredOnce(by: route.respond) }
    do throws(Problem) {
      let response = try answeredOnce(by: route.respond)
      // Answers to queries can be large, and have traces only on request.
      if route.isQuestion, !mayAskToExplain { return response }
      return response.shown(for: rights)
    } catch {
      throw error.shown(for: rights)
    }
  }
}

extension Problem {
  /// Returns the problem without the parts that require `read` and `items`, if a token lacks these rights. The texts
  /// for the user stay: whoever may perform a command needs the reason of a refusal and the confirmation (W3, W4).
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
  /// Returns the answer without documents and traces, and without the item of a performed command unless the token has
  /// the right `items`.
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

  /// The members of answers with documents or explanations.
  private static let ofDocuments = ["changes", "events", "steps", "trace", "kept", "because"]

  /// The members of a delivery with documents, for the application that does the work. The result is for whoever
  /// performed the command.
  private static let ofWork = ["invocation", "value"]

  /// The members with items, which require the right `items`.
  fileprivate static let ofItems = ["item", "matches"]
  /// The members of items with texts.
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

  /// Returns the answer as visible to a token without the right `read`.
  fileprivate func withoutDocuments(for rights: Rights) -> JSON {
    switch self {
    case .object(let object):
      var kept = JSONObject()
      for member in object.members where !Self.isOfDocuments(member.name) {
        if member.name == "invocation", member.value[JSONPointer(["itemKey"])] != nil {
          // An item from data has parameters from the state (M12).
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
  /// True if it grants everything.
  fileprivate var isWhole: Bool { rights == .all && pointers == nil && commands == nil }
}

extension Problem {
  /// The problem of a token that is limited to commands, for a request that names none.
  static let limitedToCommands = forbidden(
    "The token is limited to commands, and this names none: it may perform commands only.",
    scope: Right.perform.rawValue)

  /// Returns the problem of a patch outside the pointers of a token.
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

  /// Returns the problem with the part of the body at fault.
  fileprivate func blaming(_ pointer: JSONPointer?) -> Problem {
    var blaming = self
    if let pointer { blaming.parts = [BlamedPart(pointer: pointer, detail: detail)] }
    return blaming
  }
}

/// The properties of a client on which an answer depends: rules read the actor (T4), and a token may see only some
/// commands (T1).
struct Viewer: Hashable, Sendable {
  let actor: Principal
  /// The commands visible to the viewer; nil for all.
  let commands: [CommandPattern]?

  /// Returns true if the command of a delivery is visible to the viewer.
  func shows(_ delivery: Delivery) -> Bool {
    commands == nil || (delivery.command.map(shows) ?? false)
  }

  /// Returns true if a command of the application is visible to the viewer.
  func shows(_ id: CommandID) -> Bool {
    commands?.contains { $0.matches(id) } ?? true
  }

  /// Distinguishes entity tags of answers to different viewers; empty without a token.
  var mark: String {
    if commands == nil {
      // The usual viewers have fixed marks that no hash equals.
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

  /// The viewer if no tokens are required.
  static let local = Viewer(actor: .local, commands: nil)
}
