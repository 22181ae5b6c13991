package import JSONText
package import MenuEngine

/// The JSON Schemas (2020-12) of the files in an application's folder, derived from those of requests.
package struct FileSchemas {
  package static let dialect: JSON = "https://json-schema.org/draft/2020-12/schema"

  /// The schema of the member with which a file names its schema.
  package static let reference: JSON = [
    "type": "string", "description": "The schema of this file, for editors. menud ignores it.",
  ]

  /// The name of the file that the schemas of all parts refer to, beside them.
  package static let definitionsFile = "definitions.json"

  /// The definitions by name.
  private let all: [String: JSON]

  /// Creates the schemas of all files.
  package init() {
    let named = Schemas.named(in: OpenAPIFiles(), describingMembers: true)
    var all = Dictionary(named.map { ($0.name, $0.schema) }) { first, _ in first }
    for (name, schema) in FileDefinitions(all).all { all[name] = schema }
    self.all = all
  }

  /// Returns the schema of the file of a part, which refers to the file of definitions.
  package func schema(of part: CatalogDocument.Part) -> JSON {
    var schema: JSONObject = [
      "$schema": Self.dialect, "title": .string(part.fileName),
    ]
    for member in FileDefinitions.root(of: part).members {
      schema[member.name] = member.value.referring(to: Self.definitionsFile, member: member.name)
    }
    return .object(schema)
  }

  /// The file of definitions: all that a part refers to, in the order of the parts.
  package var definitions: JSON {
    var collection = DefinitionCollection(among: all)
    for part in CatalogDocument.Part.allCases {
      collection.collect(from: .object(FileDefinitions.root(of: part)))
    }
    return [
      "$schema": Self.dialect, "title": .string(Self.definitionsFile),
      "description": "The definitions that the schemas of an application's files share.",
      "$defs": .object(collection.definitions),
    ]
  }
}

extension JSON {
  /// Returns the schema with references to the definitions of a file; the empty name is this file.
  ///
  /// `discriminator`, which is not a keyword of JSON Schema, is omitted.
  fileprivate func referring(to file: String, member: String = "") -> JSON {
    switch self {
    case .string where member == "$ref":
      return definitionName.map { .string("\(file)#/$defs/\($0)") } ?? self
    case .array(let elements): return .array(elements.map { $0.referring(to: file) })
    case .object(let object):
      var copy = JSONObject()
      for member in object.members where member.name != "discriminator" {
        copy[member.name] = member.value.referring(to: file, member: member.name)
      }
      return .object(copy)
    case .null, .bool, .int, .double, .string: return self
    }
  }

  /// The name of the definition to which a reference leads.
  fileprivate var definitionName: String? {
    guard case .string(let path) = self else { return nil }
    return path.split(separator: "/").last.map(String.init)
  }
}

extension CatalogDocument.Part {
  /// The name of its file in the folder of an application, or the form of the names of its files.
  package var fileName: String {
    self == .strings ? "strings/LOCALE.json" : "\(rawValue).json"
  }
}

/// Collects the definitions to which schemas refer, in the order of their occurrence.
private struct DefinitionCollection {
  private let all: [String: JSON]
  private(set) var definitions = JSONObject()

  init(among all: [String: JSON]) { self.all = all }

  /// Collects the definitions to which a schema refers, directly or indirectly.
  mutating func collect(from schema: JSON) {
    switch schema {
    case .array(let elements): for element in elements { collect(from: element) }
    case .object(let object):
      for member in object.members where member.name != "discriminator" {
        if member.name == "$ref", let name = member.value.definitionName {
          collect(name)
        } else {
          collect(from: member.value)
        }
      }
    case .null, .bool, .int, .double, .string: break
    }
  }

  private mutating func collect(_ name: String) {
    guard definitions[name] == nil else { return }
    guard let definition = all[name] else { preconditionFailure("There is no schema \(name).") }
    // Before its own references, which may lead back to it.
    definitions[name] = definition.referring(to: "")
    collect(from: definition)
  }
}

