import JSONText
import Testing

@testable public import MenuEngine
@testable import RandomSessions

/// A catalogue and a session opened under it, made from documents as a client would write them.
struct Stage {
  var catalog: Catalog
  var session: Session
  let opening: SessionTemplate
  /// The limits of the session.
  let limits: SessionLimits

  init(
    commands: JSON = [], menus: JSON = [], classes: JSON = [:], responders: JSON = [:],
    focus: String? = nil, key: String? = nil, state: JSON = ["log": []], search: String? = nil,
    presenter: String? = nil, limits: SessionLimits = SessionLimits()
  ) throws {
    self.limits = limits
    catalog = try CatalogDocument([.commands: commands, .menus: menus, .classes: classes])
      .catalog()
    var document: JSONObject = ["state": state, "responders": responders]
    document["firstResponder"] = focus.map(JSON.string)
    document["keyWindow"] = key.map(JSON.string)
    document["search"] = search.map(JSON.string)
    document["presenter"] = presenter.map(JSON.string)
    let template = try FaultLog.collecting {
      SessionTemplate(reading: .object(document), at: .root, log: $0)
    }
    opening = template
    session = try Session("s", opening: template, in: catalog, limits: limits)
  }

  init(_ opened: OpenedSession) {
    (catalog, session) = (opened.catalog, opened.session)
    (opening, limits) = (opened.template, SessionLimits())
  }

  /// The lines that handlers made with `logging` left behind.
  var log: JSON? { session.state[JSONPointer(["log"])] }

  @discardableResult
  mutating func apply(_ mutation: Mutation) throws -> Outcome {
    try session.apply(mutation, in: catalog, isExplaining: true, limits: limits)
  }

  /// The fault that a mutation is refused with; a refused one must leave the session as it was.
  func refusal(of mutation: Mutation) -> MutationFault? {
    var copy = session
    do throws(MutationFault) {
      _ = try copy.apply(mutation, in: catalog, limits: limits)
      Issue.record("accepted: \(mutation)")
      return nil
    } catch {
      #expect(copy.document == session.document)
      return error
    }
  }

  /// Returns the reason why a mutation performs nothing.
  func reason(for mutation: Mutation) -> ValidationReason? {
    guard case .command(.notPerformed(let refusal))? = refusal(of: mutation) else { return nil }
    return refusal.reason
  }

  @discardableResult
  mutating func put(_ id: ResponderID, _ json: JSON) throws -> Outcome {
    try apply(.putResponder(try responder(id, json)))
  }

  /// The target of an action, or the reason why there is none.
  func target(
    _ action: Selector, from: ResponderID? = nil, sender: SenderDescription? = nil
  ) throws -> String {
    let answer = try session.target(for: action, sender: sender, from: from, in: catalog)
    return answer.target?.description ?? answer.reason.rawValue
  }

  /// The questions asked while looking for a target: `view canPerformAction false`.
  func trace(_ action: Selector, from: ResponderID? = nil) throws -> [String] {
    try session.target(for: action, from: from, in: catalog).trace.lines
  }

  func item(_ command: CommandID, from: ResponderID? = nil) throws -> ValidatedItem {
    var request = ValidationRequest()
    request.commands = [command]
    request.from = from
    request.isExplaining = true
    return try #require(try session.validate(request, in: catalog).first)
  }

  /// The change by which a responder joined, or was replaced.
  func told(_ id: ResponderID) throws -> Outcome.Change {
    .responder(try #require(session.graph[id]))
  }

  func chain(from id: ResponderID) -> [ResponderID] { session.graph.chain(from: id) }
}

extension Trace {
  /// The steps as sentences.
  var says: [String] { steps.map(\.sentence) }

  /// The steps as text: who, question, answer.
  var lines: [String] { steps.map { "\($0.asked) \($0.question) \($0.answer)" } }
}

extension Session {
  /// The amounts that it holds, counted anew.
  var recountedHoldings: Holdings {
    var holdings = Holdings()
    for responder in graph.responders { holdings += responder.holdings }
    holdings[.stateSize] = state.writtenSize
    let open = deliveries.all.filter { !$0.state.isSettled }
    holdings[.deliveries] = open.count
    holdings[.deliverySize] = open.reduce(0) { $0 + $1.size }
    return holdings
  }

