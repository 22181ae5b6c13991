extension Schemas {
  /// Key commands, what keys mean, and which are claimed more than once.
  static let keys: [(name: String, text: String)] = [
    (
      "Modifiers",
      #"""
      {"type":"array","items":{"title":"Modifier",
        "enum":["command","shift","alternate","control","alphaShift","numericPad"]}}
      """#
    ),
    (
      "SomeModifiers",
      ##"{"type":"array","minItems":1,"items":{"$ref":"#/components/schemas/Modifier"}}"##
    ),
    (
      "KeyInput",
      #"""
      {"type":"string","minLength":1,"maxLength":64,
       "description":"One grapheme cluster, or a named key such as `UIKeyInputUpArrow`. Canonically equivalent ones are the same key."}
      """#
    ),
    (
      "KeyCommand",
      ##"""
      {"type":"object","required":["input","action"],"additionalProperties":false,
       "description":"`when` decides at each press whether it is there, `enabled` whether it can be performed.",
       "properties":{
        "input":{"$ref":"#/components/schemas/KeyInput"},
        "modifiers":{"$ref":"#/components/schemas/Modifiers"},
        "action":{"$ref":"#/components/schemas/Selector"},
        "title":{"type":"string"},"discoverabilityTitle":{"type":"string"},"propertyList":{},
        "wantsPriorityOverSystemBehavior":{"type":"boolean","default":false},
        "when":{"$ref":"#/components/schemas/BoolRule"},
        "enabled":{"$ref":"#/components/schemas/BoolRule"}}}
      """##
    ),
    (
      "KeyCommandArray",
      ##"{"type":"array","items":{"$ref":"#/components/schemas/KeyCommand"}}"##
    ),
    (
      "KeyCommandList",
      ##"""
      {"type":"object","required":["keyCommands"],"additionalProperties":false,"properties":{
        "keyCommands":{"$ref":"#/components/schemas/KeyCommandArray"}}}
      """##
    ),
    (
      "KeyCommands",
      session(
        requiring: "responder keyCommands",
        ##"""
        "responder":{"$ref":"#/components/schemas/Identifier"},
        "keyCommands":{"$ref":"#/components/schemas/KeyCommandArray"}
        """##)
    ),
    (
      "Alternate",
      ##"""
      {"type":"object","required":["modifiers","title","action"],"additionalProperties":false,
       "properties":{"modifiers":{"$ref":"#/components/schemas/SomeModifiers"},
        "title":{"type":"string"},"subtitle":{"type":"string"},
        "discoverabilityTitle":{"type":"string"},
        "action":{"$ref":"#/components/schemas/Selector"}}}
      """##
    ),
    (
      "KeyPressRequest",
      ##"""
      {"type":"object","required":["session","key"],"additionalProperties":false,"properties":{
        "session":{"$ref":"#/components/schemas/Identifier"},
        "key":{"$ref":"#/components/schemas/Key"},
        "from":{"$ref":"#/components/schemas/Identifier"},
        "sender":{"$ref":"#/components/schemas/Sender"},
        "dryRun":{"type":"boolean","default":false},
        "explain":{"type":"boolean","default":false}}}
      """##
    ),
    (
      "KeyRequest",
      ##"""
      {"type":"object","required":["session","key"],"additionalProperties":false,"properties":{
        "session":{"$ref":"#/components/schemas/Identifier"},
        "key":{"$ref":"#/components/schemas/Key"},
        "from":{"$ref":"#/components/schemas/Identifier"},
        "sender":{"$ref":"#/components/schemas/Sender"},
        "explain":{"type":"boolean","default":false}}}
      """##
    ),
    ("KeyClaim", claim("KeyClaim", "")),
    (
      "KeyMatches",
      """
      {"type":"array","items":\(claim("KeyMatch", requiring: ##""outcome","rule""##, ##"""
        "outcome":{"enum":["chosen","passedOver","shadowed"]},"rule":{"enum":["K1","K3"]},
        "target":{"$ref":"#/components/schemas/OptionalReceiver"},
        "proxied":{"$ref":"#/components/schemas/Identifier"},
        "reason":{"$ref":"#/components/schemas/Reason"},
        "error":{"$ref":"#/components/schemas/RuleError"},
        """##))}
      """
    ),
    (
      "KeyAnswer",
      session(
        requiring: "action target key matches",
        ##"""
        "action":{"oneOf":[{"$ref":"#/components/schemas/Selector"},{"type":"null"}]},
        "target":{"$ref":"#/components/schemas/OptionalReceiver"},
        "proxied":{"$ref":"#/components/schemas/Identifier"},
        "key":{"$ref":"#/components/schemas/Key"},
        "matches":{"$ref":"#/components/schemas/KeyMatches"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "KeyPressed",
      session(
        requiring: "performed reason action target invocation key matches changes events",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "performed":{"type":"boolean"},
        "reason":{"$ref":"#/components/schemas/Reason"},
        "command":{"$ref":"#/components/schemas/Identifier"},
        "action":{"$ref":"#/components/schemas/Selector"},
        "target":{"$ref":"#/components/schemas/Receiver"},
        "proxied":{"$ref":"#/components/schemas/Identifier"},
        "invocation":{"$ref":"#/components/schemas/Invocation"},
        "key":{"$ref":"#/components/schemas/Key"},
        "matches":{"$ref":"#/components/schemas/KeyMatches"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "events":{"$ref":"#/components/schemas/Events"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "KeyConflicts",
      ##"""
      {"type":"object","required":["catalogRevision","conflicts"],"properties":{
        "session":{"$ref":"#/components/schemas/Identifier"},
        "revision":{"$ref":"#/components/schemas/Revision"},
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "conflicts":{"type":"array","items":{"$ref":"#/components/schemas/KeyConflict"}}}}
      """##
    ),
    (
      "KeyConflict",
      """
      {"type":"object","required":["key","winner","shadowed"],"properties":{
        "key":{"$ref":"#/components/schemas/Key"},
        "winner":{"$ref":"#/components/schemas/KeyClaim"},
        "shadowed":{"type":"array","items":\(claim("ShadowedKey", requiring: ##""why""##, ##"""
          "why":{"enum":["priority","nearer","listOrder","respondersFirst","menuOrder"]},
          """##))}}}
      """
    ),
  ]

  /// Returns the schema of a key's holder, with these properties before.
  private static func claim(
    _ title: String, requiring required: String = "", _ properties: String
  ) -> String {
    ##"""
    {"title":"\##(title)","type":"object","required":[\##(required)],"description":"The key of a responder, of a class or of a command.",
     "properties":{\##(properties)
      "responder":{"$ref":"#/components/schemas/Identifier"},
      "class":{"$ref":"#/components/schemas/Identifier"},
      "command":{"$ref":"#/components/schemas/Identifier"},
      "alternate":{"$ref":"#/components/schemas/Modifiers"},
      "title":{"type":"string"},"action":{"$ref":"#/components/schemas/Selector"},
      "declared":{"$ref":"#/components/schemas/Key"},
      "priority":{"type":"boolean"},"conditional":{"type":"boolean"}}}
    """##
  }
}
