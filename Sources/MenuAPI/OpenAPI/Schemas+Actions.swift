extension Schemas {
  /// Requests to perform something, and their answers.
  static let actions: [(name: String, text: String)] = [
    (
      "Sender",
      ##"""
      {"type":"object","additionalProperties":true,
       "description":"A responder, or whatever rules may want to know.",
       "properties":{"responder":{"$ref":"#/components/schemas/Identifier"}}}
      """##
    ),
    ("Arguments", #"{"type":"array","items":{}}"#),
    (
      "Time",
      #"""
      {"description":"Milliseconds since 1970, or a moment as answers write it.","oneOf":[
        {"type":"integer"},
        {"type":"string","pattern":"^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$"}]}
      """#
    ),
    (
      "PerformRequest",
      ##"""
      {"type":"object","required":["session"],"additionalProperties":false,
       "description":"A command is performed, an action is sent, or an invocation is sent again: there is exactly one of `command`, `action` and `invocation`. With `invocation` there are no other members of the message, and `modifiers` are those of a command.",
       "not":{"anyOf":[{"required":["command","action"]},
         {"required":["invocation"],"anyOf":[\##(messageMembers)]}]},
       "if":{"not":{"anyOf":[{"required":["command"]},{"required":["action"]}]}},
       "then":{"required":["invocation"]},"dependentRequired":{"modifiers":["command"]},
       "properties":{"session":{"$ref":"#/components/schemas/Identifier"},
        "command":{"$ref":"#/components/schemas/Identifier"},
        "action":{"$ref":"#/components/schemas/Selector"},
        "invocation":{"$ref":"#/components/schemas/Invocation"},
        "modifiers":{"$ref":"#/components/schemas/Modifiers"},
        "arguments":{"$ref":"#/components/schemas/Arguments"},
        "sender":{"$ref":"#/components/schemas/Sender"},
        "from":{"$ref":"#/components/schemas/Identifier"},
        "to":{"$ref":"#/components/schemas/Receiver"},
        "dryRun":{"type":"boolean","default":false},
        "explain":{"type":"boolean","default":false}}}
      """##
    ),
    (
      "PerformAnswer",
      session(
        requiring: "performed reason action target invocation changes events",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "performed":{"type":"boolean"},
        "reason":{"$ref":"#/components/schemas/Reason"},
        "result":{"description":"What the message answered, if it answered."},
        "command":{"$ref":"#/components/schemas/Identifier"},
        "action":{"$ref":"#/components/schemas/Selector"},
        "target":{"$ref":"#/components/schemas/Receiver"},
        "proxied":{"$ref":"#/components/schemas/Identifier"},
        "invocation":{"$ref":"#/components/schemas/Invocation"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "events":{"$ref":"#/components/schemas/Events"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "Events",
      ##"""
      {"type":"array","items":{"type":"object","required":["event"],
        "properties":{"event":{"title":"EventKind","enum":["willSendAction","didSendAction",
          "showDetailTargetDidChange","willUndoChange","didUndoChange","willRedoChange",
          "didRedoChange","coordinatorDidStart","coordinatorDidStop","coordinatorDidActivate",
          "coordinatorDidFinish","handlePopBack",
          "segue","launch","awakeFromNib","viewDidLoad",
          "viewWillAppear","viewDidAppear","viewWillDisappear","viewDidDisappear","dealloc"]},
         "viewController":{"$ref":"#/components/schemas/Identifier"},
         "told":{"$ref":"#/components/schemas/IdentifierArray"},
         "splitViewController":{"$ref":"#/components/schemas/Identifier"},
         "coordinator":{"$ref":"#/components/schemas/Identifier"},
         "to":{"$ref":"#/components/schemas/OptionalIdentifier"},
         "command":{"$ref":"#/components/schemas/Identifier"},
         "action":{"$ref":"#/components/schemas/Selector"},
         "target":{"$ref":"#/components/schemas/Receiver"},
         "performed":{"type":"boolean"},
         "responder":{"$ref":"#/components/schemas/OptionalIdentifier"},
         "actionName":{"type":"string"},
         "identifier":{"$ref":"#/components/schemas/Identifier"},
         "kind":{"$ref":"#/components/schemas/SegueKind"},
         "source":{"$ref":"#/components/schemas/Identifier"},
         "destination":{"$ref":"#/components/schemas/OptionalIdentifier"},
         "reason":{"$ref":"#/components/schemas/SegueReason"},
         "path":{"type":"array","items":{"$ref":"#/components/schemas/UnwindStep"}},
         "step":{"type":"integer"},"name":{"type":"string"},"done":{"type":"boolean"},
         "says":{"type":"string"}}}}
      """##
    ),
  ]

  /// The members that a request without an invocation has, each as a condition.
  private static let messageMembers = [
    "command", "action", "modifiers", "arguments", "sender", "from", "to",
  ].map { "{\"required\":[\"\($0)\"]}" }.joined(separator: ",")
}
