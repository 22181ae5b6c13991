import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Undo that is never stuck (U4): what something unregistered changed since is kept.
@Suite struct UndoKeptTests {
  private static let handlers: JSON = [
    "a:": ["perform": [["op": "replace", "path": "/a", "value": "state.a + 1"]]],
    "b:": ["perform": [["op": "replace", "path": "/b", "value": "state.b + 1"]]],
    "both:": [
      "perform": [
        ["op": "replace", "path": "/a", "value": "state.a + 1"],
        ["op": "replace", "path": "/b", "value": "state.b + 1"],
      ]
    ],
    "twice:": [
      "perform": [
        ["op": "replace", "path": "/a", "value": "state.a + 1"],
        ["op": "replace", "path": "/a", "value": "state.a + 1"],
      ]
    ],
    "upper:": ["perform": [["op": "replace", "path": "/lines/1", "value": "'B'"]]],
    "insert:": ["perform": [["op": "add", "path": "/lines/1", "value": "'new'"]]],
    "delete:": ["perform": [["op": "remove", "path": "/lines/0"]]],
    "edit:": [
      "perform": [
        ["op": "replace", "path": "/lines/2", "value": "'C'"],
        ["op": "remove", "path": "/lines/0"],
      ]
    ],
    "wrap:": ["perform": [["op": "add", "path": "/box", "value": "{'x': 1, 'selection': 1}"]]],
    "box:": ["perform": [["op": "replace", "path": "/box", "value": "{'x': 2, 'selection': 2}"]]],
    "send:": [
      "perform": [
        ["op": "replace", "path": "/a", "value": "state.a + 1"],
        ["op": "registerUndo", "target": "'view'", "action": "'note:'"],
      ]
    ],
    "note:": ["perform": [["op": "add", "path": "/note", "value": "true"]]],
    "quiet:": [
      "perform": [
        ["op": "replace", "path": "/a", "value": "state.a + 1", "undo": false],
        ["op": "replace", "path": "/b", "value": "state.b + 1"],
      ]
    ],
  ]
  private static let commands: JSON = .array(
    [("Undo", "undo:"), ("Redo", "redo:"), ("A", "a:"), ("B", "b:"), ("Upper", "upper:")].map {
      ["title": .string($0.0), "action": .string($0.1)]
    })
  private static let state: JSON = ["a": 0, "b": 0, "lines": ["a", "b", "c"]]

  private func stage(ignoring ignored: [String] = []) throws -> Stage {
    var view: JSONObject = [:]
    if !ignored.isEmpty {
      view["undoManager"] = ["ignores": .array(ignored.map(JSON.string))]
    }
    return try Stage(
      undoing: Self.handlers, commands: Self.commands, state: Self.state, view: view)
  }

  private func patch(_ path: String, _ value: JSON, _ op: String = "replace") throws -> Mutation {
    .patchState(
      try JSONPatch([["op": .string(op), "path": .string(path), "value": value]]))
  }

  private func kept(_ outcome: Outcome) -> [String] {
    outcome.events.flatMap { event -> [String] in
      guard case .didUndoChange(_, _, actionName: _, let kept) = event else { return [] }
      return kept.map(\.description)
    }
  }

  @Test func `U4: a group of which nothing can be taken back is passed over with the next one`()
    throws
  {
    var stage = try stage()
    for command: CommandID in ["a:", "b:"] { try stage.perform(command) }
    try stage.apply(try patch("/b", 9))
    #expect(try stage.item("undo:").title == "Undo A")
    let outcome = try stage.perform("undo:")
    #expect(kept(outcome) == ["/b"])
    #expect(stage.text == #"{"a":0,"b":9,"lines":["a","b","c"]}"#)
    #expect(try !stage.item("undo:").isEnabled)
    #expect(try stage.item("redo:").title == "Redo A")
    try stage.perform("redo:")
    #expect(stage.text == #"{"a":1,"b":9,"lines":["a","b","c"]}"#)
  }

