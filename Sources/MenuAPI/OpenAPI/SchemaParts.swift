import JSONText

/// Schemas whose parts have names: each object and each enumeration within a schema becomes a schema of
/// its own. Generators of clients number the parts that have no name.
///
/// The name is the part's `title`; the default is the name of what it is in, and of the member there, in
/// the singular for what a list holds.
struct SchemaParts {
  /// The schemas by name, each before its parts.
  private(set) var schemas: [(name: String, schema: JSON)] = []
  private var written: [String: JSON] = [:]

  /// Adds a schema, written as JSON text, and its parts.
  mutating func add(_ name: String, _ text: String) {
    do throws(JSONFault) {
      add(name, try JSON(parsing: text))
    } catch {
      preconditionFailure("The schema \(name) is not JSON: \(error)")
    }
  }

  /// Adds a schema and its parts, unless it is there already.
  private mutating func add(_ name: String, _ schema: JSON) {
    if let known = written.updateValue(schema, forKey: name) {
      return precondition(known == schema, "Two schemas are called \(name); one needs a title.")
    }
    let position = schemas.count
    schemas.append((name, .null))
    schemas[position].schema = naming(partsOf: schema, in: name)
  }

  /// The schema with references in the place of its parts.
  private mutating func naming(partsOf schema: JSON, in name: String) -> JSON {
    guard case .object(var object) = schema else { return schema }
    if let values = object["enum"], object["type"] == nil, values.holdsStringsOnly {
      object["type"] = "string"
    }
    for (keyword, value) in object.members.map({ ($0.name, $0.value) }) {
      object[keyword] = naming(partsOf: value, under: keyword, in: name)
    }
    return .object(object)
  }

  private mutating func naming(
    partsOf value: JSON, under keyword: String, in name: String
  ) -> JSON {
    switch (keyword, value) {
    case ("properties", .object(var members)):
      for (member, schema) in members.members.map({ ($0.name, $0.value) }) {
        members[member] = reference(to: schema, called: name + member.capitalized)
      }
      return .object(members)
    case ("items", _): return reference(to: value, called: name.singular)
    case ("additionalProperties", .object): return reference(to: value, called: name + "Value")
    case ("oneOf", .array(let branches)), ("anyOf", .array(let branches)),
      ("allOf", .array(let branches)):
      return .array(branches.map { naming(branch: $0, in: name) })
    default: return value
    }
  }

  /// A branch with references in the place of its parts, or to itself, when it has a title.
  private mutating func naming(branch: JSON, in name: String) -> JSON {
    guard case .object(let object) = branch, case .string(let title)? = object["title"] else {
      return naming(partsOf: branch, in: name)
    }
    return reference(to: branch, called: title)
  }

  /// A reference to a part, which is added; the part itself, when it needs no name.
  private mutating func reference(to part: JSON, called name: String) -> JSON {
    guard case .object(let object) = part else { return part }
    var title = name
    if case .string(let given)? = object["title"] { title = given }
    guard object["properties"] != nil || object["enum"]?.holdsStringsOnly == true else {
      return naming(partsOf: part, in: title)
    }
    add(title, part)
    return ["$ref": .string("#/components/schemas/\(title)")]
  }
}

extension Schemas {
  /// All schemas as the document has them.
  static let named: [(name: String, schema: JSON)] = {
    var parts = SchemaParts()
    for (name, text) in all { parts.add(name, text) }
    return parts.schemas
  }()
}

extension JSON {
  fileprivate var holdsStringsOnly: Bool {
    guard case .array(let elements) = self else { return false }
    return elements.allSatisfy { if case .string = $0 { true } else { false } }
  }
}

extension String {
  /// The word with a capital at its beginning.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }

  /// The name of what a list of this name holds.
  fileprivate var singular: String { hasSuffix("s") ? String(dropLast()) : self + "Item" }
}
