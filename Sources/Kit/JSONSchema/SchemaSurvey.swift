import JSONText

/// A first look through a schema, which finds every schema in it, so that references can lead anywhere.
///
/// A schema stands behind the one that it is in.
struct SchemaSurvey {
  /// A schema as it is written.
  struct Found {
    let json: JSON
    let pointer: JSONPointer
  }

  private(set) var schemas: [Found] = []
  private(set) var indexes: [JSONPointer: SubschemaIndex] = [:]
  private(set) var faults: [SchemaFault] = []
  private let limits: SchemaLimits

  init(limits: SchemaLimits) { self.limits = limits }

  /// Finds all schemas in a document, unless that is too large.
  mutating func look(through document: JSON) {
    var size = limits.maximumSize
    switch document.spend(depth: limits.maximumNesting, size: &size) {
    case .tooDeep: return note(.tooDeep(limit: limits.maximumNesting), at: .root)
    case .tooLarge: return note(.tooLarge(limit: limits.maximumSize), at: .root)
    case .fits: break
    }
    add(document, at: .root)
    // Not `for`: those that are found on the way are looked at too.
    var next = 0
    while next < schemas.count {
      if schemas.count > limits.maximumSubschemas {
        return note(.tooManySubschemas(limit: limits.maximumSubschemas), at: .root)
      }
      look(into: schemas[next])
      next += 1
    }
  }

  private mutating func look(into schema: Found) {
    guard case .object(let object) = schema.json else { return }
    for member in object {
      let place = schema.pointer.appending(member.name)
      guard let keyword = KeywordName(member.name) else {
        note(.unknownKeyword(member.name, known: KeywordName.allNames), at: place)
        continue
      }
      switch (keyword.content, member.value) {
      case (.none, _): break
      case (.schema, let json): add(json, at: place)
      case (.schemas, .array(let elements)) where !elements.isEmpty:
        for (index, json) in elements.enumerated() { add(json, at: place.appending(index)) }
      case (.schemasByName, .object(let members)):
        for member in members { add(member.value, at: place.appending(member.name)) }
      case (.schemas, let json): note(.expected(.schemas, found: json), at: place)
      case (.schemasByName, let json): note(.expected(.schemasByName, found: json), at: place)
      }
    }
  }

  private mutating func add(_ json: JSON, at pointer: JSONPointer) {
    switch json {
    case .object, .bool:
      indexes[pointer] = schemas.count
      schemas.append(Found(json: json, pointer: pointer))
    case .null, .int, .double, .string, .array:
      note(.expected(.schema, found: json), at: pointer)
    }
  }

  private mutating func note(_ reason: SchemaFault.Reason, at pointer: JSONPointer) {
    faults.append(SchemaFault(reason, at: pointer))
  }
}
