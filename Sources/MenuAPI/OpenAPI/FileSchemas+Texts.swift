import JSONText
import Languages

/// The schemas of `strings/LOCALE.json` (M14).
extension FileDefinitions {
  var texts: [(name: String, schema: JSON)] {
    [
      ("LanguageStrings", languageStrings), ("CommandTexts", commandTexts),
      ("AlternateTexts", Self.texts("The texts of an alternate.", Self.members)),
      (
        "ConfirmationTexts",
        Self.texts("The texts of a confirmation.", Self.strings("title", "message", "button"))
      ), ("PluralText", pluralText),
    ]
  }

  private var languageStrings: JSON {
    [
      "type": "object", "additionalProperties": false,
      "description": "The strings of an application in one language.",
      "properties": [
        "$schema": FileSchemas.reference,
        "commands": [
          "type": "object",
          "description": "The texts of commands by id; a string is the title.",
          "propertyNames": reference("Identifier"),
          "additionalProperties": ["oneOf": [["type": "string"], reference("CommandTexts")]],
        ],
        "menus": [
          "type": "object", "description": "The titles of menus by identifier.",
          "propertyNames": reference("Identifier"), "additionalProperties": ["type": "string"],
        ],
        "strings": [
          "type": "object",
          "description":
            "Texts by key: for `tr` in rules, and for words in handlers, whose key is the text itself.",
          "additionalProperties": ["oneOf": [["type": "string"], reference("PluralText")]],
        ],
      ],
    ]
  }

  private var commandTexts: JSON {
    var members = Self.members
    members["description"] = [
      "type": "string", "description": "The text of `description`.",
    ]
    members["alternates"] = [
      "type": "array", "description": "Those of the alternates, in their order; null for none.",
      "items": ["oneOf": [["type": "string"], reference("AlternateTexts"), ["type": "null"]]],
    ]
    return Self.texts("The texts of a command; those that are left out are as declared.", members)
  }

  private var pluralText: JSON {
    var members = JSONObject()
    for category in PluralCategory.allCases {
      members[category.rawValue] = [
        "type": "string",
        "description": .string("The text for numbers of the category `\(category.rawValue)`."),
      ]
    }
    members["by"] = [
      "type": "string",
      "description": "The name of the value that decides. The default is `count`.",
    ]
    return [
      "type": "object", "additionalProperties": false, "required": ["other"],
      "description": "A text for each plural category of the language (CLDR).",
      "properties": .object(members),
    ]
  }

  private func reference(_ name: String) -> JSON { Schemas.reference(to: name) }

  private static var members: JSONObject {
    var members = strings("title", "subtitle", "discoverabilityTitle", "unavailable")
    members["confirmation"] = Schemas.reference(to: "ConfirmationTexts")
    return members
  }

  private static func strings(_ names: String...) -> JSONObject {
    var members = JSONObject()
    for name in names {
      members[name] = ["type": "string", "description": .string("The text of `\(name)`.")]
    }
    return members
  }

  private static func texts(_ description: String, _ members: JSONObject) -> JSON {
    [
      "type": "object", "description": .string(description), "additionalProperties": false,
      "properties": .object(members),
    ]
  }
}
