import JSONText
import ProcessorTime
import Testing

@testable import MenuEngine

/// Documents of thousands, as somebody with bad intentions would send them: the work must grow
/// with their length, not with its square.
@Suite(.serialized, .processorTime(seconds: 27)) struct ScaleTests {
  private let count = 2000

  /// Views, each in the one before it.
  private func view(_ index: Int) -> JSON {
    index == 0 ? ["kind": "view"] : ["kind": "view", "superview": .string("v\(index - 1)")]
  }

  private func views(_ count: Int) -> JSON {
    var object = JSONObject()
    for index in 0..<count { object["v\(index)"] = view(index) }
    return .object(object)
  }

  private func commands() -> JSON {
    .array((0..<count).map { ["action": .string("a\($0):"), "title": "A"] })
  }

  /// Fewer than elsewhere, in less time: a responder that joins looks at all that are above it.
  @Test(.processorTime(seconds: 7))
  func `a deep chain is opened, or put and removed one by one`() throws {
    let count = 1000
    let opened = try Stage(responders: views(count))
    var stage = try Stage()
    let mutations = try (0..<count).map { index in
      Mutation.putResponder(try responder("v\(index)", view(index)))
    }
    _ = try stage.session.apply(mutations, in: stage.catalog)
    #expect(stage.chain(from: "v\(count - 1)") == opened.chain(from: "v\(count - 1)"))
    #expect(stage.chain(from: "v\(count - 1)").count == count)
    let removals = (0..<count / 3).map { Mutation.removeResponder("v\($0)") }
    _ = try stage.session.apply(removals, in: stage.catalog)
    #expect(stage.chain(from: "v\(count - 1)").count == count - count / 3)
  }

  @Test func `thousands of handlers are registered and removed`() throws {
    var stage = try Stage(responders: ["h": ["kind": "view", "coordinator": [:]]])
    let nothing = try handler([:])
    _ = try stage.session.apply(
      (0..<count).map { .register(nothing, for: "a\($0):", with: "h") }, in: stage.catalog)
    #expect(stage.session.graph["h"]?.coordinator?.registrations.count == count)
    _ = try stage.session.apply(
      (0..<count).map { .removeRegistration($0 + 1, with: "h") }, in: stage.catalog)
    #expect(stage.session.graph["h"]?.coordinator?.registrations == [])
  }

  @Test func `thousands of menus are inserted and removed`() throws {
    var catalog = try Catalog()
    try catalog.make(
      (0..<count).map { index in
        .insertChildAtEnd(
          of: "root",
          Menu(identifier: "m\(index)", title: "", image: nil, options: [], children: []))
      })
    #expect(catalog.menus.menus.count == count + 1)
    try catalog.make((0..<count).map { .remove(menu: "m\($0)") })
    #expect(catalog.menus.menus.count == 1)
  }

  @Test func `thousands of classes inherit from each other`() throws {
    var classes: JSONObject = ["C0": ["superclass": "UIView", "handlers": ["a0:": [:]]]]
    for index in 1..<count { classes["C\(index)"] = ["superclass": .string("C\(index - 1)")] }
    let stage = try Stage(
      classes: .object(classes),
      responders: ["v": ["kind": "view", "class": .string("C\(count - 1)")]], focus: "v")
    #expect(try stage.target("a0:") == "v")
  }

  @Test func `thousands of commands in menus, each with a handler, are diagnosed`() throws {
    var handlers = JSONObject()
    for index in 0..<2 * count { handlers["a\(index):"] = [:] }
    let commands = JSON.array((0..<2 * count).map { ["action": .string("a\($0):"), "title": "A"] })
    let menus = JSON.array(
      (0..<2 * count / 100).map { menu in
        let children = (0..<100).map { JSON.string("a\(100 * menu + $0):") }
        return ["identifier": .string("m\(menu)"), "title": "M", "children": .array(children)]
      })
    let stage = try Stage(
      commands: commands, menus: menus,
      responders: ["v": ["kind": "view", "handlers": .object(handlers)]], focus: "v")
    #expect(
      stage.session.diagnostics(in: stage.catalog).failing
        == FailingRules(rules: [], isComplete: true))
  }

  @Test func `thousands of late responders leave with their host`() throws {
    var responders = JSONObject()
    for index in 0..<2 * count { responders["l\(index)"] = ["kind": "responder"] }
    let members = (0..<2 * count).map { JSON.string("l\($0)") }
    responders["host"] = ["kind": "view", "lateResponders": ["responders": .array(members)]]
    var stage = try Stage(responders: .object(responders))
    try stage.apply(.removeResponder("host"))
    #expect(stage.chain(from: "l7") == ["l7"] + stage.chain(from: "l8"))
  }

  @Test func `thousands of commands over a deep chain are diagnosed`() throws {
    let stage = try Stage(
      commands: commands(), responders: views(count), focus: "v\(count - 1)")
    let diagnostics = stage.session.diagnostics(in: stage.catalog)
    #expect(diagnostics.chain.count == count)
    #expect(diagnostics.unhandled.commands.count == count)
  }
}
