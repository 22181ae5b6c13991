import JSONText
import Languages
import Randomness

@testable import MenuEngine

/// Random sessions, mutations and questions for plans: rules that read all that rules can read, of
/// responders, classes, coordinators, late responders, proxies and supplemental targets.
struct RandomPlans {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[roll(elements.count)]
  }

  static let actions = (0..<14).map { "act\($0):" } + ["undo:", "redo:"]

  mutating func open() throws -> OpenedSession {
    let isAppKit = roll(3) == 0
    let classes: JSON = [
      "Base": ["superclass": "UIView", "handlers": validators(3), "canPerform": canPerform()],
      "Wide": ["superclass": "Base", "handlers": Self.wide(every: 1)],
      "Derived": ["superclass": "Base", "handlers": validators(3), "canPerform": canPerform()],
    ]
    var template: JSONObject = [
      "state": Self.state, "firstResponder": "inner", "keyWindow": "window",
      "responders": [
        "app": ["kind": "application", "handlers": handlers(2)],
        "window": ["kind": "window"], "panel": ["kind": "window", "handlers": handlers(1)],
        "outer": responder("view", "window"), "inner": responder("view", "outer"),
        "other": responder("view", "panel"), "p": ["kind": "responder", "proxied": "other"],
        "q": ["kind": "responder", "proxied": "inner", "proxiedSelectors": ["act1:", "act2:"]],
        "host": [
          "kind": "view", "superview": "window", "coordinator": ["handlers": validators(2)],
          "lateResponders": ["responders": ["p"]],
        ],
        "helper": responder("responder", nil),
        // Searches that begin at the last one pass over many who have nothing to say, and some who do.
        "deep0": ["kind": "view", "superview": "inner", "class": "Derived"],
        "deep1": ["kind": "view", "superview": "deep0"],
        "deep2": ["kind": "view", "superview": "deep1", "handlers": handlers(9)],
        "deep3": ["kind": "view", "superview": "deep2", "class": "Base"],
        "deep4": ["kind": "view", "superview": "deep3", "handlers": handlers(9)],
        "deep5": ["kind": "view", "superview": "deep4", "class": "Wide"],
      ],
    ]
    template["search"] = isAppKit ? "appkit" : nil
    return try OpenedSession(
      [
        .commands: Self.commands, .menus: Self.menus, .classes: classes, .strings: Self.strings,
      ], opening: template)
  }

  private static let commands: JSON = .array(
    actions.enumerated().map { index, action in
      var command: JSONObject = ["action": .string(action), "title": .string("Title \(index)")]
      if index.isMultiple(of: 3) {
        command["alternates"] = [
          [
            "modifiers": ["shift"], "title": "Held",
            "action": .string(actions[(index + 1) % actions.count]),
          ]
        ]
      }
      if index.isMultiple(of: 5) { command["attributes"] = ["disabled"] }
      if index.isMultiple(of: 6) { command["key"] = ["input": .string("\(index % 10)")] }
      if index.isMultiple(of: 4) { command["subtitle"] = "second" }
      if index.isMultiple(of: 3) { command["unavailable"] = .string("Nobody does \(index).") }
      if index % 7 == 1 { command["confirmation"] = ["title": "Sure?", "message": "Act."] }
      return .object(command)
    } + [["id": "nothing", "title": "No action"]]
      // One action with a value for each item, as those of a radio group have.
      + radioTargets.enumerated().map { index, target in
        [
          "id": .string("radio\(index)"), "title": "Radio", "action": "act0:",
          "propertyList": ["target": target],
        ]
      }
      // More than two words of bits.
      + (0..<120).map { ["action": .string("wide\($0):"), "title": .string("Wide \($0)")] })

  /// One language has texts of commands, the other one free keys alone (M14).
  private static let strings: JSON = [
    "de": [
      "commands": [
        "act0:": ["title": "Titel 0", "alternates": ["Gehalten"]],
        "act3:": ["unavailable": "Niemand tut das."], "act1:": ["confirmation": ["title": "Ja?"]],
        "act4:": ["subtitle": "zweite Zeile"], "redo:": "Noch einmal",
      ],
      "menus": ["one": "Eins", "below": "Unten"],
      "strings": [
        "Requirement 0.": "Bedingung 0.", "n": "Name {name}", "Undo {name}": "{name} zurück",
        "count": ["one": "{count} Ding", "other": "{count} Dinge"],
      ],
    ],
    "fr": [
      "strings": [
        "Requirement 0.": "Condition 0.", "n": "Nom {name}", "Redo": "Refaire",
        "count": ["one": "{count} chose", "other": "{count} choses"],
      ]
    ],
  ]

  private static let radioTargets: [JSON] = [
    1, 2, 3, "1", "é", "a text of more than sixteen bytes", 2.5, true, nil, [1],
  ]

  /// Handlers for some of the many commands.
  private static func wide(every step: Int) -> JSON {
    var handlers = JSONObject()
    for number in stride(from: 0, to: 120, by: step) {
      handlers["wide\(number):"] =
        number.isMultiple(of: 2)
        ? ["validate": ["checked": .string("state.a == \(number)")]] : [:]
    }
    return .object(handlers)
  }

  private static let menus: JSON = [
    [
      "identifier": "one", "title": "One", "options": ["singleSelection"],
      "children": .array(
        actions.prefix(8).map { .string($0) } + [
          [
            "identifier": "in", "title": "In", "options": ["displayInline"],
            "children": .array(actions[8..<12].map { .string($0) }),
          ]
        ]),
    ],
    [
      "identifier": "three", "title": "Three", "options": ["singleSelection", "displayInline"],
      "children": [
        "act0:", "act1:",
        ["identifier": "below", "title": "Below", "children": ["act0:", "act2:"]],
        [
          "identifier": "inline", "options": ["singleSelection", "displayInline"],
          "children": ["act3:", "act0:", ["command": "act5:", "systems": ["context"]]],
        ],
      ],
    ],
    ["identifier": "two", "title": "Two", "children": ["undo:", "redo:", "nothing"]],
    [
      "identifier": "data", "title": "Data", "options": ["singleSelection"],
      "children": [
        "act2:", rows("act0:", title: "item.title"),
        ["identifier": "rest", "title": "Rest", "children": ["act3:"]],
        [
          "forEach": "state.list", "key": "string(index)", "command": "act4:",
          "title": "'Item ' + string(index)", "parameters": "{'value': item}",
        ],
        [
          "identifier": "more", "title": "", "options": ["displayInline"],
          "children": [
            rows("act6:", title: "state.name + item.title"),
            rows("act6:", title: "item.?title.orValue('none')"),
          ],
        ],
        rows("act1:", title: "item.id", systems: ["context"]), "act5:",
      ],
    ],
  ]

  /// Items from data for the rows of the state.
  private static func rows(
    _ command: String, title: String, systems: JSON = ["main", "context"]
  ) -> JSON {
    [
      "forEach": "state.rows", "key": "item.id", "command": .string(command),
      "title": .string(title), "parameters": "{'id': item.id}", "systems": systems,
    ]
  }

  private static let state: JSON = [
    "a": 1, "b": ["c": "é", "d": ["e": true]], "list": [1, 2, ["x": 3]], "flag": false,
    "name": "n", "0": ["1": 2],
    "rows": [["id": "r1", "title": "Row 1"], ["id": "n", "title": "Row 2"]],
  ]
}

