import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Changes of the state by storyboards, and by view controllers that hear their lifecycle, are
/// undone with their cause (U1, U2, V9).
@Suite struct UndoStoryboardTests {
  private static let scenes: JSON = [
    "root": ["class": "UINavigationController", "viewControllers": ["list"]],
    "list": [
      "segues": [["identifier": "add", "kind": "present", "destination": "form"]],
      "handlers": [
        "prepareForSegue:sender:": noting("'prepare'"), "home:": noting("'home'"),
        "shout:": ["perform": [["op": "message", "message": "'listen:'", "to": "delegate"]]],
        "close:": [
          "perform": [
            ["op": "add", "path": "/log/-", "value": "'close'"],
            ["op": "dismiss", "viewController": "'list'"],
          ]
        ],
        "export:": ["perform": [["op": "deliver"]]],
        "quietly:": ["perform": [["op": "dismiss", "viewController": "'list'"]]],
        "open:": [
          "perform": [
            ["op": "registerUndo", "target": "'list'", "action": "'quietly:'"],
            ["op": "segue", "identifier": "'add'"],
          ]
        ],
      ],
    ],
    "form": [
      "handlers": [
        "awakeFromNib": noting("'awake'"), "viewDidAppear:": noting("'appeared'"),
        "viewDidDisappear:": noting("'disappeared'"),
        "dealloc": noting("'gone'"),
      ]
    ],
  ]

  /// A window with the list, perhaps with an undo manager of its own.
  private func stage(_ window: JSONObject = [:]) throws -> StoryboardStage {
    var stage = try StoryboardStage(
      Self.scenes,
      responders: [
        "app": ["kind": "application"],
        "keeper": ["kind": "responder", "handlers": ["listen:": noting("'heard'")]],
      ], commands: [["title": "Export", "action": "export:"]])
    let root = SceneReference(storyboard: "Main", scene: "root")
    try stage.apply(.instantiate(root, id: nil))
    var document: JSONObject = ["kind": "window", "rootViewController": "root"]
    for member in window.members { document[member.name] = member.value }
    try stage.apply(.putResponder(try responder("window", .object(document))))
    try stage.apply(.makeWindow("window", .key))
    try stage.apply(.setDelegate("keeper", of: "list"))
    return stage
  }

  private func manager(
    _ stage: StoryboardStage, _ owner: ResponderID? = nil
  ) throws -> UndoManager {
    try #require(stage.session.undoManager(ownedBy: owner))
  }

  private func isUndone(
    _ mutation: Mutation, _ stage: inout StoryboardStage
  ) throws -> Bool {
    try stage.apply(mutation).isUndone
  }

  @Test func `U2: what view controllers do when they go is in the group of the command`() throws {
    var stage = try stage()
    try stage.segue("add", from: "list")
    let before = stage.log
    try stage.send("close:", to: "list")
    #expect(stage.log == ["awake", "prepare", "appeared", "close", "disappeared", "gone"])
    #expect(try manager(stage).undoGroups.map(\.actionCount) == [3, 3])
    #expect(try isUndone(.undo(), &stage))
    #expect(stage.log == before)
    #expect(try isUndone(.redo(), &stage))
    #expect(stage.log == ["awake", "prepare", "appeared", "close", "disappeared", "gone"])
  }

  @Test func `U2: the group has the command's name, also when only they change the state`() throws {
    var stage = try stage()
    try stage.segue("add", from: "list")
    let sender = SenderDescription(members: ["title": "Dismissing"])
    try stage.apply(
      .perform(
        ActionRequest(
          .action("dismissViewControllerAnimated:completion:"), sender: sender,
          to: .responder("form"))))
    #expect(try manager(stage).undoMenuItem == "Undo Dismissing")
    #expect(try manager(stage).undoGroups.map(\.actionCount) == [3, 2])
  }

  @Test
  func `U2: those on no chain any more register with the manager of who received the command`()
    throws
  {
    var stage = try stage(["undoManager": [:]])
    try stage.segue("add", from: "list")
    try stage.send("close:", to: "list")
    #expect(try !manager(stage).can(.undo))
    #expect(try manager(stage, "window").undoGroups.map(\.actionCount) == [3, 3])
    #expect(try isUndone(.undo(), &stage))
    #expect(try isUndone(.undo(), &stage))
    #expect(stage.log == [])
  }

  @Test func `U2: what a front end dismisses registers where searches begin`() throws {
    var stage = try stage(["undoManager": [:]])
    try stage.segue("add", from: "list")
    try stage.apply(.dismiss("list"))
    #expect(try manager(stage, "window").undoGroups.map(\.actionCount) == [3, 2])
    #expect(try !manager(stage).can(.undo))
    #expect(try isUndone(.undo(), &stage))
    #expect(stage.log == ["awake", "prepare", "appeared"])
  }

  @Test func `U1: what view controllers do while undoing is done again, and clears nothing`() throws
  {
    var stage = try stage()
    try stage.send("open:", to: "list")
    #expect(stage.log == ["awake", "prepare", "appeared"])
    #expect(try isUndone(.undo(), &stage))
    #expect(stage["form"] == nil)
    #expect(stage.log == ["disappeared", "gone"])
    #expect(try !manager(stage).can(.undo))
    #expect(try manager(stage).redoGroups.map(\.actionCount) == [5])
    #expect(try isUndone(.redo(), &stage))
    #expect(stage.log == ["awake", "prepare", "appeared"])
    #expect(try manager(stage).undoGroups.map(\.actionCount) == [5])
  }