/// The schemas of an application's files that differ from those of requests.
///
/// A file's schema checks the members that depend on the kind of a responder or a segue, from the same tables
/// as the engine. A request leaves that check to the session.
struct FileDefinitions {
  private let requests: [String: JSON]

  /// Creates the definitions from those of requests, by name.
  init(_ requests: [String: JSON]) { self.requests = requests }

  var all: [(name: String, schema: JSON)] {
    [
      ("CommandDeclaration", command), ("ClassDeclaration", classDeclaration),
      ("Responder", responder), ("Scene", prototype("Scene")), ("SceneView", sceneView),
      ("LaunchDelegate", prototype("LaunchDelegate")), ("Segue", segue),
      ("SessionTemplate", template), ("Rule", unbounded("Rule")),
      ("PlaceRule", unbounded("PlaceRule")),
    ] + texts + contents
  }

  /// Returns the schema of a part's file, without definitions.
  static func root(of part: CatalogDocument.Part) -> JSONObject {
    switch part {
    case .commands: list(of: "CommandDeclaration", "The commands of an application.")
    case .menus: list(of: "MenuElement", "The menus of an application, and the commands in them.")
    case .protocols: map(of: "DelegateProtocol", "The protocols of delegates by name.")
    case .classes: map(of: "ClassDeclaration", "The classes of responders by name.")
    case .storyboards: map(of: "Storyboard", "The storyboards by name.")
    case .session: ["$ref": "#/components/schemas/SessionTemplate"]
    case .resources: map(of: "ApplicationResource", "The resources for agents by name.")
    case .prompts: map(of: "ApplicationPrompt", "The prompts for agents by name.")
    case .strings: ["$ref": "#/components/schemas/LanguageStrings"]
    }
  }

  private static func list(of name: String, _ description: JSON) -> JSONObject {
    ["description": description, "type": "array", "items": Schemas.reference(to: name)]
  }

  /// Returns the schema of an object of values by identifier.
  private static func map(of name: String, _ description: JSON) -> JSONObject {
    [
      "description": description, "type": "object", "additionalProperties": false,
      "properties": .object([JSON.schemaReference: FileSchemas.reference]),
      "patternProperties": ["^[A-Za-z0-9_.:-]{1,128}$": Schemas.reference(to: name)],
    ]
  }

  /// Returns the schema of requests of this name, changed by a closure.
  func changed(_ name: String, _ change: (inout JSONObject) -> Void) -> JSON {
    guard case .object(var schema)? = requests[name] else { preconditionFailure("no \(name)") }
    change(&schema)
    return .object(schema)
  }

  /// Returns the members in the schema of requests of this name.
  func properties(_ name: String) -> JSONObject {
    guard case .object(let schema)? = requests[name] else { preconditionFailure("no \(name)") }
    return schema.object("properties")
  }
}

extension FileDefinitions {
  /// A command, named by its id or its action.
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

  /// A session template: the members of an opening, without those that describe an earlier session.
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

  /// Returns the schema of a rule of any length, since the configuration can raise the limit.
  private func unbounded(_ name: String) -> JSON { changed(name) { $0["maxLength"] = nil } }
}

extension FileDefinitions {
  /// A responder, whose members depend on its kind.
  var responder: JSON {
    changed("Responder") { schema in
      schema["dependentRequired"] = [
        "proxiedSelectors": ["proxied"], "storyboard": ["scene"], "scene": ["storyboard"],
      ]
      schema["dependentSchemas"] = .object(demandsOfMembers)
      schema["allOf"] = [
        [
          "if": [
            "allOf": [
              Self.having(.responder),
              ["anyOf": [Schemas.having("parentCoordinator"), Schemas.having("continuation")]],
            ]
          ],
          "then": Schemas.having("coordinating"),
        ],
        [
          "if": [
            "required": ["coordinating"],
            "properties": ["coordinating": Self.having("isReplaced", true)],
          ],
          "then": Schemas.having("parentCoordinator"),
        ],
        [
          "if": Self.having("isInstance", true),
          "then": [
            "properties": ["kind": Self.oneOf([.viewController, .view])],
            "if": Self.having(.view), "then": Schemas.having("owner"),
          ],
        ],
      ]
    }
  }