extension RandomPlans {
  private static let truths = [
    "true", "false", "state.flag", "state.a > 1", "state.b.c == 'é'", "has(state.late)",
    "has(state.b.d.e)", "state.b.d.e", "state.list[0] == 1", "state.list[2].x > 2",
    "size(state.list) > 2", "state.list.exists(x, x == 2)", "state == {}", "state.?late.hasValue()",
    "state[state.name] == 'n'", "state.late || state.flag", "state.b['c'] == 'e'",
    "responder.id == 'inner'", "responder.properties.?on.orValue(false)",
    "has(responder.properties.on)", "sender.kind == 'menu'", "sender.?kind.orValue('') == 'key'",
    "command.title != ''", "has(sender.responder)", "sender.?weight.orValue(1) == 1",
    "type(state.a) == int", "size(command.deliveries) == 0",
    "command.deliveries.exists(d, d.state == 'claimed' && d.value == state.name)",
    "size(arguments) == 0 && state.flag",
    "state.a == command.propertyList.target", "command.propertyList.target == state.b.c",
    "has(command.key) && type(command.key) == string && command.key == state.name",
    "parameters.?id.orValue('n') == state.name", "command.key == 'r1'", "parameters.id != 'r2'",
    "state.list[1.0] == 2", "state.a / (state.a - 1) > 0", "!has(state.b.d) || state.b.d.e",
  ]
  private static let texts = [
    "'T'", "string(state.a)", "state.b.c", "state.name", "state.name + state.b.c",
    "state.flag ? 'Yes' : state.name", "responder.id", "sender.?title.orValue('none')",
    "string(size(state))", "state.list[0]", "state.late.text", "string(state.list[2])",
    "responder.properties.?text.orValue('')", "string(size(command.deliveries)) + state.name",
    "[state.name, string(state.a)].join(state.b.c)",
    "command.title + '!'", "string(size(parameters))",
    "tr('n', {'name': state.name})", "tr('count', {'count': state.a})", "tr('Requirement 0.')",
    "state.exists(k, k == 'late') ? 'late' : 'early'", "type(state.a) == int ? 'int' : 'other'",
  ]

