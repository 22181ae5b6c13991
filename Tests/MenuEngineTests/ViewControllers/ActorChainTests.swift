import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// The receiver of an action on the actor chain, and why the others do not receive it (A1, A2, A3,
/// A9).
@Suite struct ActorChainTests {
  private func stage(
    classes: JSON = [:], _ list: JSON = controller(), _ more: JSONObject = [:]
  ) throws -> Stage {
    var responders: JSONObject = [
      "window": ["kind": "window", "rootViewController": "split"],
      "split": controller("UISplitViewController", ["tabs", "detail"]),
      "tabs": controller("UITabBarController", ["nav"]),
      "nav": controller("UINavigationController", ["list"]), "list": list,
      "detail": controller(),
    ]
    for member in more.members { responders[member.name] = member.value }
    return try Stage(classes: classes, responders: .object(responders))
  }

  @Test func `A1: the nearest container that overrides the action receives it`() throws {
    let stage = try stage()
    #expect(try stage.actorTarget(.show, from: "list") == "nav")
    #expect(try stage.actorTarget(.showDetail, from: "list") == "split")
    #expect(try stage.actorTarget(.show, from: "detail") == "split")
    #expect(try stage.actorTarget(.show, from: "tabs") == "split")
  }

  @Test func `A3: the receiver itself is the target only when it overrides`() throws {
    let stage = try stage()
    #expect(try stage.actorTarget(.show, from: "nav") == "nav")
    #expect(try stage.actorTarget(.showDetail, from: "nav") == "split")
    #expect(try stage.actorTarget(.showDetail, from: "split") == "split")
  }

  @Test func `A1, A3: nobody overrides it: no target`() throws {
    let stage = try Stage(responders: ["a": controller(nil, ["b"]), "b": controller()])
    #expect(try stage.actorTarget(.show, from: "b") == "noTarget")
    #expect(try stage.actorTarget("unknown:", from: "b") == "noTarget")
  }

