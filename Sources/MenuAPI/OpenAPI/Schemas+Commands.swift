extension Schemas {
  /// Commands as they are declared.
  static let declarations: [(name: String, text: String)] = [
    ("CommandDeclaration", command(required: #"["title","action"]"#)),
    (
      "Command",
      command(
        required: #"""
          ["id","title","attributes","state","wantsPriorityOverSystemBehavior",\#
          "allowsAutomaticLocalization","allowsAutomaticMirroring"]
          """#)
    ),
    (
      "Key",
      ##"""
      {"type":"object","required":["input"],"additionalProperties":false,"properties":{
        "input":{"$ref":"#/components/schemas/KeyInput"},
        "modifiers":{"$ref":"#/components/schemas/Modifiers"}}}
      """##
    ),
    (
      "Attributes",
      #"""
      {"type":"array","items":{"title":"Attribute","enum":["disabled","destructive","hidden","keepsMenuPresented"]}}
      """#
    ),
    ("State", #"{"enum":["off","on","mixed"]}"#),
    (
      "Commands",
      ##"""
      {"type":"object","required":["catalogRevision","commands"],"properties":{
        "catalogRevision":{"$ref":"#/components/schemas/Revision"},
        "commands":{"type":"array","items":{"$ref":"#/components/schemas/Command"}},
        "leftOut":{"$ref":"#/components/schemas/LeftOut"}}}
      """##
    ),
    (
      "LeftOut",
      ##"""
      {"type":"array","description":"What clients had changed and the last reload left out.",
       "items":{"title":"LeftOutChange","type":"object","required":["why"],"additionalProperties":false,"properties":{
        "declare":{"$ref":"#/components/schemas/Command"},
        "remove":{"$ref":"#/components/schemas/Identifier"},
        "edit":{"$ref":"#/components/schemas/MenuEdit"},
        "declareProtocol":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/DelegateProtocol"}},
        "removeProtocol":{"$ref":"#/components/schemas/Identifier"},
        "declareStoryboard":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/Storyboard"}},
        "removeStoryboard":{"$ref":"#/components/schemas/Identifier"},
        "why":{"type":"string"}}}}
      """##
    ),
  ]

  private static func command(required: String) -> String {
    ##"""
    {"type":"object","additionalProperties":false,"required":\##(required),"properties":{
      "id":{"$ref":"#/components/schemas/Identifier"},
      "title":{"type":"string"},"subtitle":{"type":"string"},"image":{"type":"string"},
      "discoverabilityTitle":{"type":"string"},
      "description":{"type":"string","description":"What it does, for people and agents."},
      "action":{"$ref":"#/components/schemas/Selector"},"propertyList":{},
      "attributes":{"$ref":"#/components/schemas/Attributes"},
      "state":{"$ref":"#/components/schemas/State"},
      "key":{"$ref":"#/components/schemas/Key"},
      "alternates":{"type":"array","items":{"$ref":"#/components/schemas/Alternate"}},
      "wantsPriorityOverSystemBehavior":{"type":"boolean","default":false},
      "allowsAutomaticLocalization":{"type":"boolean","default":true},
      "allowsAutomaticMirroring":{"type":"boolean","default":true}}}
    """##
  }
}
