extension Schemas {
  /// Patches and mutations.
  static let mutations: [(name: String, text: String)] = [
    (
      "JSONPatch",
      ##"""
      {"type":"array","description":"RFC 6902.","items":{"type":"object","required":["op","path"],
        "properties":{"path":{"$ref":"#/components/schemas/JSONPointer"}},
        "oneOf":[
         {"required":["value"],"properties":{"op":{"enum":["add","replace","test"]},"value":{}}},
         {"properties":{"op":{"const":"remove"}}},
         {"required":["from"],"properties":{"op":{"enum":["move","copy"]},
           "from":{"$ref":"#/components/schemas/JSONPointer"}}}]}}
      """##
    ),
    (
      "JSONPointer",
      #"{"type":"string","pattern":"^(/([^~/]|~[01])*)*$","description":"RFC 6901."}"#
    ),
    ("JSONMergePatch", #"{"type":"object","description":"RFC 7396."}"#),
    (
      "Mutations",
      ##"""
      {"type":"object","required":["mutations"],"additionalProperties":false,"properties":{
        "mutations":{"type":"array","items":{"$ref":"#/components/schemas/Mutation"}}}}
      """##
    ),
    (
      "Mutation",
      """
      {"type":"object","required":["op"],"oneOf":[
      \(forms.map { form($0.op, $0.required, $0.optional) }.joined(separator: ",\n"))]}
      """
    ),
    (
      "Invocation",
      ##"""
      {"type":"object","required":["selector"],"additionalProperties":false,"properties":{
        "target":{"$ref":"#/components/schemas/Receiver"},
        "selector":{"$ref":"#/components/schemas/Selector"},
        "originalSelector":{"$ref":"#/components/schemas/Selector"},
        "arguments":{"type":"array"},
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
        ##"""
        "outcomes":{"type":"array","items":{"type":"object","properties":{
          "token":{"type":"integer"},"performed":{"type":"boolean"},
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
          "events":{"$ref":"#/components/schemas/Events"}}}}
        """##)
    ),
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
      ("perform", [("command", "Identifier")], message + [("modifiers", "Modifiers")]),
      ("perform", [("action", "Selector")], message),
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

  private static func form(_ op: String, _ required: [Member], _ optional: [Member]) -> String {
    let names = (["op"] + required.map(\.name)).map { "\"\($0)\"" }.joined(separator: ",")
    let properties = (required + optional).map { member in
      ",\"\(member.name)\":{\"$ref\":\"#/components/schemas/\(member.schema)\"}"
    }
    return """
      {"additionalProperties":false,"required":[\(names)],"properties":{
        "op":{"const":"\(op)"}\(properties.joined())}}
      """
  }
}
