/// The schemas of what requests and answers hold, as JSON text by name.
enum Schemas {
  /// All schemas; `named` has their parts too.
  static let all =
    names + problems + rules + effects + declarations + menus + menuEdits + sessions + responders
    + lateResponders + mutations + ofOperations + patches + questions + actions + keys
    + storyboards + undo + coordinators + pops

  /// One of several schemas, each with a word of its own in the same member.
  static func union(of branches: [(word: String, schema: String)], by member: String) -> String {
    let place = "#/components/schemas/"
    let references = branches.map { "{\"$ref\":\"\(place)\($0.schema)\"}" }
    let mapping = branches.map { "\"\($0.word)\":\"\(place)\($0.schema)\"" }
    return """
      {"oneOf":[\(references.joined(separator: ","))],
       "discriminator":{"propertyName":"\(member)","mapping":{\(mapping.joined(separator: ","))}}}
      """
  }

  /// Members of a schema by which an object has one of two members, or both.
  static func atLeastOne(of first: String, _ second: String) -> String {
    #""if":{"not":{"required":["\#(first)"]}},"then":{"required":["\#(second)"]}"#
  }

  /// Members of a schema by which an object has exactly one of two members. Generators pass over these,
  /// while they take a `oneOf` beside `properties` for several schemas.
  static func exactlyOne(of first: String, _ second: String) -> String {
    """
    "not":{"required":["\(first)","\(second)"]},
    "if":{"not":{"required":["\(first)"]}},"then":{"required":["\(second)"]}
    """
  }

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
    (
      "DryRun",
      #"""
      {"type":"boolean","enum":[true],"description":"There when nothing was kept, as the request wanted."}
      """#
    ),
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
    (
      "Document",
      #"""
      {"type":"object","required":["openapi","paths"],"properties":{
        "openapi":{"type":"string"},"paths":{"type":"object"}}}
      """#
    ),
    (
      "Reason",
      #"""
      {"enum":["enabled","noTarget","noAction","ruleFalse","ruleError","declaredDisabled","cycle",
               "unknownCommand","noHandler","recorded","proxiedGone","noMatch"]}
      """#
    ),
  ]

  /// The answer to a request that is refused.
  private static let problems: [(name: String, text: String)] = [
    (
      "Problem",
      ##"""
      {"type":"object","description":"RFC 9457. Members beside these depend on the type.",
       "required":["type","title","status","detail"],"properties":{
        "type":{"enum":[\##(problemTypes)]},
        "title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},
        "pointer":{"type":"string","description":"The first part of the body to blame."},
        "rule":{"$ref":"#/components/schemas/CompilationFault"},
        "errors":{"type":"array","minItems":2,
         "description":"All parts of the body to blame, when there are several.","items":{"type":"object","required":["pointer","detail"],
          "properties":{"pointer":{"type":"string"},"detail":{"type":"string"},
           "rule":{"$ref":"#/components/schemas/CompilationFault"}}}},
        "reason":{"$ref":"#/components/schemas/Reason"},
        "item":{"$ref":"#/components/schemas/Item"},
        "trace":{"$ref":"#/components/schemas/Trace"},
        "error":{"$ref":"#/components/schemas/RuleError"},
        "matches":{"$ref":"#/components/schemas/KeyMatches"},
        "effect":{"type":"object","properties":{
          "receiver":{"$ref":"#/components/schemas/Receiver"},
          "selector":{"$ref":"#/components/schemas/Selector"},"place":{"type":"string"}}},
        "handler":{"type":"object","required":["responder","selector"],
          "description":"The handler whose answer is to blame, in place of any part of the body.",
          "properties":{"responder":{"$ref":"#/components/schemas/Identifier"},
           "selector":{"$ref":"#/components/schemas/Selector"}}},
        "mutation":{"type":"integer","minimum":0,
          "description":"The index of the mutation that asked that handler."}}}
      """##
    )
  ]

  private static let problemTypes = ProblemType.allCases.map { "\"\($0.uri)\"" }
    .joined(separator: ",")
}
