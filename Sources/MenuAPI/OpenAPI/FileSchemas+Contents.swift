import JSONText
import MenuEngine

/// The schemas of `resources.json` and `prompts.json`.
extension FileDefinitions {
  var contents: [(name: String, schema: JSON)] {
    [
      ("ApplicationResource", Self.resource), ("TemplateVariable", Self.variable),
      ("ApplicationPrompt", Self.prompt), ("PromptArgument", Self.argument),
      ("PromptMessage", Self.message),
    ]
  }

  private static var resource: JSON {
    var members: JSONObject = [
      "uri": uri("", "Its URI (RFC 3986), of a scheme other than `menud`."),
      "uriTemplate": uri(
        expressions,
        "Instead of `uri`: the template of the URIs of many resources (RFC 6570, level 1). Between two variables there is a character such as `/`, which values have encoded."
      ),
    ]
    add(labels, to: &members)
    members["mimeType"] = mediaType(
      "Its media type. The default is `text/plain` for a text, that of the file's extension, and `application/json` for any other answer of a rule."
    )
    members["variables"] = [
      "type": "object", "maxProperties": .int(Int64(Limits.arguments)),
      "propertyNames": ["type": "string"],
      "additionalProperties": Schemas.reference(to: "TemplateVariable"),
      "description": "The values of variables of the template.",
    ]
    members["text"] = text("Its content: a text.")
    members["file"] = path("Instead of `text`: the path of a file below the folder.")
    members["content"] = Schemas.reference(
      to: "Rule",
      about:
        "Instead of `text`: a rule for a text, or for a value that is written as JSON. It reads variables as `parameters`."
    )
    return [
      "type": "object", "additionalProperties": false, "description": "A resource for agents.",
      "allOf": [one(of: "uri", "uriTemplate"), one(of: "text", "file", "content")],
      "dependentSchemas": ["variables": ["not": Schemas.having("uri")]],
      "properties": .object(members),
    ]
  }

  private static var variable: JSON {
    [
      "type": "object", "additionalProperties": false, "description": "A variable of a template.",
      "maxProperties": 1, "properties": .object(values),
    ]
  }

  private static var prompt: JSON {
    var members = JSONObject()
    add(labels, to: &members)
    members["arguments"] = [
      "type": "array", "maxItems": .int(Int64(Limits.arguments)),
      "items": Schemas.reference(to: "PromptArgument"), "description": "Its arguments.",
    ]
    members["messages"] = [
      "type": "array", "minItems": 1, "maxItems": .int(Int64(Limits.messages)),
      "items": Schemas.reference(to: "PromptMessage"), "description": "Its messages.",
    ]
    return [
      "type": "object", "additionalProperties": false, "description": "A prompt for agents.",
      "required": ["messages"], "properties": .object(members),
    ]
  }

  private static var argument: JSON {
    var members: JSONObject = [
      "name": [
        "type": "string", "maxLength": .int(Int64(Limits.parameterName)),
        "pattern": "^[A-Za-z_][A-Za-z0-9_]*$",
        "description": "Its name: letters, digits and `_`, no digit at first.",
      ]
    ]
    var labels = labels
    labels["commands"] = nil
    add(labels, to: &members)
    members["required"] = [
      "type": "boolean", "description": "True if the prompt is not made without it.",
    ]
    add(values, to: &members)
    return [
      "type": "object", "additionalProperties": false, "description": "An argument of a prompt.",
      "required": ["name"],
      "allOf": [
        ["not": ["required": ["enum", "examples"]]], ["not": ["required": ["enum", "choices"]]],
        ["not": ["required": ["examples", "choices"]]],
      ], "properties": .object(members),
    ]
  }

