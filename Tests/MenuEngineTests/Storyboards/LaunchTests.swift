import JSONText
import Testing

@testable import MenuEngine

/// Launching an application (V1).
@Suite struct LaunchTests {
  private let scenes: JSON = [
    "root": ["class": "UINavigationController", "viewControllers": ["list"]],
    "list": [
      "handlers": ["viewDidLoad": noting("['list loaded with', responder.properties.title]")],
      "properties": ["title": nil],
    ],
  ]

  private let classes: JSON = [
    "AppDelegate": [
      "superclass": "UIResponder",
      "handlers": [
        "application:didFinishLaunchingWithOptions:": [
          "perform": [
            [
              "op": "add", "path": "/log/-",
              "value":
                "has(responder.properties.window) ? 'configured in ' + responder.properties.window : 'configured'",
            ],
            [
              "op": "properties", "responder": "sender.rootViewController.viewControllers[0]",
              "value": "{'title': arguments[1].title}",
            ],
          ]
        ]
      ],
    ]
  ]

  private func launch(_ delegate: JSON, _ storyboard: JSON? = "Main") throws -> StoryboardStage {
    var launch: JSONObject = ["delegate": delegate, "options": ["title": "Birds"]]
    launch["storyboard"] = storyboard
    return try StoryboardStage(scenes, classes: classes, launch: .object(launch))
  }