  private static let effects: [JSON] = [
    [
      ["op": "replace", "path": "/flag", "value": "!state.flag"],
      ["op": "setActionName", "name": "'Flag ' + string(state.a)"],
    ],
    [
      [
        "op": "properties",
        "value": "{'on': responder.properties.?on.orValue(true) == false, 'text': responder.id}",
      ]
    ],
    [["op": "deliver", "value": "state.name"]], [["op": "deliver", "when": "state.flag"]],
    [["op": "properties", "responder": "'inner'", "value": "{'on': state.flag, 'text': 'new'}"]],
  ]

  private mutating func truth() -> JSON { .string(one(of: Self.truths)) }

  private mutating func handler() -> JSON {
    var validate = JSONObject()
    let parts = [
      "enabled", "checked", "hidden", "destructive", "keepsMenuPresented", "title", "subtitle",
      "image", "discoverabilityTitle",
    ]
    for (index, part) in parts.enumerated() where roll(index < 2 ? 2 : 5) == 0 {
      validate[part] = index < 5 ? truth() : .string(one(of: Self.texts))
    }
    if roll(3) == 0 { validate["requires"] = requirements() }
    if roll(5) == 0 { validate["confirmation"] = confirmation() }
    if roll(8) == 0 { validate["checked"] = "['on', 'off', 'mixed', 'none'][state.a % 4]" }
    var handler: JSONObject = [
      "validate": .object(validate),
      "perform": one(of: Self.effects),
    ]
    if roll(4) == 0 { handler["canPerform"] = truth() }
    return .object(handler)
  }

  private mutating func requirements() -> JSON {
    .array(
      (0...roll(3)).map { index in
        [
          "if": truth(),
          "else": roll(2) == 0
            ? .string("Requirement \(index).") : ["rule": .string(one(of: Self.texts))],
        ]
      })
  }

  private mutating func confirmation() -> JSON {
    var rules: JSONObject = ["title": .string(one(of: Self.texts))]
    if roll(2) == 0 { rules["if"] = truth() }
    for part in ["message", "button"] where roll(2) == 0 {
      rules[part] = .string(one(of: Self.texts))
    }
    return .object(rules)
  }

