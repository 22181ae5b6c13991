import JSONText
import MicroHTTP

@testable import MenuEngine

/// A request that changes the session `s`, as a client sends it.
struct SessionRequest: CustomStringConvertible {
  var method = MicroHTTP.Method.post
  let target: String
  var body: String?
  var type = "application/json"

  /// A list of mutations.
  init(_ mutations: [Mutation]) {
    target = "/sessions/s/mutations"
    body = JSON.object(["mutations": .array(mutations.map(\.json))]).text()
  }

  /// The request of the route that a mutation has of its own, else a list of that one.
  init(_ mutation: Mutation) {
    guard let request = Self.routed(mutation) else {
      self.init([mutation])
      return
    }
    self = request
  }

  private init(
    _ method: MicroHTTP.Method, _ path: String, _ body: JSON? = nil,
    type: String = "application/json"
  ) {
    self.method = method
    target = path.hasPrefix("/") ? path : "/sessions/s/\(path)"
    self.body = body?.text()
    self.type = type
  }

  var description: String { "\(method.rawValue) \(target) \(body ?? "")" }
}

extension SessionRequest {
  private static let mergePatch = "application/merge-patch+json"

  private static func routed(_ mutation: Mutation) -> SessionRequest? {
    let json = mutation.json
    let id = json["responder"]?.word ?? ""
    let place = "responders/\(id)"
    switch mutation {
    case .patchState(let patch):
      return Self(.patch, "state", patch.json, type: "application/json-patch+json")
    case .mergeState(let patch): return Self(.patch, "state", patch, type: mergePatch)
    case .putResponder(let responder):
      return Self(.put, "responders/\(responder.id)", responder.json)
    case .removeResponder: return Self(.delete, place)
    case .putHandler(let handler, for: let selector, _):
      return Self(.put, "\(place)/handlers/\(selector)", handler.json)
    case .removeHandler(for: let selector, _):
      return Self(.delete, "\(place)/handlers/\(selector)")
    case .register:
      return Self(.post, "\(place)/coordinator/handlers", json.only("selector", "handler"))
    case .changeRegistration(let token, _, _, _):
      return Self(
        .put, "\(place)/coordinator/handlers/\(token)", json.only("selector", "handler"))
    case .removeRegistration(let token, _):
      return Self(.delete, "\(place)/coordinator/handlers/\(token)")
    case .registerLate(let late, from: let start):
      return Self(.put, "responders/\(start)/late-responders/\(late)", [:])
    case .deregisterLate(let late, from: let start?):
      return Self(.delete, "responders/\(start)/late-responders/\(late)")
    case .putKeyCommands: return Self(.put, "\(place)/key-commands", json.only("keyCommands"))
    case .becomeFirstResponder, .resignFirstResponder:
      return Self(.put, "first-responder", ["responder": json["responder"] ?? .null])
    case .makeWindow(let window, let role):
      return Self(
        .put, "\(role)-window", ["window": window.map { .string($0.rawValue) } ?? .null])
    case .undo(.undo, _): return Self(.post, "undo", json.only("responder"))
    case .undo(.redo, _): return Self(.post, "redo", json.only("responder"))
    case .undo(.removeAllActions(nil), of: nil): return Self(.delete, "undo")
    case .perform, .pressKey, .invoke:
      var body = json.only(
        "command", "action", "sender", "from", "to", "arguments", "modifiers", "invocation",
        "key")
      body["session"] = "s"
      let isKey = json["key"] != nil
      return Self(.post, isKey ? "/keys/press" : "/commands/perform", body)
    case .storyboard(.performSegue):
      return Self(
        .post, "segues/\(json["identifier"]?.word ?? "")",
        json.only("source", "by", "sender", "id"))
    case .storyboard(.unwind):
      return Self(.post, "unwind", json.only("action", "source", "sender"))
    case .storyboard(.message):
      return Self(.post, "messages", json.only("message", "from", "to", "arguments", "queue"))
    case .messages(.process): return Self(.post, "messages/process", json.only("limit"))
    case .messages(.removeQueued(limit: nil)): return Self(.delete, "messages")
    case .deregisterLate, .changeProxiedSelectors, .storyboard, .viewController, .coordinator,
      .undo, .messages:
      return nil
    }
  }
}

extension JSON {
  /// These members alone.
  fileprivate func only(_ names: String...) -> JSON {
    var members = JSONObject()
    for name in names { members[name] = self[name] }
    return .object(members)
  }
}