  @Test func `U4: of a group the places are taken back that still are as it left them`() throws {
    var stage = try stage()
    try stage.send("both:")
    try stage.apply(try patch("/a", 9))
    let outcome = try stage.apply(.undo())
    #expect(kept(outcome) == ["/a"])
    #expect(
      outcome.changes == [.state(.replace(path: JSONPointer(["b"]), value: 0)), .undoManager(nil)])
    #expect(outcome.trace.says.contains { $0.contains("leaves '/a' in the state as it is") })
    #expect(stage.text == #"{"a":9,"b":0,"lines":["a","b","c"]}"#)
    try stage.apply(.redo())
    #expect(stage.text == #"{"a":9,"b":1,"lines":["a","b","c"]}"#)
  }

  @Test func `U4: a place that a group changed twice is not taken back halfway`() throws {
    var stage = try stage()
    try stage.send("twice:")
    // As the group had it in between.
    try stage.apply(try patch("/a", 1))
    #expect(try !stage.manager().can(.undo))
    #expect(try !stage.apply(.undo()).isUndone)
    try stage.apply(try patch("/a", 2))
    try stage.apply(.undo())
    #expect(stage.text == Self.state.text())
  }

  @Test func `U4: redo passes over and keeps in the same way`() throws {
    var stage = try stage()
    try stage.send("both:")
    try stage.perform("a:")
    try stage.apply(.undo())
    try stage.apply(.undo())
    try stage.apply(try patch("/b", 9))
    let outcome = try stage.apply(.redo())
    #expect(kept(outcome) == ["/b"])
    try stage.apply(try patch("/a", 7))
    #expect(try !stage.manager().can(.redo))
  }

  @Test func `U4: a line that was typed over keeps what was typed`() throws {
    var stage = try stage()
    try stage.perform("upper:")
    try stage.apply(try patch("/lines/1", "typed"))
    #expect(try !stage.item("undo:").isEnabled)
    #expect(stage.reason(for: .perform(ActionRequest(.command("undo:")))) == .ruleFalse)
    #expect(try !stage.apply(.undo()).isUndone)
    #expect(stage.text == #"{"a":0,"b":0,"lines":["a","typed","c"]}"#)
  }

  @Test func `U4: an element is taken back in an array that grew, and not one that moved`() throws {
    var stage = try stage()
    try stage.perform("upper:")
    try stage.apply(try patch("/lines/-", "d", "add"))
    try stage.apply(.undo())
    #expect(stage.text == #"{"a":0,"b":0,"lines":["a","b","c","d"]}"#)
    try stage.apply(.redo())
    #expect(stage.text == #"{"a":0,"b":0,"lines":["a","B","c","d"]}"#)
    try stage.apply(try patch("/lines/0", "first", "add"))
    #expect(try !stage.manager().can(.undo))
  }

  @Test func `U4: an inserted element is removed, a removed one returns to an array of its length`()
    throws
  {
    var stage = try stage()
    try stage.send("insert:")
    try stage.apply(try patch("/lines/-", "d", "add"))
    try stage.apply(.undo())
    #expect(stage.text == #"{"a":0,"b":0,"lines":["a","b","c","d"]}"#)
    try stage.send("delete:")
    try stage.apply(try patch("/lines/0", "x", "add"))
    #expect(try !stage.manager().can(.undo))
    try stage.apply(.patchState(JSONPatch([.remove(path: JSONPointer(["lines", "0"]))])))
    try stage.apply(.undo())
    #expect(stage.text == #"{"a":0,"b":0,"lines":["a","b","c","d"]}"#)
  }

  @Test func `U4: where an element cannot return, nothing below its array is touched`() throws {
    var stage = try stage()
    try stage.send("edit:")
    // Now "C" stands where the group changed it, and yet it is another element.
    try stage.apply(try patch("/lines/0", "C", "add"))
    try stage.apply(try patch("/lines/2", "C"))
    #expect(try !stage.manager().can(.undo))
    #expect(try !stage.apply(.undo()).isUndone)
  }

  @Test func `U4: a message that was registered can always be sent`() throws {
    var stage = try stage()
    try stage.send("send:")
    try stage.apply(try patch("/a", 9))
    let outcome = try stage.apply(.undo())
    #expect(kept(outcome) == ["/a"])
    #expect(stage.session.state.object?["note"] == true)
  }

  @Test func `U4: groups that are passed over for long are forgotten`() throws {
    var stage = try stage()
    try stage.perform("b:")
    for _ in 0..<(2 * Limits.passedGroups) { try stage.send("a:") }
    #expect(try stage.manager().undoGroups.count == 2 * Limits.passedGroups + 1)
    try stage.apply(try patch("/a", "other"))
    #expect(try stage.manager().undoGroups.count == Limits.passedGroups + 1)
    #expect(try stage.item("undo:").title == "Undo B")
    try stage.perform("undo:")
    #expect(try stage.manager().undoGroups.isEmpty)
  }

  @Test func `U4: the session that is read again knows what can be undone`() throws {
    var stage = try stage()
    try stage.perform("a:")
    try stage.apply(try patch("/a", 9))
    stage.session = try StoredReader().session(from: StoredFormat.bytes(of: stage.session))
    #expect(try !stage.item("undo:").isEnabled)
    #expect(try !stage.manager().can(.undo))
  }

  @Test func `U5: nothing is registered at or below ignored places, and nothing conflicts there`()
    throws
  {
    var stage = try stage(ignoring: ["/a", "/box/selection"])
    try stage.send("a:")
    #expect(try !stage.manager("view").can(.undo))
    try stage.send("wrap:")
    try stage.send("box:")
    try stage.apply(try patch("/box/selection", 7))
    #expect(try stage.manager("view").can(.undo))
    try stage.apply(.undo())
    #expect(stage.session.state.object?["box"] == ["x": 1, "selection": 7])
    try stage.apply(.patchState(JSONPatch([.remove(path: JSONPointer(["box", "selection"]))])))
    try stage.apply(.redo())
    #expect(stage.session.state.object?["box"] == ["x": 2])
    try stage.apply(try patch("/box/x", 9))
    #expect(try !stage.manager("view").can(.undo))
  }

  private func view(_ undoManager: JSON) throws -> Mutation {
    .putResponder(
      try responder(
        "view",
        [
          "kind": "view", "superview": "window", "undoManager": undoManager,
          "handlers": Self.handlers,
        ]))
  }

  @Test func `U4, U5: other ignored places decide anew what can be undone`() throws {
    var stage = try stage(ignoring: ["/c"])
    try stage.send("wrap:")
    try stage.apply(try patch("/box/selection", 7))
    #expect(try !stage.manager("view").can(.undo))
    try stage.apply(try view(["ignores": ["/box/selection"]]))
    #expect(try stage.manager("view").can(.undo))
    try stage.apply(try view(["ignores": []]))
    #expect(try !stage.manager("view").can(.undo))
  }

  @Test func `U1, U4: fewer levels decide anew what can be undone`() throws {
    var stage = try stage(ignoring: ["/c"])
    for action: Selector in ["a:", "b:", "b:"] { try stage.send(action) }
    try stage.apply(try patch("/b", 9))
    #expect(try stage.manager("view").can(.undo))
    try stage.apply(try view(["levelsOfUndo": 2]))
    #expect(try !stage.manager("view").can(.undo))
  }

  @Test func `U4: undoing closes an open group, and takes back the group that it named`() throws {
    var stage = try stage()
    try stage.session.updateUndoManager(ownedBy: nil) { $0.levelsOfUndo = 1 }
    try stage.perform("a:")
    try stage.apply(.beginUndoGrouping())
    try stage.send("b:")
    try stage.apply(try patch("/b", 9))
    #expect(try stage.item("undo:").title == "Undo A")
    try stage.perform("undo:")
    #expect(stage.text == #"{"a":0,"b":9,"lines":["a","b","c"]}"#)
  }

  @Test func `U5: the session's ignored places hold for all managers`() throws {
    let template = try FaultLog.collecting {
      SessionTemplate(
        reading: [
          "state": ["a": 0, "b": 0], "undoManager": ["ignores": ["/a"], "levelsOfUndo": 3],
          "responders": [
            "view": ["kind": "view", "undoManager": [:], "handlers": Self.handlers],
            "plain": ["kind": "view", "handlers": Self.handlers],
          ],
        ], at: .root, log: $0)
    }
    let catalog = try CatalogDocument([:]).catalog()
    var session = try Session("s", opening: template, in: catalog)
    for id: ResponderID in ["view", "plain"] {
      _ = try session.apply(
        .perform(ActionRequest(.action("both:"), from: id)), in: catalog)
    }
    #expect(session.undoManager(ownedBy: "view")?.undoGroups.map(\.actionCount) == [1])
    #expect(session.undoManager(ownedBy: nil)?.undoGroups.map(\.actionCount) == [1])
    #expect(template.undoManager.json == ["levelsOfUndo": 3, "ignores": ["/a"]])
  }

  @Test func `U5: an effect that says so is not registered`() throws {
    var stage = try stage()
    try stage.send("quiet:")
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [1])
    try stage.apply(.undo())
    #expect(stage.text == #"{"a":1,"b":0,"lines":["a","b","c"]}"#)
  }
}