  /// The constraints of single members of a responder.
  private var demandsOfMembers: JSONObject {
    var demands = JSONObject()
    for link in ResponderLink.allCases where link.holders != ResponderKind.allCases {
      guard link.path.count == 1 else { continue }
      demands[link.rawValue] = ["properties": ["kind": Self.oneOf(link.holders)]]
    }
    for name in ["viewControllers", "isCollapsed", "storyboard", "scene"] {
      demands[name] = ["properties": ["kind": Self.oneOf([.viewController])]]
    }
    demands["coordinating"] = ["properties": ["kind": Self.oneOf([.responder])]]
    demands["owner"] = [
      "required": ["isInstance"],
      "properties": ["kind": Self.oneOf([.view]), "isInstance": ["const": true]],
    ]
    demands["proxied"] = Self.demandsOfProxy
    return demands
  }

  /// A proxy is never queried for these (L8).
  private static let demandsOfProxy: JSON = [
    "not": [
      "anyOf": .array(["canPerform", "forwardingTarget", "catchAll"].map { Schemas.having($0) })
    ],
    "properties": ["handlers": ["additionalProperties": ["not": Schemas.having("canPerform")]]],
  ]

  private static func oneOf(_ kinds: [ResponderKind]) -> JSON {
    ["enum": .array(kinds.map { .string($0.rawValue) })]
  }

  private static func having(_ kind: ResponderKind) -> JSON {
    having("kind", .string(kind.rawValue))
  }

  /// Returns the schema of an object with a member of this value.
  private static func having(_ name: String, _ value: JSON) -> JSON {
    ["required": [.string(name)], "properties": .object([name: ["const": value]])]
  }
}

extension FileDefinitions {
  /// Returns the members of a responder that a storyboard or a launch describes: its own, and those of any
  /// responder that are not links and do not depend on its kind.
  func prototype(_ name: String) -> JSON {
    let links = ResponderLink.allCases.compactMap(\.path.first)
    let others = [
      "kind", "isCollapsed", "proxiedSelectors", "storyboard", "scene", "isInstance", "owner",
    ]
    var members = properties(name)
    for member in properties("Responder").members
    where !links.contains(member.name) && !others.contains(member.name)
      && member.name != "viewControllers" && members[member.name] == nil
    {
      members.append(member)
    }
    return changed(name) { schema in
      schema["additionalProperties"] = false
      schema["properties"] = .object(members)
    }
  }

  /// A view of a scene; a nested view has an id.
  var sceneView: JSON {
    guard case .object(var view) = prototype("SceneView") else { return [:] }
    var properties = view.object("properties")
    var subviews = properties.object("subviews")
    var items = subviews.object("items")
    items["required"] = ["id"]
    subviews["items"] = .object(items)
    properties["subviews"] = .object(subviews)
    view["properties"] = .object(properties)
    return .object(view)
  }

  /// A segue, whose members depend on its kind (V4).
  var segue: JSON {
    changed("Segue") { schema in
      var demands = JSONObject()
      for member in Segue.Kind.dependentMembers {
        let kinds = Segue.Kind.allCases.filter { $0.reads(member) }
        demands[member] = [
          "properties": ["kind": ["enum": .array(kinds.map { .string($0.rawValue) })]]
        ]
      }
      schema["dependentSchemas"] = .object(demands)
      schema["allOf"] = [
        ["if": Self.having("kind", "embed"), "else": Schemas.having("identifier")],
        [
          "if": Self.having("kind", "unwind"), "then": Schemas.having("action"),
          "else": Schemas.having("destination"),
        ],
      ]
    }
  }
}