  /// The whole document of the session, whose holdings must equal those that are counted anew.
  var document: JSON {
    #expect(holdings == recountedHoldings)
    var responders = JSONObject()
    for responder in graph.ids.compactMap(self.responder(_:)) {
      var object = JSONObject()
      object["document"] = responder.json
      object["next"] = graph.next(of: responder.id).map { .string($0.rawValue) } ?? .null
      object["tokens"] = .array(
        (responder.coordinator?.registrations ?? []).map { .int(Int64($0.token)) })
      responders[responder.id.rawValue] = .object(object)
    }
    var document: JSON = [
      "id": .string(id.rawValue), "revision": .int(Int64(revision)), "state": state,
      "responders": .object(responders),
      "firstResponder": firstResponder.map { .string($0.rawValue) } ?? .null,
      "keyWindow": keyWindow.map { .string($0.rawValue) } ?? .null,
      "mainWindow": mainWindow.map { .string($0.rawValue) } ?? .null,
      "modalWindow": modalWindow.map { .string($0.rawValue) } ?? .null,
      "instances": .object(instanceDocuments),
      "messages": .array(messageQueue.messages.map(\.document)),
      "undo": .array(undoManagerOwners.compactMap { undoManager(ownedBy: $0)?.document }),
    ]
    guard !deliveries.isEmpty, case .object(var members) = document else { return document }
    members["deliveries"] = .array(deliveries.all.map(\.document))
    document = .object(members)
    return document
  }
}

extension Session {
  private var instanceDocuments: JSONObject {
    var documents = JSONObject()
    for id in graph.responders.map(\.id) {
      guard let instance = instances[id] else { continue }
      documents[id.rawValue] = [
        "owner": instance.owner.map { .string($0.rawValue) } ?? .null,
        "isViewLoaded": .bool(appearances?.loaded.contains(id) == true),
        "isVisible": .bool(wasToldVisible(id)), "wasKept": .bool(instance.wasKept),
      ]
    }
    return documents
  }
}

extension MessageRequest {
  /// The message as a document.
  var document: JSON {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}

extension Delivery {
  /// The delivery as a document.
  var document: JSON {
    [
      "id": .int(Int64(id)), "value": value, "invocation": invocation.json,
      "title": title.map(JSON.string) ?? .null, "state": .string(state.rawValue),
      "claims": .int(Int64(claimCount)), "claim": claim.map { .int($0.until) } ?? .null,
      "settled": settledAt.map(JSON.int) ?? .null,
      "settledBy": settledBy.map(JSON.string) ?? .null, "answer": result ?? problem ?? .null,
    ]
  }
}

extension JSON {
  var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }
}

func responder(_ id: ResponderID, _ json: JSON) throws -> Responder {
  try FaultLog.collecting { Responder(id, reading: json, at: .root, log: $0) }
}

func handler(_ json: JSON) throws -> Handler {
  try FaultLog.collecting { Handler(reading: json, at: .root, log: $0) }
}

func command(_ json: JSON) throws -> Command {
  try FaultLog.collecting { Command(reading: json, at: .root, log: $0) }
}

/// The faults of a document: pointer and problem.
func faults<Value>(_ read: (FaultLog) -> Value?) -> [DocumentFault] {
  let log = FaultLog()
  _ = read(log)
  return log.faults
}

/// A handler that appends a mark to `/log`.
func logging(_ mark: String) -> JSON {
  ["perform": [["op": "add", "path": "/log/-", "value": "'\(mark)'"]]]
}

extension Identifier: ExpressibleByStringInterpolation {
  /// The name with values in it.
  public init(stringInterpolation: DefaultStringInterpolation) {
    self.init(stringLiteral: String(stringInterpolation: stringInterpolation))
  }
}

extension Selector: ExpressibleByStringInterpolation {
  /// The name with values in it.
  public init(stringInterpolation: DefaultStringInterpolation) {
    self.init(stringLiteral: String(stringInterpolation: stringInterpolation))
  }
}