  /// Returns handlers without `canPerform`, which coordinators cannot have.
  private mutating func validators(_ sides: Int) -> JSON {
    var handlers = JSONObject()
    for member in self.handlers(sides).members.members {
      var handler = member.value.members
      handler["canPerform"] = nil
      handlers[member.name] = .object(handler)
    }
    return .object(handlers)
  }

  private mutating func handlers(_ sides: Int) -> JSON {
    var handlers = JSONObject()
    for action in Self.actions.prefix(14) where roll(sides + 2) == 0 {
      handlers[action] = handler()
    }
    return .object(handlers)
  }

  private mutating func canPerform() -> JSON {
    var rules = JSONObject()
    for action in Self.actions.prefix(14) where roll(6) == 0 {
      rules[action] = truth()
    }
    return .object(rules)
  }

  private mutating func responder(_ kind: String, _ superview: String?) -> JSON {
    var handlers = handlers(2).members
    var document: JSONObject = ["kind": .string(kind)]
    if let superview {
      document["superview"] = .string(superview)
      document["class"] = .string(one(of: ["UIView", "Base", "Derived"]))
      if roll(3) == 0 { document["lateResponders"] = ["hooksLast": .bool(roll(3) > 0)] }
    }
    if roll(2) == 0 { document["properties"] = ["on": .bool(roll(2) == 0), "text": "é\(roll(3))"] }
    if roll(3) == 0 { document["undoManager"] = [:] }
    if roll(3) == 0 {
      document["coordinator"] = ["handlers": validators(3)]
    }
    if roll(4) == 0 {
      let rule = ["state.flag ? 'helper' : null", "arguments[0] == 'act1:' ? 'helper' : 'nobody'"]
      document["supplementalTargetRule"] = .string(one(of: rule))
    } else if roll(4) == 0 {
      document["supplementalTarget"] = "app"
    }
    for (selector, rule) in zip(Self.actions.prefix(14), (0..<14).map { _ in truth() })
    where roll(10) == 0 {
      handlers[selector] = nil
      document["canPerform"] = [selector: rule]
    }
    document["handlers"] = .object(handlers)
    return .object(document)
  }
}

extension RandomPlans {
  private mutating func anybody(_ session: Session) -> ResponderID {
    session.graph.ids.randomElement(using: &generator) ?? "inner"
  }

  private mutating func selector() -> Selector { Selector(one(of: Self.actions)) ?? "act0:" }

  private mutating func value() -> JSON {
    one(of: [
      0, 1, 2, 1.0, true, false, nil, "é", "e\u{301}", "n", "a", ["e": true], ["e": false, "f": 1],
      [1, 2, 3], [], [:], ["x": 3], [1, 2, ["x": 2]], ["text": "late"],
    ])
  }

  private mutating func place() -> String {
    one(of: [
      "/a", "/b", "/b/c", "/b/d", "/b/d/e", "/list", "/list/0", "/list/-", "/list/2/x", "/flag",
      "/name", "/late", "/late/text", "/unread", "/0/1", "/b/unread", "/rows",
    ])
  }

  /// Changes the rows: inserts, removes, moves, renames or repeats one, or has one without an id.
  private mutating func changedRows(_ session: Session) -> Mutation {
    var rows: [JSON] = []
    if case .array(let present)? = session.state[JSONPointer(["rows"])] { rows = present }
    let place = roll(rows.count + 1)
    let taken = rows.isEmpty ? row() : rows.remove(at: roll(rows.count))
    switch roll(12) {
    case 0..<4: rows.insert(row(), at: min(place, rows.count))
    case 4: break
    case 5, 6: rows.insert(taken, at: min(place, rows.count))
    case 7: rows += [taken, row(), taken]
    case 8: rows = (0..<roll(6)).map { _ in row() }
    case 9: rows = roll(3) == 0 ? [taken, 7] : [taken]
    default: rows.insert(["id": taken[JSONPointer(["id"])] ?? "n", "title": "New"], at: 0)
    }
    return .mergeState(["rows": .array(rows)])
  }