/// Patches of front ends that can be undone (U6), and the names of groups.
@Suite struct UndoRegistrationTests {
  private func stage() throws -> Stage {
    try Stage(
      undoing: [
        "log:": ["perform": [["op": "add", "path": "/log/-", "value": "1"]]],
        "rename:": [
          "validate": ["title": "'Rename “' + state.text + '”…'"],
          "perform": [["op": "add", "path": "/log/-", "value": "1"]],
        ],
        "paste:": [
          "validate": ["title": "'Paste “' + state.text + '”'"],
          "perform": [["op": "add", "path": "/log/-", "value": "1"]],
        ],
        "toggle:": [
          "validate": ["title": "size(state.log) > 0 ? 'Show All…' : 'Hide Done'"],
          "perform": [["op": "add", "path": "/log/-", "value": "1"]],
        ],
        "export:": [
          "validate": ["title": "state.text == '' ? 'Export...' : 'Export “' + state.text + '”'"],
          "perform": [["op": "deliver"]],
        ],
      ],
      commands: [
        ["title": "Log", "action": "log:"], ["title": "Undo", "action": "undo:"],
        ["title": "Rename…", "action": "rename:"], ["title": "Export...", "action": "export:"],
        ["title": "Paste", "action": "paste:"], ["title": "Hide or Show", "action": "toggle:"],
      ], state: ["text": "", "log": []])
  }

