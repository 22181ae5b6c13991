extension Schemas {
  /// The effects of handlers, one schema for each kind.
  static let effects: [(name: String, text: String)] =
    [
      ("Effect", union(of: effectForms.map { ($0.op, name(ofEffect: $0.op)) }, by: "op")),
      (
        "Answers",
        #"""
        {"type":"boolean","default":false,
         "description":"Whether what it answers is what this message answers."}
        """#
      ),
      (
        "Queued",
        #"""
        {"type":"boolean","default":false,
         "description":"Whether the message waits until messages are processed."}
        """#
      ),
    ]
    + effectForms.map { effect in
      let conditional = (effect.op, effect.required, effect.optional + [("when", "BoolRule")])
      return (name(ofEffect: effect.op), form(conditional, effectConstraints[effect.op]))
    }

  private static func name(ofEffect op: String) -> String {
    op.prefix(1).uppercased() + op.dropFirst() + "Effect"
  }

  /// The constraints between the members of some effects.
  private static let effectConstraints = [
    "add": aPath, "replace": aPath, "test": aPath, "remove": aPath,
    "move": twoPlaces, "copy": twoPlaces,
    "changeRegistration": atLeastOne(of: "selector", "handler"),
    "instantiate": exactlyOne(of: "class", "scene")
      + #","dependentRequired":{"storyboard":["scene"]}"#,
  ]

  private static let aPath = exactlyOne(of: "path", "pathRule")

  /// A `not`, since tools that generate clients read no `allOf` beside `properties`.
  private static let twoPlaces = #"""
    "not":{"anyOf":[
      {"required":["path","pathRule"]},{"required":["from","fromRule"]},
      {"not":{"anyOf":[{"required":["path"]},{"required":["pathRule"]}]}},
      {"not":{"anyOf":[{"required":["from"]},{"required":["fromRule"]}]}}]}
    """#

  /// The members of each kind of effect beside `when`, with the names of their schemas. The receiver is
  /// the default of whom an effect is about.
  static let effectForms: [(op: String, required: [Member], optional: [Member])] =
    stateForms + messageForms + viewControllerForms + coordinatorEffectForms + undoEffectForms
    + storyboardForms + lateResponderForms + registrationForms

  private static let stateForms: [(op: String, required: [Member], optional: [Member])] =
    ["add", "replace", "test"].map { ($0, [("value", "Rule")], path) }
    + [("remove", [], path)]
    + ["move", "copy"].map { ($0, [], from + path) }

  private static let from: [Member] = [("from", "JSONPointer"), ("fromRule", "PlaceRule")]

  private static let path: [Member] = [("path", "JSONPointer"), ("pathRule", "PlaceRule")]

  private static let messageForms: [(op: String, required: [Member], optional: [Member])] = [
    (
      "send", [("action", "Rule")],
      [("to", "Rule"), ("arguments", "Rule"), ("answers", "Answers")]
    ),
    (
      "message", [("message", "Rule")],
      [
        ("to", "MessageDestination"), ("from", "Rule"), ("arguments", "Rule"),
        ("answers", "Answers"), ("queue", "Queued"),
      ]
    ),
    ("answer", [("value", "Rule")], []),
    ("super", [], [("arguments", "Rule")]),
    ("continue", [], [("arguments", "Rule")]),
    ("handleAction", [], []),
    ("processMessages", [], []),
    ("firstResponder", [("responder", "Rule")], []),
    ("properties", [("value", "Rule")], [("responder", "Rule")]),
  ]

  private static let viewControllerForms: [(op: String, required: [Member], optional: [Member])] = [
    (
      "targetViewController", [],
      [("action", "Rule"), ("arguments", "Rule"), ("otherwise", "Rule")]
    ),
    ("show", [("viewController", "Rule")], [("from", "Rule"), ("sender", "Rule")]),
    ("showDetail", [("viewController", "Rule")], [("from", "Rule"), ("sender", "Rule")]),
    ("present", [("viewController", "Rule")], [("from", "Rule")]),
    ("dismiss", [], [("viewController", "Rule")]),
    ("pop", [], [("viewController", "Rule"), ("to", "Rule"), ("by", "PopTrigger")]),
  ]

  private static let coordinatorEffectForms:
    [(op: String, required: [Member], optional: [Member])] =
      [
        "startCoordinator", "stopCoordinator", "activateCoordinator", "takeoverCoordinator",
        "coordinatorDidFinish",
      ].map { ($0, [], [("coordinator", "Rule")]) }
      + ["coordinatorShow", "coordinatorRoot", "coordinatorTop"].map {
        ($0, [("viewController", "Rule")], [("coordinator", "Rule")])
      } + [
        (
          "startChildCoordinator", [("coordinator", "Rule")], [("parentCoordinator", "Rule")]
        ), ("stopChildCoordinator", [("coordinator", "Rule")], []),
        ("coordinatorPop", [], [("coordinator", "Rule"), ("to", "Rule")]),
      ]

  private static let undoEffectForms: [(op: String, required: [Member], optional: [Member])] =
    [
      ("registerUndo", [("target", "Rule"), ("action", "Rule")], [("arguments", "Rule")]),
      ("setActionName", [("name", "Rule")], []),
      ("prepareWithInvocationTarget", [("target", "Rule")], []),
    ]
    + [
      "beginUndoGrouping", "endUndoGrouping", "disableUndoRegistration", "enableUndoRegistration",
    ].map { ($0, [], []) }

  private static let storyboardForms: [(op: String, required: [Member], optional: [Member])] = [
    (
      "instantiate", [],
      [("scene", "Rule"), ("storyboard", "Rule"), ("class", "Rule"), ("id", "Rule")]
    ),
    ("segue", [("identifier", "Rule")], [("source", "Rule"), ("sender", "Rule")]),
    ("unwind", [("action", "Rule")], [("source", "Rule"), ("sender", "Rule")]),
    ("delegate", [("to", "Rule")], [("of", "Rule")]),
    ("makeKeyAndVisible", [("window", "Rule")], [("rootViewController", "Rule")]),
  ]

  private static let lateResponderForms: [(op: String, required: [Member], optional: [Member])] = [
    ("registerLateResponder", [("lateResponder", "Rule")], [("responder", "Rule")]),
    ("deregisterLateResponder", [("lateResponder", "Rule")], [("responder", "Rule")]),
    ("changeProxiedSelectors", [("proxiedSelectors", "Rule")], [("responder", "Rule")]),
  ]

  /// The token of a registration becomes the invocation's result.
  private static let registrationForms: [(op: String, required: [Member], optional: [Member])] = [
    (
      "registerHandler", [("selector", "Rule"), ("handler", "CoordinatedHandler")],
      [("responder", "Rule")]
    ),
    (
      "changeRegistration", [("token", "Rule")],
      [("responder", "Rule"), ("selector", "Rule"), ("handler", "CoordinatedHandler")]
    ),
    ("removeRegistration", [("token", "Rule")], [("responder", "Rule")]),
  ]
}
