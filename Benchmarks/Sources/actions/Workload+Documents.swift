import JSONText
import MenuEngine

extension Workload {
  /// The number of actions of a group, and of nested responders.
  static let actions = 100

  /// Returns the number of values of a radio action.
  static func targets(for bindings: Int) -> Int { max(bindings / 10, 1) }

  /// The catalogue: the commands, and a class of those that toggle a property.
  func documents(bindings: Int) -> [CatalogDocument.Part: JSON] {
    switch self {
    case .sameNameBindings, .deepShadowing, .stateToggles, .subtreeMoves:
      [.commands: commands(bindings) { _ in "action0:" }]
    case .hundredActionNames, .groupReplacement:
      [.commands: commands(bindings) { "action\($0 % Self.actions):" }]
    case .radioTargets: [.commands: commands(bindings) { _ in "radio:" }]
    case .propertyActions:
      [
        .commands: [["title": "Show Text", "action": "toggleVisibility:"]],
        .classes: ["Text": Self.textClass],
      ]
    }
  }

  private func commands(_ bindings: Int, _ action: (Int) -> String) -> JSON {
    .array(
      (0..<bindings).map { number in
        [
          "id": .string("binding\(number)"), "title": .string("Binding \(number)"),
          "action": .string(action(number)),
          "propertyList": [
            "binding": .int(Int64(number)),
            "target": .int(Int64(number % Self.targets(for: bindings))),
          ],
        ]
      })
  }

  private static let textClass: JSON = [
    "superclass": "UIView",
    "handlers": [
      "toggleVisibility:": [
        "validate": ["checked": "responder.properties.isVisible"],
        "perform": [
          ["op": "properties", "value": "{'isVisible': !responder.properties.isVisible}"]
        ],
      ]
    ],
  ]

  /// Returns the template of the session: a window, a root view that handles the actions, and the
  /// responders in it. The first responder handles nothing itself.
  func template(bindings: Int) -> JSON {
    var responders: [(String, JSON)] = [
      ("window", ["kind": "window"]), ("root", root),
    ]
    responders += inner(bindings)
    return [
      "state": ["isGroup0": true, "isGroup1": true, "isOn": false, "radio": 0],
      "responders": object(responders),
      "firstResponder": .string(responders[responders.count - 1].0),
    ]
  }

  private var root: JSON {
    switch self {
    case .sameNameBindings, .subtreeMoves: Self.root(actions: 1)
    case .hundredActionNames, .groupReplacement: Self.root(actions: Self.actions)
    case .deepShadowing: Self.root(actions: 1)
    case .stateToggles: Self.view(in: "window", ["action0:": Self.checked("state.isOn")])
    case .radioTargets:
      Self.view(
        in: "window", ["radio:": Self.checked("state.radio == command.propertyList.target")])
    case .propertyActions: ["kind": "view", "superview": "window"]
    }
  }

  /// The responders within the root view; the last one has focus.
  private func inner(_ bindings: Int) -> [(String, JSON)] {
    func view(in superview: String) -> JSON { ["kind": "view", "superview": .string(superview)] }
    switch self {
    case .sameNameBindings, .hundredActionNames, .stateToggles, .radioTargets, .groupReplacement:
      return [("box", view(in: "root"))]
    case .deepShadowing:
      let nested = (1..<Self.actions).map { level in
        ("level\(level)", Self.root(actions: 1, in: level == 1 ? "root" : "level\(level - 1)"))
      }
      return nested + [("box", view(in: "level\(Self.actions - 1)"))]
    case .subtreeMoves:
      let sides = [("left", view(in: "root")), ("right", view(in: "root"))]
      return sides + [("subtree", view(in: "left"))]
        + (0..<bindings).map { ("binding\($0)", view(in: "subtree")) }
    case .propertyActions:
      return (0..<bindings).map {
        (
          "text\($0)",
          [
            "kind": "view", "class": "Text", "superview": "root", "properties": ["isVisible": true],
          ]
        )
      }
    }
  }

  /// A view that handles so many actions, enabled by a member of the state.
  static func root(
    actions: Int, enabledBy member: String = "isGroup0", in superview: String = "window"
  ) -> JSON {
    let handlers = (0..<actions).map { number in
      ("action\(number):", ["validate": ["enabled": .string("state.\(member)")]] as JSON)
    }
    return view(in: superview, object(handlers))
  }

  private static func view(in superview: String, _ handlers: JSON) -> JSON {
    ["kind": "view", "superview": .string(superview), "handlers": handlers]
  }

  private static func checked(_ rule: String) -> JSON { ["validate": ["checked": .string(rule)]] }
}

/// An object with these members, in this order.
private func object(_ members: [(String, JSON)]) -> JSON {
  var object = JSONObject()
  for (name, value) in members { object[name] = value }
  return .object(object)
}
