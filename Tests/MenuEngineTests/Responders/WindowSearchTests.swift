import JSONText
import Testing

@testable import MenuEngine

/// AppKit's search (R10).
@Suite struct WindowSearchTests {
  private static let responders: JSON = [
    "app": ["kind": "application", "delegate": "appDelegate"],
    "appDelegate": ["kind": "delegate"],
    "scene": ["kind": "scene"],
    "panel": ["kind": "window", "delegate": "panelDelegate", "windowScene": "scene"],
    "panelDelegate": ["kind": "responder"],
    "field": ["kind": "view", "superview": "panel"],
    "document": ["kind": "window", "delegate": "documentDelegate", "firstResponder": "text"],
    "documentDelegate": ["kind": "responder"],
    "page": ["kind": "view", "superview": "document"],
    "text": ["kind": "view", "superview": "page"],
    "sheet": ["kind": "window"],
  ]

  private func stage(search: String? = "appkit", with more: JSON = [:]) throws -> Stage {
    var responders = try #require(Self.responders.object)
    for member in more.object?.members ?? [] { responders[member.name] = member.value }
    var stage = try Stage(
      responders: .object(responders), focus: "field", key: "panel", search: search)
    try stage.apply(.makeWindow("document", .main))
    return stage
  }

  /// Returns the responders that a search asks when nobody answers.
  private func asked(_ stage: Stage, from: ResponderID? = nil) throws -> [String] {
    try stage.session.target(for: "rate:", from: from, in: stage.catalog).trace.steps
      .filter { $0.question == .respondsToSelector }.map(\.asked.description)
  }