  private func type(
    _ text: String, _ key: String? = "line", _ name: String? = "Typing"
  ) -> Mutation {
    .mergeState(["text": .string(text)], undo: UndoRegistration(actionName: name, coalesce: key))
  }

  @Test func `U6: a patch that asks for it is a group under its name`() throws {
    var stage = try stage()
    try stage.apply(type("a", nil))
    #expect(try stage.item("undo:").title == "Undo Typing")
    try stage.apply(
      .patchState(
        JSONPatch([.add(path: JSONPointer(["log", "0"]), value: 1)]), undo: UndoRegistration()))
    #expect(try stage.item("undo:").title == "Undo")
    #expect(try stage.goAll(.undo) == 2)
    #expect(stage.text == #"{"text":"","log":[]}"#)
    #expect(try stage.goAll(.redo) == 2)
    #expect(stage.text == #"{"text":"a","log":[1]}"#)
  }

  @Test func `U6: patches of one key are one group, with one change of one place`() throws {
    var stage = try stage()
    for text in ["a", "ab", "abc"] { try stage.apply(type(text)) }
    #expect(try stage.manager().undoGroups.map(\.actionCount) == [1])
    try stage.apply(.undo())
    #expect(stage.text == #"{"text":"","log":[]}"#)
    try stage.apply(.redo())
    #expect(stage.text == #"{"text":"abc","log":[]}"#)
  }