  private static var message: JSON {
    [
      "type": "object", "additionalProperties": false, "description": "A message of a prompt.",
      "required": ["role"],
      "allOf": [one(of: "text", "content", "image", "resource", "resourceAt")],
      "dependentRequired": ["mimeType": ["image"]],
      "properties": [
        "role": ["enum": ["user", "assistant"], "description": "Its author."],
        "text": text("A text, with arguments as `{name}`, and `{{` for a brace."),
        "content": Schemas.reference(
          to: "Rule",
          about: "Instead of `text`: a rule for a text. It reads arguments as `parameters`."),
        "image": path("Instead of `text`: the path of an image below the folder."),
        "mimeType": mediaType(
          "The media type of the image. The default is that of its extension.",
          of: "[Ii][Mm][Aa][Gg][Ee]"),
        "resource": Schemas.reference(
          to: "Identifier",
          about:
            "Instead of `text`: the name of a resource to embed. Required arguments fill its variables."
        ),
        "resourceAt": Schemas.reference(
          to: "Rule", about: "Instead of `text`: a rule for the URI of a resource to embed."),
      ],
    ]
  }
}

extension FileDefinitions {
  private static let uriCharacter =
    "(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|\\[|\\]|%[0-9A-Fa-f]{2})"

  /// Returns the schema of a URI, or of a template, of a scheme other than `menud`.
  private static func uri(_ rest: String, _ description: JSON) -> JSON {
    [
      "type": "string", "maxLength": .int(Int64(Limits.uri)),
      "pattern": .string("^[A-Za-z][A-Za-z0-9+.-]*:\(uriCharacter)*\(rest)$"),
      "not": ["pattern": "^[Mm][Ee][Nn][Uu][Dd]:"], "description": description,
    ]
  }

  /// The schema of a template, by what follows its first literal.
  private static var expressions: String {
    let name = "\\{[A-Za-z_][A-Za-z0-9_]*\\}"
    return "\(name)(?:\(uriCharacter)+\(name))*\(uriCharacter)*"
  }

  /// Returns the schema of the path of a file.
  private static func path(_ description: JSON) -> JSON {
    [
      "type": "string", "minLength": 1, "maxLength": .int(Int64(Limits.filePath)),
      "not": ["pattern": "(?:^|/)[.]{0,2}(?:/|$)"], "description": description,
    ]
  }

  private static var labels: JSONObject {
    [
      "title": [
        "type": "string", "maxLength": .int(Int64(Limits.title)),
        "description": "Its title for people.",
      ],
      "description": [
        "type": "string", "maxLength": .int(Int64(Limits.description)),
        "description": "What it is, for models.",
      ],
      "commands": [
        "type": "array", "items": Schemas.reference(to: "Identifier"),
        "description":
          "The commands that it is about. It exists for tokens that see all of them. A token that is limited to some commands has nothing that is about none.",
      ],
    ]
  }

  /// The members for values, of which an argument or a variable has at most one.
  private static var values: JSONObject {
    let texts: JSONObject = [
      "type": "array", "minItems": 1, "maxItems": .int(Int64(Limits.choices)),
      "items": ["type": "string", "maxLength": .int(Int64(Limits.title))],
    ]
    var (listed, examples) = (texts, texts)
    listed["description"] = "The values that it may have."
    examples["description"] = "Examples of its values."
    return [
      "enum": .object(listed), "examples": .object(examples),
      "choices": Schemas.reference(
        to: "Rule",
        about:
          "A rule for the values that it may have: a list of texts, or of objects with `const` and maybe `title`."
      ),
    ]
  }

  private static func add(_ more: JSONObject, to members: inout JSONObject) {
    for member in more.members { members.append(member) }
  }

  private static func mediaType(
    _ description: JSON, of type: String = "[A-Za-z0-9!#$&^_.+-]+"
  ) -> JSON {
    [
      "type": "string", "maxLength": .int(Int64(Limits.mediaType)),
      "pattern": .string("^\(type)/[A-Za-z0-9!#$&^_.+-]+(?:;[ -~]*)?$"),
      "description": description,
    ]
  }

  private static func text(_ description: JSON) -> JSON {
    ["type": "string", "maxLength": .int(Int64(Limits.work)), "description": description]
  }

  /// Returns the schema of an object with one of these members.
  private static func one(of names: String...) -> JSON {
    ["oneOf": .array(names.map { Schemas.having($0) })]
  }
}
