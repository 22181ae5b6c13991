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
    let selector = json["selector"]?.word ?? ""
    let token = json["token"]?.text() ?? ""
    switch mutation.op {
    case "patchState":
      return Self(.patch, "state", json["patch"], type: "application/json-patch+json")
    case "mergeState": return Self(.patch, "state", json["patch"], type: mergePatch)
    case "putResponder": return Self(.put, place, json["value"])
    case "removeResponder": return Self(.delete, place)
    case "putHandler": return Self(.put, "\(place)/handlers/\(selector)", json["handler"])
    case "removeHandler": return Self(.delete, "\(place)/handlers/\(selector)")
    case "registerHandler":
      return Self(.post, "\(place)/coordinator/handlers", json.only("selector", "handler"))
    case "changeRegistration":
      return Self(
        .put, "\(place)/coordinator/handlers/\(token)", json.only("selector", "handler"))
    case "removeRegistration":
      return Self(.delete, "\(place)/coordinator/handlers/\(token)")
    case "registerLateResponder":
      let late = json["lateResponder"]?.word ?? ""
      return Self(.put, "\(place)/late-responders/\(late)", [:])
    case "deregisterLateResponder" where json["responder"] != nil:
      let late = json["lateResponder"]?.word ?? ""
      return Self(.delete, "\(place)/late-responders/\(late)")
    case "putKeyCommands": return Self(.put, "\(place)/key-commands", json.only("keyCommands"))
    case "becomeFirstResponder", "resignFirstResponder":
      return Self(.put, "first-responder", ["responder": json["responder"] ?? .null])
    case "makeKeyWindow": return Self(.put, "key-window", json.only("window"))
    case "makeMainWindow": return Self(.put, "main-window", json.only("window"))
    case "makeModalWindow": return Self(.put, "modal-window", json.only("window"))
    case "undo": return Self(.post, "undo", json.only("responder"))
    case "redo": return Self(.post, "redo", json.only("responder"))
    case "removeAllUndoActions" where json["target"] == nil && json["responder"] == nil:
      return Self(.delete, "undo")
    case "perform", "pressKey", "invoke":
      var body = json.only(
        "command", "action", "sender", "from", "to", "arguments", "modifiers", "invocation",
        "key")
      body["session"] = "s"
      let isKey = json["key"] != nil
      return Self(.post, isKey ? "/keys/press" : "/commands/perform", body)
    case "performSegue":
      return Self(
        .post, "segues/\(json["identifier"]?.word ?? "")",
        json.only("source", "by", "sender", "id"))
    case "unwind":
      return Self(.post, "unwind", json.only("action", "source", "sender"))
    case "message":
      return Self(.post, "messages", json.only("message", "from", "to", "arguments", "queue"))
    case "processMessages": return Self(.post, "messages/process", json.only("limit"))
    case "removeQueuedMessages" where json["limit"] == nil: return Self(.delete, "messages")
    default: return nil
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
