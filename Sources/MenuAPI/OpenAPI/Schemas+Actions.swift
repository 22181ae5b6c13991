extension Schemas {
  /// What is performed, and what becomes of it.
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
      {"description":"A command is performed, an action is sent, or an invocation is sent again.",
       "oneOf":[{"$ref":"#/components/schemas/CommandPerformRequest"},
        {"$ref":"#/components/schemas/ActionPerformRequest"},
        {"$ref":"#/components/schemas/InvocationPerformRequest"}]}
      """##
    ),
    (
      "CommandPerformRequest",
      performing(
        "command",
        ##"""
        "command":{"$ref":"#/components/schemas/Identifier"},
        "modifiers":{"$ref":"#/components/schemas/Modifiers"},\##(message)
        """##)
    ),
    (
      "ActionPerformRequest",
      performing(
        "action", ##" "action":{"$ref":"#/components/schemas/Selector"},\##(message) "##)
    ),
    (
      "InvocationPerformRequest",
      performing("invocation", ##" "invocation":{"$ref":"#/components/schemas/Invocation"} "##)
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

  /// A request to perform something, which is in a member of this name.
  private static func performing(_ member: String, _ properties: String) -> String {
    ##"""
    {"type":"object","required":["session","\##(member)"],"additionalProperties":false,
     "properties":{"session":{"$ref":"#/components/schemas/Identifier"},\##(properties),
      "dryRun":{"type":"boolean","default":false},
      "explain":{"type":"boolean","default":false}}}
    """##
  }

  private static let message = ##"""
    "arguments":{"$ref":"#/components/schemas/Arguments"},
    "sender":{"$ref":"#/components/schemas/Sender"},
    "from":{"$ref":"#/components/schemas/Identifier"},
    "to":{"$ref":"#/components/schemas/Receiver"}
    """##
}
