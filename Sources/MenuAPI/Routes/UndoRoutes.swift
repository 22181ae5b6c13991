import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes of undo and redo (U1, U2).
enum UndoRoutes {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/undo", needing: .read, id: "getUndo",
      "The undo and redo stacks of each undo manager of the session.",
      answers: .tagged("UndoManagers", "The undo managers."), answeredBy: get),
    Route(
      .post, at: "/sessions/{session}/undo", needing: .perform, id: "undo",
      "Undoes the last group; when there is none, nothing happens.",
      body: .json("UndoRequest", #"{"explain":true}"#, isRequired: false),
      answers: [.ok("UndoAnswer", "The group that was undone.", headers: ["ETag"])],
      problems: problems, answeredBy: { (call) throws(Problem) in try go(.undo, call) }),
    Route(
      .post, at: "/sessions/{session}/redo", needing: .perform, id: "redo",
      "Does again what was undone last; when there is nothing, nothing happens.",
      body: .json("UndoRequest", #"{"responder":"photoGrid"}"#, isRequired: false),
      answers: [.ok("UndoAnswer", "The group that was redone.", headers: ["ETag"])],
      problems: problems, answeredBy: { (call) throws(Problem) in try go(.redo, call) }),
    Route(
      .delete, at: "/sessions/{session}/undo", needing: .declare, id: "removeAllUndoActions",
      "Forgets what can be undone and done again, and registers again however often that was disabled.",
      query: [.undoResponder], answers: [.ok("Changed", "It is forgotten.", headers: ["ETag"])],
      problems: [.unresolvedReference], answeredBy: delete),
  ]

  private static let problems: [ProblemType] = [
    .unresolvedReference, .undoRefused, .notPerformed, .effectFailed,
    .firstResponderRefused, .doesNotRecognizeSelector, .senderCarriesNoAction, .tooMuchEffort,
  ]

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let session = snapshot.session
    return call.answer(about: snapshot) { writer in
      writer.member("responder", session.undoOrigin.flatMap { session.undoManagerOwner(for: $0) })
      writer.member("undoManagers")
      writer.beginArray()
      for owner in session.undoManagerOwners {
        if let manager = session.undoManager(ownedBy: owner) { writer.value(manager, of: owner) }
      }
      writer.endArray()
    }
  }

  private static func go(
    _ direction: UndoManager.Direction, _ call: Call
  ) throws(Problem) -> Response {
    var responder: ResponderID?
    var options = try ChangeOptions(call)
    if !call.request.body.isEmpty {
      (responder, options) = try call.objectAndOptions({
        .some($0.member("responder", Read.identifier))
      })
    }
    let mutation: Mutation =
      switch direction {
      case .undo: .undo(of: responder)
      case .redo: .redo(of: responder)
      }
    let place = responder.map { _ in JSONPointer.root.appending("responder") }
    return try call.change(try call.session, isDry: options.isDry) { (change) throws(Problem) in
      let origin = responder ?? change.session.undoOrigin
      let outcome = try change.apply(
        mutation, call, isExplaining: options.isExplaining,
        at: { $0 == responder.map(MutationFault.unknownResponder) ? place : nil })
      return call.answer(tag: call.tag(change)) { writer in
        writer.members(change)
        writer.member("responder", origin.flatMap { change.session.undoManagerOwner(for: $0) })
        writer.members(outcome, direction)
        if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let responder: ResponderID? = try call.query.name("responder")
    return try call.apply(.removeAllUndoActions(of: responder), at: { _ in nil })
  }
}

extension JSONWriter {
  /// Writes the outcome of undo or redo.
  fileprivate mutating func members(
    _ outcome: Outcome, _ direction: UndoManager.Direction
  ) {
    let done = outcome.events.lazy.compactMap { event -> String?? in
      guard case .didUndoChange(direction, _, let name, kept: _) = event else { return nil }
      return .some(name)
    }.last
    switch direction {
    case .undo: member("undone", done != nil)
    case .redo: member("redone", done != nil)
    }
    optionalMember("actionName", done ?? nil)
    members(changesOf: outcome)
    members(outcome.events)
  }

  /// Writes an undo manager, with the next group first.
  fileprivate mutating func value(_ manager: UndoManager, of owner: ResponderID?) {
    beginObject()
    member("responder", owner)
    if case .object(let members) = manager.json {
      for member in members { self.member(member.name, member.value) }
    }
    endObject()
  }
}
