import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Instances of scenes (V2), and what becomes of them (V9).
@Suite struct InstanceTests {
  private func instantiate(_ scene: SceneName, as id: ResponderID? = nil) -> Mutation {
    .instantiate(SceneReference(storyboard: "Main", scene: scene), id: id)
  }

  @Test func `V2: an instance has the class, the properties and the handlers of its scene`() throws
  {
    var stage = try StoryboardStage(
      ["root": ["class": "List", "properties": ["n": 1], "handlers": ["a:": logging("a")]]],
      classes: ["List": ["superclass": "UIViewController"]])
    let outcome = try stage.apply(instantiate("root"))
    #expect(outcome.instance == "root")
    let list = try #require(stage["root"])
    #expect(list.className == "List" && list.kind == .viewController)
    #expect(list.scene == SceneReference(storyboard: "Main", scene: "root"))
    #expect(list.properties == ["n": 1])
    try stage.send("a:", to: "root")
    #expect(stage.log == ["a"])
  }

  @Test func `V2: each instantiation is a new instance, named after its scene`() throws {
    var stage = try StoryboardStage(["root": ["properties": ["n": 1]]])
    #expect(try stage.apply(instantiate("root")).instance == "root")
    #expect(try stage.apply(instantiate("root")).instance == "root-2")
    #expect(try stage.apply(instantiate("root")).instance == "root-3")
    #expect(try stage.apply(instantiate("root", as: "mine")).instance == "mine")
    #expect(
      stage.refusal(of: instantiate("root", as: "mine")) == .storyboard(.nameTaken("mine")))
  }

  @Test func `L2, L5: late responders of an instance lose their next, which is told`() throws {
    var stage = try StoryboardStage(
      ["root": ["lateResponders": ["responders": ["late"]]]],
      responders: ["late": ["kind": "responder", "next": "after"], "after": ["kind": "responder"]])
    let outcome = try stage.apply(instantiate("root"))
    #expect(outcome.changes.contains(.link("late", .next, nil)))
    #expect(stage["late"]?.links[.next] == nil)
  }

  @Test func `V2: the name of an instance that is gone is never given again`() throws {
    var stage = try StoryboardStage(["root": [:], "root-4": [:]])
    for _ in 1...3 { try stage.apply(instantiate("root")) }
    try stage.apply(.removeResponder("root-3"))
    try stage.apply(.removeResponder("root"))
    #expect(try stage.apply(instantiate("root")).instance == "root-4")
    try stage.apply(.removeResponder("root-4"))
    #expect(try stage.apply(instantiate("root-4")).instance == "root-4-2")
    #expect(try stage.apply(instantiate("root")).instance == "root-5")
    var stored = try reread(stage.session)
    _ = try stored.apply(.removeResponder("root-5"), in: stage.catalog)
    let outcome = try stored.apply(instantiate("root"), in: stage.catalog)
    #expect(outcome.instance == "root-6")
  }

  @Test func `V2: a queued message of an instance that is gone comes from nobody`() throws {
    var stage = try StoryboardStage(["root": ["handlers": ["tell:": logging("told")]]])
    try stage.apply(instantiate("root"))
    try stage.apply(.message(MessageRequest(message: "tell:", from: "root", isQueued: true)))
    try stage.apply(.removeResponder("root"))
    try stage.apply(instantiate("root"))
    let outcome = try stage.apply(.processMessages())
    #expect(outcome.processed.map(\.outcome.reason) == [.senderGone])
    #expect(stage.log == [])
  }

  @Test func `V2: names that are too long, scenes and storyboards that are not there are refused`()
    throws
  {
    let long = String(repeating: "s", count: 127)
    var stage = try StoryboardStage(["root": [:], long: [:]])
    try stage.apply(instantiate(SceneName(stringLiteral: long)))
    #expect(
      stage.refusal(of: instantiate(SceneName(stringLiteral: long)))
        == .storyboard(.nameTooLong(long + "-2")))
    #expect(
      stage.refusal(of: instantiate("x"))
        == .storyboard(.unknownScene(SceneReference(storyboard: "Main", scene: "x"))))
    #expect(
      stage.refusal(of: .instantiate(SceneReference(storyboard: "X", scene: "root"), id: nil))
        == .storyboard(.unknownStoryboard("X")))
  }

  @Test func `V2: relationships exist before anybody is told`() throws {
    let awake: JSON = [
      "awakeFromNib": noting("responder.id + string(size(responder.viewControllers))")
    ]
    var stage = try StoryboardStage([
      "root": [
        "class": "UITabBarController", "viewControllers": ["a", "nav"], "handlers": awake,
      ],
      "a": ["handlers": awake],
      "nav": [
        "class": "UINavigationController", "viewControllers": ["b"], "handlers": awake,
      ],
      "b": ["handlers": awake],
    ])
    let outcome = try stage.apply(instantiate("root"))
    #expect(outcome.joined == ["root", "a", "nav", "b"])
    #expect(stage.log == ["a0", "b0", "nav1", "root2"])
    #expect(stage["root"]?.viewControllers == ["a", "nav"])
    #expect(stage.link(.parent, of: "b") == "nav")
  }

  @Test
  func
    `V4: an embedded controller exists from the instantiation on, and its container prepares it`()
    throws
  {
    var stage = try StoryboardStage([
      "root": [
        "segues": [
          [
            "identifier": "EmbedMap", "kind": "embed", "destination": "map",
            "prepare": [["op": "add", "path": "/log/-", "value": "'segue ' + segue.kind"]],
          ]
        ],
        "handlers": [
          "prepareForSegue:sender:": [
            "perform": [
              [
                "op": "properties", "responder": "segue.destination.id",
                "value": "{'by': segue.source.id, 'sender': arguments[1]}",
              ]
            ]
          ]
        ],
      ],
      "map": ["properties": ["by": nil], "handlers": ["awakeFromNib": logging("map awake")]],
    ])
    try stage.apply(instantiate("root"))
    #expect(stage["root"]?.viewControllers == ["map"])
    #expect(stage.property("by", of: "map") == "root")
    #expect(stage.log == ["map awake", "segue embed"])
    #expect(
      stage.refusal(of: .performSegue(SegueRequest(identifier: "EmbedMap", source: "root")))
        == .storyboard(.embedded("EmbedMap", of: "root")))
  }

  @Test func `V2: so many instances at once are refused, and nothing is left of them`() throws {
    var scenes: JSONObject = ["s12": [:]]
    for index in 0..<12 {
      let next = JSON.string("s\(index + 1)")
      scenes["s\(index)"] = ["viewControllers": [next, next]]
    }
    let stage = try StoryboardStage(.object(scenes), initial: "s0")
    #expect(stage.refusal(of: instantiate("s0")) == .effect(.tooManyEffects(limit: Limits.effects)))
  }

  @Test func `V9: views are made when they come into view, in those of their containers`() throws {
    var stage = try StoryboardStage([
      "root": [
        "class": "UINavigationController", "viewControllers": ["list"],
        "view": ["id": "bar", "handlers": ["tap:": logging("tap")]],
      ],
      "list": [
        "view": [
          "id": "table", "class": "UIView", "subviews": [["id": "cell", "properties": ["row": 0]]],
        ]
      ],
    ])
    let made = try stage.apply(instantiate("root"))
    #expect(made.lifecycle == ["awakeFromNib list", "awakeFromNib root"])
    #expect(stage["root.bar"] == nil)
    try stage.apply(
      .putResponder(try responder("w", ["kind": "window", "rootViewController": "root"])))
    #expect(stage.link(.view, of: "list") == "list.table")
    #expect(stage.link(.superview, of: "list.cell") == "list.table")
    #expect(stage.link(.superview, of: "list.table") == "root.bar")
    #expect(stage.property("row", of: "list.cell") == 0)
    #expect(
      stage.session.graph.chain(from: "list.cell") == [
        "list.cell", "list.table", "list", "root.bar", "root", "w",
      ])
  }

  @Test func `V9: stages are told to the view controller itself, and to observers`() throws {
    let observe: JSON = [
      ["event": "viewDidLoad", "of": "List", "action": "saw:"],
      ["event": "viewDidAppear", "of": "root", "action": "saw:"],
      ["event": "viewDidAppear", "of": "other", "action": "saw:"],
      ["event": "awakeFromNib", "action": "saw:"], ["event": "dealloc", "action": "deaf:"],
    ]
    var stage = try StoryboardStage(
      ["root": ["class": "SubList", "handlers": ["viewWillAppear:": noting("arguments[0]")]]],
      classes: [
        "List": ["superclass": "UIViewController"], "SubList": ["superclass": "List"],
      ],
      responders: [
        "observer": [
          "kind": "responder", "observes": observe,
          "handlers": ["saw:": noting("sender.name + ' of ' + arguments[0].responder.id")],
        ]
      ])
    try stage.apply(instantiate("root"))
    let shown = try stage.apply(
      .putResponder(try responder("w", ["kind": "window", "rootViewController": "root"])))
    #expect(
      stage.log == [
        "awakeFromNib of root", "viewDidLoad of root", true, "viewDidAppear of root",
      ])
    #expect(
      shown.events == [
        .lifecycle(.viewDidLoad, "root", told: ["observer"]),
        .lifecycle(.viewWillAppear, "root", told: []),
        .lifecycle(.viewDidAppear, "root", told: ["observer"]),
      ])
    let gone = try stage.apply(.removeResponder("w"))
    #expect(
      gone.events == [
        .lifecycle(.viewWillDisappear, "root", told: []),
        .lifecycle(.viewDidDisappear, "root", told: []), .lifecycle(.dealloc, "root", told: []),
      ])
  }

  @Test func `V9: an instance that leaves its container goes, with its views and children`() throws
  {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["list"]],
        "list": [
          "segues": [["identifier": "Go", "kind": "push", "destination": "detail"]],
          "handlers": ["dealloc": logging("list dealloc")],
        ],
        "detail": [
          "viewControllers": ["inner"], "handlers": ["dealloc": logging("detail dealloc")],
        ],
        "inner": ["handlers": ["dealloc": logging("inner dealloc")]],
      ])
    try stage.segue("Go", from: "list")
    #expect(stage["inner.view"] != nil)
    try stage.apply(
      .putResponder(try responder("label", ["kind": "view", "superview": "detail.view"])))
    let outcome = try stage.apply(.pop("root"))
    #expect(stage.log == ["detail dealloc", "inner dealloc"])
    #expect(
      outcome.gone.sorted { $0.rawValue < $1.rawValue } == [
        "detail", "detail.view", "inner", "inner.view",
      ])
    #expect(stage["label"] != nil && stage.link(.superview, of: "label") == nil)
    #expect(
      outcome.lifecycle == [
        "viewWillDisappear detail", "viewDidDisappear detail", "viewWillDisappear inner",
        "viewDidDisappear inner", "viewWillAppear list", "viewDidAppear list", "dealloc detail",
        "dealloc inner",
      ])
  }

  @Test func `V9: what never was in a container stays, and so does what a front end put`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["list"]], "list": [:],
      ])
    try stage.apply(instantiate("list"))
    try stage.apply(.putResponder(try responder("own", ["kind": "viewController"])))
    try stage.apply(.push("own", onto: "root"))
    try stage.apply(.push("list-2", onto: "root"))
    let outcome = try stage.apply(.popToRoot("root"))
    #expect(stage["own"] != nil && stage.link(.parent, of: "own") == nil)
    #expect(outcome.gone == ["list-2", "list-2.view"])
    try stage.apply(instantiate("list"))
    try stage.apply(.mergeState(["n": 1]))
    #expect(stage["list-3"] != nil)
  }

  @Test func `V9: an instance stays one when its own document is put`() throws {
    var stage = try StoryboardStage(launching: ["root": [:]])
    let instances = stage.session.instances
    for id: ResponderID in ["root", "root.view"] {
      let document = try #require(stage[id]).json
      #expect(document.object?["isInstance"] == true)
      let outcome = try stage.apply(.putResponder(try responder(id, document)))
      #expect(outcome.events.isEmpty)
    }
    #expect(stage.session.instances.count == 2 && stage["root"]?.scene?.scene == "root")
    #expect(Set(stage.session.instances.keys) == Set(instances.keys))
    #expect(stage.session.wasToldVisible("root"))
    #expect(stage["root.view"]?.json.object?["owner"] == "root")
    #expect(try stage.apply(.removeResponder("window")).gone == ["window", "root", "root.view"])
  }

  @Test func `V9: an instance of a session that was stored without marks has its own`() throws {
    var stage = try StoryboardStage(launching: ["root": [:]])
    let document = try #require(stage["root"]?.json.object)
    // The graph says nothing of it, as those did not that were stored earlier.
    #expect(stage.session.graph["root"]?.instance == nil)
    stage.session = try StoredReader().session(from: StoredFormat.bytes(of: stage.session))
    #expect(stage["root"]?.json == .object(document))
    var changed = document
    changed["properties"] = ["a": 1]
    try stage.apply(.putResponder(try responder("root", .object(changed))))
    #expect(try stage.apply(.removeResponder("window")).gone == ["window", "root", "root.view"])
  }

  @Test func `V9: an instance whose mark a front end leaves out is the front end's`() throws {
    var stage = try StoryboardStage(launching: ["root": [:]])
    var document = try #require(stage["root"]?.json.object)
    document["isInstance"] = nil
    try stage.apply(.putResponder(try responder("root", .object(document))))
    try stage.apply(.removeResponder("window"))
    #expect(stage["root"] != nil)
  }

  @Test func `V9: the documents of instances open a session that goes on like the first`() throws {
    let scenes: JSON = [
      "root": ["class": "UINavigationController", "viewControllers": ["list"]],
      "list": ["segues": [["identifier": "Go", "kind": "push", "destination": "detail"]]],
      "detail": ["view": ["subviews": [["id": "label"]]]],
    ]
    var stage = try StoryboardStage(launching: scenes)
    try stage.segue("Go", from: "list")
    var responders = JSONObject()
    for id in stage.session.graph.ids { responders[id.rawValue] = stage[id]?.json }
    var copy = try StoryboardStage(scenes, responders: .object(responders))
    #expect(Set(copy.session.instances.keys) == Set(stage.session.instances.keys))
    let expected = try stage.apply(.pop("root"))
    let outcome = try copy.apply(.pop("root"))
    #expect(outcome.changes == expected.changes && outcome.events == expected.events)
    #expect(outcome.gone.contains("detail.label"))
  }

  @Test(
    arguments: [
      (["kind": "view", "isInstance": true], .missingMember("owner"), ""),
      (["kind": "view", "owner": "root"], .missingMember("isInstance"), ""),
      (
        ["kind": "window", "isInstance": true],
        .memberOfOtherKind("isInstance", kind: .window, kinds: [.viewController, .view]),
        "/isInstance"
      ),
      (
        ["kind": "viewController", "isInstance": true, "owner": "root"],
        .memberOfOtherKind("owner", kind: .viewController, kinds: [.view]), "/owner"
      ),
    ] as [(JSON, DocumentFault.Reason, String)])
  func `a mark that does not fit is refused`(
    document: JSON, problem: DocumentFault.Reason, place: String
  ) throws {
    let found = faults { Responder("x", reading: document, at: .root, log: $0) }
    #expect(found == [DocumentFault(problem, at: try JSONPointer(parsing: place))])
  }

  @Test func `a view cannot have been made for a missing controller`() throws {
    let stage = try StoryboardStage(launching: ["root": [:]])
    let view = try responder("x", ["kind": "view", "isInstance": true, "owner": "ghost"])
    #expect(
      stage.refusal(of: .putResponder(view)) == .storyboard(.unknownOwner("ghost", of: "x")))
  }

  @Test func `V9: the views of an instance that a front end removes go too`() throws {
    var stage = try StoryboardStage(launching: ["root": ["view": ["subviews": [["id": "x"]]]]])
    #expect(stage["root.x"] != nil)
    let outcome = try stage.apply(.removeResponder("root"))
    #expect(outcome.gone == ["root", "root.view", "root.x"])
    #expect(stage.session.instances.isEmpty)
  }

  @Test(arguments: ["view", "responder"])
  func `V9: the views of an instance that another kind replaces go too`(kind: JSON) throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["list"]],
        "list": ["segues": [["identifier": "Go", "kind": "push", "destination": "detail"]]],
        "detail": [:],
      ])
    try stage.segue("Go", from: "list")
    #expect(stage["detail.view"] != nil)
    let outcome = try stage.apply(.putResponder(responder("detail", ["kind": kind])))
    #expect(outcome.gone == ["detail.view"])
    #expect(stage["detail"] != nil)
  }

  @Test func `V9: a view that a front end removes is made anew when it comes into view again`()
    throws
  {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UITabBarController", "viewControllers": ["first", "second"]],
        "first": ["handlers": ["viewDidLoad": logging("first")]], "second": [:],
      ])
    try stage.apply(.removeResponder("first.view"))
    #expect(stage.link(.view, of: "first") == nil)
    try stage.apply(.select("second"))
    try stage.apply(.select("first"))
    #expect(stage.link(.view, of: "first") == "first.view-2")
    #expect(stage.log == ["first", "first"])
  }

  @Test func `V9: focus in what goes is resigned`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["list"]],
        "list": ["segues": [["identifier": "Go", "kind": "push", "destination": "list"]]],
      ])
    try stage.segue("Go", from: "list")
    try stage.apply(.becomeFirstResponder("list-2.view"))
    try stage.apply(.pop("root"))
    #expect(stage.session.firstResponder == nil)
  }

  @Test func `V9: a handler that shows others while it is told ends`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["list"]],
        "list": [
          "segues": [["identifier": "Go", "kind": "push", "destination": "list"]],
          "handlers": ["again:": ["perform": []]],
        ],
      ])
    try stage.apply(
      .putHandler(
        try handler(["perform": [["op": "segue", "identifier": "'Go'"]]]), for: "viewDidDisappear:",
        of: "list"))
    try stage.segue("Go", from: "list")
    #expect(stage["root"]?.viewControllers == ["list", "list-2", "list-3"])
  }

  @Test func `an effect instantiates from the receiver's own storyboard`() throws {
    var stage = try StoryboardStage(
      launching: [
        "root": [
          "handlers": [
            "more:": ["perform": [["op": "instantiate", "scene": "'other'", "id": "'o'"]]]
          ]
        ],
        "other": [:],
      ])
    try stage.send("more:", to: "root")
    #expect(stage["o"]?.scene?.scene == "other")
    try stage.apply(
      .putResponder(
        try responder(
          "plain",
          [
            "kind": "responder",
            "handlers": [
              "more:": ["perform": [["op": "instantiate", "class": "'UIView'", "id": "'v'"]]],
              "none:": ["perform": [["op": "instantiate", "class": "'Nobody'"]]],
            ],
          ])))
    try stage.send("more:", to: "plain")
    #expect(stage["v"]?.kind == .view)
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("none:"), to: .responder("plain"))))
        == .effect(
          .mutation(
            .responder("plain"), "none:", index: 0, .link(.unknownClass("Nobody", "Nobody")))))
  }
}