  @Test func `U4, U6: a value that something unregistered set between two patches is kept`() throws
  {
    var stage = try stage()
    try stage.apply(type("a"))
    try stage.apply(.mergeState(["text": "by another"]))
    try stage.apply(type("ab"))
    let undone = try stage.apply(.undo())
    #expect(stage.text == #"{"text":"by another","log":[]}"#)
    #expect(
      undone.events.last
        == .didUndoChange(.undo, nil, actionName: "Typing", kept: [JSONPointer(["text"])]))
  }

  @Test func `U6: a command that registers nothing comes between, too`() throws {
    var stage = try stage()
    try stage.apply(type("a"))
    try stage.perform("export:")
    try stage.apply(type("b"))
    #expect(try stage.manager().undoGroups.count == 2)
  }

  @Test func `U6: they are not if the key differs, or something came between`() throws {
    var stage = try stage()
    try stage.apply(type("a"))
    try stage.apply(type("b", "other"))
    try stage.apply(type("c"))
    #expect(try stage.manager().undoGroups.count == 3)
    try stage.perform("log:")
    try stage.apply(type("d"))
    #expect(try stage.manager().undoGroups.count == 5)
    try stage.apply(.undo())
    try stage.apply(.undo())
    try stage.apply(type("e"))
    #expect(try stage.manager().undoGroups.count == 4)
    try stage.apply(.undo())
    try stage.apply(.redo())
    try stage.apply(type("f"))
    #expect(try stage.manager().undoGroups.count == 5)
  }

  @Test func `U6: a patch that changes nothing registers nothing`() throws {
    var stage = try stage()
    #expect(try stage.apply(type("")).changes == [])
    #expect(try !stage.manager().can(.undo))
    #expect(
      stage.refusal(of: type("a", String(repeating: "k", count: 257)))
        == .tooLarge(limit: 256))
  }

  @Test func `U6: inside an open group it joins that group`() throws {
    var stage = try stage()
    try stage.apply(.beginUndoGrouping())
    try stage.apply(type("a"))
    try stage.perform("log:")
    try stage.apply(.endUndoGrouping())
    #expect(try stage.manager().undoGroups.count == 1)
  }

  @Test func `U2: the name of a group has no ellipsis, and none of what the title told`() throws {
    var stage = try stage()
    try stage.apply(.mergeState(["text": "Write the report"]))
    #expect(try stage.item("rename:").title == "Rename “Write the report”…")
    try stage.perform("rename:")
    #expect(try stage.item("undo:").title == "Undo Rename")
    #expect(try stage.item("paste:").title == "Paste “Write the report”")
    try stage.perform("paste:")
    #expect(try stage.item("undo:").title == "Undo Paste")
    #expect(UndoGroup.name(title: "Hide", declared: "Show", isComposed: false) == "Hide")
    #expect(UndoGroup.name(title: "Hide “a”", declared: "Hide…", isComposed: true) == "Hide")
    #expect(UndoGroup.name(title: "as ...", declared: nil, isComposed: true) == "as")
    #expect(UndoGroup.name(title: "…", declared: "…", isComposed: false) == nil)
    #expect(UndoGroup.name(title: "Hide “a”", declared: "", isComposed: true) == nil)
  }

  @Test func `U2: a title that a rule spells out is a name`() throws {
    var stage = try stage()
    try stage.perform("toggle:")
    #expect(try stage.item("undo:").title == "Undo Hide Done")
    try stage.perform("toggle:")
    #expect(try stage.item("undo:").title == "Undo Show All")
  }

  @Test func `U2: a reply names its group without what the title told`() throws {
    var stage = try stage()
    try stage.apply(.mergeState(["text": "a.pdf"]))
    try stage.perform("export:")
    #expect(stage.session.deliveries.all.first?.title == "Export “a.pdf”")
    try stage.apply(.claimDelivery(1, until: 9))
    try stage.apply(.replyToDelivery(1, claim: 1, mutations: [.mergeState(["log": [3]])]))
    #expect(try stage.item("undo:").title == "Undo Export")
  }

  @Test(arguments: [true, false])
  func `U5: a reply can leave nothing to undo, and names its group without an ellipsis`(
    isUndoable: Bool
  ) throws {
    var stage = try stage()
    try stage.perform("export:")
    #expect(stage.session.deliveries.all.first?.title == "Export...")
    try stage.apply(.claimDelivery(1, until: 9))
    try stage.apply(
      .replyToDelivery(
        1, claim: 1, mutations: [.mergeState(["text": "done"])], isUndoable: isUndoable))
    #expect(try stage.item("undo:").title == (isUndoable ? "Undo Export" : "Undo"))
    #expect(stage.session.state.object?["text"] == "done")
  }
}
