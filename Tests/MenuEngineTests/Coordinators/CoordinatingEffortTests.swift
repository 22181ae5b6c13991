import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// The effort of coordinators and messages, so that no session is kept busy (C2, C5, C6).
@Suite struct CoordinatingEffortTests {
  /// A chain of coordinators that let `x` go on and do nothing else.
  private func chain(_ count: Int) throws -> Stage {
    var responders = JSONObject()
    for index in 0..<count {
      var object: JSONObject = [
        "kind": "responder", "coordinating": [:],
        "handlers": ["x": ["perform": [], "continues": true]],
      ]
      if index > 0 { object["parentCoordinator"] = .string("c\(index - 1)") }
      responders["c\(index)"] = .object(object)
    }
    return try Stage(responders: .object(responders))
  }

  private func send(
    _ message: Selector, from id: ResponderID, in stage: Stage, limit: Int
  ) throws -> Session {
    let mutation = Mutation.message(MessageRequest(message: message, from: id))
    let effort = Effort(limit: limit)
    var performer = Performer(stage.session, in: SessionContext(stage.catalog, effort: effort))
    _ = try performer.change(by: mutation)
    try effort.check()
    return performer.session
  }

  @Test func `C2: each handler that a message goes on to counts, even one without effects`() throws
  {
    let stage = try chain(30)
    #expect(throws: MutationFault.tooMuchEffort) {
      try send("x", from: "c29", in: stage, limit: 1000)
    }
    #expect(throws: Never.self) { try send("x", from: "c29", in: stage, limit: 3000) }
  }

  @Test func `C5: lists that change count by their length`() throws {
    let stage = try Stage.navigation(
      ["k": coordinator(root: "nav", kind: "navigation", list: ["a", "b"])], stack: ["a", "b"])
    let top = Mutation.top("c", of: "k")
    let effort = Effort(limit: 60)
    var performer = Performer(stage.session, in: SessionContext(stage.catalog, effort: effort))
    let outcome = try performer.change(by: top)
    #expect(
      outcome.changes.contains(.viewControllers("nav", ["a", "c"]))
        && outcome.changes.contains(.viewControllers("k", ["a", "c"])))
    #expect(throws: MutationFault.tooMuchEffort) { try effort.check() }
  }

  @Test func `C4: the children that a rule sees count`() throws {
    let rule: JSON = ["op": "answer", "value": "size(responder.coordinating.childCoordinators)"]
    var responders: JSONObject = [
      "main": [
        "kind": "responder", "coordinating": [:], "handlers": ["x": ["perform": [rule]]],
      ]
    ]
    for index in 0..<30 {
      responders["c\(index)"] = coordinator(root: nil, parent: "main")
    }
    let stage = try Stage(responders: .object(responders))
    #expect(throws: MutationFault.tooMuchEffort) {
      try send("x", from: "main", in: stage, limit: 200)
    }
    #expect(throws: Never.self) { try send("x", from: "main", in: stage, limit: 1000) }
  }
}
