extension Schemas {
  /// Rules, handlers and effects.
  static let rules: [(name: String, text: String)] = [
    (
      "Rule",
      #"{"type":"string","minLength":1,"maxLength":4096,"description":"An expression of CEL."}"#
    ),
    (
      "PlaceRule",
      #"""
      {"type":"string","minLength":1,"maxLength":4096,
       "description":"An expression of CEL that answers a place in the state: a list of names and indices, or a JSON Pointer. Only the names of a list are escaped; what a client sends belongs in a list."}
      """#
    ),
    (
      "BoolRule",
      ##"{"oneOf":[{"$ref":"#/components/schemas/Rule"},{"type":"boolean"}]}"##
    ),
    (
      "Handler",
      ##"""
      {"type":"object","additionalProperties":false,"properties":{
        "validate":{"$ref":"#/components/schemas/Validation"},
        "canPerform":{"$ref":"#/components/schemas/BoolRule"},
        "perform":{"type":"array","items":{"$ref":"#/components/schemas/Effect"}},
        "continues":{"$ref":"#/components/schemas/Continues"}}}
      """##
    ),
    (
      "Continues",
      #"""
      {"type":"boolean","default":false,
       "description":"Whether the message goes on up the coordinating chain afterwards, as when a method calls super."}
      """#
    ),
    (
      "CoordinatedHandler",
      ##"""
      {"type":"object","additionalProperties":false,"properties":{
        "validate":{"$ref":"#/components/schemas/Validation"},
        "perform":{"type":"array","items":{"$ref":"#/components/schemas/Effect"}},
        "continues":{"$ref":"#/components/schemas/Continues"}}}
      """##
    ),
    (
      "Validation",
      ##"""
      {"type":"object","additionalProperties":false,"properties":{
        "enabled":{"$ref":"#/components/schemas/BoolRule"},
        "checked":{"$ref":"#/components/schemas/BoolRule"},
        "title":{"$ref":"#/components/schemas/Rule"},
        "subtitle":{"$ref":"#/components/schemas/Rule"},
        "image":{"$ref":"#/components/schemas/Rule"},
        "discoverabilityTitle":{"$ref":"#/components/schemas/Rule"},
        "hidden":{"$ref":"#/components/schemas/BoolRule"},
        "destructive":{"$ref":"#/components/schemas/BoolRule"},
        "keepsMenuPresented":{"$ref":"#/components/schemas/BoolRule"}}}
      """##
    ),
    (
      "CompilationFault",
      #"""
      {"type":"object","required":["message","offset","line","column"],
       "properties":{"message":{"type":"string"},"offset":{"type":"integer"},
        "line":{"type":"integer"},"column":{"type":"integer"},"hint":{"type":"string"},
        "excerpt":{"type":"string"}}}
      """#
    ),
    (
      "RuleError",
      #"""
      {"type":"object","required":["rule","message","offset","line","column","place"],
       "properties":{"rule":{"type":"string"},"message":{"type":"string"},
        "offset":{"type":"integer"},"line":{"type":"integer"},"column":{"type":"integer"},
        "place":{"type":"string"}}}
      """#
    ),
    (
      "RuleCheck",
      ##"""
      {"type":"object","required":["rule"],"additionalProperties":false,"properties":{
        "rule":{"type":"string"},
        "variables":{"type":"object","additionalProperties":true,
         "description":"Values by name. `state`, `responder`, `sender`, `command`, `arguments`, `invocation` and `segue` are there in any case."},
        "container":{"type":"string","pattern":"^[A-Za-z0-9_.:-]{0,128}$",
         "description":"The dotted name against which names in the rule are resolved."},
        "options":{"type":"object","additionalProperties":false,"properties":{
         "explain":{"type":"boolean","default":false},
         "limits":{"type":"object","additionalProperties":false,
          "description":"Bounds lower than the server's own.","properties":{
          "maximumSourceLength":{"type":"integer","minimum":0},
          "maximumNesting":{"type":"integer","minimum":0},
          "maximumNodes":{"type":"integer","minimum":0},
          "maximumSteps":{"type":"integer","minimum":0},
          "maximumStringLength":{"type":"integer","minimum":0},
          "maximumElements":{"type":"integer","minimum":0}}}}}}}
      """##
    ),
    (
      "RuleAnswer",
      ##"""
      {"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean"},"value":{},
        "type":{"type":"string"},
        "cost":{"type":"integer","description":"The steps that the evaluation took."},
        "paths":{"type":"array","items":{"type":"string"}},
        "explanation":{"$ref":"#/components/schemas/RuleExplanation"},
        "fault":{"type":"object","required":["phase","message","offset","line","column"],
         "properties":{"phase":{"enum":["compilation","evaluation"]},"message":{"type":"string"},
          "offset":{"type":"integer"},"line":{"type":"integer"},"column":{"type":"integer"},
          "hint":{"type":"string"},"excerpt":{"type":"string"}}}}}
      """##
    ),
    (
      "RuleExplanation",
      ##"""
      {"type":"object","required":["complete","parts","reasons"],
       "description":"What the parts of the rule are worth, and because of which it is false.",
       "properties":{"complete":{"type":"boolean"},
        "parts":{"type":"array","items":{"$ref":"#/components/schemas/RulePart"}},
        "reasons":{"type":"array","items":{"$ref":"#/components/schemas/RulePart"}}}}
      """##
    ),
    (
      "RulePart",
      ##"""
      {"type":"object","required":["text","start","end"],"properties":{"text":{"type":"string"},
        "start":{"type":"integer"},"end":{"type":"integer"},
        "element":{"type":"integer","description":"Of the list or map that a macro goes through."},
        "value":{"type":"string","description":"As a literal, shortened when it is long."},
        "type":{"type":"string"},"fault":{"type":"string"},"decisive":{"type":"boolean"},
        "operands":{"type":"array","items":{"$ref":"#/components/schemas/RulePart"}}}}
      """##
    ),
  ]
}
