import MenuEngine

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
    ("Mutation", union(of: OperationDescription.mutations, called: "Mutation")),
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
}
