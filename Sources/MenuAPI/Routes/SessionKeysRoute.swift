import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The keys that mean something in a session now (K7).
enum SessionKeysRoute {
  static let all = [
    Route(
      .get, "/sessions/{session}/keys", needing: .items,
      describedAs: RouteDescription(
        "getSessionKeys",
        "The keys that mean something now, in order: a pressed key does what the first enabled one means that matches it.",
        query: [.platform, .from, .window],
        answers: [.ok("SessionKeys", "The keys.", headers: ["ETag"]), .notModified],
        problems: [.tooMuchEffort]),
      answeredBy: keys)
  ]

  private static func keys(_ call: Call) throws(Problem) -> Response {
    let request = KeyListRequest(
      on: try call.queryWord("platform") ?? .apple, from: try call.queryName("from"),
      window: try call.queryName("window"), by: call.actor)
    let snapshot = try call.snapshot()
    do throws(MutationFault) {
      return try call.answer(about: snapshot, request.parameters) {
        (writer) throws(MutationFault) in
        let keys = try snapshot.keys(request)
        call.note(ruleErrors: keys.count { $0.fault != nil })
        writer.member("platform", request.platform.rawValue)
        writer.member("keys")
        writer.value(keys)
      }
    } catch {
      throw Problem(error == .tooMuchEffort ? .tooMuchEffort : .invalidQuery, error.sentence)
    }
  }
}

extension KeyListRequest {
  /// Distinguishes the answers to different questions.
  fileprivate var parameters: String {
    "keys/\(platform.rawValue)/\(from?.rawValue ?? "")/\(window?.rawValue ?? "")"
  }
}

extension Snapshot {
  /// Returns the keys that mean something, for who sees this snapshot.
  func keys(_ request: KeyListRequest) throws(MutationFault) -> [KeyMatch] {
    let keys = try session.keys(request, in: catalog)
    return commands == nil ? keys : keys.ofCommands
  }
}

extension JSONWriter {
  /// Writes keys in order of precedence.
  mutating func value(_ keys: [KeyMatch]) {
    beginArray()
    for key in keys { value(key) }
    endArray()
  }

  private mutating func value(_ key: KeyMatch) {
    beginObject()
    member("strokes", .array(key.claim.key.map { [$0.json] } ?? []))
    members(declarerOf: key.claim)
    optionalMember("action", key.claim.action?.rawValue)
    optionalMember("title", key.title)
    optionalMember("discoverabilityTitle", key.discoverabilityTitle)
    member("enabled", key.isEnabled)
    member("target", key.target)
    optionalMember("proxied", key.item?.proxied?.rawValue)
    member("reason", key.reason.rawValue)
    if let item = key.item { members(wordsOf: item) }
    if let fault = key.fault {
      member("error")
      value(fault)
    }
    endObject()
  }
}