  private mutating func row() -> JSON {
    [
      "id": .string(one(of: ["n", "r1", "r2", "r3", "é", "1"])), "title": .string("Row \(roll(4))"),
    ]
  }

  private mutating func patch() throws -> Mutation {
    let path = JSON.string(place())
    let operation: JSON =
      switch roll(6) {
      case 0: ["op": "remove", "path": path]
      // Often onto its own place, where it changes nothing.
      case 1: ["op": "move", "from": roll(3) == 0 ? path : .string(place()), "path": path]
      case 2: ["op": "copy", "from": .string(place()), "path": path]
      case 3: ["op": "replace", "path": path, "value": value()]
      default: ["op": "add", "path": path, "value": value()]
      }
    return .patchState(try JSONPatch(.array([operation])))
  }

  /// Changes the catalogue, now and then.
  mutating func change(_ catalog: inout Catalog) throws {
    switch roll(80) {
    case 0:
      let (action, title) = ("new\(roll(3)):", "New \(roll(9))")
      _ = try catalog.declare(
        try FaultLog.collecting {
          Command(
            reading: ["action": .string(action), "title": .string(title)], at: .root, log: $0)
        })
    case 1: try catalog.remove(CommandID(unchecked: "new\(roll(3)):"))
    case 2:
      try catalog.make([.replaceChildren(ofMenu: "two", with: [.command(CommandPlace("redo:"))])])
    case 3: catalog = try open().catalog.succeeding(catalog)
    default: break
    }
  }

  /// A mutation, which the session may refuse.
  mutating func mutation(of session: Session) throws -> Mutation {
    let id = anybody(session)
    switch roll(42) {
    case 30..<34: return delivery(session)
    case 34..<38: return changedRows(session)
    case 38, 39:
      let command: CommandID = one(of: ["act0:", "act6:", "act4:"])
      let key = ItemKey(one(of: ["n", "r1", "r2", "1"]))
      return .perform(ActionRequest(.command(command), itemKey: key, from: id))
    case 40, 41:
      let locale = one(of: [nil, "de", "fr", "en-XA", "de-AT"])
      return .setLocale(locale.flatMap { LanguageTag($0) })
    case 0..<8: return try patch()
    case 8: return .mergeState([one(of: ["a", "b", "late", "flag", "name"]): value()])
    case 9: return .mergeState(session.state)
    case 10: return .becomeFirstResponder(id)
    case 11: return roll(3) == 0 ? .resignFirstResponder : .becomeFirstResponder("inner")
    case 12:
      return .makeWindow(one(of: ["window", "panel", nil]), one(of: WindowRole.allCases))
    case 13, 14: return .putHandler(try engineHandler(), for: selector(), of: id)
    case 15:
      let own = (session.graph[id]?.handlers.keys.map(\.rawValue) ?? []).sorted()
      let known = own.isEmpty || roll(2) == 0 ? nil : Selector(one(of: own))
      return .removeHandler(for: known ?? selector(), of: id)
    case 16:
      return .register(try engineHandler(), for: selector(), with: one(of: ["host", id]))
    case 17:
      return .changeRegistration(roll(12), with: "host", selector: selector(), handler: nil)
    case 18: return .removeRegistration(roll(30), with: one(of: ["host", id]))
    case 19: return .registerLate(one(of: ["p", "q", "helper", id]), from: anybody(session))
    case 20: return .deregisterLate(one(of: ["p", "q", "helper"]), from: nil)
    case 21:
      return .changeProxiedSelectors(
        roll(2) == 0 ? nil : [selector(), selector()], of: one(of: ["p", "q"]))
    case 22:
      let views: [ResponderID] = ["outer", "inner", "other"]
      let superview = one(of: ["window", "panel", "host"])
      let document = responder("view", superview)
      let id = one(of: views)
      return .putResponder(
        try FaultLog.collecting { Responder(id, reading: document, at: .root, log: $0) })
    case 23:
      return roll(4) == 0
        ? .removeResponder(one(of: ["other", "helper", "p"])) : .becomeFirstResponder("other")
    case 24..<28:
      return .perform(ActionRequest(.command(CommandID(unchecked: selector().rawValue)), from: id))
    default:
      return one(of: [.undo(), .redo(), .setUndoActionName("Name \(roll(3))")])
    }
  }

