import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Changes of the state by patches.
enum StateRoutes {
  static let all = [
    Route(
      .patch, at: "/sessions/{session}/state", needing: .patch, id: "patchState",
      "Changes the state by a JSON Patch or a JSON Merge Patch.",
      query: [.undo, .coalesce, .undoWindow],
      body: .init(contents: [
        (jsonPatch, "JSONPatch", #"[{"op":"replace","path":"/selection","value":["lake"]}]"#),
        (mergePatch, "JSONMergePatch", #"{"selection":["lake"]}"#),
      ]),
      answers: [.ok("Changed", "The state is changed.", headers: ["ETag"])],
      problems: [.patchConflict], answeredBy: patch)
  ]

  private static let jsonPatch = "application/json-patch+json"
  private static let mergePatch = "application/merge-patch+json"

  private static func patch(_ call: Call) throws(Problem) -> Response {
    let isMerge = try call.require([jsonPatch, mergePatch]) == mergePatch
    let json = try call.parsedBody()
    let undo = try call.undo()
    let mutation: Mutation =
      isMerge
      ? .mergeState(
        .object(try call.document { Read.object(json, at: .root, log: $0) }), undo: undo)
      : .patchState(try call.document { Read.patch(json, at: .root, log: $0) }, undo: undo)
    return try call.apply(mutation, at: { $0.placeInPatch })
  }
}

extension Call {
  /// Returns the undo registration of the query (U6): with `undo`, which is the action name and may be empty, or
  /// `coalesce`.
  fileprivate func undo() throws(Problem) -> UndoRegistration? {
    let (name, key) = (query["undo"], query["coalesce"])
    let window: ResponderID? = try query.name("window")
    guard name != nil || key != nil else {
      if window == nil { return nil }
      throw Problem(.invalidQuery, "'window' in the query needs 'undo' or 'coalesce'.")
    }
    guard (key ?? "").utf8.count <= Limits.coalescingKey else {
      throw Problem(
        .invalidQuery, "'coalesce' in the query has at most \(Limits.coalescingKey) bytes.")
    }
    guard let window else { return UndoRegistration(actionName: name, coalesce: key) }
    let session = try snapshot().session
    do throws(MutationFault) {
      _ = try session.withKeyWindow(window)
    } catch {
      throw Problem(ofQuery: error)
    }
    return UndoRegistration(actionName: name, coalesce: key, window: window)
  }
}

extension MutationFault {
  /// The operation of a patch that is to blame.
  var placeInPatch: JSONPointer {
    guard case .patch(let fault) = self, let index = fault.operation else { return .root }
    return JSONPointer.root.appending(index)
  }
}
