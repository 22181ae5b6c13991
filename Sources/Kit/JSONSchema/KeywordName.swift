import JSONText

/// The keywords that are known, as schemas write them.
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
  /// The field of HTTP that repeats the value of a property in a call of a tool (Model Context Protocol).
  case mirroringField = "x-mcp-header"

  /// The keyword that a schema writes so, compared by bytes.
  init?(_ text: String) {
    guard let name = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
      return nil
    }
    self = name
  }

  /// The schemas in the value of a keyword.
  enum Content {
    case none
    case schema
    case schemas
    case schemasByName
  }

  /// The schemas that its value is or holds.
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

  /// All of them, for those who wrote another one.
  static let allNames = allCases.map(\.rawValue)
}
