extension Schemas {
  /// Lists of mutations, and what comes of them.
  static let mutations: [(name: String, text: String)] = [
    ("JSONMergePatch", #"{"type":"object","additionalProperties":true,"description":"RFC 7396."}"#),
    (
      "Mutations",
      ##"""
      {"type":"object","required":["mutations"],"additionalProperties":false,"properties":{
        "mutations":{"type":"array","items":{"$ref":"#/components/schemas/Mutation"}},
        "dryRun":{"type":"boolean","default":false},
        "explain":{"type":"boolean","default":false}}}
      """##
    ),
    ("Mutation", union(of: forms.map { ($0.op, name(of: $0.op)) }, by: "op")),
    (
      "Invocation",
      ##"""
      {"type":"object","required":["selector"],"additionalProperties":false,"properties":{
        "target":{"$ref":"#/components/schemas/Receiver"},
        "selector":{"$ref":"#/components/schemas/Selector"},
        "originalSelector":{"$ref":"#/components/schemas/Selector"},
        "arguments":{"$ref":"#/components/schemas/Arguments"},
        "command":{"$ref":"#/components/schemas/Identifier"},
        "modifiers":{"$ref":"#/components/schemas/Modifiers"},
        "sender":{"$ref":"#/components/schemas/Sender"},
        "when":{"$ref":"#/components/schemas/Time"},
        "result":{"description":"What it answered, once it was sent and something was answered."}}}
      """##
    ),
    (
      "Mutated",
      session(
        requiring: "outcomes",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "outcomes":{"type":"array","items":{"type":"object","required":["changes"],"properties":{
          "token":{"type":"integer"},"performed":{"type":"boolean"},
          "command":{"$ref":"#/components/schemas/Identifier"},
          "key":{"$ref":"#/components/schemas/Key"},
          "matches":{"$ref":"#/components/schemas/KeyMatches"},
          "instance":{"$ref":"#/components/schemas/Identifier"},
          "identifier":{"$ref":"#/components/schemas/Identifier"},"kind":{"type":"string"},
          "source":{"$ref":"#/components/schemas/Identifier"},
          "destination":{"$ref":"#/components/schemas/OptionalIdentifier"},
          "destinationGone":{"type":"boolean","description":"Nothing kept the destination, and it is gone again."},
          "path":{"type":"array","items":{"$ref":"#/components/schemas/UnwindStep"}},
          "delivered":{"type":"boolean"},
          "receiver":{"$ref":"#/components/schemas/OptionalIdentifier"},"answer":{},
          "steps":{"type":"array","items":{"$ref":"#/components/schemas/LaunchStep"}},
          "reason":{"anyOf":[{"$ref":"#/components/schemas/Reason"},
            {"$ref":"#/components/schemas/DeliveryReason"},
            {"$ref":"#/components/schemas/SegueReason"}]},
          "processed":{"$ref":"#/components/schemas/ProcessedMessages"},
          "action":{"$ref":"#/components/schemas/Selector"},
          "target":{"$ref":"#/components/schemas/OptionalReceiver"},
          "proxied":{"$ref":"#/components/schemas/Identifier"},
          "result":{"description":"What the message answered, if it answered."},
          "invocation":{"$ref":"#/components/schemas/Invocation"},
          "changes":{"$ref":"#/components/schemas/Changes"},
          "events":{"$ref":"#/components/schemas/Events"},
          "trace":{"$ref":"#/components/schemas/Trace"}}}}
        """##)
    ),
  ]

  /// The mutations, one schema for each.
  static let mutationKinds: [(name: String, text: String)] = forms.map { kind in
    (name(of: kind.op), form(kind, constraints[kind.op]))
  }

  private static func name(of op: String) -> String {
    op.prefix(1).uppercased() + op.dropFirst() + "Mutation"
  }

  /// The constraints between the members of some mutations.
  private static let constraints = [
    "changeRegistration": atLeastOne(of: "selector", "handler"),
    "perform": exactlyOne(of: "command", "action")
      + #","dependentRequired":{"modifiers":["command"]}"#,
  ]

  /// The members of each kind of mutation, with the names of their schemas.
  private static let forms: [(op: String, required: [Member], optional: [Member])] =
    [
      ("patchState", [("patch", "JSONPatch")], []),
      ("mergeState", [("patch", "JSONMergePatch")], []),
      ("putResponder", [("responder", "Identifier"), ("value", "Responder")], []),
      ("removeResponder", [("responder", "Identifier")], []),
      (
        "putHandler",
        [("responder", "Identifier"), ("selector", "Selector"), ("handler", "Handler")], []
      ),
      ("removeHandler", [("responder", "Identifier"), ("selector", "Selector")], []),
      (
        "registerHandler",
        [("responder", "Identifier"), ("selector", "Selector"), ("handler", "CoordinatedHandler")],
        []
      ),
      (
        "changeRegistration", [("responder", "Identifier"), ("token", "Revision")],
        [("selector", "Selector"), ("handler", "CoordinatedHandler")]
      ),
      ("removeRegistration", [("responder", "Identifier"), ("token", "Revision")], []),
      (
        "registerLateResponder", [("lateResponder", "Identifier"), ("responder", "Identifier")], []
      ),
      ("deregisterLateResponder", [("lateResponder", "Identifier")], [("responder", "Identifier")]),
      (
        "changeProxiedSelectors",
        [("responder", "Identifier"), ("proxiedSelectors", "OptionalProxiedSelectors")], []
      ),
      ("becomeFirstResponder", [("responder", "Identifier")], []),
      ("resignFirstResponder", [], []),
      ("makeKeyWindow", [("window", "OptionalIdentifier")], []),
      ("makeMainWindow", [("window", "OptionalIdentifier")], []),
      ("makeModalWindow", [("window", "OptionalIdentifier")], []),
      (
        "pushViewController",
        [("viewController", "Identifier"), ("navigationController", "Identifier")], []
      ),
      (
        "popViewController", [("navigationController", "Identifier")],
        [("by", "PopTrigger"), ("isCancelled", "CancelledSwipe")]
      ),
      ("popToViewController", [("viewController", "Identifier")], [("by", "PopTrigger")]),
      (
        "popToRootViewController", [("navigationController", "Identifier")],
        [("by", "PopTrigger")]
      ),
      (
        "setViewControllers",
        [("container", "Identifier"), ("viewControllers", "IdentifierArray")],
        []
      ),
      ("selectViewController", [("viewController", "Identifier")], []),
      ("present", [("viewController", "Identifier"), ("from", "Identifier")], []),
      ("dismiss", [("viewController", "Identifier")], []),
      ("removeFromParent", [("viewController", "Identifier")], []),
      ("collapse", [("splitViewController", "Identifier")], []),
      ("expand", [("splitViewController", "Identifier")], []),
      ("launch", [], [("launch", "Launch")]),
      (
        "instantiate", [("storyboard", "Identifier"), ("scene", "Identifier")],
        [("id", "Identifier")]
      ),
      (
        "performSegue", [("identifier", "Identifier"), ("source", "Identifier")],
        [("by", "SegueTrigger"), ("sender", "Sender"), ("id", "Identifier"), ("when", "Time")]
      ),
      (
        "unwind", [("action", "Selector"), ("source", "Identifier")],
        [("sender", "Sender"), ("when", "Time")]
      ),
      ("setDelegate", [("responder", "Identifier"), ("delegate", "OptionalIdentifier")], []),
      (
        "message",
        [("message", "Selector"), ("from", "Identifier")],
        [
          ("to", "MessageDestination"), ("arguments", "Arguments"), ("when", "Time"),
          ("queue", "Flag"),
        ]
      ),
      ("processMessages", [], [("limit", "Count")]),
      ("removeQueuedMessages", [], [("limit", "Count")]),
      (
        "perform", [],
        [("command", "Identifier"), ("action", "Selector")] + message + [("modifiers", "Modifiers")]
      ),
      ("putKeyCommands", [("responder", "Identifier"), ("keyCommands", "KeyCommandArray")], []),
      (
        "pressKey", [("key", "Key")],
        [("from", "Identifier"), ("sender", "Sender"), ("when", "Time")]
      ),
      ("invoke", [("invocation", "Invocation")], []),
    ] + undoForms + coordinatorForms

  typealias Member = (name: String, schema: String)

  private static let message: [Member] = [
    ("sender", "Sender"), ("from", "Identifier"), ("to", "Receiver"), ("arguments", "Arguments"),
    ("when", "Time"),
  ]

  /// The schema of what has a word in its member `op`, and these members.
  static func form(
    _ form: (op: String, required: [Member], optional: [Member]), _ constraints: String?
  ) -> String {
    let names = (["op"] + form.required.map(\.name)).map { "\"\($0)\"" }.joined(separator: ",")
    let properties = (form.required + form.optional).map { member in
      ",\"\(member.name)\":{\"$ref\":\"#/components/schemas/\(member.schema)\"}"
    }
    return """
      {"type":"object","additionalProperties":false,"required":[\(names)],
       \(constraints.map { $0 + "," } ?? "")
       "properties":{"op":{"const":"\(form.op)"}\(properties.joined())}}
      """
  }
}
