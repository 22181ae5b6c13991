import CEL
import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

@Suite struct DocumentTests {
  private typealias Kinds = [ResponderKind]

  private func responderFaults(_ json: JSON) -> [DocumentFault] {
    faults { Responder("r", reading: json, at: JSONPointer(["r"]), log: $0) }
  }

  @Test(
    arguments: [
      (1, .expected(.object, found: 1), []), ([:], .missingMember("kind"), []),
      (
        ["kind": "views"],
        .expected(.oneOf(ResponderKind.allCases.map(\.rawValue)), found: "views"),
        ["kind"]
      ),
      (["kind": "view", "class": "UI View"], .expected(.identifier, found: "UI View"), ["class"]),
      (["kind": "view", "superview": nil], .expected(.identifier, found: nil), ["superview"]),
      (
        ["kind": "view", "parent": "c"],
        .memberOfOtherKind("parent", kind: .view, kinds: [.viewController]), ["parent"]
      ), (["kind": "view", "properties": []], .expected(.object, found: []), ["properties"]),
      (
        ["kind": "view", "canBecomeFirstResponder": 1], .expected(.boolRule, found: 1),
        ["canBecomeFirstResponder"]
      ),
      (
        ["kind": "view", "handlers": ["no selector": [:]]],
        .expected(.selector, found: "no selector"), ["handlers", "no selector"]
      ),
      (
        ["kind": "view", "handlers": ["a/b~:": [:]]], .expected(.selector, found: "a/b~:"),
        ["handlers", "a/b~:"]
      ),
      (
        ["kind": "view", "handlers": ["a:": ["canPerform": nil]]], .expected(.boolRule, found: nil),
        ["handlers", "a:", "canPerform"]
      ),
      (
        ["kind": "view", "handlers": ["a:": ["validate": ["title": true]]]],
        .expected(.rule, found: true), ["handlers", "a:", "validate", "title"]
      ),
      (
        ["kind": "view", "handlers": ["a:": ["validate": ["colour": "1"]]]],
        .unknownMember(
          "colour",
          known: [
            "enabled", "requires", "checked", "title", "subtitle", "image",
            "discoverabilityTitle", "hidden", "destructive", "keepsMenuPresented", "confirmation",
          ]), ["handlers", "a:", "validate", "colour"]
      ),
      (
        ["kind": "view", "handlers": ["a:": ["Perform": []]]],
        .unknownMember("Perform", known: ["validate", "canPerform", "perform", "continues"]),
        ["handlers", "a:", "Perform"]
      ),
      (
        ["kind": "view", "handlers": ["a:": ["perform": [:]]]], .expected(.array, found: [:]),
        ["handlers", "a:", "perform"]
      ),
      (
        ["kind": "view", "coordinator": ["forwarding": "all"]],
        .expected(.oneOf(["catchAll", "explicit"]), found: "all"), ["coordinator", "forwarding"]
      ),
      (
        ["kind": "view", "coordinator": ["handlers": ["": [:]]]], .expected(.selector, found: ""),
        ["coordinator", "handlers", ""]
      ),
      (
        ["kind": "view", "nextResponder": "x"],
        .unknownMember(
          "nextResponder",
          known: [
            "kind", "class", "next", "superview", "view", "parent", "presentingViewController",
            "selectedViewController", "rootViewController", "windowScene", "delegate",
            "firstResponder", "supplementalTarget", "forwardingTarget", "parentCoordinator",
            "continuation", "properties",
            "canBecomeFirstResponder", "canResignFirstResponder", "viewControllers",
            "isCollapsed", "canPerform", "handlers", "keyCommands", "coordinator", "catchAll",
            "supplementalTargetRule", "weight", "proxied", "proxiedSelectors", "coordinating",
            "lateResponders",
            "undoManager", "userActivity", "touchBar", "observes", "storyboard", "scene",
            "isInstance", "owner",
          ]), ["nextResponder"]
      ),
    ] as [(JSON, DocumentFault.Reason, [String])])
  func `a responder's fault is reported with its place`(
    json: JSON, problem: DocumentFault.Reason, place: [String]
  ) {
    #expect(
      responderFaults(json) == [DocumentFault(problem, at: JSONPointer(["r"] + place))])
  }

  @Test(
    arguments: [
      (nil, .expected(.object, found: nil), []), ([:], .missingMember("op"), []),
      (["op": "add", "path": "/a"], .missingMember("value"), []),
      (["op": "add", "value": "1"], .missingMember("path", orElse: ["pathRule"]), []),
      (["op": "remove", "path": "a"], .expected(.pointer, found: "a"), ["path"]),
      (["op": "remove", "path": "/~2"], .expected(.pointer, found: "/~2"), ["path"]),
      (["op": "move", "path": "/a"], .missingMember("from", orElse: ["fromRule"]), []),
      (["op": "test", "path": "/a", "value": 5], .expected(.rule, found: 5), ["value"]),
      (["op": "send"], .missingMember("action"), []),
      (["op": "firstResponder"], .missingMember("responder"), []),
      (["op": "properties"], .missingMember("value"), []),
      (["op": "answer"], .missingMember("value"), []),
      (["op": "registerUndo", "target": "'x'"], .missingMember("action"), []),
      (["op": "setActionName"], .missingMember("name"), []),
      (["op": "message"], .missingMember("message"), []),
      (
        ["op": "message", "message": "'a'", "to": "all"],
        .expected(.oneOf(["chain", "delegate"]), found: "all"), ["to"]
      ),
      (
        ["op": "message", "message": "'a'", "answers": true, "queue": true],
        .conflictingMembers("answers", "queue"), []
      ),
      (["op": "continue", "arguments": 1], .expected(.rule, found: 1), ["arguments"]),
      (
        ["op": "handleAction", "value": "1"],
        .unknownMember("value", known: ["op", "when", "undo"]),
        ["value"]
      ),
      (
        ["op": "shout"],
        .expected(
          .oneOf(Effect.ops), found: "shout"), ["op"]
      ),
    ] as [(JSON, DocumentFault.Reason, [String])])
  func `an effect's fault is reported with its place`(
    json: JSON, problem: DocumentFault.Reason, place: [String]
  ) {
    #expect(
      faults { Effect(reading: json, at: .root, log: $0) }
        == [DocumentFault(problem, at: JSONPointer(place))])
  }

  @Test(
    arguments: [
      (["action": "a b", "title": "A", "id": "x"], .expected(.selector, found: "a b"), ["action"]),
      (["action": "a"], .missingMember("title"), []),
      (["action": "a", "title": nil], .expected(.string, found: nil), ["title"]),
      (["action": "a", "title": "A", "id": "é"], .expected(.identifier, found: "é"), ["id"]),
      (
        ["action": "a", "title": "A", "attributes": "hidden"], .expected(.array, found: "hidden"),
        ["attributes"]
      ),
      (
        ["action": "a", "title": "A", "attributes": ["hidden", "Hidden"]],
        .expected(
          .oneOf(["disabled", "destructive", "hidden", "keepsMenuPresented"]), found: "Hidden"),
        ["attributes", "1"]
      ),
      (
        ["action": "a", "title": "A", "state": true],
        .expected(.oneOf(["off", "on", "mixed"]), found: true), ["state"]
      ),
      (
        ["action": "a", "title": "A", "key": ["input": "a", "modifiers": ["cmd"]]],
        .expected(
          .oneOf(["command", "shift", "alternate", "control", "alphaShift", "numericPad"]),
          found: "cmd"), ["key", "modifiers", "0"]
      ),
      (
        ["action": "a", "title": "A", "wantsPriorityOverSystemBehavior": 1],
        .expected(.bool, found: 1), ["wantsPriorityOverSystemBehavior"]
      ),
      (
        ["action": "a", "title": "A", "hints": ["readOnly": "yes"]],
        .expected(.bool, found: "yes"), ["hints", "readOnly"]
      ),
      (
        ["action": "a", "title": "A", "hints": ["openWorld": true]],
        .unknownMember("openWorld", known: ["readOnly", "idempotent", "destructive"]),
        ["hints", "openWorld"]
      ),
      (
        ["action": "a", "titel": "A", "title": "A"],
        .unknownMember(
          "titel",
          known: [
            "action", "id", "title", "subtitle", "image", "discoverabilityTitle", "description",
            "propertyList", "parameters", "choices", "defaults", "unavailable", "confirmation",
            "hints", "agents", "attributes", "state", "key", "alternates",
            "wantsPriorityOverSystemBehavior",
            "allowsAutomaticLocalization", "allowsAutomaticMirroring",
          ]), ["titel"]
      ),
    ] as [(JSON, DocumentFault.Reason, [String])])
  func `a command's fault is reported with its place`(
    json: JSON, problem: DocumentFault.Reason, place: [String]
  ) {
    #expect(
      faults { Command(reading: json, at: .root, log: $0) }
        == [DocumentFault(problem, at: JSONPointer(place))])
  }

  @Test func `a rule that does not compile is reported with offset and hint`() {
    let found = responderFaults([
      "kind": "view", "handlers": ["a:": ["validate": ["enabled": "state.n = 1"]]],
    ])
    #expect(found.map(\.pointer) == [JSONPointer(["r", "handlers", "a:", "validate", "enabled"])])
    guard case .rule(let fault)? = found.first?.reason else {
      Issue.record("no rule fault: \(found)")
      return
    }
    #expect(fault.offset == 8)
    #expect(fault.hint != nil)
    let unknown = responderFaults(["kind": "view", "canResignFirstResponder": "stat.n"])
    guard case .rule(let fault)? = unknown.first?.reason else {
      Issue.record("no rule fault: \(unknown)")
      return
    }
    #expect(fault.reason == .unknownVariable("stat"))
  }

  @Test func `several faults are reported together, in the order of the document's members`() {
    #expect(
      responderFaults([
        "kind": "viewController", "superview": "v", "properties": 1, "colour": "red",
        "handlers": [
          "a": ["perform": [["op": "add", "path": "/a"], ["op": "x"], 5]], "b c": [:],
        ], "size": 3,
      ]).map(\.pointer.description) == [
        "/r/superview", "/r/properties", "/r/handlers/a/perform/0", "/r/handlers/a/perform/1/op",
        "/r/handlers/a/perform/2", "/r/handlers/b c", "/r/colour", "/r/size",
      ])
  }

  @Test func `a catalogue's faults are reported part by part, all of them`() {
    let document = CatalogDocument([
      .commands: [
        ["action": "a", "title": 1], 5, ["id": "b", "title": "B", "key": ["input": "b"]],
      ],
      .menus: ["a", "b", "ghost"],
      .classes: [
        "UIView": ["superclass": "UIResponder"], "A": ["superclass": "B"],
        "B": ["superclass": "A"], "C": ["superclass": "Ghost"], "D": ["superclass": "E"],
        "E": ["superclass": 5], "F": ["superclass": "A"], "G": [:],
      ],
      .session: [
        "state": [], "responders": ["v": ["kind": "view", "class": "E"], "w": ["kind": "pane"]],
      ],
    ])
    do throws(CatalogDocument.Faults) {
      _ = try document.catalog()
      Issue.record("accepted")
    } catch {
      #expect(
        error.faults.map { "\($0.part) \($0.fault.pointer)" } == [
          "commands /0/title", "commands /1", "commands /2", "menus /2", "classes /E/superclass",
          "classes /G", "classes /UIView", "classes /A", "classes /C", "session /state",
          "session /responders/w/kind",
        ])
      #expect(
        error.faults.map(\.fault.reason).contains(
          .declaration(.class(.classCycle(["A", "B", "A"])))))
      #expect(
        error.faults.map(\.fault.reason)
          .contains { problem in
            guard
              case .declaration(.class(.unknownSuperclass("C", "Ghost", let known)), other: nil) =
                problem
            else { return false }
            return known.contains("A") && known.contains("UIView") && !known.contains("C")
          })
    }
  }

  @Test func `a template's links and focus are checked all at once`() {
    let document = CatalogDocument([
      .session: [
        "responders": [
          "v": ["kind": "view", "superview": "ghost"],
          "c": ["kind": "viewController", "view": "v", "parent": "v"],
          "d": ["kind": "viewController", "view": "v"], "x": ["kind": "view", "class": "Ghost"],
          "a": ["kind": "application"], "b": ["kind": "application"],
        ], "firstResponder": "nobody", "keyWindow": "v",
      ]
    ])
    func places(_ document: CatalogDocument) -> [String] {
      do throws(CatalogDocument.Faults) {
        _ = try document.catalog()
        return []
      } catch {
        return error.faults.map { "\($0.part) \($0.fault.pointer)" }
      }
    }
    #expect(
      places(document) == [
        "session /responders/x/class", "session /responders/v/superview",
        "session /responders/c/parent", "session /responders/d/view", "session /responders/b",
        "session /keyWindow", "session /firstResponder",
      ])
    #expect(
      places(CatalogDocument([.session: ["keyWindow": "ghost"]])) == ["session /keyWindow"])
    #expect(
      places(
        CatalogDocument([
          .session: [
            "responders": [
              "a": ["kind": "view", "superview": "b"], "b": ["kind": "view", "superview": "a"],
            ]
          ]
        ])) == ["session /responders"])
    #expect(
      places(
        CatalogDocument([
          .session: [
            "responders": ["a": ["kind": "view", "canBecomeFirstResponder": "state.missing"]],
            "firstResponder": "a",
          ]
        ])) == ["session /firstResponder"])
  }

  @Test func `parts of the wrong form are refused at their root`() {
    for part in CatalogDocument.Part.allCases {
      do throws(CatalogDocument.Faults) {
        _ = try CatalogDocument([part: "x"]).catalog()
        Issue.record("accepted")
      } catch {
        let expected: DocumentFault.Expectation =
          part == .commands || part == .menus ? .array : .object
        #expect(
          error.faults == [
            CatalogDocument.Fault(
              part: part, fault: DocumentFault(.expected(expected, found: "x"), at: .root))
          ])
      }
    }
  }

  @Test func `an empty catalogue is one`() throws {
    let catalog = try CatalogDocument([:]).catalog()
    #expect(catalog.commands == [])
    #expect(
      catalog.menus.json == ["identifier": "root", "title": "", "options": [], "children": []])
    #expect(catalog.template == nil)
    #expect(catalog.classes.declared.isEmpty)
  }

  @Test(arguments: [JSON.bool(false), "false"])
  func `W4: a confirmation that never asks has no title, in its document neither`(
    condition: JSON
  ) throws {
    let validation: JSON = ["confirmation": ["if": condition]]
    let json: JSON = ["kind": "view", "handlers": ["a:": ["perform": [], "validate": validation]]]
    let document = try responder("r", json).json
    #expect(
      document[JSONPointer(["handlers", "a:", "validate", "confirmation"])] == ["if": "false"])
    #expect(try responder("r", document).json == document)
  }

  @Test func `a responder written as a document reads back as the same`() throws {
    let json: JSON = [
      "kind": "viewController", "class": "UIViewController", "next": "n", "view": "v",
      "parent": "p", "presentingViewController": "q", "properties": ["a": [nil, 1.5]],
      "canBecomeFirstResponder": "state.a", "canResignFirstResponder": "true",
      "handlers": [
        "a:": [
          "validate": [
            "enabled": "true", "checked": "'on'", "title": "'t'", "subtitle": "'s'",
            "image": "'i'", "discoverabilityTitle": "'d'", "hidden": "false",
            "destructive": "state.x",
          ], "canPerform": "sender != null",
          "perform": [
            ["op": "add", "path": "/a~1b/-", "value": "1"], ["op": "remove", "path": ""],
            ["op": "replace", "path": "/a", "value": "state"],
            ["op": "move", "from": "/a", "path": "/b"], ["op": "copy", "from": "/a", "path": "/b"],
            ["op": "test", "path": "/a", "value": "1"],
            ["op": "send", "action": "'a:'", "to": "'x'", "arguments": "[1]"],
            ["op": "send", "action": "'a:'"], ["op": "firstResponder", "responder": "'x'"],
            ["op": "properties", "responder": "'x'", "value": "{}"],
            ["op": "properties", "value": "{}"], ["op": "handleAction"],
            ["op": "answer", "value": "5"],
            ["op": "registerUndo", "target": "'x'", "action": "'a:'", "arguments": "[1]"],
            ["op": "registerUndo", "target": "'x'", "action": "'a:'"],
            ["op": "setActionName", "name": "'Paste'"], ["op": "beginUndoGrouping"],
            ["op": "endUndoGrouping"], ["op": "disableUndoRegistration"],
            ["op": "enableUndoRegistration"],
            ["op": "prepareWithInvocationTarget", "target": "'x'"],
          ],
        ], "b": ["perform": []],
      ],
      "coordinator": [
        "forwarding": "explicit", "handlers": ["z:": ["perform": []], "a:": ["perform": []]],
      ],
    ]
    #expect(try responder("r", json).json.text() == json.text())
  }

  @Test(arguments: ["copy:", "insert:at:", "a", "_a$1", ":a:", "::", "a::"])
  func `a selector is words and colons`(text: String) {
    #expect(Selector(text)?.argumentCount == text.utf8.count { $0 == UInt8(ascii: ":") })
    #expect(Selector(text)?.rawValue == text)
  }

  @Test(arguments: [
    "", ":", "1a", "a:b", "a b:", "é:", "a-b", "a:1:", "a.b:",
    String(repeating: "a", count: 129),
  ])
  func `other texts are no selectors`(text: String) {
    #expect(Selector(text) == nil)
  }

  @Test(arguments: [("", false), ("a", true), ("A.b:c-d_9", true), ("a/b", false), ("é", false)])
  func `an identifier has letters, digits and a few signs of ASCII`(text: String, isOne: Bool) {
    #expect((ResponderID(text) != nil) == isOne)
    #expect(ResponderID(String(repeating: "x", count: 128)) != nil)
    #expect(ResponderID(String(repeating: "x", count: 129)) == nil)
  }
}

extension JSON {
  fileprivate mutating func remove(_ path: String) {
    do {
      _ = try noteEdits(of: .remove(path: try JSONPointer(parsing: path)))
    } catch {
      Issue.record(error)
    }
  }
}
