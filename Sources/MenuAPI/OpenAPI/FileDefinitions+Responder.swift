import JSONText
import MenuEngine

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

  /// The demands of single members of a responder.
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

  /// Nobody asks a proxy for these (L8).
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

  /// An object with a member of this value.
  private static func having(_ name: String, _ value: JSON) -> JSON {
    ["required": [.string(name)], "properties": .object([name: ["const": value]])]
  }
}

extension FileDefinitions {
  /// The members of a responder that a storyboard or a launch describes: its own, and those of any responder
  /// that are no links and do not belong to its kind.
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

  /// A view of a scene; those inside another one have an id.
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