  @Test func `U2: a segue that the user triggers is one group, named as its sender`() throws {
    var stage = try stage()
    let sender = SenderDescription(members: ["title": "Add"])
    try stage.segue("add", from: "list", sender: sender)
    #expect(stage.log == ["awake", "prepare", "appeared"])
    #expect(try manager(stage).undoMenuItem == "Undo Add")
    #expect(try isUndone(.undo(), &stage))
    #expect(stage.log == [])
  }

  @Test func `U2: an unwinding is one group, with what goes by it`() throws {
    var stage = try stage()
    try stage.segue("add", from: "list")
    try stage.unwind("home:", from: "form")
    #expect(
      stage.log == ["awake", "prepare", "appeared", "home", "disappeared", "gone"])
    #expect(try manager(stage).undoGroups.map(\.actionCount) == [3, 3])
    #expect(try isUndone(.undo(), &stage))
    #expect(stage.log == ["awake", "prepare", "appeared"])
  }

  @Test func `U2: an instantiation is one group`() throws {
    var stage = try stage()
    let form = SceneReference(storyboard: "Main", scene: "form")
    try stage.apply(.instantiate(form, id: nil))
    #expect(try isUndone(.undo(), &stage))
    #expect(stage.log == [])
  }

  @Test func `U2: a message of a front end to a delegate is one group`() throws {
    var stage = try stage()
    try stage.apply(
      .message(MessageRequest(message: "listen:", from: "list", destination: .delegate)))
    #expect(stage.log == ["heard"])
    #expect(try isUndone(.undo(), &stage))
    #expect(stage.log == [])
    try stage.send("shout:", to: "list")
    #expect(try isUndone(.undo(), &stage))
    #expect(stage.log == [])
  }

  @Test func `U1: what a launch does to the state is not undone`() throws {
    let told = ["application:didFinishLaunchingWithOptions:": noting("'launched'")] as JSON
    let launch: JSON = ["storyboard": "Main", "delegate": ["handlers": told]]
    let scenes: JSON = ["root": ["handlers": ["viewDidAppear:": noting("'appeared'")]]]
    var opened = try StoryboardStage(scenes, launch: launch)
    #expect(opened.log == ["launched", "appeared"])
    #expect(try !isUndone(.undo(), &opened))
    #expect(try manager(opened).groupingLevel == 0)

    // A place that the launch leaves alone, so that it can be changed again (U4).
    let marking: JSON = ["perform": [["op": "add", "path": "/mark", "value": "'done'"]]]
    var later = try StoryboardStage(
      scenes, responders: ["keeper": ["kind": "responder", "handlers": ["mark:": marking]]])
    try later.send("mark:", to: "keeper")
    try later.apply(.undo())
    let document = try FaultLog.collecting { Launch(reading: launch, at: .root, log: $0) }
    try later.apply(.launch(document))
    #expect(later.log == ["launched", "appeared"])
    #expect(try !manager(later).can(.undo))
    #expect(try manager(later).can(.redo))
  }

  @Test(arguments: [
    Mutation.performSegue(SegueRequest(identifier: "add", source: "list", trigger: .code)),
    .unwind(UnwindRequest(action: "nobody:", source: "keeper")),
    .instantiate(SceneReference(storyboard: "Main", scene: "form"), id: nil),
  ])
  func `D2: a reply that performs a segue is one group, named after the command`(
    mutation: Mutation
  ) throws {
    var stage = try stage(["undoManager": [:]])
    try stage.apply(.perform(ActionRequest(.command("export:"), from: "list")))
    try stage.apply(.claimDelivery(1, until: 9))
    try stage.apply(
      .replyToDelivery(1, claim: 1, mutations: [mutation, .mergeState(["x": 1])]))
    #expect(try manager(stage, "window").undoGroups.map(\.actionName) == ["Export"])
    #expect(try !manager(stage).can(.undo))
  }

  @Test func `U1: what was recorded against one that is gone is not sent to its namesake`() throws {
    var stage = try StoryboardStage(launching: [
      "root": ["segues": [["identifier": "add", "kind": "present", "destination": "form"]]],
      "form": [
        "segues": [["identifier": "more", "kind": "present", "destination": "second"]],
        "handlers": ["log:": noting("'sent'")],
      ],
      // It goes after the form, and gives another one its name.
      "second": [
        "handlers": [
          "dealloc": ["perform": [["op": "instantiate", "scene": "'form'", "id": "'form'"]]]
        ]
      ],
    ])
    try stage.segue("add", from: "root")
    try stage.segue("more", from: "form")
    try stage.apply(.registerUndo(target: "form", "log:"))
    #expect(try manager(stage).undoGroups.map(\.actionCount) == [1])
    let outcome = try stage.apply(.dismiss("root"))
    #expect(outcome.gone.contains("form"))
    #expect(outcome.joined == ["form"])
    #expect(try !manager(stage).can(.undo))
  }
}

extension UndoManager {
  fileprivate var undoMenuItem: String { menuItemTitle(.undo) }
}
