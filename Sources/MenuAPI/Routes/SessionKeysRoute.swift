import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The active keys of a session (K7).
enum SessionKeysRoute {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/keys", needing: .items, id: "getSessionKeys",
      "The keys that mean something now, in order: a pressed key does what the first enabled one means that matches it.",
      query: [.platform, .from, .window], answers: .tagged("SessionKeys", "The keys."),
      problems: [.tooMuchEffort], answeredBy: keys),
    Route(
      .post, at: "/sessions/{session}/keys", needing: .items, id: "askSessionKeys",
      "The same for a question with a body, which may assume changes.",
      body: .json("SessionKeysRequest", #"{"platform":"other","from":"photoHost"}"#),
      answers: [.ok("SessionKeys", "The keys.")], problems: [.unresolvedReference, .tooMuchEffort],
      isQuestion: true, answeredBy: ask),
  ]

  private static func keys(_ call: Call) throws(Problem) -> Response {
    let request = KeyListRequest(
      on: try call.query.word("platform") ?? .apple, from: try call.query.name("from"),
      window: try call.query.name("window"), by: call.actor)
    let snapshot = try call.snapshot()
    do throws(MutationFault) {
      return try call.answer(about: snapshot, request.parameters) {
        (writer) throws(MutationFault) in
        let keys = try snapshot.keys(request)
        call.note(ruleErrors: keys.ruleErrors)
        writer.members(of: keys, request)
      }
    } catch {
      throw Problem(ofQuery: error)
    }
  }
}

extension SessionKeysRoute {
  private static func ask(_ call: Call) throws(Problem) -> Response {
    let (request, assumptions) = try call.question { KeyListRequest(&$0, by: call.actor) }
    return try call.answer(about: try call.session, at: nil, assuming: assumptions) {
      (moment) throws(Problem) in
      let (snapshot, keys): (Snapshot, SessionKeys)
      do throws(MutationFault) {
        snapshot = moment.snapshot
        keys = try snapshot.keys(request, spending: moment.effort)
      } catch {
        throw Problem(
          error,
          at: error.placeOfResponder(from: request.from, nil, to: nil, window: request.window))
      }
      call.note(ruleErrors: keys.ruleErrors)
      return JSONWriter.object { writer in
        writer.members(snapshot)
        writer.members(of: keys, request)
      }
    }
  }
}

extension KeyListRequest {
  /// Reads the members of a query.
  fileprivate init(_ reader: inout ObjectReader, by actor: Principal) {
    self.init(
      on: reader.member("platform", Read.word) ?? .apple,
      from: reader.member("from", Read.identifier),
      window: reader.member("window", Read.identifier), by: actor)
  }

  /// Distinguishes the answers to different queries.
  fileprivate var parameters: String {
    "keys/\(platform.rawValue)/\(from?.rawValue ?? "")/\(window?.rawValue ?? "")"
  }
}

/// The active keys, as visible to a viewer.
struct SessionKeys {
  fileprivate let matches: [KeyMatch]
  /// True if the viewer is limited to commands.
  fileprivate let isLimited: Bool

  /// The number of keys with a failed rule.
  fileprivate var ruleErrors: Int { matches.ruleErrors }
}

extension Snapshot {
  /// Returns the active keys, as visible to the snapshot's viewer.
  func keys(
    _ request: KeyListRequest, spending effort: Effort = Effort()
  ) throws(MutationFault) -> SessionKeys {
    let keys = try session.keys(request, in: catalog, spending: effort)
    guard commands != nil else { return SessionKeys(matches: keys, isLimited: false) }
    // For a viewer limited to commands, a responder's key is still taken, but has no action.
    return SessionKeys(
      matches: keys.filter { $0.claim.isOfCommand || $0.isEnabled }, isLimited: true)
  }
}

extension JSONWriter {
  /// Writes the answer to a query for keys.
  fileprivate mutating func members(of keys: SessionKeys, _ request: KeyListRequest) {
    member("platform", request.platform.rawValue)
    member("keys")
    value(keys)
  }

  /// Writes keys in order of precedence; for a taken key without an action, only the strokes.
  mutating func value(_ keys: SessionKeys) {
    beginArray()
    for key in keys.matches {
      beginObject()
      member("strokes", .array(key.claim.key?.strokes.map(\.json) ?? []))
      if !keys.isLimited || key.claim.isOfCommand { members(key) }
      endObject()
    }
    endArray()
  }

  private mutating func members(_ key: KeyMatch) {
    members(declarerOf: key.claim)
    optionalMember("action", key.claim.action?.rawValue)
    optionalMember("title", key.title)
    optionalMember("discoverabilityTitle", key.discoverabilityTitle)
    if key.needsParameters { member("needsParameters", true) }
    member("enabled", key.isEnabled)
    member("target", key.target)
    optionalMember("proxied", key.item?.proxied?.rawValue)
    member("reason", key.reason.rawValue)
    if let item = key.item { members(wordsOf: item) }
    if let fault = key.fault {
      member("error")
      value(fault)
    }
  }
}
