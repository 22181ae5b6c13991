import JSONText
import Patterns

/// Compiles the schemas that a survey found, each for itself.
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

  /// Returns all schemas, or fewer and the faults.
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

  /// The demands of one schema, those that are told best first.
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

  /// The index of the schema that is the value of a keyword.
  func schema(_ schema: SchemaObject, _ keyword: KeywordName) -> SubschemaIndex? {
    survey.indexes[schema.place(of: keyword)]
  }

  /// The indexes of the schemas in the list that is the value of a keyword; none when it is absent.
  func schemas(_ schema: SchemaObject, _ keyword: KeywordName) -> [SubschemaIndex] {
    guard case .array(let elements) = schema[keyword] else { return [] }
    return elements.indices.compactMap {
      survey.indexes[schema.place(of: keyword).appending($0)]
    }
  }

  /// The names and indexes of the schemas in the object that is the value of a keyword.
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

/// A schema that is an object, and its place.
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
