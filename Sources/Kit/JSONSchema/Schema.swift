public import JSONText

/// A JSON Schema (2020-12), compiled once for validating values.
///
/// Unknown keywords and references to other documents are refused. `format`, the `content` keywords and the
/// like are annotations, without effect on validation.
public struct Schema: Sendable {
  /// The source of the schema.
  public internal(set) var document: JSON
  /// All schemas in it; index 0 is the schema itself.
  var subschemas: [Subschema]
  /// The limits of validation.
  let limits: SchemaLimits
  /// True if an empty object is valid.
  public private(set) var isMetByEmptyObject = false

  /// Compiles a schema.
  ///
  /// - Throws: `SchemaFaults` with all faults.
  public init(_ document: JSON, limits: SchemaLimits = SchemaLimits()) throws(SchemaFaults) {
    var survey = SchemaSurvey(limits: limits)
    survey.look(through: document)
    guard survey.faults.isEmpty else { throw SchemaFaults(survey.faults) }
    var compiler = SchemaCompiler(survey, limits: limits)
    let subschemas = compiler.compile()
    guard compiler.faults.isEmpty else { throw SchemaFaults(compiler.faults) }
    self.document = document
    self.subschemas = subschemas
    self.limits = limits
    isMetByEmptyObject = faults(of: .object([:])).isEmpty
  }

  /// Returns the first 100 faults of a value, in the order of its parts; none if the value is valid.
  public func faults(of value: JSON) -> [ValueFault] {
    var steps = 0
    return faults(of: value, addingStepsTo: &steps).faults
  }

  /// As `faults(of:)`, with the total number. Adds the steps taken, each about 100 ns at most.
  package func faults(of value: JSON, addingStepsTo steps: inout Int) -> ValueFault.List {
    var validation = Validation(of: self)
    defer { steps += limits.maximumSteps - max(0, validation.remainingSteps) }
    do throws(Validation.Exhaustion) {
      _ = try validation.meets(0, value)
      return validation.faults
    } catch {
      return ValueFault.List(ValueFault(.tooMuchWork(error), at: .root))
    }
  }
}

extension Schema: Equatable {
  /// True if both have the same source, to the byte.
  public static func == (left: Schema, right: Schema) -> Bool {
    left.document.isWritten(as: right.document)
  }
}

/// The coded form is the source, compiled again.
extension Schema: Codable {
  /// Encodes the source.
  public func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

  /// Decodes and compiles the source.
  public init(from decoder: any Decoder) throws {
    let document = try JSON(from: decoder)
    do throws(SchemaFaults) {
      try self.init(document)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "the schema \(document) does not compile: \(error.faults)"))
    }
  }
}

/// The limits of the cost of a schema.
///
/// A schema beyond the first four is refused when compiled, a value beyond the others when validated.
public struct SchemaLimits: Sendable, Hashable {
  /// The size of a schema, in values and bytes of strings and names. The default is 16,384.
  public var maximumSize = 1 << 14
  /// The nesting of arrays and objects in a schema. The default is 64.
  public var maximumNesting = 64
  /// The number of schemas in a schema, itself included. The default is 1,000.
  public var maximumSubschemas = 1000
  /// The number of steps for compiling all patterns of a schema. The default is 100,000, about 10 ms; a short
  /// pattern takes about 500.
  public var maximumPatternWork = 100_000
  /// The number of steps for validating a value. The default is 200,000, about 20 ms.
  public var maximumSteps = 200_000
  /// The nesting of schemas applied during validation. The default is 256.
  public var maximumDepth = 256

  /// Creates the default limits.
  public init() {}
}

/// The known keywords.
enum KeywordName: String, CaseIterable {
  case ref = "$ref"
  case definitions = "$defs"
  case anchor = "$anchor"
  case identifier = "$id"
  case dialect = "$schema"
  case comment = "$comment"
  case type
  case constant = "const"
  case list = "enum"
  case minimum
  case maximum
  case exclusiveMinimum
  case exclusiveMaximum
  case multipleOf
  case minLength
  case maxLength
  case pattern
  case prefixItems
  case items
  case contains
  case minContains
  case maxContains
  case minItems
  case maxItems
  case uniqueItems
  case properties
  case patternProperties
  case additionalProperties
  case propertyNames
  case required
  case dependentRequired
  case dependentSchemas
  case minProperties
  case maxProperties
  case allOf
  case anyOf
  case oneOf
  case not
  case condition = "if"
  case then
  case otherwise = "else"
  case title
  case description
  case defaultValue = "default"
  case examples
  case deprecated
  case readOnly
  case writeOnly
  case format
  case contentEncoding
  case contentMediaType
  case contentSchema
  /// The HTTP field that repeats the value of a property in a tool call (Model Context Protocol).
  case mirroringField = "x-mcp-header"

  /// Parses a keyword, by bytes.
  init?(_ text: String) {
    guard let name = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
      return nil
    }
    self = name
  }

  /// The kind of schemas in a keyword's value.
  enum Content {
    case none
    case schema
    case schemas
    case schemasByName
  }

  /// The schemas in its value.
  var content: Content {
    switch self {
    case .items, .contains, .additionalProperties, .propertyNames, .not, .condition, .then,
      .otherwise, .contentSchema:
      .schema
    case .prefixItems, .allOf, .anyOf, .oneOf: .schemas
    case .definitions, .properties, .patternProperties, .dependentSchemas: .schemasByName
    case .ref, .anchor, .identifier, .dialect, .comment, .type, .constant, .list, .minimum,
      .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength, .maxLength, .pattern,
      .minContains, .maxContains, .minItems, .maxItems, .uniqueItems, .required, .dependentRequired,
      .minProperties, .maxProperties, .title, .description, .defaultValue, .examples, .deprecated,
      .readOnly, .writeOnly, .format, .contentEncoding, .contentMediaType, .mirroringField:
      .none
    }
  }

  /// All keywords, for messages.
  static let allNames = allCases.map(\.rawValue)
}
