import JSONText
import Testing

@testable import MenuEngine

/// Segues (V3–V5).
@Suite struct SegueTests {
  /// A navigation controller with a list that leads to a detail in every way.
  private func scenes(
    _ handlers: JSON = [:], _ detail: JSON = ["properties": ["item": nil]], extra: JSONObject = [:]
  ) -> JSON {
    let kinds = ["show", "showDetail", "present", "push", "popover"]
    let segues = kinds.map { kind -> JSON in
      ["identifier": .string(kind), "kind": .string(kind), "destination": "detail"]
    }
    var scenes: JSONObject = [
      "root": ["class": "UINavigationController", "viewControllers": ["list"]],
      "list": ["handlers": handlers, "segues": .array(segues)], "detail": detail,
    ]
    for member in extra.members { scenes[member.name] = member.value }
    return .object(scenes)
  }

  @Test func `V3: the destination is made, prepared, and then shown`() throws {
    var stage = try StoryboardStage(
      launching: scenes(
        [
          "shouldPerformSegueWithIdentifier:sender:": [
            "perform": [
              ["op": "add", "path": "/log/-", "value": "'should ' + arguments[0]"],
              ["op": "answer", "value": "true"],
            ]
          ],
          "prepareForSegue:sender:": [
            "perform": [
              [
                "op": "add", "path": "/log/-",
                "value": "'prepare ' + segue.identifier + ' ' + segue.destination.id",
              ],
              [
                "op": "properties", "responder": "segue.destination.id",
                "value": "{'item': sender.row}",
              ],
            ]
          ],
        ],
        [
          "properties": ["item": nil],
          "handlers": [
            "awakeFromNib": logging("awake"),
            "viewDidLoad": noting("'loaded with ' + string(responder.properties.item)"),
          ],
        ]))
    let outcome = try stage.segue(
      "push", from: "list", sender: SenderDescription(members: ["row": 2]))
    #expect(
      stage.log == ["should push", "awake", "prepare push detail", "loaded with 2"])
    #expect(stage["root"]?.viewControllers == ["list", "detail"])
    let segue = try #require(outcome.segue)
    #expect(segue.reason == .performed && segue.destination == "detail" && segue.kind == .push)
  }

  @Test func `V3: when the source says no, nothing is instantiated`() throws {
    var stage = try StoryboardStage(
      launching: scenes(["shouldPerformSegueWithIdentifier:sender:": answering("false")]))
    let before = stage.session.graph.ids
    let outcome = try stage.segue("present", from: "list")
    #expect(outcome.segue?.reason == .refused && outcome.segue?.destination == nil)
    #expect(stage.session.graph.ids == before)
    #expect(outcome.lifecycle == [])
  }

  @Test func `V3: the segue's own rule is asked before the source`() throws {
    let segue: JSON = [
      "identifier": "Go", "kind": "present", "destination": "detail",
      "shouldPerform": "state.isOpen && sender.kind == 'cell'",
    ]
    var stage = try StoryboardStage(
      launching: [
        "root": [
          "segues": [segue],
          "handlers": ["shouldPerformSegueWithIdentifier:sender:": logging("asked")],
        ], "detail": [:],
      ], state: ["log": [], "isOpen": false])
    #expect(try stage.segue("Go", from: "root").segue?.reason == .refused)
    #expect(stage.log == [])
    try stage.apply(.mergeState(["isOpen": true]))
    let cell = SenderDescription(members: ["kind": "cell"])
    #expect(try stage.segue("Go", from: "root", sender: cell).segue?.reason == .performed)
    #expect(stage.log == ["asked"])
  }

  @Test func `V3: a rule that fails performs nothing`() throws {
    let stage = try StoryboardStage(
      launching: [
        "root": [
          "segues": [
            [
              "identifier": "Go", "kind": "present", "destination": "root",
              "shouldPerform": "state.nothing",
            ]
          ]
        ]
      ])
    guard
      case .effect(.rule(.responder("root"), .shouldPerformSegue, let fault))? =
        stage.refusal(of: .performSegue(SegueRequest(identifier: "Go", source: "root")))
    else {
      Issue.record("performed")
      return
    }
    #expect(fault.place == "shouldPerform")
  }

  @Test func `V3: a segue by code asks nobody`() throws {
    let handlers: JSON = [
      "shouldPerformSegueWithIdentifier:sender:": answering("false"),
      "go:": ["perform": [["op": "segue", "identifier": "'present'"]]],
    ]
    var stage = try StoryboardStage(launching: scenes(handlers))
    #expect(try stage.segue("push", from: "list", by: .code).segue?.reason == .performed)
    var other = try StoryboardStage(launching: scenes(handlers))
    try other.send("go:", to: "list")
    #expect(other.link(.presentingViewController, of: "detail") == "list")
  }

  @Test func `V3: an unknown identifier and a source without a storyboard are errors`() throws {
    var stage = try StoryboardStage(launching: scenes())
    let list = SceneReference(storyboard: "Main", scene: "list")
    #expect(
      stage.refusal(of: .performSegue(SegueRequest(identifier: "Go", source: "list")))
        == .storyboard(
          .unknownSegue(
            "Go", of: "list", list,
            known: ["show", "showDetail", "present", "push", "popover"])))
    try stage.apply(.putResponder(try responder("own", ["kind": "viewController"])))
    #expect(
      stage.refusal(of: .performSegue(SegueRequest(identifier: "Go", source: "own")))
        == .storyboard(.noStoryboard("own")))
    #expect(
      stage.refusal(of: .performSegue(SegueRequest(identifier: "Go", source: "nobody")))
        == .unknownResponder("nobody"))
    try stage.catalog.removeStoryboard("Main")
    #expect(
      stage.refusal(of: .performSegue(SegueRequest(identifier: "push", source: "list")))
        == .storyboard(.unknownStoryboard("Main")))
  }

  @Test func `V3: a controller that a front end put has segues if it names its scene`()
    throws
  {
    var stage = try StoryboardStage(
      scenes(),
      responders: [
        "mine": ["kind": "viewController", "storyboard": "Main", "scene": "list"]
      ])
    try stage.segue("present", from: "mine")
    #expect(stage.link(.presentingViewController, of: "detail") == "mine")
  }

  @Test
  func `V4: showing goes by the actor chain: pushed in a navigation controller, else presented`()
    throws
  {
    var stage = try StoryboardStage(launching: scenes())
    try stage.segue("show", from: "list")
    #expect(stage["root"]?.viewControllers == ["list", "detail"])
    try stage.segue("showDetail", from: "list")
    #expect(stage.link(.presentingViewController, of: "detail-2") == "list")
    var alone = try StoryboardStage(launching: scenes(), initial: "list")
    try alone.segue("show", from: "list")
    #expect(alone.link(.presentingViewController, of: "detail") == "list")
  }

  @Test func `V4: showing sends the message that a container can override`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": [
          "viewControllers": ["list"],
          "handlers": ["showViewController:sender:": noting("[arguments[0], arguments[1].kind]")],
        ],
        "list": ["segues": [["identifier": "Go", "kind": "show", "destination": "detail"]]],
        "detail": [:],
      ])
    try stage.segue("Go", from: "list", sender: SenderDescription(members: ["kind": "cell"]))
    #expect(stage.log == [["detail", "cell"]])
  }

  @Test(arguments: ["present", "popover"] as [SegueIdentifier])
  func `V4: presenting links source and destination`(segue: SegueIdentifier) throws {
    var stage = try StoryboardStage(launching: scenes())
    let outcome = try stage.segue(segue, from: "list")
    #expect(stage.link(.presentingViewController, of: "detail") == "list")
    #expect(stage.session.graph.presentedViewController(of: "list") == "detail")
    #expect(outcome.segue?.kind.rawValue == segue.rawValue)
    #expect(
      outcome.lifecycle == [
        "awakeFromNib detail", "viewDidLoad detail", "viewWillAppear detail",
        "viewDidAppear detail",
      ])
  }

  @Test func `V4: presenting where something is presented already is refused, and nothing is left`()
    throws
  {
    var stage = try StoryboardStage(launching: scenes())
    try stage.segue("present", from: "list")
    #expect(
      stage.refusal(of: .performSegue(SegueRequest(identifier: "present", source: "list")))
        == .presentation(.isPresenting("list", "detail")))
  }

  @Test func `V4: pushing outside a navigation controller does nothing, and says so`() throws {
    var stage = try StoryboardStage(launching: scenes(), initial: "list")
    let outcome = try stage.segue("push", from: "list")
    #expect(outcome.segue?.reason == .noNavigationController)
    #expect(outcome.segue?.destination == nil)
    #expect(stage["detail"] == nil)
    #expect(outcome.lifecycle == ["awakeFromNib detail", "dealloc detail"])
  }

  @Test func `V4: pushing finds the navigation controller around the containers of the source`()
    throws
  {
    var stage = try StoryboardStage(
      launching: scenes(
        extra: [
          "root": ["class": "UINavigationController", "viewControllers": ["outer"]],
          "outer": ["segues": [["kind": "embed", "destination": "list"]]],
        ]))
    try stage.segue("push", from: "list")
    #expect(stage["root"]?.viewControllers == ["outer", "detail"])
  }

  @Test func `V4: a custom segue does what its effects say`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": [
          "segues": [
            [
              "identifier": "Swap", "kind": "custom", "destination": "other",
              "perform": [
                [
                  "op": "present", "viewController": "segue.destination.id",
                  "from": "segue.source.id",
                ],
                ["op": "add", "path": "/log/-", "value": "segue.kind + ' ' + responder.id"],
              ],
            ]
          ]
        ], "other": [:],
      ])
    try stage.segue("Swap", from: "root")
    #expect(stage.link(.presentingViewController, of: "other") == "root")
    #expect(stage.log == ["custom root"])
  }

  @Test func `V4, V9: a custom segue whose destination nobody kept says that it is gone`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": [
          "segues": [["identifier": "Swap", "kind": "custom", "destination": "other"]],
          "handlers": ["go:": ["perform": [["op": "segue", "identifier": "'Swap'"]]]],
        ], "other": [:],
      ])
    let outcome = try stage.segue("Swap", from: "root")
    let segue = try #require(outcome.segue)
    #expect(segue.reason == .performed && segue.destination == "other")
    #expect(segue.isDestinationGone && stage["other"] == nil)
    #expect(segue.trace.says.last == "V9: 'other' is kept by nobody, and so it is gone.")
    let told = try stage.send("go:", to: "root").events.compactMap { event in
      if case .segue(let told) = event { told.isDestinationGone } else { nil }
    }
    #expect(told == [true])
    var kept = try StoryboardStage(launching: scenes())
    #expect(try kept.segue("present", from: "list").segue?.isDestinationGone == false)
  }

  @Test func `A4, A9: a segue that no container takes names the presenter`() throws {
    var stage = try StoryboardStage(launching: scenes(), initial: "list")
    let trace = try #require(try stage.segue("show", from: "list").segue?.trace)
    #expect(
      trace.says.contains(
        "A4: no container of 'list' takes 'showViewController:sender:', so 'list' presents."))
    var pushed = try StoryboardStage(launching: scenes())
    let other = try #require(try pushed.segue("show", from: "list").segue?.trace)
    #expect(!other.steps.contains { $0.question == .presenter })
  }

  @Test
  func `V5: preparing reaches the controller inside a navigation controller, and its delegate`()
    throws
  {
    var stage = try StoryboardStage(
      launching: [
        "root": [
          "class": "Owner",
          "segues": [
            [
              "identifier": "Add", "kind": "present", "destination": "addNavigation",
              "prepare": [
                [
                  "op": "properties", "responder": "segue.destination.viewControllers[0]",
                  "value": "{'date': 'today'}",
                ],
                [
                  "op": "delegate", "of": "segue.destination.viewControllers[0]",
                  "to": "segue.source.id",
                ],
              ],
            ]
          ],
        ],
        "addNavigation": ["class": "UINavigationController", "viewControllers": ["add"]],
        "add": ["class": "Add", "properties": ["date": nil]],
      ],
      classes: [
        "Owner": ["superclass": "UIViewController", "handlers": ["done:": logging("done")]],
        "Add": ["superclass": "UIViewController", "delegateProtocol": "AddDelegate"],
      ], protocols: ["AddDelegate": ["required": ["done:"]]])
    try stage.segue("Add", from: "root")
    #expect(stage.property("date", of: "add") == "today")
    #expect(stage.link(.delegate, of: "add") == "root")
    try stage.apply(.message(MessageRequest(message: "done:", from: "add", destination: .delegate)))
    #expect(stage.log == ["done"])
  }

  @Test func `V5: a source that cannot be the delegate stops the segue, and nothing changes`()
    throws
  {
    let stage = try StoryboardStage(
      launching: [
        "root": [
          "segues": [
            [
              "identifier": "Add", "kind": "present", "destination": "add",
              "prepare": [
                ["op": "delegate", "of": "segue.destination.id", "to": "segue.source.id"]
              ],
            ]
          ]
        ], "add": ["class": "Add"],
      ],
      classes: ["Add": ["superclass": "UIViewController", "delegateProtocol": "P"]],
      protocols: ["P": ["required": ["done:"]]])
    #expect(
      stage.refusal(of: .performSegue(SegueRequest(identifier: "Add", source: "root")))
        == .effect(
          .mutation(
            .responder("root"), .prepareForSegue, index: 0,
            .delegate(.delegateLacks(["done:"], delegate: "root", of: "add", "P")))))
  }

  @Test func `V5: the sender is handed through unchanged, from the user and from code`() throws {
    let note = noting("[sender, arguments[1]]")
    var stage = try StoryboardStage(
      launching: scenes([
        "prepareForSegue:sender:": note,
        "go:": ["perform": [["op": "segue", "identifier": "'present'"]]],
        "goAs:": [
          "perform": [
            ["op": "segue", "identifier": "'push'", "sender": "{'kind': 'code', 'n': 1}"]
          ]
        ],
      ]))
    let sender = SenderDescription(members: ["kind": "cell", "row": 4])
    try stage.segue("push", from: "list", sender: sender)
    try stage.apply(
      .perform(ActionRequest(.action("go:"), sender: sender, to: .responder("list"))))
    try stage.send("goAs:", to: "list")
    let cell: JSON = ["kind": "cell", "row": 4]
    let code: JSON = ["kind": "code", "n": 1]
    #expect(stage.log == [[cell, cell], [cell, cell], [code, code]])
  }

  @Test(
    arguments: [
      "null", "7", "'cell'", "['a', 1]", "{'kind': 'cell', 'responder': 'nobody'}",
      "{'responder': {'id': 'list'}}",
    ])
  func `V5: a sender that a handler gives is any value, and stays as it is`(rule: String) throws {
    var stage = try StoryboardStage(
      launching: scenes([
        "prepareForSegue:sender:": noting("sender == \(rule) && arguments[1] == \(rule)"),
        "shouldPerformSegueWithIdentifier:sender:": logging("not asked"),
        "home:": noting("sender == \(rule)"),
        "go:": [
          "perform": [["op": "segue", "identifier": "'push'", "sender": .string(rule)]]
        ],
      ]))
    try stage.send("go:", to: "list")
    try stage.apply(
      .putHandler(
        try handler([
          "perform": [["op": "unwind", "action": "'home:'", "sender": .string(rule)]]
        ]), for: "back:", of: "detail"))
    try stage.send("back:", to: "detail")
    #expect(stage.log == [true, true])
  }

  @Test func `outside a segue there is none`() throws {
    var stage = try StoryboardStage(
      launching: scenes(["look:": noting("segue"), "prepareForSegue:sender:": noting("segue.kind")])
    )
    try stage.send("look:", to: "list")
    try stage.segue("push", from: "list")
    try stage.send("look:", to: "list")
    #expect(stage.log == [nil, "push", nil])
  }

  @Test func `V3: the destination can be given a name`() throws {
    var stage = try StoryboardStage(launching: scenes())
    let request = SegueRequest(identifier: "push", source: "list", id: "mine")
    #expect(try stage.apply(.performSegue(request)).segue?.destination == "mine")
    #expect(
      stage.refusal(of: .performSegue(request)) == .storyboard(.nameTaken("mine")))
  }
}
