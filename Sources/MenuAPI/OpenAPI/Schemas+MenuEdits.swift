extension Schemas {
  /// The edits of menus, one schema for each (M4).
  static let menuEdits: [(name: String, text: String)] = [
    (
      "MenuEdit",
      union(
        of: [
          ("insertSibling", "InsertSiblingEdit"), ("insertChild", "InsertChildEdit"),
          ("replace", "ReplaceEdit"), ("replaceChildren", "ReplaceChildrenEdit"),
          ("remove", "RemoveEdit"),
        ], by: "op")
    ),
    (
      "InsertSiblingEdit",
      ##"""
      {"type":"object","additionalProperties":false,"required":["op","menu"],
       \##(exactlyOne(of: "beforeMenu", "afterMenu")),
       "properties":{"op":{"const":"insertSibling"},"menu":{"$ref":"#/components/schemas/Menu"},
        "beforeMenu":{"$ref":"#/components/schemas/Identifier"},
        "afterMenu":{"$ref":"#/components/schemas/Identifier"}}}
      """##
    ),
    (
      "InsertChildEdit",
      ##"""
      {"type":"object","additionalProperties":false,"required":["op","menu"],
       \##(exactlyOne(of: "atStartOfMenu", "atEndOfMenu")),
       "properties":{"op":{"const":"insertChild"},"menu":{"$ref":"#/components/schemas/Menu"},
        "atStartOfMenu":{"$ref":"#/components/schemas/Identifier"},
        "atEndOfMenu":{"$ref":"#/components/schemas/Identifier"}}}
      """##
    ),
    (
      "ReplaceEdit",
      ##"""
      {"type":"object","additionalProperties":false,"required":["op","menu","with"],
       "properties":{"op":{"const":"replace"},"menu":{"$ref":"#/components/schemas/Identifier"},
        "with":{"$ref":"#/components/schemas/Menu"}}}
      """##
    ),
    (
      "ReplaceChildrenEdit",
      ##"""
      {"type":"object","additionalProperties":false,"required":["op","ofMenu","children"],
       "properties":{"op":{"const":"replaceChildren"},
        "ofMenu":{"$ref":"#/components/schemas/Identifier"},
        "children":{"type":"array","items":{"$ref":"#/components/schemas/MenuElement"}}}}
      """##
    ),
    (
      "RemoveEdit",
      ##"""
      {"type":"object","additionalProperties":false,"required":["op","menu"],
       "properties":{"op":{"const":"remove"},"menu":{"$ref":"#/components/schemas/Identifier"}}}
      """##
    ),
  ]
}
