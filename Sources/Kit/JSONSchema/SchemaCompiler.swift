import JSONText
import Patterns

/// Compiles the schemas found by a survey, each separately.
struct SchemaCompiler {
  let survey: SchemaSurvey
  private(set) var faults: [SchemaFault] = []
  var references: SchemaReferences
  private var remainingPatternWork: Int

  init(_ survey: SchemaSurvey, limits: SchemaLimits) {
    self.survey = survey
    references = SchemaReferences(survey)
    remainingPatternWork = limits.maximumPatternWork
  }

  /// Returns all schemas; fewer if there are faults.
  mutating func compile() -> [Subschema] {
    for fault in references.faults { faults.append(fault) }
    let subschemas = survey.schemas.indices.map { index in
      let schema = survey.schemas[index]
      switch schema.json {
      case .bool(let isMet): return Subschema(demands: isMet ? [] : [.nothing])
      case .object(let object):
        return Subschema(demands: demands(of: SchemaObject(object, at: schema.pointer)))
      case .null, .int, .double, .string, .array: return Subschema(demands: [])
      }
    }
    checkMirroringFields()
    if faults.isEmpty, let loop = references.endlessReference(in: subschemas, of: survey) {
      faults.append(loop)
    }
    return subschemas
  }

  /// Returns the demands of one schema, most informative first.
  private mutating func demands(of schema: SchemaObject) -> [Demand] {
    checkAnnotations(of: schema)
    return [reference(schema), types(schema), constant(schema), list(schema)].compactMap(\.self)
      + numbers(schema) + counts(schema) + [pattern(schema)].compactMap(\.self)
      + arrays(schema) + objects(schema) + combinations(schema)
  }

  private mutating func reference(_ schema: SchemaObject) -> Demand? {
    guard let text = string(schema, .ref) else { return nil }
    switch references.target(of: text) {
    case .success(let index): return .reference(index)
    case .failure(let reason):
      note(reason, at: schema.place(of: .ref))
      return nil
    }
  }

  mutating func note(_ reason: SchemaFault.Reason, at pointer: JSONPointer) {
    faults.append(SchemaFault(reason, at: pointer))
  }

  mutating func refuse(
    _ schema: SchemaObject, _ keyword: KeywordName, expecting expectation: SchemaFault.Expectation
  ) {
    guard let json = schema[keyword] else { return }
    note(.expected(expectation, found: json), at: schema.place(of: keyword))
  }

  /// Returns the index of the schema in a keyword's value.
  func schema(_ schema: SchemaObject, _ keyword: KeywordName) -> SubschemaIndex? {
    survey.indexes[schema.place(of: keyword)]
  }

  /// Returns the indexes of the schemas in a keyword's list; none if absent.
  func schemas(_ schema: SchemaObject, _ keyword: KeywordName) -> [SubschemaIndex] {
    guard case .array(let elements) = schema[keyword] else { return [] }
    return elements.indices.compactMap {
      survey.indexes[schema.place(of: keyword).appending($0)]
    }
  }

  /// Returns the names and indexes of the schemas in a keyword's object.
  func schemasByName(
    _ schema: SchemaObject, _ keyword: KeywordName
  ) -> [(name: String, schema: SubschemaIndex)] {
    guard case .object(let members) = schema[keyword] else { return [] }
    return members.members.compactMap { member in
      survey.indexes[schema.place(of: keyword).appending(member.name)].map { (member.name, $0) }
    }
  }

  mutating func pattern(_ source: String, at pointer: JSONPointer) -> SourcedPattern? {
    let text: String
    do throws(ECMAPattern.Fault) {
      text = try ECMAPattern.translated(source)
    } catch {
      note(.invalidPattern(error.message), at: pointer)
      return nil
    }
    remainingPatternWork -= min(Pattern.work(of: text), Pattern.maximumWork)
    guard remainingPatternWork >= 0 else {
      note(.tooManyPatterns, at: pointer)
      return nil
    }
    do throws(Pattern.Fault) {
      let pattern = try Pattern(text)
      remainingPatternWork -= pattern.work - Pattern.work(of: text)
      return SourcedPattern(source: source, pattern: pattern)
    } catch {
      note(.invalidPattern(error.message), at: pointer)
      return nil
    }
  }
}

/// A schema that is an object, with its place.
struct SchemaObject {
  let object: JSONObject
  let pointer: JSONPointer

  init(_ object: JSONObject, at pointer: JSONPointer) {
    self.object = object
    self.pointer = pointer
  }

  subscript(keyword: KeywordName) -> JSON? { object[keyword.rawValue] }

  func place(of keyword: KeywordName) -> JSONPointer { pointer.appending(keyword.rawValue) }
}

/// The annotation `x-mcp-header` of the Model Context Protocol (2026-07-28), without effect on validation.
extension SchemaCompiler {
  /// Checks the fields that repeat properties: names, places and types.
  mutating func checkMirroringFields() {
    var known: [String: JSONPointer] = [:]
    for found in survey.schemas {
      guard case .object(let object) = found.json else { continue }
      let schema = SchemaObject(object, at: found.pointer)
      let place = schema.place(of: .mirroringField)
      guard let value = schema[.mirroringField] else { continue }
      guard case .string(let name) = value, name.isFieldName else {
        note(.expected(.fieldName, found: value), at: place)
        continue
      }
      if !found.pointer.leadsToProperty { note(.misplacedField, at: place) }
      if !schema.hasMirroredType { note(.fieldOfOtherType, at: place) }
      // ASCII only, so that comparing strings compares bytes.
      let other = known.updateValue(place, forKey: name.lowercased())
      if let other { note(.repeatedField(name, other: other), at: place) }
    }
  }
}

extension JSONPointer {
  /// True if it leads from a schema to a property through `properties` only.
  fileprivate var leadsToProperty: Bool {
    guard !tokens.isEmpty, tokens.count.isMultiple(of: 2) else { return false }
    return stride(from: 0, to: tokens.count, by: 2).allSatisfy { index in
      tokens[index].utf8.elementsEqual(KeywordName.properties.rawValue.utf8)
    }
  }
}

extension SchemaObject {
  /// True if its values can be repeated in a field.
  fileprivate var hasMirroredType: Bool {
    guard case .string(let type) = self[.type] else { return false }
    return ["string", "integer", "number", "boolean"].contains { $0.utf8.elementsEqual(type.utf8) }
  }
}

extension String {
  /// True if it is an HTTP token (RFC 9110, 5.6.2).
  fileprivate var isFieldName: Bool {
    !utf8.isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

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
    // Without `contains` they have no effect.
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

  /// Reads a list of unique names; nil for none.
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
