import JSONText
import Testing

@testable import MenuEngine

/// The warnings about storyboards (V10), each with its place and the name of its rule.
@Suite struct LintTests {
  private func lint(_ scenes: JSON, classes: JSON = [:]) throws -> [LintWarning] {
    try CatalogDocument([
      .storyboards: ["Main": ["initialViewController": "a", "scenes": scenes]],
      .classes: classes,
    ]).catalog().lint
  }

  private func warning(
    _ finding: LintWarning.Finding, _ place: String,
    in part: CatalogDocument.Part = .storyboards
  ) throws -> LintWarning {
    LintWarning(part: part, place: try JSONPointer(parsing: place), finding: finding)
  }

  private let toB: JSON = ["identifier": "Go", "kind": "show", "destination": "b"]
  private let reader: JSON = [
    "properties": ["item": nil, "title": "B"],
    "handlers": ["viewDidLoad": noting("[responder.properties.item, responder.properties.title]")],
  ]

  private static let talkingBack: JSON = [
    "handlers": ["x:": ["perform": [["op": "send", "action": "'foo:'", "to": "'a'"]]]]
  ]

  @Test(
    arguments: [
      (["view": talkingBack], "/view"), (["coordinator": talkingBack], "/coordinator"),
      (
        ["view": ["subviews": [["handlers": talkingBack["handlers"] ?? [:], "id": "inner"]]]],
        "/view/subviews/0"
      ),
    ] as [(JSON, String)])
  func `V10: the code of views and coordinators counts too`(destination: JSON, place: String)
    throws
  {
    #expect(
      try lint(["a": ["segues": [toB]], "b": destination]) == [
        try warning(
          .talksBack("b", source: "a"),
          "/Main/scenes/b\(place)/handlers/x:/perform/0/to")
      ])
  }

  @Test func `V10: a rule of canPerform needs its property as others do`() throws {
    let canPerform: JSON = ["x:": "responder.properties.item == 1"]
    #expect(
      try lint(["a": ["segues": [toB]], "b": ["canPerform": canPerform]]) == [
        try warning(
          .unprepared("Go", source: "a", destination: "b", ["item"]), "/Main/scenes/a/segues/0")
      ])
  }

  @Test func `V10: a destination gets its data from its source`() throws {
    let scenes: JSON = ["a": ["segues": [toB]], "b": reader]
    #expect(
      try lint(scenes) == [
        try warning(
          .unprepared("Go", source: "a", destination: "b", ["item"]), "/Main/scenes/a/segues/0")
      ])
    #expect(try lint(scenes).first?.finding.rule == .preparedBySource)
  }

  @Test func `V10: preparing in the segue, in the source or in its class is enough`() throws {
    let set: JSON = [
      "op": "properties", "responder": "segue.destination.id", "value": "{'item': 1}",
    ]
    let prepared: JSON = ["perform": [set]]
    let segue: JSON = [
      "identifier": "Go", "kind": "show", "destination": "b", "prepare": [set],
    ]
    #expect(try lint(["a": ["segues": [segue]], "b": reader]) == [])
    #expect(
      try lint([
        "a": ["segues": [toB], "handlers": ["prepareForSegue:sender:": prepared]], "b": reader,
      ]) == [])
    #expect(
      try lint(
        ["a": ["class": "A", "segues": [toB]], "b": reader],
        classes: [
          "A": [
            "superclass": "UIViewController", "handlers": ["prepareForSegue:sender:": prepared],
          ]
        ]) == [])
  }

  @Test
  func `V10: a self-contained destination needs nothing, one inside a navigation controller does`()
    throws
  {
    let contained: JSON = [
      "handlers": [
        "enter:": ["perform": [["op": "properties", "value": "{'item': arguments[0]}"]]],
        "save:": noting("responder.properties.item"),
      ]
    ]
    #expect(try lint(["a": ["segues": [toB]], "b": contained]) == [])
    #expect(
      try lint([
        "a": ["segues": [toB]],
        "b": ["class": "UINavigationController", "viewControllers": ["c"]], "c": reader,
      ]) == [
        try warning(
          .unprepared("Go", source: "a", destination: "c", ["item"]), "/Main/scenes/a/segues/0")
      ])
  }

  @Test func `V10: a destination never names its source's class`() throws {
    let classes: JSON = [
      "A": ["superclass": "UIViewController"],
      "B": [
        "superclass": "UIViewController",
        "handlers": ["look:": noting("sender.responder.class == 'A'")],
      ],
    ]
    #expect(
      try lint(["a": ["class": "A", "segues": [toB]], "b": ["class": "B"]], classes: classes) == [
        try warning(
          .namesSource("b", "A", source: "a"), "/B/handlers/look:/perform/0/value", in: .classes)
      ])
    #expect(try lint(["a": ["class": "A"], "b": ["class": "B"]], classes: classes) == [])
  }

  @Test func `V10: a class named in a property counts, by name or value and however deep`() throws {
    let classes: JSON = ["A": ["superclass": "UIViewController"]]
    let b: JSON = [
      "properties": ["owner": "A", "A": nil, "more": [["of": "A"], "An A"]],
      "view": ["subviews": [["id": "label", "properties": ["text": "A"]]]],
    ]
    let place = "/Main/scenes/b"
    #expect(
      try lint(["a": ["class": "A", "segues": [toB]], "b": b], classes: classes)
        == [
          "properties/owner", "properties/A", "properties/more/0/of",
          "view/subviews/0/properties/text",
        ].map { try warning(.namesSource("b", "A", source: "a"), "\(place)/\($0)") })
    #expect(try lint(["a": ["class": "A"], "b": b], classes: classes) == [])
    // Everybody may name what UIKit has.
    #expect(
      try lint(["a": ["segues": [toB]], "b": ["properties": ["of": "UIViewController"]]]) == [])
  }

  @Test(arguments: ["'a'", "responder.presentingViewController"])
  func `V10: writing the source's properties counts as talking back`(to: String) throws {
    func scenes(_ responder: String) -> JSON {
      let write: JSON = [
        "perform": [
          ["op": "properties", "responder": .string(responder), "value": "{'item': 1}"]
        ]
      ]
      return ["a": ["segues": [toB]], "b": ["handlers": ["done:": write]]]
    }
    let found = try lint(scenes(to))
    #expect(
      found == [
        try warning(
          .writesSource("b", source: "a"), "/Main/scenes/b/handlers/done:/perform/0/responder")
      ])
    #expect(found.first?.finding.rule == .talksThroughDelegate)
    #expect(try lint(scenes("responder.id")) == [])
  }

  @Test func `V10: merging properties prepares a destination, and writes to a source`() throws {
    let set: JSON = [
      "op": "mergeProperties", "responder": "segue.destination.id", "properties": "{'item': 1}",
    ]
    let segue: JSON = [
      "identifier": "Go", "kind": "show", "destination": "b", "prepare": [set],
    ]
    #expect(try lint(["a": ["segues": [segue]], "b": reader]) == [])
    let write: JSON = [
      "perform": [["op": "mergeProperties", "responder": "'a'", "properties": "{'item': 1}"]]
    ]
    #expect(
      try lint(["a": ["segues": [toB]], "b": ["handlers": ["done:": write]]]) == [
        try warning(
          .writesSource("b", source: "a"), "/Main/scenes/b/handlers/done:/perform/0/responder")
      ])
  }

  @Test(
    arguments: [
      ("setDelegate", "delegate"), ("delegate", "to"), ("delegate", "of"),
      ("setViewControllers", "container"), ("pushViewController", "navigationController"),
      ("startCoordinator", "coordinator"), ("registerUndo", "target"), ("unwind", "source"),
      ("makeKeyAndVisible", "rootViewController"), ("perform", "from"), ("perform", "to"),
    ])
  func `V10: every member that names a responder can name a stranger`(
    op: String, member: String
  ) throws {
    let operation = try #require(OperationDescription.effects.first { $0.op == op })
    var effect: JSONObject = ["op": .string(op)]
    for other in operation.members where other.isRequired && other.name != "value" {
      effect[other.name] = other.name == "viewControllers" ? "[]" : "'b'"
    }
    if op == "perform" { effect["action"] = "'go:'" }
    effect[member] = "'c'"
    let handlers: JSON = ["tell:": ["perform": [.object(effect)]]]
    #expect(
      try lint(["a": [:], "b": ["handlers": handlers], "c": [:]]) == [
        try warning(
          .stranger("b", "c"), "/Main/scenes/b/handlers/tell:/perform/0/\(member)")
      ])
  }

  @Test func `V10: the name of a new responder is no stranger's`() throws {
    let make: JSON = [
      "tell:": ["perform": [["op": "instantiate", "class": "'UIViewController'", "id": "'c'"]]]
    ]
    #expect(try lint(["a": [:], "b": ["handlers": make], "c": [:]]) == [])
  }

  @Test(arguments: ["'a'", "responder.presentingViewController"])
  func `V10: talking back goes through a delegate`(to: String) throws {
    let direct: JSON = ["perform": [["op": "send", "action": "'done:'", "to": .string(to)]]]
    let place = "/Main/scenes/b/handlers/done:/perform/0/to"
    #expect(
      try lint(["a": ["segues": [toB]], "b": ["handlers": ["done:": direct]]]) == [
        try warning(.talksBack("b", source: "a"), place)
      ])
    let delegated: JSON = ["perform": [["op": "message", "message": "'done:'", "to": "delegate"]]]
    #expect(try lint(["a": ["segues": [toB]], "b": ["handlers": ["done:": delegated]]]) == [])
  }

  @Test func `V10: no links to view controllers that one neither made nor stands beside`() throws {
    let name: JSON = [
      "tell:": ["perform": [["op": "properties", "responder": "'c'", "value": "{}"]]]
    ]
    let place = "/Main/scenes/b/handlers/tell:/perform/0/responder"
    #expect(
      try lint(["a": [:], "b": ["handlers": name], "c": [:]]) == [
        try warning(.stranger("b", "c"), place)
      ])
    for scenes: JSON in [
      ["a": ["viewControllers": ["b", "c"]], "b": ["handlers": name], "c": [:]],
      ["a": [:], "b": ["handlers": name, "viewControllers": ["c"]], "c": [:]],
      ["a": [:], "b": ["handlers": name], "c": ["viewControllers": ["b"]]],
      [
        "a": [:], "c": [:],
        "b": [
          "handlers": name,
          "segues": [["identifier": "Go", "kind": "present", "destination": "c"]],
        ],
      ],
    ] {
      #expect(try lint(scenes) == [])
    }
  }
}