  @Test func `V1: with a storyboard there are eight steps, in this order`() throws {
    let stage = try launch(["class": "AppDelegate", "properties": ["window": nil]])
    let steps = try #require(stage.session.opening).launch
    #expect(steps.map(\.kind) == LaunchStep.Kind.allCases)
    #expect(steps.map(\.kind.number) == Array(1...8))
    #expect(
      steps.map(\.sentence) == [
        "V1.1: the delegate 'appDelegate' is instantiated.",
        "V1.2: the window 'window' is created.",
        "V1.3: the delegate 'appDelegate' is given the window.",
        "V1.4: the main storyboard is loaded.",
        "V1.5: its initial view controller 'root' is instantiated.",
        "V1.6: 'root' becomes the root view controller of the window.",
        "V1.7: the delegate 'appDelegate' is told and configures what is there.",
        "V1.8: the window 'window' becomes key and visible.",
      ])
    #expect(stage.link(.rootViewController, of: "window") == "root")
    #expect(stage.link(.delegate, of: "application") == "appDelegate")
    #expect(stage.session.keyWindow == "window")
    #expect(stage.session.revision == 0)
  }

  @Test func `V1: configuration is complete before anything is visible`() throws {
    let stage = try launch(["class": "AppDelegate", "properties": ["window": nil]])
    #expect(stage.log == ["configured in window", ["list loaded with", "Birds"]])
    let events = try #require(stage.session.opening).events
    let told = try #require(
      events.firstIndex {
        if case .launch(let step) = $0 { step.kind == .didFinishLaunching } else { false }
      })
    let loaded = try #require(
      events.firstIndex { $0 == .lifecycle(.viewDidLoad, "root", told: []) })
    #expect(told < loaded)
    #expect(
      stage.session.opening?.lifecycle == [
        "awakeFromNib list", "awakeFromNib root", "viewDidLoad root", "viewWillAppear root",
        "viewDidAppear root", "viewDidLoad list", "viewWillAppear list", "viewDidAppear list",
      ])
  }

  @Test func `V1: a delegate without a property window is given none, and the rest goes on`() throws
  {
    let stage = try launch(["class": "UIResponder"])
    let steps = try #require(stage.session.opening).launch
    #expect(
      steps.filter { !$0.isDone }.map(\.kind) == [.windowGivenToDelegate, .didFinishLaunching])
    #expect(
      steps.filter { !$0.isDone }.map(\.sentence) == [
        "V1.3: the delegate 'appDelegate' has no property 'window' and is given none.",
        "V1.7: the delegate 'appDelegate' has no method "
          + "'application:didFinishLaunchingWithOptions:' and is not told.",
      ])
    #expect(stage.property("window", of: "appDelegate") == nil)
    #expect(stage.session.keyWindow == "window")
  }

  @Test func `V1: without a storyboard only the delegate is made and told`() throws {
    let stage = try launch(
      [
        "class": "AppDelegate",
        "handlers": [
          "application:didFinishLaunchingWithOptions:": logging("told")
        ],
      ], nil)
    #expect(
      stage.session.opening?.launch.map(\.kind) == [.delegateInstantiated, .didFinishLaunching])
    #expect(stage.log == ["told"])
    #expect(stage.session.graph.ids == ["appDelegate", "application"])
  }

  @Test func `V1: without a storyboard the delegate can do the rest`() throws {
    let stage = try launch(
      [
        "handlers": [
          "application:didFinishLaunchingWithOptions:": [
            "perform": [
              ["op": "instantiate", "class": "'UIWindow'", "id": "'w'"],
              ["op": "instantiate", "storyboard": "'Main'", "scene": "'list'"],
              ["op": "properties", "responder": "'list'", "value": "{'title': 'by hand'}"],
              ["op": "makeKeyAndVisible", "window": "'w'", "rootViewController": "'list'"],
            ]
          ]
        ]
      ], nil)
    #expect(stage.session.keyWindow == "w")
    #expect(stage.link(.rootViewController, of: "w") == "list")
    #expect(stage.log == [["list loaded with", "by hand"]])
  }

  @Test func `V1: a session is launched once`() throws {
    let stage = try launch(["class": "AppDelegate"])
    #expect(
      stage.refusal(of: .launch(nil)) == .launch(.launchedAlready(application: "application")))
    let other = try StoryboardStage(["root": [:]], responders: ["app": ["kind": "application"]])
    let launch = try FaultLog.collecting { Launch(reading: [:], at: .root, log: $0) }
    #expect(
      other.refusal(of: .launch(launch)) == .launch(.launchedAlready(application: "app")))
  }

  @Test func `V1: what cannot be launched is refused`() throws {
    let stage = try StoryboardStage(["root": [:]])
    #expect(stage.refusal(of: .launch(nil)) == .launch(.nothingToLaunch))
    let unknown = try FaultLog.collecting {
      Launch(reading: ["storyboard": "Other"], at: .root, log: $0)
    }
    #expect(stage.refusal(of: .launch(unknown)) == .storyboard(.unknownStoryboard("Other")))
    let nobody = try FaultLog.collecting {
      Launch(reading: ["delegate": ["class": "Nobody"]], at: .root, log: $0)
    }
    #expect(stage.refusal(of: .launch(nobody)) == .link(.unknownClass("appDelegate", "Nobody")))
  }

  @Test func `V1: launching later is a mutation like any other`() throws {
    var stage = try StoryboardStage(scenes, classes: classes)
    let launch = try FaultLog.collecting {
      Launch(
        reading: ["storyboard": "Main", "delegate": ["id": "d"]], at: .root, log: $0)
    }
    let outcome = try stage.apply(.launch(launch))
    #expect(outcome.launch.count == 8)
    #expect(
      outcome.joined == ["d", "application", "window", "root", "list", "root.view", "list.view"])
    #expect(stage.link(.superview, of: "list.view") == "root.view")
    #expect(stage.session.revision == 1)
  }

  @Test func `V1: a template that cannot be launched is refused with its place`() throws {
    do throws(CatalogDocument.Faults) {
      _ = try CatalogDocument([.session: ["launch": ["storyboard": "Main"]]]).catalog()
      Issue.record("accepted")
    } catch {
      #expect(
        error.faults == [
          .init(
            part: .session,
            fault: DocumentFault(
              .mutation(.launching(.storyboard(.unknownStoryboard("Main")))),
              at: JSONPointer(["launch", "storyboard"])))
        ])
    }
  }

  @Test func `a launch is written as it is read`() throws {
    let document: JSON = [
      "storyboard": "Main",
      "delegate": [
        "id": "d", "class": "UIResponder", "properties": ["window": nil], "handlers": [:],
      ],
      "options": ["url": "x"],
    ]
    let launch = try FaultLog.collecting { Launch(reading: document, at: .root, log: $0) }
    #expect(
      launch == (try FaultLog.collecting { Launch(reading: launch.json, at: .root, log: $0) }))
    #expect(launch.delegate.kind == .delegate && launch.options["url"] == "x")
  }
}
