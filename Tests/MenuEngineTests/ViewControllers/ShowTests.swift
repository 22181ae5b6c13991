import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Showing view controllers through the actor chain (A4, A5, A6, A7).
@Suite struct ShowTests {
  private func stage(
    classes: JSON = [:], _ more: JSONObject = [:], presenter: String? = nil
  ) throws -> Stage {
    var responders: JSONObject = [
      "window": ["kind": "window", "rootViewController": "root"],
      "root": controller(nil, ["nav"]), "nav": controller("UINavigationController", ["list"]),
      "list": controller(), "alone": controller(), "new": controller(), "other": controller(),
    ]
    for member in more.members { responders[member.name] = member.value }
    return try Stage(
      classes: classes, responders: .object(responders), presenter: presenter)
  }

  @Test func `A4, A6: a controller in a stack shows by pushing`() throws {
    var stage = try stage()
    let outcome = try stage.show("new", from: "list")
    #expect(outcome.changes == [.viewControllers("nav", ["list", "new"])])
    try stage.show("other", from: "nav")
    #expect(stage.children(of: "nav") == ["list", "new", "other"])
  }

  @Test func `A4: where nobody overrides it, the receiver presents`() throws {
    var stage = try stage()
    let outcome = try stage.show("new", from: "alone")
    #expect(outcome.changes == [.presented("new", by: "alone")])
    try stage.showDetail("other", from: "list")
    #expect(stage.presenter(of: "other") == "list")
  }

  @Test func `A4: with the option root, the root of the window presents, or the last one there`()
    throws
  {
    var stage = try stage(["third": controller()], presenter: "root")
    try stage.showDetail("new", from: "list")
    #expect(stage.presenter(of: "new") == "root")
    try stage.show("other", from: "new")
    #expect(stage.presenter(of: "other") == "new")
    try stage.show("third", from: "root")
    #expect(stage.presenter(of: "third") == "other")
  }

  @Test func `A4: with the option root, a controller in no window presents itself`() throws {
    var stage = try stage(presenter: "root")
    try stage.show("new", from: "alone")
    #expect(stage.presenter(of: "new") == "alone")
  }

  @Test func `A4: nothing to show as a detail is nothing; to show it is an error`() throws {
    var stage = try stage()
    #expect(try stage.showDetail(nil, from: "list").changes == [])
    for argument in [nil, 5, "no id!", ["id": "new"]] as [JSON] {
      let fault = stage.refusal(
        of: .perform(
          ActionRequest(
            .action(.show), to: .responder("list"), arguments: [argument, nil])))
      guard case .effect(.mutation(_, _, index: 0, let inner))? = fault else {
        Issue.record("\(String(describing: fault))")
        continue
      }
      #expect(inner == .presentation(.nothingToShow))
    }
  }

