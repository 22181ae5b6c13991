extension Schemas {
  /// What is performed, and what becomes of it.
  static let actions: [(name: String, text: String)] = [
    (
      "Sender",
      ##"""
      {"type":"object","description":"A responder, or whatever rules may want to know.",
       "properties":{"responder":{"$ref":"#/components/schemas/Identifier"}}}
      """##
    ),
    ("Arguments", #"{"type":"array"}"#),
    (
      "Time",
      #"""
      {"type":["integer","string"],"format":"date-time","description":"Milliseconds since 1970, or a moment as answers write it."}
      """#
    ),
    (
      "PerformRequest",
      ##"""
      {"type":"object","required":["session"],"additionalProperties":false,
       "oneOf":[{"required":["command"]},{"required":["action"]},{"required":["invocation"]}],
       "properties":{
        "session":{"$ref":"#/components/schemas/Identifier"},
        "command":{"$ref":"#/components/schemas/Identifier"},
        "action":{"$ref":"#/components/schemas/Selector"},
        "invocation":{"$ref":"#/components/schemas/Invocation"},
        "arguments":{"$ref":"#/components/schemas/Arguments"},
        "modifiers":{"$ref":"#/components/schemas/Modifiers"},
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
        ##"""
        "dryRun":{"const":true},
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
        "properties":{"event":{"enum":["willSendAction","didSendAction",
          "showDetailTargetDidChange","willUndoChange","didUndoChange","willRedoChange",
          "didRedoChange",
          "segue","launch","awakeFromNib","viewDidLoad",
          "viewWillAppear","viewDidAppear","viewWillDisappear","viewDidDisappear","dealloc"]},
         "viewController":{"$ref":"#/components/schemas/Identifier"},
         "told":{"$ref":"#/components/schemas/IdentifierArray"},
         "splitViewController":{"$ref":"#/components/schemas/Identifier"},
         "command":{"$ref":"#/components/schemas/Identifier"},
         "action":{"$ref":"#/components/schemas/Selector"},
         "target":{"$ref":"#/components/schemas/Receiver"},
         "performed":{"type":"boolean"},
         "responder":{"$ref":"#/components/schemas/OptionalIdentifier"},
         "actionName":{"type":"string"}}}}
      """##
    ),
  ]
}
