import JSONText
import Testing

@testable import MenuEngine

/// An operation that sets itself off ends with a bound before the stack does, whichever one it is.
@Suite struct StackDepthTests {
  private func expectTooDeep(_ fault: MutationFault?, _ operation: String) {
    var fault = fault
    while case .effect(.mutation(_, _, index: _, let inner))? = fault { fault = inner }
    guard case .effect(.sendsTooDeep)? = fault else {
      Issue.record("\(operation): \(String(describing: fault))")
      return
    }
  }

  @Test(
    arguments: [
      ["op": "perform", "action": "'do:'", "to": "'a'"],
      ["op": "send", "action": "'do:'", "to": "'a'"],
      ["op": "message", "message": "'do:'", "to": "delegate"],
      ["op": "message", "message": "'do:'", "from": "'child'"],
      ["op": "invoke", "invocation": "{'target': 'a', 'selector': 'do:', 'arguments': [null]}"],
    ] as [JSON])
  func `a handler that sends its own message again ends with the bound of sends`(
    effect: JSON
  ) throws {
    let handlers: JSON = ["do:": ["perform": [effect]]]
    let back: JSON = [
      "do:": ["perform": [["op": "send", "action": "'do:'", "to": "'a'"]]]
    ]
    let stage = try Stage(
      responders: [
        "a": ["kind": "viewController", "delegate": "b", "handlers": handlers],
        "b": ["kind": "responder", "coordinating": [:], "handlers": back],
        "child": ["kind": "responder", "coordinating": [:], "parentCoordinator": "b"],
      ], focus: "a")
    expectTooDeep(
      stage.refusal(of: .perform(ActionRequest(.action("do:"), to: .responder("a")))),
      effect.text())
  }

  @Test func `V5: a source that performs its segue while it prepares ends with the bound`() throws {
    let stage = try StoryboardStage(
      launching: [
        "root": [
          "segues": [["identifier": "Go", "kind": "show", "destination": "next"]],
          "handlers": [
            "prepareForSegue:sender:": ["perform": [["op": "segue", "identifier": "'Go'"]]]
          ],
        ],
        "next": [:],
      ])
    expectTooDeep(
      stage.refusal(
        of: .performSegue(SegueRequest(identifier: "Go", source: "root", trigger: .user))), "segue")
  }

  @Test func `V6: a container that unwinds while it is asked ends with the bound`() throws {
    let asked: JSON = [
      "canPerformUnwindSegueAction:fromViewController:sender:": [
        "perform": [["op": "unwind", "action": "'back:'", "source": "'inner'"]]
      ]
    ]
    let stage = try Stage(
      responders: [
        "outer": ["kind": "viewController", "handlers": asked],
        "inner": ["kind": "viewController", "parent": "outer"],
      ])
    expectTooDeep(
      stage.refusal(of: .unwind(UnwindRequest(action: "back:", source: "inner"))), "unwind")
  }

  @Test func `V2: a class whose instances make others ends with the bound`() throws {
    let stage = try Stage(
      classes: [
        "Endless": [
          "superclass": "UIViewController",
          "handlers": [
            "awakeFromNib": ["perform": [["op": "instantiate", "class": "'Endless'"]]]
          ],
        ]
      ])
    expectTooDeep(
      stage.refusal(
        of: .putResponder(try responder("first", ["kind": "viewController", "class": "Endless"]))),
      "instantiate")
  }

  @Test func `V4: view controllers that each present another one end with the bound of effects`()
    throws
  {
    let next: JSON = [
      "viewDidAppear:": [
        "perform": [
          ["op": "instantiate", "class": "'Endless'", "id": "responder.id + 'x'"],
          ["op": "present", "viewController": "responder.id + 'x'"],
        ]
      ]
    ]
    var stage = try Stage(
      classes: ["Endless": ["superclass": "UIViewController", "handlers": next]],
      responders: ["window": ["kind": "window"]])
    try stage.put("v", ["kind": "viewController", "class": "Endless"])
    var limits = SessionLimits()
    limits.effects = 100
    var session = stage.session
    let put = try responder("window", ["kind": "window", "rootViewController": "v"])
    #expect(throws: MutationFault.self) {
      try session.apply(.putResponder(put), in: stage.catalog, limits: limits)
    }
  }
}