  @Test func `R10: key window, its delegate, main window, its delegate, application, delegate`()
    throws
  {
    let stage = try stage()
    #expect(
      try asked(stage) == [
        "field", "panel", "panelDelegate", "text", "page", "document", "documentDelegate", "app",
        "appDelegate",
      ])
    #expect(try stage.target("rate:") == "noTarget")
  }

  @Test func `R10: the default search is UIKit's`() throws {
    let stage = try stage(search: nil)
    #expect(stage.session.search == .uikit)
    #expect(try asked(stage) == ["field", "panel", "scene", "app", "appDelegate"])
  }

  @Test func `R10: a main window that is the key window is not searched twice`() throws {
    var stage = try stage()
    try stage.apply(.makeWindow("panel", .main))
    #expect(try asked(stage) == ["field", "panel", "panelDelegate", "app", "appDelegate"])
    try stage.apply(.makeWindow(nil, .main))
    #expect(try asked(stage) == ["field", "panel", "panelDelegate", "app", "appDelegate"])
  }

  @Test func `R10: a modal window takes the main window's place`() throws {
    var stage = try stage()
    try stage.apply(.makeWindow("sheet", .modal))
    #expect(try asked(stage) == ["field", "panel", "panelDelegate", "sheet", "app", "appDelegate"])
    try stage.apply(.makeWindow(nil, .modal))
    #expect(try asked(stage).contains("document"))
  }

  @Test
  func `R10: without first responder it begins at the responder with focus in the key window`()
    throws
  {
    var stage = try stage()
    try stage.apply(.resignFirstResponder)
    #expect(try asked(stage).first == "panel")
    try stage.apply(.makeWindow("document", .key))
    #expect(try asked(stage).first == "text")
    try stage.apply(.makeWindow(nil, .key))
    try stage.apply(.makeWindow(nil, .main))
    #expect(try asked(stage) == ["app", "appDelegate"])
  }

  @Test func `R10: without any window the application and its delegate are asked`() throws {
    let stage = try Stage(
      responders: ["app": ["kind": "application"], "v": ["kind": "view"]], focus: "v",
      search: "appkit")
    #expect(try asked(stage) == ["v", "app"])
    let alone = try Stage(responders: ["v": ["kind": "view"]], search: "appkit")
    #expect(try asked(alone) == [])
    #expect(try alone.target("rate:") == "noTarget")
  }

  @Test func `R10: the main window answers what the key window does not`() throws {
    let stage = try stage(with: [
      "text": ["kind": "view", "superview": "page", "handlers": ["rate:": [:]]],
      "app": ["kind": "application", "handlers": ["rate:": [:]]],
    ])
    #expect(try stage.target("rate:") == "text")
    #expect(try stage.target("rate:", from: "sheet") == "text")
  }

  @Test func `R10: a responder that does not respond names another in its place`() throws {
    let stage = try stage(with: [
      "field": ["kind": "view", "superview": "panel", "supplementalTarget": "helper"],
      "helper": ["kind": "responder", "handlers": ["rate:": [:]]],
      "panel": ["kind": "window", "handlers": ["rate:": [:]]],
    ])
    #expect(try stage.target("rate:") == "helper")
    #expect(
      try stage.session.target(for: "rate:", in: stage.catalog).trace.says == [
        "R3: 'field' does not respond to 'rate:': neither it nor its class has a handler.",
        "R10: 'field' names 'helper' in its place for 'rate:'.",
        "R3: 'helper' responds to 'rate:': it or its class has a handler.",
      ])
  }

  @Test func `R10: one that responds itself is not asked for another`() throws {
    let stage = try stage(with: [
      "field": [
        "kind": "view", "superview": "panel", "supplementalTarget": "helper",
        "handlers": ["rate:": [:]],
      ],
      "helper": ["kind": "responder", "handlers": ["rate:": [:]]],
    ])
    #expect(try stage.target("rate:") == "field")
  }

  @Test func `R10: a supplemental target that does not respond is not asked for a further one`()
    throws
  {
    let stage = try stage(with: [
      "field": ["kind": "view", "superview": "panel", "supplementalTarget": "helper"],
      "helper": ["kind": "responder", "supplementalTarget": "last"],
      "last": ["kind": "responder", "handlers": ["rate:": [:]]],
    ])
    #expect(try stage.target("rate:") == "noTarget")
  }

  @Test(arguments: [
    ("arguments[0] == 'rate:' ? 'helper' : null", "helper"), ("null", "noTarget"),
    ("'ghost'", "noTarget"), ("dyn(5)", "ruleError"), ("state.missing", "ruleError"),
  ])
  func `R10: a rule can name the supplemental target`(rule: String, target: String) throws {
    let stage = try stage(with: [
      "field": [
        "kind": "view", "superview": "panel", "supplementalTargetRule": .string(rule),
      ],
      "helper": ["kind": "responder", "handlers": ["rate:": [:], "other:": [:]]],
    ])
    #expect(try stage.target("rate:") == target)
    #expect(try stage.target("other:") != "helper")
  }

  @Test func `R10: link and rule for the supplemental target exclude each other`() {
    let found = faults {
      Responder(
        "v",
        reading: ["kind": "view", "supplementalTarget": "a", "supplementalTargetRule": "'b'"],
        at: .root, log: $0)
    }
    #expect(
      found == [
        DocumentFault(
          .conflictingMembers("supplementalTarget", "supplementalTargetRule"), at: .root)
      ])
  }

  @Test func `R10: an explicit target that does not respond is asked for another`() throws {
    var stage = try stage(with: [
      "field": ["kind": "view", "superview": "panel", "supplementalTarget": "helper"],
      "helper": ["kind": "responder", "handlers": ["rate:": logging("helper")]],
    ])
    try stage.apply(.perform(ActionRequest(.action("rate:"), to: .responder("field"))))
    #expect(stage.log == ["helper"])
  }

  @Test func `R10: the supplemental target is no part of UIKit's search`() throws {
    let stage = try stage(
      search: "uikit",
      with: [
        "field": ["kind": "view", "superview": "panel", "supplementalTarget": "helper"],
        "helper": ["kind": "responder", "handlers": ["rate:": [:]]],
      ])
    #expect(try stage.target("rate:") == "noTarget")
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("rate:"), to: .responder("field"))))
        == .message(.doesNotRecognizeSelector(.responder("field"), "rate:")))
  }

  @Test func `R10: a forwarder does not respond, and the trace says so`() throws {
    let stage = try stage(with: [
      "field": ["kind": "view", "superview": "panel", "coordinator": ["handlers": ["rate:": [:]]]]
    ])
    #expect(try stage.target("rate:") == "noTarget")
    #expect(
      try stage.session.target(for: "rate:", in: stage.catalog).trace.says.prefix(2) == [
        "F3: the coordinator of 'field' has a handler for 'rate:', but its forwarder does not "
          + "respond to it, so this search does not find it.",
        "R3: 'field' does not respond to 'rate:': neither it nor its class has a handler.",
      ])
    #expect(!(try stage.session.target(for: "x", in: stage.catalog).trace.says[0].hasPrefix("F3")))
  }

  @Test func `R10: a proxy is found when its responder is (L8)`() throws {
    let stage = try stage(with: [
      "text": ["kind": "view", "superview": "page", "proxied": "list"],
      "list": ["kind": "view", "handlers": ["rate:": [:]]],
    ])
    #expect(try stage.target("rate:") == "text")
  }

  @Test func `R10: the search asks respondsToSelector only, no canPerform`() throws {
    let stage = try stage(with: [
      "field": [
        "kind": "view", "superview": "panel", "handlers": ["rate:": ["canPerform": false]],
      ]
    ])
    #expect(try stage.target("rate:") == "field")
  }

  @Test func `R10: the trace tells the way from window to window`() throws {
    let says = try stage().session.target(for: "rate:", in: stage().catalog).trace.says
    #expect(
      says.filter { !$0.hasPrefix("R3") } == [
        "R10: after 'field' comes 'panel'.".replacing("R10", with: "R2"),
        "R10: 'panelDelegate' is the delegate of 'panel' and is asked right after it.",
        "R10: after 'panelDelegate' the main window is searched, from 'text' on.",
        "R2: after 'text' comes 'page'.", "R2: after 'page' comes 'document'.",
        "R10: 'documentDelegate' is the delegate of 'document' and is asked right after it.",
        "R10: after 'documentDelegate' the application is asked, 'app'.",
        "R10: 'appDelegate' is the delegate of 'app' and is asked right after it.",
      ])
  }

  @Test(arguments: WindowRole.allCases)
  func `R10: only a window that is there can be key, main or modal`(role: WindowRole) throws {
    var stage = try stage()
    #expect(
      stage.refusal(of: .makeWindow("field", role)) == .focus(.notAWindow("field", .view, as: role))
    )
    #expect(stage.refusal(of: .makeWindow("ghost", role)) == .unknownResponder("ghost"))
    try stage.apply(.makeWindow("sheet", role))
    #expect(stage.session.window(role) == "sheet")
    #expect(try stage.apply(.makeWindow("sheet", role)) == Outcome())
    let outcome = try stage.apply(.removeResponder("sheet"))
    #expect(outcome.changes.contains(role.change(to: nil)))
    #expect(stage.session.window(role) == nil)
  }

  @Test func `R10: a window that becomes something else has no part any more`() throws {
    var stage = try stage()
    let outcome = try stage.put("document", ["kind": "view"])
    #expect(try outcome.changes == [stage.told("document"), .mainWindow(nil)])
  }

  @Test func `R10: deleting the destination of a link clears it`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.removeResponder("documentDelegate"))
    let cleared = ClearedLink(
      holder: "document", link: .delegate, destination: "documentDelegate")
    #expect(outcome.changes.contains(.linkCleared(cleared)))
    try stage.apply(.removeResponder("text"))
    #expect(
      try asked(stage) == ["field", "panel", "panelDelegate", "document", "app", "appDelegate"])
  }

  @Test func `R10: a delegate that is also elsewhere is asked once`() throws {
    let stage = try stage(with: [
      "panel": ["kind": "window", "delegate": "app"],
      "document": ["kind": "window", "delegate": "field"],
    ])
    #expect(try asked(stage) == ["field", "panel", "app", "document", "appDelegate"])
  }

  @Test func `R10: a template names windows and search, its faults their places`() {
    let faults = faults { log in
      SessionTemplate(reading: ["search": "nextstep"], at: .root, log: log)
    }
    #expect(
      faults == [
        DocumentFault(
          .expected(.oneOf(["uikit", "appkit"]), found: "nextstep"), at: JSONPointer(["search"]))
      ])
    #expect(throws: MutationFault.focus(.notAWindow("v", .view, as: .modal))) {
      var template = SessionTemplate()
      template.responders = [try responder("v", ["kind": "view"])]
      template.windows = [.modal: "v"]
      _ = try Session("s", opening: template, in: Catalog())
    }
    #expect(
      MutationFault.focus(.notAWindow("v", .view, as: .main)).place(in: .root)
        == JSONPointer(["mainWindow"]))
  }

  @Test func `R10: a responder that left its window is not asked there any more`() throws {
    var stage = try stage()
    try stage.put("text", ["kind": "view", "superview": "sheet"])
    #expect(
      try asked(stage) == [
        "field", "panel", "panelDelegate", "document", "documentDelegate", "app", "appDelegate",
      ])
    try stage.put("text", ["kind": "view", "superview": "page"])
    #expect(try !asked(stage).contains("text"))
    try stage.apply(.becomeFirstResponder("text"))
    #expect(try asked(stage).contains("text"))
  }

  @Test func `R7: without a first responder it begins at the sender, else in the key window`()
    throws
  {
    var stage = try stage(with: [
      "text": ["kind": "view", "superview": "page", "handlers": ["rate:": [:]]],
      "app": ["kind": "application", "handlers": ["rate:": [:]]],
      "field": ["kind": "view", "superview": "panel", "handlers": ["rate:": [:]]],
    ])
    try stage.apply(.resignFirstResponder)
    let button = SenderDescription(responder: "field")
    #expect(try stage.target("rate:", sender: button) == "field")
    #expect(try stage.target("rate:") == "text")
    try stage.apply(.makeWindow(nil, .main))
    #expect(try stage.target("rate:") == "app")
    // It brings its first responder back, which comes before the sender (R11).
    try stage.apply(.makeWindow("document", .key))
    #expect(try stage.target("rate:", sender: button) == "text")
    #expect(try stage.target("rate:") == "text")
  }
}
