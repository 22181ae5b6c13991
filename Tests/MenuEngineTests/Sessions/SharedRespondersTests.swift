import JSONText
import Randomness
import Testing

@testable import MenuEngine
@testable import RandomSessions

/// Sessions share responders that none of them changed, and nobody notices.
@Suite struct SharedRespondersTests {
  private static func stage() throws -> Stage {
    var responders: JSONObject = ["window": ["kind": "window"]]
    for number in 0..<150 {
      responders["view\(number)"] = ["kind": "view", "superview": "window"]
    }
    return try Stage(responders: .object(responders), focus: "view0")
  }

  @Test(arguments: Seeds.first(2))
  func `changing a session changes none of its earlier values`(seed: UInt64) throws {
    let play = try SystemsSession.open(hasManagers: seed.isMultiple(of: 2))
    var session = play.session
    var random = RandomMutations(seed: seed, isExact: false)
    var former = [(session, session.document)]
    for step in 0..<120 {
      _ = try? session.apply(random.next(for: session), in: play.catalog)
      if step.isMultiple(of: 4) { former.append((session, session.document)) }
    }
    for (session, document) in former { #expect(session.document == document) }
  }

  @Test func `a change of properties names the responder`() throws {
    let former = try Self.stage().session.graph
    var graph = former
    #expect(graph.responders.changedProperties(since: former.responders) == [])
    try graph.merge(["on": true], intoPropertiesOf: "view3")
    try graph.merge(["on": true], intoPropertiesOf: "view140")
    let changed = graph.responders.changedProperties(since: former.responders)
    #expect(changed == ["view3", "view140"])
    #expect(!graph.responders.isIdentical(to: former.responders))
    #expect(former["view3"]?.properties == [:])
    #expect(graph["view3"]?.properties == ["on": true])
    try graph.update("view3") { $0.content.keyCommands = [] }
    #expect(graph.responders.changedProperties(since: former.responders) == nil)
  }

  @Test func `whatever else is changed is never taken for a change of properties`() throws {
    let former = try Self.stage().session.graph
    let changes: [(inout ResponderGraph) throws -> Void] = [
      { try $0.put([responder("view5", ["kind": "view", "superview": "window"])]) },
      { try $0.put([responder("new", ["kind": "view", "superview": "window"])]) },
      { _ = try $0.remove(["view149"]) }, { _ = try $0.remove(["view7"]) },
      { try $0.setLink(.superview, of: "view9", to: "view10") },
      {
        try $0.put([responder("new", ["kind": "view"])])
        _ = try $0.remove(["new"])
        try $0.merge(["on": true], intoPropertiesOf: "view3")
      },
    ]
    for change in changes {
      var graph = former
      try change(&graph)
      #expect(graph.responders.changedProperties(since: former.responders) == nil)
      #expect(!graph.responders.isIdentical(to: former.responders))
      #expect(former.count == 151)
    }
  }

  @Test func `what leads where it led is not copied`() throws {
    let former = try Self.stage().session.graph
    var graph = former
    try graph.put([responder("view5", ["kind": "view", "superview": "window"])])
    #expect(graph.nextPositions.isIdentical(to: former.nextPositions))
    try graph.put([responder("view5", ["kind": "view", "superview": "view6"])])
    #expect(!graph.nextPositions.isIdentical(to: former.nextPositions))
    #expect(former.next(of: "view5") == "window")
    #expect(graph.next(of: "view5") == "view6")
  }
}
