import JSONText
import Randomness
import Testing

@testable import MenuEngine
@testable import RandomSessions

/// Searches that pass over those who have nothing to say come to the same as one that asks everybody (R5,
/// R6, R10).
@Suite struct SearchOrderTests {
  @Test(arguments: Seeds.first(3))
  func `R6: who looks and who explains find the same, however many searches came before`(
    seed: UInt64
  ) throws {
    var random = RandomPlans(seed: seed)
    var stage = try random.open()
    for _ in 0..<4 {
      var together = stage.session.inquiry(in: SessionContext(stage.catalog))
      for from in [nil] + stage.session.graph.ids.map(Optional.some) {
        for action in (RandomPlans.actions + RandomPlans.actions.reversed()).compactMap(
          Selector.init)
        {
          var alone = stage.session.inquiry(in: SessionContext(stage.catalog))
          var explained = stage.session.inquiry(
            in: SessionContext(stage.catalog, isExplaining: true))
          let left = together.effort.left
          let found = text(together.search(for: action, from: from))
          let effort = left - together.effort.left
          let start = alone.effort.left
          try #require(found == text(alone.search(for: action, from: from)))
          try #require(
            effort == start - alone.effort.left, "\(action) from \(String(describing: from))")
          try #require(found == text(explained.search(for: action, from: from)))
        }
      }
      for _ in 0..<6 {
        _ = try? stage.session.apply(random.mutation(of: stage.session), in: stage.catalog)
      }
    }
  }

  /// Returns the outcome of a search, handlers and faults included.
  private func text(_ search: Inquiry.Search) -> String {
    switch search {
    case .found(let target):
      "\(target.receiver) by \(target.implementer): \(target.handler?.json ?? .null)"
    case .nobody(let fault): "nobody, \(String(describing: fault))"
    case .cycle: "cycle"
    }
  }

  /// Returns a chain of views with the methods of their classes; some have methods of their own.
  private func chain(_ search: String?, _ parts: [Int: JSON]) throws -> Stage {
    var responders: JSONObject = ["v0": ["kind": "view"]]
    for index in 1..<40 {
      var view: JSONObject = ["kind": "view", "superview": .string("v\(index - 1)")]
      for member in parts[index]?.object?.members ?? [] { view[member.name] = member.value }
      responders["v\(index)"] = .object(view)
    }
    return try Stage(
      classes: [
        "A": ["superclass": "UIView", "handlers": ["a:": [:], "b:": ["canPerform": "false"]]],
        "B": ["superclass": "A", "canPerform": ["a:": "responder.id != 'v30'"]],
      ],
      responders: .object(responders), focus: "v39", state: ["on": true], search: search)
  }

  @Test func `each one that is asked or passed over costs a step`() throws {
    let stage = try chain(nil, [5: ["class": "A"], 12: ["handlers": ["own:": [:]]]])
    for (action, effort) in [("a:", 35), ("own:", 28), ("b:", 40), ("c:", 40)] {
      var inquiry = stage.session.inquiry(in: SessionContext(stage.catalog))
      for _ in 0..<3 {
        let left = inquiry.effort.left
        let rules = action == "b:" ? 1 : 0
        _ = inquiry.search(for: try #require(Selector(action)))
        #expect(left - inquiry.effort.left == effort + rules, "\(action)")
      }
    }
  }

  @Test func `R4: whoever refuses is passed by, on to the next of the same class`() throws {
    let stage = try chain(
      nil, [30: ["class": "B"], 20: ["class": "B"], 10: ["class": "A"], 1: ["class": "A"]])
    #expect(try stage.target("a:") == "v20")
    var inquiry = stage.session.inquiry(in: SessionContext(stage.catalog))
    for _ in 0..<2 {
      guard case .found(let target) = inquiry.search(for: "a:") else {
        Issue.record("nobody")
        return
      }
      #expect(target.receiver == .responder("v20"))
    }
  }

  @Test(arguments: [15, 16, 17, 39])
  func `R6: a method is found however many classes are on the chain`(count: Int) throws {
    var (classes, responders) = (JSONObject(), JSONObject())
    responders["v0"] = ["kind": "view"]
    for place in 1...(2 * count) {
      // The classes alternate, so that the two responders of each are apart.
      let index = (place - 1) % count + 1
      responders["v\(place)"] = [
        "kind": "view", "class": .string("C\(index)"), "superview": .string("v\(place - 1)"),
      ]
      classes["C\(index)"] = [
        "superclass": "UIView", "handlers": .object(["a\(index):": [:]] as JSONObject),
      ]
    }
    let stage = try Stage(
      classes: .object(classes), responders: .object(responders), focus: "v\(2 * count)",
      state: [:], search: nil)
    for index in 1...count {
      #expect(try stage.target("a\(index):") == "v\(index + count)")
      let below: ResponderID = "v\(index + count - 1)"
      var inquiry = stage.session.inquiry(in: SessionContext(stage.catalog))
      guard case .found(let target) = inquiry.search(for: "a\(index):", from: below) else {
        Issue.record("nobody has a\(index):")
        continue
      }
      #expect(target.receiver == .responder("v\(index)"))
    }
  }

  @Test(arguments: ["uikit", "appkit"])
  func `methods of one's own are found as often as they are asked for`(search: String) throws {
    var parts: [Int: JSON] = [:]
    for index in [3, 11, 12, 25, 38] {
      parts[index] = [
        "handlers": [
          "own\(index):": [:], "all:": ["canPerform": .bool(index < 20)], "a\(index):": [:],
        ]
      ]
    }
    let stage = try chain(search, parts)
    var inquiry = stage.session.inquiry(in: SessionContext(stage.catalog))
    for round in 0..<20 {
      for index in [3, 38, 12, 11, 25] {
        let action: Selector = "own\(index):"
        guard case .found(let target) = inquiry.search(for: action) else {
          Issue.record("nobody in round \(round)")
          return
        }
        #expect(target.receiver == .responder("v\(index)"))
        guard case .nobody = inquiry.search(for: "nobodys:") else {
          Issue.record("somebody in round \(round)")
          return
        }
      }
      guard case .found(let target) = inquiry.search(for: "all:") else {
        Issue.record("nobody in round \(round)")
        return
      }
      // AppKit's search asks no rule.
      #expect(target.receiver == .responder(search == "uikit" ? "v12" : "v38"))
    }
  }

  @Test func `searches that begin elsewhere, and go back, have orders of their own`() throws {
    let stage = try chain(nil, [38: ["handlers": ["x:": [:]]], 8: ["handlers": ["x:": [:]]]])
    var inquiry = stage.session.inquiry(in: SessionContext(stage.catalog))
    for (from, target) in [(nil, "v38"), ("v20", "v8"), (nil, "v38"), ("v7", nil), ("v8", "v8")]
      as [(ResponderID?, ResponderID?)]
    {
      let found = TargetAnswer(inquiry.search(for: "x:", from: from), trace: inquiry.trace)
      #expect(found.target == target.map(Receiver.responder))
    }
  }

  @Test func `R9: a search along a cycle asks each one once, also when nobody explains it`() throws
  {
    var stage = try Stage(
      responders: ["a": ["kind": "view", "superview": "b"], "b": ["kind": "view"]], focus: "a")
    // No mutation makes such a graph.
    stage.session.graph.nextPositions = [1, 0]
    var inquiry = stage.session.inquiry(in: SessionContext(stage.catalog))
    for _ in 0..<2 {
      let left = inquiry.effort.left
      let answer = TargetAnswer(inquiry.search(for: "go:"), trace: inquiry.trace)
      #expect(answer.reason == .cycle)
      #expect(left - inquiry.effort.left == 2)
    }
  }
}