  @Test func `A1: the presenter is never walked`() throws {
    var stage = try stage(
      controller(), ["sheet": controller(nil, ["inner"]), "inner": controller()])
    try stage.apply(.present("sheet", from: "list"))
    #expect(stage.chain(from: "inner").contains("nav"))
    #expect(
      try stage.candidates(.show, from: "inner") == [
        "inner notOverridden", "sheet notOverridden",
      ])
  }

  @Test func `A1: the views between a child and its container are not asked`() throws {
    let stage = try Stage(responders: [
      "outer": controller(nil, ["inner"], ["view": "outerView"]),
      "outerView": ["kind": "view", "handlers": ["ask:": ["perform": []]]],
      "inner": controller(),
    ])
    #expect(try stage.target("ask:", from: "inner") == "outerView")
    #expect(try stage.actorTarget("ask:", from: "inner") == "noTarget")
  }

  @Test func `A2: an override anywhere below the base class counts, and one on the instance`()
    throws
  {
    let override: JSON = ["showViewController:sender:": ["perform": []]]
    let classes: JSON = [
      "Base": ["superclass": "UIViewController", "handlers": override],
      "Middle": ["superclass": "Base"], "Leaf": ["superclass": "Middle"],
      "Plain": ["superclass": "UIViewController"],
    ]
    func target(_ list: JSON) throws -> String {
      try stage(classes: classes, list).actorTarget(.show, from: "list")
    }
    #expect(try target(controller("Base")) == "list")
    #expect(try target(controller("Leaf")) == "list")
    #expect(try target(controller("Plain")) == "nav")
    #expect(try target(controller("Plain", nil, ["handlers": override])) == "list")
    #expect(try target(controller(nil, nil, ["handlers": override])) == "list")
  }

  @Test func `A2: a category on the base class, or on what it inherits from, is the base`() throws {
    let query: JSON = ["ask:": ["perform": []]]
    for name in ["UIViewController", "UIResponder"] {
      let classes: JSON = .object([name: ["category": true, "handlers": query]])
      #expect(try stage(classes: classes).actorTarget("ask:", from: "list") == "noTarget")
      #expect(
        try stage(classes: classes).candidates("ask:", from: "list") == [
          "list notOverridden", "nav notOverridden", "tabs notOverridden",
          "split notOverridden",
        ])
    }
    let both: JSON = [
      "UIViewController": ["category": true, "handlers": query],
      "UINavigationController": ["category": true, "handlers": query],
    ]
    #expect(try stage(classes: both).actorTarget("ask:", from: "list") == "nav")
  }

  @Test func `A2: what the base does not implement needs no override`() throws {
    let classes: JSON = [
      "UITabBarController": ["category": true, "handlers": ["ask:": ["perform": []]]]
    ]
    #expect(try stage(classes: classes).actorTarget("ask:", from: "list") == "tabs")
    #expect(
      try stage(classes: classes).candidates("ask:", from: "list") == [
        "list doesNotRespond", "nav doesNotRespond", "tabs",
      ])
  }

  @Test(
    arguments: [
      ([], "list"), (["list"], "nav"), (["list", "nav"], "split"),
      (["list", "nav", "split"], "noTarget"), (["nav", "split"], "list"),
    ] as [([String], String)])
  func `A1: who cannot perform the action is passed over`(
    refusing: [String], target: String
  ) throws {
    func refusal(_ id: String) -> JSONObject {
      refusing.contains(id) ? ["canPerform": ["showViewController:sender:": false]] : [:]
    }
    var list = refusal("list")
    list["handlers"] = ["showViewController:sender:": ["perform": []]]
    let stage = try Stage(responders: [
      "split": controller("UISplitViewController", ["nav"], refusal("split")),
      "nav": controller("UINavigationController", ["list"], refusal("nav")),
      "list": controller(nil, nil, list),
    ])
    #expect(try stage.actorTarget(.show, from: "list") == target)
    let reasons = try stage.candidates(.show, from: "list").filter { $0.contains(" ") }
    #expect(reasons == refusing.prefix(reasons.count).map { "\($0) cannotPerform" })
  }

  @Test func `R4: the nearest canPerform decides, from the instance up the classes`() throws {
    let classes: JSON = [
      "No": [
        "superclass": "UINavigationController",
        "canPerform": ["showViewController:sender:": false],
      ],
      "Yes": ["superclass": "No", "canPerform": ["showViewController:sender:": "1 == 1"]],
      "Own": [
        "superclass": "No",
        "handlers": ["showViewController:sender:": ["canPerform": true, "perform": []]],
      ],
      "Silent": [
        "superclass": "No", "handlers": ["showViewController:sender:": ["perform": []]],
      ],
    ]
    func target(_ className: String, _ more: JSONObject = [:]) throws -> String {
      try Stage(
        classes: classes,
        responders: ["nav": controller(className, ["list"], more), "list": controller()]
      ).actorTarget(.show, from: "list")
    }
    #expect(try target("No") == "noTarget")
    #expect(try target("Yes") == "nav")
    #expect(try target("Own") == "nav")
    #expect(try target("Silent") == "noTarget")
    #expect(try target("Yes", ["canPerform": ["showViewController:sender:": false]]) == "noTarget")
    #expect(try target("No", ["canPerform": ["showViewController:sender:": true]]) == "nav")
    #expect(
      try target("UIViewController", ["canPerform": ["showViewController:sender:": true]])
        == "noTarget")
  }

  @Test func `R4: canPerform implements nothing`() throws {
    let stage = try Stage(responders: [
      "a": controller(nil, nil, ["canPerform": ["ask:": true]])
    ])
    #expect(try stage.actorTarget("ask:", from: "a") == "noTarget")
    #expect(try stage.target("ask:", from: "a") == "noTarget")
  }

  @Test func `R4: a canPerform of a class counts on the responder chain too`() throws {
    let stage = try Stage(
      commands: [["action": "copy:", "title": "Copy"]],
      classes: [
        "Grid": ["superclass": "UIView", "handlers": ["copy:": ["perform": []]]],
        "Locked": ["superclass": "Grid", "canPerform": ["copy:": "state.isOpen"]],
      ], responders: ["grid": ["kind": "view", "class": "Locked"]], focus: "grid",
      state: ["isOpen": false])
    #expect(try stage.target("copy:") == "noTarget")
    #expect(try stage.item("copy:").reason == .noTarget)
    var open = stage
    try open.apply(.mergeState(["isOpen": true]))
    #expect(try open.item("copy:").isEnabled)
  }

  @Test func `A1: a rule that fails says no, and the answer says so`() throws {
    let stage = try Stage(responders: [
      "nav": controller(
        "UINavigationController", ["list"],
        ["canPerform": ["showViewController:sender:": "state.missing"]]),
      "list": controller(),
    ])
    #expect(try stage.actorTarget(.show, from: "list") == "ruleError")
  }

  @Test func `A9: the trace asks everybody on the way and says why they are passed over`() throws {
    let answer = try stage().session.actorTarget(
      for: .show, from: "list", in: try stage().catalog)
    #expect(
      answer.trace.says == [
        "R3: 'list' responds to 'showViewController:sender:': it or its class has a handler.",
        "R4: 'list' can perform 'showViewController:sender:'.",
        "A2: 'list' does not override 'showViewController:sender:': its method is that of "
          + "'UIViewController'.",
        "A9: 'list' is passed over for 'showViewController:sender:', since it does not override it.",
        "A1: 'list' is in the container 'nav'.",
        "R3: 'nav' responds to 'showViewController:sender:': it or its class has a handler.",
        "R4: 'nav' can perform 'showViewController:sender:'.",
        "A2: 'nav' overrides 'showViewController:sender:'.",
      ])
  }

  @Test func `A1: only a view controller that is there can be asked`() throws {
    let stage = try stage()
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      _ = try stage.session.actorTarget(for: .show, from: "ghost", in: stage.catalog)
    }
    #expect(throws: MutationFault.containment(.notAViewController("window", .window))) {
      _ = try stage.session.actorTarget(for: .show, from: "window", in: stage.catalog)
    }
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      _ = try stage.session.actorTarget(
        for: .show, sender: SenderDescription(responder: "ghost"), from: "list",
        in: stage.catalog)
    }
  }

  @Test func `A1: a controller whose container was deleted has none any more`() throws {
    var stage = try stage()
    try stage.apply(.removeResponder("nav"))
    #expect(try stage.actorTarget(.show, from: "list") == "noTarget")
    #expect(stage.children(of: "tabs") == [])
  }
}
