extension Schemas {
  /// Coordinators and the messages of the coordinating chain.
  static let coordinators: [(name: String, text: String)] = [
    (
      "Coordinating",
      ##"""
      {"type":"object","additionalProperties":false,
       "description":"The members that make a responder of kind `responder` a coordinator; only a navigation coordinator has `viewControllers`.",
       "if":{"required":["viewControllers"]},
       "then":{"required":["kind"],"properties":{"kind":{"const":"navigation"}}},
       "properties":{
        "identifier":{"$ref":"#/components/schemas/Identifier"},
        "rootViewController":{"$ref":"#/components/schemas/Identifier"},
        "kind":{"type":"string","enum":["coordinator","navigation"],"default":"coordinator"},
        "isResponder":{"type":"boolean","default":true},
        "isStarted":{"type":"boolean","default":false},
        "isReplaced":{"type":"boolean","default":false,
         "description":"True if another coordinator with the same identifier took its place among the children of its parent."},
        "viewControllers":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"},
         "description":"The list of a navigation coordinator."}}}
      """##
    ),
    ("MessageDestination", #"{"enum":["chain","delegate"],"default":"chain"}"#),
    (
      "MessageRequest",
      ##"""
      {"type":"object","required":["message","from"],"additionalProperties":false,
       "properties":{
        "message":{"$ref":"#/components/schemas/Selector"},
        "from":{"$ref":"#/components/schemas/Identifier"},
        "to":{"$ref":"#/components/schemas/MessageDestination"},
        "arguments":{"$ref":"#/components/schemas/Arguments"},
        "queue":{"type":"boolean","default":false,
          "description":"Whether it waits until messages are processed."},
        "dryRun":{"type":"boolean","default":false},
        "explain":{"type":"boolean","default":false}}}
      """##
    ),
    (
      "DeliveryReason",
      #"{"enum":["delivered","noDelegate","notImplemented","notHandled","cycle","queued","senderGone"]}"#
    ),
    (
      "MessageAnswer",
      session(
        requiring: "delivered reason receiver answer changes events",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "delivered":{"type":"boolean"},
        "reason":{"$ref":"#/components/schemas/DeliveryReason"},
        "receiver":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "answer":{},
        "trace":{"$ref":"#/components/schemas/Trace"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "events":{"$ref":"#/components/schemas/Events"}
        """##)
    ),
    (
      "Messages",
      session(
        requiring: "messages",
        ##"""
        "messages":{"type":"array","items":{"$ref":"#/components/schemas/WaitingMessage"}}
        """##)
    ),
    (
      "WaitingMessage",
      ##"""
      {"type":"object","required":["message","from","to"],"properties":{\##(waiting)}}
      """##
    ),
    (
      "ProcessRequest",
      ##"""
      {"type":"object","additionalProperties":false,"properties":{
        "limit":{"$ref":"#/components/schemas/Count"},
        "dryRun":{"type":"boolean","default":false},
        "explain":{"type":"boolean","default":false}}}
      """##
    ),
    (
      "Count",
      #"""
      {"type":"integer","minimum":0,"maximum":9223372036854775807,
       "description":"How many, from the first one on; all when absent."}
      """#
    ),
    (
      "ProcessAnswer",
      session(
        requiring: "processed changes events",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "processed":{"$ref":"#/components/schemas/ProcessedMessages"},
        "trace":{"$ref":"#/components/schemas/Trace"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "events":{"$ref":"#/components/schemas/Events"}
        """##)
    ),
    (
      "ProcessedMessages",
      ##"""
      {"type":"array","items":{"title":"ProcessedMessage","type":"object",
       "required":["message","from","to","delivered","reason","receiver","answer"],"properties":{
        \##(waiting),
        "delivered":{"type":"boolean"},
        "reason":{"$ref":"#/components/schemas/DeliveryReason"},
        "receiver":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "answer":{},
        "trace":{"$ref":"#/components/schemas/Trace"}}}}
      """##
    ),
  ]

  private static let waiting = ##"""
    "message":{"$ref":"#/components/schemas/Selector"},
    "from":{"$ref":"#/components/schemas/Identifier"},
    "to":{"$ref":"#/components/schemas/MessageDestination"},
    "arguments":{"$ref":"#/components/schemas/Arguments"},
    "when":{"type":"string"}
    """##
}

extension Schemas {
  /// The triggers of going back in a navigation controller.
  static let pops: [(name: String, text: String)] = [
    (
      "PopTrigger",
      #"""
      {"enum":["user","code"],"default":"code",
       "description":"Who goes back: of the user, by the back button, its menu or a swipe, navigation coordinators hear."}
      """#
    ),
    (
      "CancelledSwipe",
      #"""
      {"type":"boolean","default":false,
       "description":"Only by the user: whether it was a swipe that was cancelled, so that nothing is popped."}
      """#
    ),
  ]
}
