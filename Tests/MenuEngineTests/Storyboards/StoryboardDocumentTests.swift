import JSONText
import Testing

@testable import MenuEngine

/// Storyboards and protocols as they are declared (V2, V3, V7): what is read, what is refused, and how
/// a catalogue changes and is read again (M4).
@Suite struct StoryboardDocumentTests {
  /// The faults of a storyboard `Main` under these classes: place and reason.
  private func faults(_ storyboard: JSON, classes: JSON = [:]) -> [CatalogDocument.Fault] {
    do throws(CatalogDocument.Faults) {
      _ = try CatalogDocument([.storyboards: ["Main": storyboard], .classes: classes]).catalog()
      return []
    } catch {
      return error.faults
    }
  }

  private func fault(
    _ reason: DocumentFault.Reason, _ place: String, in part: CatalogDocument.Part = .storyboards
  ) throws -> CatalogDocument.Fault {
    let pointer = try JSONPointer(parsing: place)
    return CatalogDocument.Fault(part: part, fault: DocumentFault(reason, at: pointer))
  }

  @Test func `a storyboard is written as it is read`() throws {
    let document: JSON = [
      "initialViewController": "navigation",
      "scenes": [
        "navigation": [
          "class": "UIViewController", "properties": [:], "handlers": [:],
          "view": ["id": "view", "class": "UIView", "properties": [:], "handlers": [:]],
          "viewControllers": ["list"],
        ],
        "list": [
          "class": "UIViewController", "properties": ["title": "Birds"],
          "handlers": ["open:": ["perform": []]],
          "observes": [["event": "viewDidLoad", "of": "detail", "action": "loaded:"]],
          "view": [
            "id": "table", "class": "UIView", "properties": [:], "handlers": [:],
            "subviews": [
              ["id": "cell", "class": "UIView", "properties": [:], "handlers": [:]]
            ],
          ],
          "segues": [
            [
              "identifier": "Show", "kind": "custom", "destination": "navigation",
              "shouldPerform": "true",
              "prepare": [
                ["op": "properties", "responder": "segue.destination.id", "value": "{}"]
              ],
              "perform": [["op": "firstResponder", "responder": "'x'"]],
            ],
            ["identifier": "Back", "kind": "unwind", "action": "back:"],
          ],
        ],
      ],
    ]
    let storyboard = try FaultLog.collecting {
      Storyboard("Main", reading: document, at: .root, log: $0)
    }
    #expect(storyboard.json == document)
    #expect(
      storyboard
        == (try FaultLog.collecting {
          Storyboard("Main", reading: storyboard.json, at: .root, log: $0)
        }))
    #expect(storyboard.scene("list")?.view.all.map(\.name) == ["table", "cell"])
    #expect(storyboard.scene("navigation")?.view.name == "view")
  }

  @Test func `a scene needs nothing: then it is a plain view controller with a plain view`() throws
  {
    let storyboard = try FaultLog.collecting {
      Storyboard(
        "Main", reading: ["initialViewController": "a", "scenes": ["a": [:]]], at: .root, log: $0)
    }
    let scene = try #require(storyboard.scene("a"))
    #expect(scene.viewController.className == "UIViewController")
    #expect(scene.viewController.kind == .viewController)
    #expect(scene.view.name == "view" && scene.view.prototype.className == "UIView")
    #expect(scene.segues.isEmpty && scene.viewControllers.isEmpty)
  }

  @Test func `V1: a storyboard without an initial view controller is refused`() throws {
    #expect(
      faults(["scenes": ["a": [:]]]) == [
        try fault(.missingMember("initialViewController"), "/Main")
      ])
    #expect(
      faults(["initialViewController": "b", "scenes": ["a": [:]]]) == [
        try fault(
          .declaration(.storyboard(.unknownScene("Main", "b"))), "/Main/initialViewController")
      ])
  }

  @Test func `V3: two segues of one identifier on one scene are refused, on two scenes not`() throws
  {
    let segue: JSON = ["identifier": "Go", "kind": "show", "destination": "a"]
    #expect(
      faults([
        "initialViewController": "a",
        "scenes": [
          "a": ["segues": [segue, segue]], "b": ["segues": [segue]],
        ],
      ]) == [
        try fault(
          .declaration(
            .scene(.duplicateSegue("a", "Go")),
            other: JSONPointer(parsing: "/Main/scenes/a/segues/0")),
          "/Main/scenes/a/segues/1/identifier")
      ])
  }

  @Test func `every fault of a storyboard is reported, each with its place`() throws {
    let storyboard: JSON = [
      "initialViewController": "a",
      "scenes": [
        "a": [
          "class": "Nobody", "kind": "view", "parent": "b", "viewControllers": ["b", "c"],
          "segues": [
            ["kind": "show", "destination": "c"],
            ["identifier": "x", "kind": "push"],
            ["identifier": "y", "kind": "unwind", "destination": "a"],
            ["identifier": "z", "kind": "show", "destination": "a", "perform": []],
            ["kind": "embed", "destination": "a", "shouldPerform": true],
          ],
        ],
        "b": [
          "class": "Nobody", "viewControllers": ["nowhere"],
          "segues": [["identifier": "x", "kind": "show", "destination": "away"]],
          "view": ["id": "v", "class": "Nothing", "subviews": [["id": "v"], [:]]],
        ],
        "c": ["class": "UIView", "view": ["subviews": [["id": "view"]]]],
        "d": ["viewControllers": ["nowhere"]],
      ],
    ]
    let found = faults(storyboard).map { "\($0.fault.pointer)" }
    #expect(
      found == [
        "/Main/scenes/a/segues/0", "/Main/scenes/a/segues/1", "/Main/scenes/a/segues/2/destination",
        "/Main/scenes/a/segues/2", "/Main/scenes/a/segues/3/perform",
        "/Main/scenes/a/segues/4/shouldPerform", "/Main/scenes/a/kind", "/Main/scenes/a/parent",
        "/Main/scenes/b/view/subviews/1", "/Main/scenes/b/viewControllers/0",
        "/Main/scenes/b/segues/0/destination", "/Main/scenes/c/view/subviews/0/id",
        "/Main/scenes/d/viewControllers/0", "/Main/scenes/a/class", "/Main/scenes/b/class",
        "/Main/scenes/c/class",
      ])
  }

  @Test func `names that lead nowhere are refused`() throws {
    #expect(
      faults([
        "initialViewController": "a",
        "scenes": [
          "a": [
            "class": "Nobody", "viewControllers": ["x"],
            "segues": [["identifier": "s", "kind": "show", "destination": "y"]],
            "view": ["class": "Nothing", "subviews": [["id": "view"]]],
          ]
        ],
      ]) == [
        try fault(
          .declaration(.storyboard(.unknownScene("Main", "x"))), "/Main/scenes/a/viewControllers/0"),
        try fault(
          .declaration(.storyboard(.unknownScene("Main", "y"))),
          "/Main/scenes/a/segues/0/destination"),
        try fault(
          .declaration(.scene(.duplicateView("a", "view"))), "/Main/scenes/a/view/subviews/0/id"),
        try fault(.declaration(.scene(.undeclaredClass("a", "Nobody"))), "/Main/scenes/a/class"),
        try fault(.declaration(.scene(.undeclaredClass("a", "Nothing"))), "/Main/scenes/a/view"),
      ])
  }

  @Test func `V2: a scene's class is one of view controllers, by however many superclasses`() throws
  {
    let classes: JSON = [
      "List": ["superclass": "Base"], "Base": ["superclass": "UIViewController"],
      "Cell": ["superclass": "UIView"],
    ]
    let scenes: JSON = ["a": ["class": "List"], "b": ["class": "Cell"]]
    #expect(
      faults(["initialViewController": "a", "scenes": scenes], classes: classes) == [
        try fault(.declaration(.scene(.notAViewController("b", "Cell"))), "/Main/scenes/b/class")
      ])
  }

  @Test func `A6: a split view controller's scene has two columns at most, embedded ones too`()
    throws
  {
    let classes: JSON = ["Split": ["superclass": "UISplitViewController"]]
    func found(_ columns: JSON, _ segues: JSON) -> [CatalogDocument.Fault] {
      let scenes: JSON = [
        "a": ["class": "Split", "viewControllers": columns, "segues": segues], "b": [:], "c": [:],
        "d": [:],
      ]
      return faults(["initialViewController": "a", "scenes": scenes], classes: classes)
    }
    let fault = try fault(.declaration(.scene(.tooManyColumns("a", 3))), "/Main/scenes/a")
    #expect(found(["b", "c", "d"], []) == [fault])
    #expect(found(["b", "c"], [["kind": "embed", "destination": "d"]]) == [fault])
    #expect(found(["b", "c"], []) == [])
  }

  @Test func `V2: a scene is not blamed for a class that is at fault itself`() throws {
    let found = faults(
      ["initialViewController": "a", "scenes": ["a": ["class": "List"]]],
      classes: ["List": ["superclass": "Nobody"]])
    #expect(found.map(\.part) == [.classes])
  }

  @Test func `V2: relationships that would never be complete are refused with their path`() throws {
    #expect(
      faults([
        "initialViewController": "a",
        "scenes": [
          "a": ["viewControllers": ["b"]],
          "b": ["segues": [["kind": "embed", "destination": "c"]]],
          "c": ["viewControllers": ["a"]],
        ],
      ]) == [
        try fault(
          .declaration(.storyboard(.relationshipCycle(["a", "b", "c", "a"]))), "/Main/scenes/a")
      ])
    #expect(
      faults([
        "initialViewController": "a",
        "scenes": [
          "a": ["segues": [["identifier": "s", "kind": "show", "destination": "b"]]],
          "b": ["segues": [["identifier": "s", "kind": "show", "destination": "a"]]],
        ],
      ]) == [])
  }

  @Test func `V2: relationships go only so deep`() throws {
    for (count, isRefused) in [(Limits.scenes, false), (Limits.scenes + 1, true)] {
      var scenes: JSONObject = ["s\(count)": [:]]
      for index in (1..<count).reversed() {
        scenes["s\(index)"] = ["viewControllers": [.string("s\(index + 1)")]]
      }
      let found = faults(["initialViewController": "s1", "scenes": .object(scenes)])
      #expect(
        found.map(\.fault.reason)
          == (isRefused ? [.declaration(.storyboard(.scenesTooDeep(limit: Limits.scenes)))] : []))
    }
  }

  @Test func `V7: a protocol lists its messages, none of them twice`() throws {
    let protocols: JSON = [
      "P": ["required": ["a:", "b:"], "optional": ["c:", "a:"]], "Q": ["required": "a:"],
      "R": [:], "S s": [:],
    ]
    do throws(CatalogDocument.Faults) {
      _ = try CatalogDocument([.protocols: protocols]).catalog()
      Issue.record("accepted")
    } catch {
      #expect(
        error.faults == [
          try fault(
            .declaration(
              .protocol(.repeatedMessage("P", "a:")), other: JSONPointer(parsing: "/P/required/0")),
            "/P/optional/1", in: .protocols),
          try fault(.expected(.array, found: "a:"), "/Q/required", in: .protocols),
          try fault(.expected(.identifier, found: "S s"), "/S s", in: .protocols),
        ])
    }
  }

  @Test func `V7: the protocol of a class is its own, else the nearest superclass's`() throws {
    let catalog = try CatalogDocument([
      .protocols: ["P": ["required": ["a:"]], "Q": ["optional": ["b:"]]],
      .classes: [
        "Base": ["superclass": "UIViewController", "delegateProtocol": "P"],
        "Sub": ["superclass": "Base"], "Other": ["superclass": "Sub", "delegateProtocol": "Q"],
      ],
    ]).catalog()
    #expect(catalog.delegateProtocol(of: "Sub")?.name == "P")
    #expect(catalog.delegateProtocol(of: "Other")?.name == "Q")
    #expect(catalog.delegateProtocol(of: "UIViewController") == nil)
  }

  @Test func `V7: a class whose protocol nobody declared is refused`() throws {
    do throws(CatalogDocument.Faults) {
      _ = try CatalogDocument([
        .classes: ["A": ["superclass": "UIView", "delegateProtocol": "P"]]
      ]).catalog()
      Issue.record("accepted")
    } catch {
      #expect(
        error.faults == [
          try fault(
            .declaration(.class(.undeclaredProtocol("A", "P"))), "/A/delegateProtocol", in: .classes
          )
        ])
    }
  }
}
