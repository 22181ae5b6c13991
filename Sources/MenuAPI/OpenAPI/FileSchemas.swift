package import JSONText
package import MenuEngine

/// The JSON Schemas (2020-12) of the files of an application's folder, which follow from those of requests.
package struct FileSchemas {
  /// The dialect of the schemas.
  package static let dialect: JSON = "https://json-schema.org/draft/2020-12/schema"

  /// The schema of the member by which a file names its schema.
  package static let reference: JSON = [
    "type": "string", "description": "The schema of this file, for editors. menud ignores it.",
  ]

  private let definitions: [String: JSON]

  /// The schemas of all files.
  package init() {
    let named = Schemas.named(in: OpenAPIFiles(), describingMembers: true)
    var definitions = Dictionary(named.map { ($0.name, $0.schema) }) { first, _ in first }
    for (name, schema) in FileDefinitions(definitions).all { definitions[name] = schema }
    self.definitions = definitions
  }

  /// Returns the schema of the file of a part.
  package func schema(of part: CatalogDocument.Part) -> JSON {
    var collection = DefinitionCollection(among: definitions)
    var schema: JSONObject = [
      "$schema": Self.dialect, "title": .string("\(part.rawValue).json"),
    ]
    for member in FileDefinitions.root(of: part).members {
      schema[member.name] =
        member.name == "$ref"
        ? collection.reference(member.value) : collection.adopted(member.value)
    }
    schema["$defs"] = .object(collection.definitions)
    return .object(schema)
  }
}

/// Collects the definitions that a schema refers to, in the order in which they are met.
private struct DefinitionCollection {
  private let all: [String: JSON]
  private(set) var definitions = JSONObject()

  init(among all: [String: JSON]) { self.all = all }

  /// Returns a schema that refers to definitions beside it, which are collected.
  ///
  /// A `discriminator`, which is no keyword of JSON Schema, is left out.
  mutating func adopted(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map { adopted($0) })
    case .object(let object):
      var copy = JSONObject()
      for member in object.members where member.name != "discriminator" {
        copy[member.name] =
          member.name == "$ref" ? reference(member.value) : adopted(member.value)
      }
      return .object(copy)
    case .null, .bool, .int, .double, .string: return json
    }
  }

  /// Collects the definition that a reference leads to, and returns a reference to it there.
  mutating func reference(_ reference: JSON) -> JSON {
    guard case .string(let path) = reference,
      let name = path.split(separator: "/").last.map(String.init)
    else { return reference }
    let place = JSON.string("#/$defs/\(name)")
    guard definitions[name] == nil else { return place }
    guard let definition = all[name] else { preconditionFailure("There is no schema \(name).") }
    // The place is taken first, since definitions refer to themselves.
    definitions[name] = true
    definitions[name] = adopted(definition)
    return place
  }
}
