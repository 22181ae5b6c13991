import JSONText
import Randomness
import Testing

@testable import MenuEngine

/// The chain names the same target of an action as resolving the action does (R6).
@Suite struct ResponderChainTests {
  @Test func `L8: each is asked as if the search began with it`() throws {
    let stage = try Stage(
      responders: [
        "v": ["kind": "view", "next": "p1"],
        "p1": ["kind": "responder", "proxied": "p0", "next": "p2"],
        "p2": ["kind": "responder", "proxied": "p0"],
        "p0": ["kind": "responder", "proxied": "t"],
        "t": ["kind": "responder", "handlers": ["go:": logging("t")]],
      ], focus: "v")
    let steps = try stage.session.chain(for: "go:", in: stage.catalog).steps
    #expect(steps.map(\.receiver) == [nil, .responder("p1"), .responder("p2")])
    #expect(steps.map(\.proxied) == [nil, "t", "t"])
    #expect(try stage.target("go:", from: "p2") == "p2")
  }

  @Test func `F6: a rule reads the sender that performing gives the action`() throws {
    let stage = try Stage(
      responders: [
        "v": [
          "kind": "view",
          "handlers": ["go:": ["canPerform": "sender.action == 'go:'", "perform": []]],
        ]
      ], focus: "v")
    let chain = try stage.session.chain(for: "go:", in: stage.catalog)
    #expect(chain.target?.receiver == .responder("v"))
  }

  /// Views in a row, with handlers, coordinators, and proxies of one another and of others.
  private func responders(_ random: inout SeededGenerator) -> JSON {
    let rules = ["sender.kind == 'request'", "sender.action == 'go:'", "false", "sender.no"]
    var responders: JSONObject = ["app": ["kind": "application"], "window": ["kind": "window"]]
    for number in 0..<8 {
      var document: JSONObject = ["kind": "view"]
      document["superview"] = number == 0 ? "window" : .string("v\(number - 1)")
      switch Int.random(in: 0..<8, using: &random) {
      case 0: document["coordinator"] = ["handlers": ["go:": [:]]]
      case 1: document["coordinator"] = ["handlers": ["stop:": [:]]]
      case 2: document["proxied"] = .string("t\(number % 4)")
      case 3, 4: document["proxied"] = .string("p\(Int.random(in: 0..<8, using: &random))")
      case 5:
        let rule = rules.randomElement(using: &random).map(JSON.string)
        document["handlers"] = ["go:": ["canPerform": rule ?? "true"]]
      default: break
      }
      responders["v\(number)"] = .object(document)
      responders["p\(number)"] = ["kind": "responder", "proxied": .string("t\(number % 4)")]
    }
    for number in 0..<4 {
      let handlers: JSON =
        number == 0 ? [:] : ["go:": ["canPerform": .string(rules[number - 1])]]
      responders["t\(number)"] = ["kind": "responder", "handlers": handlers]
    }
    return .object(responders)
  }

  @Test(arguments: Seeds.first(60))
  func `R6: the first that answers is the target`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let stage = try Stage(
      responders: responders(&random), focus: "v7", key: "window",
      search: seed % 3 == 0 ? "appkit" : nil)
    let chain = try stage.session.chain(for: "go:", in: stage.catalog)
    let answer = try stage.session.target(for: "go:", in: stage.catalog)
    #expect(chain.target?.receiver == answer.target)
    #expect(chain.target?.proxied == answer.proxied)
  }
}
