import JSONText
import MenuEngine

/// The schemas of an application's files, as far as they differ from those of requests.
///
/// A file demands what depends on the kind of a responder or a segue, which follows from the tables by which
/// the engine reads them. A request leaves that to the session.
struct FileDefinitions {
  private let requests: [String: JSON]

  /// The definitions beside those of requests, by name.
  init(_ requests: [String: JSON]) { self.requests = requests }

  /// The definitions by name.
  var all: [(name: String, schema: JSON)] {
    [
      ("CommandDeclaration", command), ("ClassDeclaration", classDeclaration),
      ("Responder", responder), ("Scene", prototype("Scene")), ("SceneView", sceneView),
      ("LaunchDelegate", prototype("LaunchDelegate")), ("Segue", segue),
      ("SessionTemplate", template), ("Rule", unbounded("Rule")),
      ("PlaceRule", unbounded("PlaceRule")),
    ]
  }

  /// Returns the schema of the file of a part, without definitions.
  static func root(of part: CatalogDocument.Part) -> JSONObject {
    switch part {
    case .commands: list(of: "CommandDeclaration", "The commands of an application.")
    case .menus: list(of: "MenuElement", "The menus of an application, and the commands in them.")
    case .protocols: map(of: "DelegateProtocol", "The protocols of delegates by name.")
    case .classes: map(of: "ClassDeclaration", "The classes of responders by name.")
    case .storyboards: map(of: "Storyboard", "The storyboards by name.")
    case .session: ["$ref": "#/components/schemas/SessionTemplate"]
    }
  }

  private static func list(of name: String, _ description: JSON) -> JSONObject {
    ["description": description, "type": "array", "items": Schemas.reference(to: name)]
  }

  /// The schema of an object of values by identifier.
  private static func map(of name: String, _ description: JSON) -> JSONObject {
    [
      "description": description, "type": "object", "additionalProperties": false,
      "properties": .object([JSON.schemaReference: FileSchemas.reference]),
      "patternProperties": ["^[A-Za-z0-9_.:-]{1,128}$": Schemas.reference(to: name)],
    ]
  }

  /// Returns the schema of requests of this name, changed.
  func changed(_ name: String, _ change: (inout JSONObject) -> Void) -> JSON {
    guard case .object(var schema)? = requests[name] else { preconditionFailure("no \(name)") }
    change(&schema)
    return .object(schema)
  }

  /// The members that requests have in a schema of this name.
  func properties(_ name: String) -> JSONObject {
    guard case .object(let schema)? = requests[name] else { preconditionFailure("no \(name)") }
    return schema.object("properties")
  }
}

extension FileDefinitions {
  /// A command, whose name is its id or its action.
  private var command: JSON {
    changed("CommandDeclaration") { schema in
      schema["required"] = ["title"]
      schema["anyOf"] = [Schemas.having("action"), Schemas.having("id")]
      schema["dependentRequired"] = ["key": ["action"]]
    }
  }

  private var classDeclaration: JSON {
    [
      "type": "object",
      "description": "A class of responders, or a category, which adds to a class.",
      "additionalProperties": false,
      "if": Schemas.having("category"),
      "then": [
        "not": ["anyOf": [Schemas.having("superclass"), Schemas.having("delegateProtocol")]]
      ],
      "else": Schemas.having("superclass"),
      "properties": [
        "superclass": Schemas.reference(
          to: "Identifier", about: "The class it inherits from."),
        "category": [
          "oneOf": [["const": true], Schemas.reference(to: "Identifier")],
          "description":
            "Instead of a superclass: the class that this one extends, or true for the one with this name.",
        ],
        "delegateProtocol": Schemas.reference(
          to: "Identifier",
          about: "The protocol of its delegates. The default is that of its superclass."),
        "canPerform": Schemas.reference(
          to: "CanPerform",
          about:
            "Decides if an action can be performed, whoever implements it."
        ),
        "handlers": Schemas.reference(
          to: "HandlerMap", about: "The handlers of its instances."
        ),
        "keyCommands": Schemas.reference(
          to: "KeyCommandArray",
          about: "The keys of its instances."),
      ],
    ]
  }

  /// A session as it begins: the members with which requests open one, but for those that describe a session
  /// that was there before.
  private var template: JSON {
    changed("SessionOpening") { schema in
      var properties: JSONObject = [JSON.schemaReference: FileSchemas.reference]
      let others = [
        "id", "template", "join", "registrations", "undo", "messages", "deliveries",
      ]
      for member in self.properties("SessionOpening").members where !others.contains(member.name) {
        properties.append(member)
      }
      schema["description"] = "A session as it begins."
      schema["properties"] = .object(properties)
    }
  }

  /// A rule of any length, since the configuration can raise the limit.
  private func unbounded(_ name: String) -> JSON { changed(name) { $0["maxLength"] = nil } }
}
