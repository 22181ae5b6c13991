extension Schemas {
  /// Late responders, user activities and touch bars.
  static let lateResponders: [(name: String, text: String)] = [
    (
      "LateRegistry",
      ##"""
      {"type":"object","additionalProperties":false,"properties":{
        "hooksLast":{"type":"boolean","default":true},
        "responders":{"type":"array","items":{"$ref":"#/components/schemas/Identifier"}}}}
      """##
    ),
    ("LateRegistration", #"{"type":"object","additionalProperties":false}"#),
    (
      "ProxiedSelectors",
      ##"""
      {"type":"array","description":"What a proxy can be found for; absent for everything.",
       "items":{"$ref":"#/components/schemas/Selector"}}
      """##
    ),
    (
      "ProxiedSelectorsPatch",
      ##"""
      {"type":"object","required":["proxiedSelectors"],"additionalProperties":false,"properties":{
        "proxiedSelectors":{"$ref":"#/components/schemas/OptionalProxiedSelectors"}}}
      """##
    ),
    (
      "OptionalProxiedSelectors",
      ##"{"oneOf":[{"$ref":"#/components/schemas/ProxiedSelectors"},{"type":"null"}]}"##
    ),
    (
      "LateResponder",
      ##"""
      {"type":"object","required":["responder","weight"],"properties":{\##(late)}}
      """##
    ),
    (
      "LateResponders",
      session(
        requiring: "host hooksLast lateResponders",
        ##"""
        "host":{"$ref":"#/components/schemas/Identifier"},
        "hooksLast":{"type":"boolean"},
        "lateResponders":{"type":"array","items":{"$ref":"#/components/schemas/LateResponder"}},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "LateResponderAnswer",
      session(
        requiring: "host responder weight",
        ##"""
        "host":{"$ref":"#/components/schemas/Identifier"},\##(late)
        """##)
    ),
    (
      "LateChanged",
      session(
        requiring: "host changes",
        ##"""
        "dryRun":{"$ref":"#/components/schemas/DryRun"},
        "host":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "changes":{"$ref":"#/components/schemas/Changes"},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "UserActivity",
      #"""
      {"type":"object","required":["activityType"],"additionalProperties":false,"properties":{
        "activityType":{"type":"string"},"title":{"type":"string"},
        "userInfo":{"type":"object"},"webpageURL":{"type":"string"}}}
      """#
    ),
    (
      "UserActivityAnswer",
      session(
        requiring: "catalogRevision responder userActivity",
        ##"""
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "responder":{"$ref":"#/components/schemas/OptionalIdentifier"},
        "userActivity":{"oneOf":[{"$ref":"#/components/schemas/UserActivity"},{"type":"null"}]},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
    (
      "TouchBar",
      ##"""
      {"type":"object","required":["items"],"additionalProperties":false,"properties":{
        "items":{"type":"array","items":{"oneOf":[
          {"title":"TouchBarSlot","enum":["otherItems"],"description":"Where items of farther responders go."},
          {"title":"TouchBarItem","type":"object","additionalProperties":false,
           "if":{"not":{"required":["identifier"]}},"then":{"required":["command"]},"properties":{
            "identifier":{"$ref":"#/components/schemas/Identifier"},
            "title":{"type":"string"},"image":{"type":"string"},
            "command":{"$ref":"#/components/schemas/Identifier"}}}]}}}}
      """##
    ),
    (
      "TouchBarAnswer",
      session(
        requiring: "catalogRevision items",
        ##"""
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "items":{"type":"array","items":{"title":"ComposedTouchBarItem","type":"object",
          "required":["identifier","responder"],
          "properties":{"identifier":{"$ref":"#/components/schemas/Identifier"},
           "responder":{"$ref":"#/components/schemas/Identifier"},
           "title":{"type":"string"},"image":{"type":"string"},
           "item":{"$ref":"#/components/schemas/Item"}}}},
        "trace":{"$ref":"#/components/schemas/Trace"}
        """##)
    ),
  ]

  private static let late = ##"""
    "responder":{"$ref":"#/components/schemas/Identifier"},
    "weight":{"type":"integer","description":"The lightest is asked first."},
    "proxied":{"$ref":"#/components/schemas/OptionalIdentifier"},
    "proxiedSelectors":{"$ref":"#/components/schemas/ProxiedSelectors"}
    """##
}
