/// The schemas of what requests and answers hold, as JSON text by name.
enum Schemas {
  /// All but the problem's.
  static let all =
    names + rules + declarations + menus + sessions + responders + lateResponders + mutations
    + questions + actions + keys + storyboards + undo + coordinators + pops

  private static let names: [(name: String, text: String)] = [
    ("Identifier", #"{"type":"string","pattern":"^[A-Za-z0-9_.:-]{1,128}$"}"#),
    ("IdentifierArray", ##"{"type":"array","items":{"$ref":"#/components/schemas/Identifier"}}"##),
    (
      "Selector",
      #"""
      {"type":"string","maxLength":128,
       "pattern":"^([A-Za-z_$][A-Za-z0-9_$]*|([A-Za-z_$][A-Za-z0-9_$]*)?(:([A-Za-z_$][A-Za-z0-9_$]*)?)*:)$",
       "not":{"const":":"}}
      """#
    ),
    (
      "Receiver",
      #"""
      {"type":"string","description":"The id of a responder, that of a host and `/forwarder`, or that of a responder and `/undoManager`.",
       "pattern":"^[A-Za-z0-9_.:-]{1,128}(/(forwarder|undoManager))?$"}
      """#
    ),
    (
      "ChainMember",
      #"""
      {"type":"string","description":"The id of a responder, or that of a host and an end of its registry.",
       "pattern":"^[A-Za-z0-9_.:-]{1,128}(/late-(initial|last))?$"}
      """#
    ),
    (
      "Asked",
      #"""
      {"type":"string","description":"A receiver, or an end of a registry of late responders.",
       "pattern":"^[A-Za-z0-9_.:-]{1,128}(/(forwarder|undoManager|late-(initial|last)))?$"}
      """#
    ),
    (
      "OptionalIdentifier",
      ##"{"oneOf":[{"$ref":"#/components/schemas/Identifier"},{"type":"null"}]}"##
    ),
    (
      "OptionalReceiver", ##"{"oneOf":[{"$ref":"#/components/schemas/Receiver"},{"type":"null"}]}"##
    ),
    ("Flag", #"{"type":"boolean","default":false}"#),
    ("Text", #"{"type":"string"}"#),
    ("Revision", #"{"type":"integer","minimum":0}"#),
    ("Metrics", #"{"type":"string"}"#),
    ("Health", #"{"type":"object","required":["status"],"properties":{"status":{"const":"ok"}}}"#),
    (
      "NotReady",
      ##"""
      {"type":"object","required":["status","reasons"],"properties":{"status":{"const":"notReady"},
        "reasons":{"type":"array","minItems":1,"items":{"type":"object","required":["reason","detail"],
          "properties":{"reason":{"enum":["recovering","diskFull","journalFailing","draining"]},
            "detail":{"type":"string"}}}}}}
      """##
    ),
    ("Document", #"{"type":"object","required":["openapi","paths"]}"#),
    (
      "Reason",
      #"""
      {"enum":["enabled","noTarget","noAction","ruleFalse","ruleError","declaredDisabled","cycle",
               "unknownCommand","noHandler","recorded","proxiedGone"]}
      """#
    ),
  ]

  /// The members of a problem beside its type.
  static let problemMembers: [(name: String, text: String)] = [
    ("title", #"{"type":"string"}"#),
    ("status", #"{"type":"integer"}"#),
    ("detail", #"{"type":"string"}"#),
    ("pointer", #"{"type":"string","description":"The first part of the body to blame."}"#),
    (
      "errors",
      ##"""
      {"type":"array","items":{"type":"object","required":["pointer","detail"],"properties":{
        "pointer":{"type":"string"},"detail":{"type":"string"},
        "rule":{"$ref":"#/components/schemas/CompilationFault"}}}}
      """##
    ),
    ("reason", ##"{"$ref":"#/components/schemas/Reason"}"##),
    ("item", ##"{"$ref":"#/components/schemas/Item"}"##),
    ("trace", ##"{"$ref":"#/components/schemas/Trace"}"##),
    ("error", ##"{"$ref":"#/components/schemas/RuleError"}"##),
    ("matches", ##"{"$ref":"#/components/schemas/KeyMatches"}"##),
    (
      "effect",
      ##"""
      {"type":"object","properties":{"receiver":{"$ref":"#/components/schemas/Receiver"},
        "selector":{"$ref":"#/components/schemas/Selector"},"place":{"type":"string"}}}
      """##
    ),
  ]
}