  /// Something that happens to a delivery.
  private mutating func delivery(_ session: Session) -> Mutation {
    let delivery = session.deliveries.all.suffix(4).randomElement(using: &generator)
    guard let delivery else {
      return .perform(
        ActionRequest(.command(CommandID(unchecked: selector().rawValue)), from: "inner"))
    }
    let claim = delivery.claimCount
    switch roll(7) {
    case 0, 1: return .claimDelivery(delivery.id, until: Int64(roll(9)))
    case 2:
      return .replyToDelivery(
        delivery.id, claim: claim, mutations: [.mergeState(["name": .string("\(roll(3))")])])
    case 3: return .failDelivery(delivery.id, claim: claim, problem: [:])
    case 4: return .cancelDelivery(delivery.id)
    case 5: return .expireClaims(at: Int64(roll(9)))
    default: return .forgetDeliveries(settledBefore: 0)
    }
  }

  private mutating func engineHandler() throws -> Handler {
    if roll(10) == 0 {
      return Handler(validate: { call, appearance throws(HandlerFailure) in
        if case .object(let state) = call.state, state["flag"] == true {
          throw HandlerFailure("the flag is set")
        }
        appearance.title = call.state[JSONPointer(["name"])]?.description ?? ""
      })
    }
    if roll(10) == 0 {
      return Handler(canPerform: { call throws(HandlerFailure) in
        call.state[JSONPointer(["flag"])] == true
      })
    }
    let document = handler()
    return try FaultLog.collecting { Handler(reading: document, at: .root, log: $0) }
  }

  /// A question.
  mutating func request(of session: Session) -> ValidationRequest {
    var request = ValidationRequest()
    switch roll(4) {
    case 0:
      let names = Self.actions + ["nothing", "unknown:"]
      request.commands = (0...roll(6)).map { _ in CommandID(one(of: names)) ?? "act0:" }
    case 1:
      request.menu = one(of: [
        "one", "in", "two", "three", "data", "data", Menu.rootIdentifier, "nowhere",
      ])
    default: break
    }
    if roll(4) == 0 { request.kind = .context }
    if roll(4) == 0 { request.from = roll(6) == 0 ? "nobody" : anybody(session) }
    if roll(3) == 0 { request.window = one(of: ["window", "panel", "panel", "nobody", "inner"]) }
    if roll(4) == 0 {
      request.modifiers = one(of: [
        KeyModifiers([.shift]), KeyModifiers([.control]), KeyModifiers([.shift, .alphaShift]),
      ])
    }
    if roll(3) == 0 {
      let senders: [JSONObject] = [
        ["kind": "key"], ["weight": 1], ["weight": 1.0], ["weight": 1, "kind": "key"],
        ["kind": "key", "weight": 1], ["title": "é"], ["title": "e\u{301}"], [:],
      ]
      let responder = roll(3) == 0 ? anybody(session) : nil
      request.sender = SenderDescription(responder: responder, members: one(of: senders))
    }
    return request
  }
}

extension JSON {
  /// The members of an object; none of anything else.
  fileprivate var members: JSONObject {
    if case .object(let object) = self { object } else { JSONObject() }
  }
}
