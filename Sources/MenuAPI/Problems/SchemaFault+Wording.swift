import JSONSchema
import JSONText

extension SchemaFault.Reason {
  /// The mistake of a schema, as a sentence that does not say where (P1).
  package var sentence: String {
    switch self {
    case .expected(let expectation, let found):
      "Expected \(expectation.wording), found \(found.shown)."
    case .unknownKeyword(let name, let known):
      "The keyword \(quoted(name)) is not supported"
        + (suggestion(for: name, among: known) ?? "; leave it out.")
    case .invalidPattern(let message): "The pattern does not compile: \(message)."
    case .repeatedName(let name): "The name \(quoted(name)) stands there twice."
    case .remoteReference(let text):
      "The reference \(quoted(text)) leads to another document; only those within the schema do, "
        + "such as '#/$defs/name'."
    case .unresolvedReference(let text):
      "The reference \(quoted(text)) leads to no schema."
    case .endlessReference(let text):
      "The reference \(quoted(text)) leads back to itself without looking into the value."
    case .innerIdentifier: "Only the whole schema can have '$id'; give this part an '$anchor'."
    case .repeatedAnchor(let name, let other):
      "The anchor \(quoted(name)) stands at \(other) as well."
    case .misplacedField:
      "Only a property of the whole schema, or of a property of that, can have 'x-mcp-header': the "
        + "value has one place in the arguments then."
    case .fieldOfOtherType:
      "A property with 'x-mcp-header' has the type 'string', 'integer', 'number' or 'boolean'."
    case .repeatedField(let name, let other):
      "The field \(quoted(name)) stands at \(other) as well; names of fields differ by more than case."
    case .tooLarge(let limit):
      "The schema is too large: it has more than \(limit) values and bytes of strings."
    case .tooDeep(let limit): "The schema is nested more than \(limit) deep."
    case .tooManySubschemas(let limit): "There are more than \(limit) schemas in the schema."
    case .tooManyPatterns: "The patterns of the schema take too much to compile."
    }
  }
}

extension SchemaFault.Expectation {
  fileprivate var wording: String {
    switch self {
    case .schema: "a schema: an object, true or false"
    case .schemas: "a list of one or more schemas"
    case .schemasByName: "an object whose members are schemas"
    case .string: "a string"
    case .bool: "true or false"
    case .number: "a number"
    case .positiveNumber: "a number greater than 0"
    case .count: "an integer that is at least 0"
    case .array: "an array"
    case .names: "a list of names"
    case .namesByName: "an object whose members are lists of names"
    case .types:
      "'null', 'boolean', 'object', 'array', 'number', 'integer', 'string', or a list of different "
        + "ones of them"
    case .anchor: "a name of letters, digits, '_', '-' and '.' that begins with a letter or '_'"
    case .fieldName: "the name of a field: letters, digits and any of !#$%&'*+-.^_`|~"
    case .dialect: "'https://json-schema.org/draft/2020-12/schema'"
    }
  }
}
