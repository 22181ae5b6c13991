import JSONText

/// The keywords on arrays and objects, and those that combine schemas.
extension SchemaCompiler {
  mutating func arrays(_ schema: SchemaObject) -> [Demand] {
    var demands: [Demand] = []
    switch schema[.uniqueItems] {
    case .bool(let isUnique)?: if isUnique { demands.append(.uniqueElements) }
    default: refuse(schema, .uniqueItems, expecting: .bool)
    }
    let prefix = schemas(schema, .prefixItems)
    let rest = self.schema(schema, .items)
    if !prefix.isEmpty || rest != nil { demands.append(.elements(prefix: prefix, rest: rest)) }
    // Without `contains` they demand nothing.
    let least = count(schema, .minContains) ?? 1
    let most = count(schema, .maxContains) ?? .max
    if let contained = self.schema(schema, .contains) {
      demands.append(.contained(contained, atLeast: least, atMost: most))
    }
    return demands
  }

  mutating func objects(_ schema: SchemaObject) -> [Demand] {
    var demands: [Demand] = []
    if let names = names(schema[.required], at: schema.place(of: .required)) {
      demands.append(.required(names))
    }
    if let dependent = dependentRequired(schema) { demands.append(.dependentRequired(dependent)) }
    if let members = members(schema) { demands.append(.members(members)) }
    if let names = self.schema(schema, .propertyNames) { demands.append(.names(names)) }
    let dependent = schemasByName(schema, .dependentSchemas)
    if !dependent.isEmpty { demands.append(.dependentSchemas(dependent)) }
    return demands
  }

  func combinations(_ schema: SchemaObject) -> [Demand] {
    var demands: [Demand] = []
    if schema[.allOf] != nil { demands.append(.all(schemas(schema, .allOf))) }
    if schema[.anyOf] != nil { demands.append(.any(schemas(schema, .anyOf))) }
    if schema[.oneOf] != nil { demands.append(.one(schemas(schema, .oneOf))) }
    if let excluded = self.schema(schema, .not) { demands.append(.not(excluded)) }
    if let condition = self.schema(schema, .condition) {
      demands.append(
        .conditional(
          condition, then: self.schema(schema, .then), otherwise: self.schema(schema, .otherwise)))
    }
    return demands
  }

  private mutating func members(_ schema: SchemaObject) -> MemberSchemas? {
    let keywords: [KeywordName] = [.properties, .patternProperties, .additionalProperties]
    guard keywords.contains(where: { schema[$0] != nil }) else { return nil }
    var patterns: [(SourcedPattern, SubschemaIndex)] = []
    let place = schema.place(of: .patternProperties)
    for (source, index) in schemasByName(schema, .patternProperties) {
      if let pattern = pattern(source, at: place.appending(source)) {
        patterns.append((pattern, index))
      }
    }
    var properties = JSONObject()
    if case .object(let object) = schema[.properties] { properties = object }
    return MemberSchemas(
      properties: properties, schemas: schemasByName(schema, .properties).map(\.schema),
      patterns: patterns, additional: self.schema(schema, .additionalProperties))
  }

  private mutating func dependentRequired(
    _ schema: SchemaObject
  ) -> [(name: String, names: [String])]? {
    guard case .object(let object) = schema[.dependentRequired] else {
      refuse(schema, .dependentRequired, expecting: .namesByName)
      return nil
    }
    let place = schema.place(of: .dependentRequired)
    var dependent: [(String, [String])] = []
    for member in object {
      if let names = names(member.value, at: place.appending(member.name)) {
        dependent.append((member.name, names))
      }
    }
    return dependent
  }

  /// The different names that a list has; nil when there is no list.
  private mutating func names(_ json: JSON?, at pointer: JSONPointer) -> [String]? {
    guard let json else { return nil }
    guard case .array(let elements) = json else {
      note(.expected(.names, found: json), at: pointer)
      return nil
    }
    var seen = JSONObject()
    for (index, element) in elements.enumerated() {
      guard case .string(let name) = element else {
        note(.expected(.string, found: element), at: pointer.appending(index))
        continue
      }
      if !seen.append(JSONObject.Member(name: name, value: .null)) {
        note(.repeatedName(name), at: pointer.appending(index))
      }
    }
    return seen.members.map(\.name)
  }
}