  @Test func `A5: an override that calls super ends in presenting and never recurses`() throws {
    let override: JSON = [
      "showViewController:sender:": [
        "perform": [["op": "add", "path": "/log/-", "value": "responder.id"], ["op": "super"]]
      ]
    ]
    let classes: JSON = ["Shower": ["superclass": "UIViewController", "handlers": override]]
    var stage = try stage(
      classes: classes,
      ["shower": controller("Shower", ["child"]), "child": controller()])
    let outcome = try stage.show("new", from: "child")
    #expect(stage.log == ["shower"])
    #expect(stage.presenter(of: "new") == "shower")
    #expect(
      outcome.performance?.trace.says.filter { $0.contains("super") } == [
        "A2: 'shower' calls super, which runs the method 'showViewController:sender:' of the class "
          + "'UIViewController'."
      ])
  }

  @Test func `A5: two that show through each other stop at the limit, and nothing is changed`()
    throws
  {
    let stage = try stage([
      "loop": controller(
        nil, ["child"],
        [
          "handlers": [
            "showViewController:sender:": [
              "perform": [["op": "show", "viewController": "'new'", "from": "'child'"]]
            ]
          ]
        ]), "child": controller(),
    ])
    #expect(
      stage.refusal(
        of: .perform(
          ActionRequest(
            .action(.show), to: .responder("child"), arguments: ["new", nil])))
        == .effect(.sendsTooDeep(.responder("child"), .show, limit: Limits.sends)))
  }

  @Test func `A2: an override of a container calls super and pushes`() throws {
    let classes: JSON = [
      "Logging": [
        "superclass": "UINavigationController",
        "handlers": [
          "showViewController:sender:": [
            "perform": [["op": "super", "arguments": "['other', arguments[1]]"]]
          ]
        ],
      ],
      "Twice": [
        "superclass": "Logging",
        "handlers": ["showViewController:sender:": ["perform": [["op": "super"]]]],
      ],
    ]
    for name in ["Logging", "Twice"] {
      var stage = try stage(
        classes: classes, ["nav2": controller(name, ["deep"]), "deep": controller()])
      try stage.show("new", from: "deep")
      #expect(stage.children(of: "nav2") == ["deep", "other"])
    }
  }

  @Test func `A2: super without a method above is an error, and the arguments must fit`() throws {
    func fault(_ effect: JSON) throws -> MutationFault? {
      let stage = try stage([
        "x": controller(
          nil, nil,
          [
            "handlers": [
              "own:": ["perform": [effect]], "showViewController:sender:": ["perform": [effect]],
            ]
          ])
      ])
      let own = stage.refusal(
        of: .perform(ActionRequest(.action("own:"), to: .responder("x"))))
      guard
        case .effect(
          .mutation(
            _, _, index: _, .message(.doesNotRecognizeSelector(.responder("x"), "own:", _, _))))? =
          own
      else {
        Issue.record("\(String(describing: own))")
        return nil
      }
      return stage.refusal(
        of: .perform(
          ActionRequest(.action(.show), to: .responder("x"), arguments: ["new", nil])))
    }
    #expect(
      try fault(["op": "super", "arguments": "[1]"])
        == .effect(
          .mutation(.responder("x"), .show, index: 0, .message(.argumentCount(.show, given: 1)))))
  }

  @Test func `A2: what super answers is the answer, unless another one is given`() throws {
    let classes: JSON = [
      "One": [
        "superclass": "UIViewController",
        "handlers": [
          "number": ["perform": [["op": "answer", "value": "1"]]], "silent": ["perform": []],
        ],
      ],
      "Two": [
        "superclass": "One",
        "handlers": [
          "number": ["perform": [["op": "super"]]], "silent": ["perform": [["op": "super"]]],
        ],
      ],
      "Three": [
        "superclass": "Two",
        "handlers": [
          "number": ["perform": [["op": "super"], ["op": "answer", "value": "3"]]]
        ],
      ],
    ]
    var stage = try stage(
      classes: classes, ["two": controller("Two"), "three": controller("Three")])
    #expect(try stage.answer("number", to: "two") == 1)
    #expect(try stage.answer("number", to: "three") == 3)
    #expect(try stage.answer("silent", to: "two") == nil)
  }

  @Test func `A7: a query asks the target, and answers its default when there is none`() throws {
    let classes: JSON = [
      "UIViewController": [
        "category": true,
        "handlers": [
          "willShowPush:": [
            "perform": [["op": "targetViewController", "otherwise": "false"]]
          ],
          "unasked:": ["perform": [["op": "targetViewController"]]],
          "other:": [
            "perform": [
              [
                "op": "targetViewController", "action": "'willShowPush:'",
                "arguments": "['x']", "otherwise": "1 / 0",
              ]
            ]
          ],
        ],
      ],
      "UINavigationController": [
        "category": true,
        "handlers": ["willShowPush:": ["perform": [["op": "answer", "value": "true"]]]],
      ],
    ]
    var stage = try stage(classes: classes)
    #expect(try stage.answer("willShowPush:", to: "list") == true)
    #expect(try stage.answer("willShowPush:", to: "alone") == false)
    #expect(try stage.answer("unasked:", to: "alone") == .null)
    #expect(try stage.answer("other:", to: "list") == true)
    guard
      case .effect(.rule)? = stage.refusal(
        of: .perform(ActionRequest(.action("other:"), to: .responder("alone"))))
    else {
      Issue.record("the default is evaluated where there is no target")
      return
    }
  }

  @Test func `A5, A7: a query that asks itself takes the default`() throws {
    var stage = try stage([
      "asker": controller(
        nil, nil,
        [
          "handlers": [
            "ask:": ["perform": [["op": "targetViewController", "otherwise": "'none'"]]]
          ]
        ])
    ])
    #expect(try stage.answer("ask:", to: "asker") == "none")
  }

  @Test func `A7: a query with other arguments needs as many as the action has`() throws {
    let stage = try stage([
      "asker": controller(
        nil, nil,
        [
          "handlers": [
            "ask:": [
              "perform": [
                [
                  "op": "targetViewController", "action": "'showViewController:sender:'",
                  "arguments": "[1]",
                ]
              ]
            ]
          ], "parent": "nav",
        ])
    ])
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("ask:"), to: .responder("asker"))))
        == .effect(
          .mutation(
            .responder("asker"), "ask:", index: 0, .message(.argumentCount(.show, given: 1)))))
  }

  @Test func `effects show, present, pop and dismiss, for the receiver or for others`() throws {
    func effects(_ effects: JSON...) -> JSON { ["perform": .array(effects)] }
    var stage = try stage([
      "driver": controller(
        nil, nil,
        [
          "parent": "nav",
          "handlers": [
            "show": effects(["op": "show", "viewController": "'new'", "sender": "'me'"]),
            "pop": effects(["op": "pop"]),
            "popTo": effects(["op": "pop", "viewController": "'nav'", "to": "'list'"]),
            "detail": effects(["op": "showDetail", "viewController": "null"]),
            "present": effects(["op": "present", "viewController": "'new'"]),
            "presentThere": effects([
              "op": "present", "viewController": "'other'", "from": "'new'",
            ]), "dismiss": effects(["op": "dismiss"]),
            "dismissThere": effects(["op": "dismiss", "viewController": "'other'"]),
            "popNothing": effects(["op": "pop", "viewController": "'alone'"]),
          ],
        ])
    ])
    try stage.send("show", to: "driver")
    #expect(stage.children(of: "nav") == ["list", "driver", "new"])
    try stage.send("pop", to: "driver")
    #expect(stage.children(of: "nav") == ["list", "driver"])
    #expect(try stage.send("detail", to: "driver").changes == [])
    try stage.send("present", to: "driver")
    try stage.send("presentThere", to: "driver")
    #expect(stage.presenter(of: "other") == "new")
    try stage.send("dismissThere", to: "driver")
    #expect(stage.presenter(of: "other") == nil)
    try stage.send("dismiss", to: "driver")
    #expect(stage.presenter(of: "new") == nil)
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("popNothing"), to: .responder("driver"))))
        == .effect(
          .mutation(
            .responder("driver"), "popNothing", index: 0,
            .containment(.notInA(.navigation, "alone")))))
    try stage.send("popTo", to: "driver")
    #expect(stage.children(of: "nav") == ["list"])
  }

  @Test func `an effect with a condition that is false is skipped; one that fails stops all`()
    throws
  {
    func log(_ mark: String, _ condition: JSON) -> JSON {
      ["op": "add", "path": "/log/-", "value": .string("'\(mark)'"), "when": condition]
    }
    var stage = try stage([
      "x": controller(
        nil, nil,
        [
          "handlers": [
            "go": [
              "perform": [log("a", true), log("b", false), log("c", "size(state.log) == 1")]
            ], "fail": ["perform": [log("d", true), log("e", "state.nothing")]],
            "number": ["perform": [log("f", "dyn(5)")]],
          ]
        ])
    ])
    try stage.send("go", to: "x")
    #expect(stage.log == ["a", "c"])
    for action in ["fail", "number"] as [Selector] {
      guard
        case .effect(.rule(_, _, let fault))? = stage.refusal(
          of: .perform(ActionRequest(.action(action), to: .responder("x"))))
      else {
        Issue.record("accepted")
        continue
      }
      #expect(fault.place.hasSuffix("/when"))
    }
  }

  @Test func `F9: what a message that was sent answers can be the answer`() throws {
    var stage = try stage([
      "x": controller(
        nil, nil,
        [
          "handlers": [
            "ask": [
              "perform": [["op": "send", "action": "'number'", "to": "'y'", "answers": true]]
            ],
            "nobody": ["perform": [["op": "send", "action": "'missing'", "answers": true]]],
            "quiet": ["perform": [["op": "send", "action": "'number'", "to": "'y'"]]],
          ]
        ]),
      "y": controller(
        nil, nil, ["handlers": ["number": ["perform": [["op": "answer", "value": "7"]]]]]),
    ])
    #expect(try stage.answer("ask", to: "x") == 7)
    #expect(try stage.answer("nobody", to: "x") == .null)
    #expect(try stage.answer("quiet", to: "x") == nil)
  }

  @Test func `V4: the methods of UIKit's containers do what their names say`() throws {
    var stage = try stage(["tabs": controller("UITabBarController", ["alone", "other"])])
    try stage.send("pushViewController:animated:", to: "nav", ["new", true])
    #expect(stage.children(of: "nav") == ["list", "new"])
    try stage.send("popViewControllerAnimated:", to: "nav", [true])
    try stage.send("setViewControllers:animated:", to: "nav", [["new", "list"], false])
    #expect(stage.children(of: "nav") == ["new", "list"])
    try stage.send("popToViewController:animated:", to: "nav", ["new", true])
    try stage.send("popToRootViewControllerAnimated:", to: "nav", [true])
    #expect(stage.children(of: "nav") == ["new"])
    try stage.send("setSelectedViewController:", to: "tabs", ["other"])
    #expect(stage.session.graph.selectedViewController(of: "tabs") == "other")
    try stage.send("presentViewController:animated:completion:", to: "new", ["list", true, nil])
    #expect(stage.presenter(of: "list") == "new")
    try stage.send("dismissViewControllerAnimated:completion:", to: "list", [true, nil])
    #expect(stage.presenter(of: "list") == nil)
    try stage.send("removeFromParentViewController", to: "alone")
    #expect(stage.children(of: "tabs") == ["other"])
    #expect(
      stage.refusal(
        of: .perform(
          ActionRequest(
            .action("setSelectedViewController:"), to: .responder("tabs"),
            arguments: ["alone"])))
        == .effect(
          .mutation(
            .responder("tabs"), "setSelectedViewController:", index: 0,
            .containment(.notAChild("alone", of: "tabs")))))
    #expect(
      stage.refusal(
        of: .perform(
          ActionRequest(
            .action("setViewControllers:animated:"), to: .responder("tabs"),
            arguments: ["alone", nil])))
        == .effect(
          .mutation(
            .responder("tabs"), "setViewControllers:animated:", index: 0,
            .presentation(.nothingToShow))))
  }

  @Test func `R9: a controller shown inside its own child is refused with the path`() throws {
    var stage = try stage([
      "inner": controller("UINavigationController", ["leaf"], ["parent": "alone"]),
      "leaf": controller(),
    ])
    #expect(
      stage.refusal(
        of: .perform(
          ActionRequest(.action(.show), to: .responder("leaf"), arguments: ["alone", nil])))
        == .effect(
          .mutation(
            .responder("inner"), .show, index: 0,
            .link(.cycle(["alone", "inner", "alone"], along: .parent)))))
    try stage.show("new", from: "leaf")
    #expect(stage.children(of: "inner") == ["leaf", "new"])
  }

  @Test func `A4: show inside a presented controller stays inside it`() throws {
    var stage = try stage([
      "sheet": controller("UINavigationController", ["page"]), "page": controller(),
    ])
    try stage.apply(.present("sheet", from: "list"))
    try stage.show("new", from: "page")
    #expect(stage.children(of: "sheet") == ["page", "new"])
    try stage.showDetail("other", from: "page")
    #expect(stage.presenter(of: "other") == "page")
  }
}
