import JSONText
import Testing

@testable import MenuEngine

struct EffortTests {
  /// A rule of some 3,000 steps.
  private static let costly = JSON.string(costlyText)
  private static let costlyText: String = {
    let ten = "[0,1,2,3,4,5,6,7,8,9]"
    let loops = ["a", "b", "c"].map { "\(ten).all(\($0), " }.joined()
    return loops + "true" + String(repeating: ")", count: 3)
  }()

  @Test func `the rules of all commands count together`() throws {
    let commands = JSON.array((0..<1500).map { ["action": .string("a\($0):"), "title": "A"] })
    var handlers = JSONObject()
    for index in 0..<1500 { handlers["a\(index):"] = ["validate": ["enabled": Self.costly]] }
    let stage = try Stage(
      commands: commands, responders: ["v": ["kind": "view", "handlers": .object(handlers)]],
      focus: "v")
    #expect(throws: MutationFault.tooMuchEffort) {
      try stage.session.validate(ValidationRequest(), in: stage.catalog)
    }
    #expect(throws: MutationFault.tooMuchEffort) {
      try stage.session.validate(
        Menu(
          identifier: "m", title: "", image: nil, options: [],
          children: stage.catalog.commands.map { .command(CommandPlace($0.id)) }),
        ValidationRequest(), in: stage.catalog)
    }
    #expect(try stage.item("a0:").isEnabled)
  }

  @Test func `traces count, and a chain is asked the longer the fewer times`() throws {
    let count = 2000
    var views = JSONObject()
    for index in 0..<count {
      views["v\(index)"] =
        index == 0 ? ["kind": "view"] : ["kind": "view", "superview": .string("v\(index - 1)")]
    }
    let stage = try Stage(
      commands: [["action": "a:", "title": "A"]], responders: .object(views),
      focus: "v\(count - 1)")
    var request = ValidationRequest()
    request.commands = Array(repeating: "a:", count: 200)
    #expect(try stage.session.validate(request, in: stage.catalog).count == 200)
    request.isExplaining = true
    #expect(throws: MutationFault.tooMuchEffort) {
      try stage.session.validate(request, in: stage.catalog)
    }
  }

  @Test func `the rules about focus of all mutations count together`() throws {
    let costly: JSON = ["kind": "view", "canBecomeFirstResponder": Self.costly]
    var stage = try Stage(responders: ["a": costly, "b": costly])
    let moves = (0..<1000).map { Mutation.becomeFirstResponder($0.isMultiple(of: 2) ? "a" : "b") }
    let refused = #expect(throws: MutationFault.self) {
      try stage.session.apply(moves, in: stage.catalog)
    }
    guard case .inList(let index, .tooMuchEffort)? = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect((20..<1000).contains(index))
    #expect(stage.session.firstResponder == nil)
  }

  @Test func `the effects of one performed command count together`() throws {
    let effect: JSON = ["op": "add", "path": "/x", "value": Self.costly]
    let stage = try Stage(
      responders: [
        "v": [
          "kind": "view",
          "handlers": ["go:": ["perform": .array(Array(repeating: effect, count: 1000))]],
        ]
      ], focus: "v")
    #expect(stage.refusal(of: .perform(ActionRequest(.action("go:")))) == .tooMuchEffort)
  }

  @Test func `the mutations of a list count together`() throws {
    let effect: JSON = ["op": "add", "path": "/x", "value": Self.costly]
    let stage = try Stage(
      responders: ["v": ["kind": "view", "handlers": ["go:": ["perform": [effect]]]]], focus: "v")
    let perform = Mutation.perform(ActionRequest(.action("go:")))
    var copy = stage.session
    let fault = #expect(throws: MutationFault.self) {
      try copy.apply(Array(repeating: perform, count: 2000), in: stage.catalog)
    }
    guard case .inList(index: let index, .tooMuchEffort)? = fault else {
      Issue.record("\(fault.map { "\($0)" } ?? "nothing") was thrown")
      return
    }
    #expect((20..<2000).contains(index))
    #expect(copy.document == stage.session.document)
  }

  /// Views in one another, each with a rule that says that it cannot perform.
  private static func tower(_ count: Int) throws -> Stage {
    let handlers: JSON = ["go:": ["canPerform": .string("!(\(costlyText))")]]
    var views = JSONObject()
    for index in 0..<count {
      var view: JSONObject = ["kind": "view", "handlers": handlers]
      if index > 0 { view["superview"] = .string("v\(index - 1)") }
      views["v\(index)"] = .object(view)
    }
    return try Stage(
      commands: [["action": "go:", "title": "Go"]], responders: .object(views),
      focus: "v\(count - 1)")
  }

  @Test func `one search ends when its rules take too much`() throws {
    let stage = try Self.tower(1000)
    #expect(throws: MutationFault.tooMuchEffort) {
      try stage.session.validate(ValidationRequest(), in: stage.catalog)
    }
    #expect(throws: MutationFault.tooMuchEffort) {
      try stage.session.target(for: "go:", in: stage.catalog)
    }
    #expect(stage.refusal(of: .perform(ActionRequest(.action("go:")))) == .tooMuchEffort)
    var inquiry = stage.session.inquiry(in: SessionContext(stage.catalog))
    _ = inquiry.search(for: "go:")
    #expect((Limits.effort...Limits.effort + 50_000).contains(inquiry.effort.spent))
  }

  @Test func `a plan ends a search that takes too much, and says so again`() throws {
    let stage = try Self.tower(1000)
    var plan = ValidationPlan { _, _ in }
    for _ in 0..<2 {
      #expect(throws: MutationFault.tooMuchEffort) {
        try plan.validate(ValidationRequest(), at: stage.moment)
      }
    }
    let small = try Self.tower(10)
    var other = ValidationPlan { _, _ in }
    let items = try other.validate(ValidationRequest(), at: small.moment)
    #expect(items.map(\.reason) == [.noTarget])
  }

  @Test func `what was accepted under another bound is done again`() throws {
    let stage = try Self.tower(1000)
    let perform = Mutation.perform(ActionRequest(.action("go:")))
    var session = stage.session
    #expect(throws: MutationFault.tooMuchEffort) {
      try session.apply(perform, in: stage.catalog)
    }
    let fault = #expect(throws: MutationFault.self) {
      try session.apply(perform, in: stage.catalog, limits: .unlimited)
    }
    guard case .command(.notPerformed)? = fault else {
      Issue.record("\(fault.map { "\($0)" } ?? "nothing") was thrown")
      return
    }
  }
}
