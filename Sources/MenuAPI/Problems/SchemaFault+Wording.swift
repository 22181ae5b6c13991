import JSONSchema
import JSONText
import MenuEngine

// The sentences about schemas (P1) and about values that violate them (P2).

extension SchemaFault.Reason {
  /// The mistake of a schema, as a sentence without the place (P1).
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

extension ValueFault.Reason {
  /// The fault of a value that violates its schema, as a sentence without the place (P2).
  package var sentence: String {
    switch self {
    case .type(let types, let found):
      "Expected \(list(types.map(\.wording), "or")), found \(found.shown)."
    case .notEqual(let value, let found): "Expected \(value.literal), found \(found.shown)."
    case .notListed(let values, let found): notListed(values, found)
    case .unknownChoices: "The choices are not known."
    case .number(let bound, let limit, let found):
      "Expected \(bound.wording) \(limit), found \(found.shown)."
    case .count(let bound, let limit, let counted, let found):
      "Expected \(bound.wording) \(counted.wording(limit)), found \(found)."
    case .noMatch(let pattern, let found):
      "Expected a string that matches \(quoted(pattern)), found the string \(quoted(found))."
    case .repeatedElement(let first):
      "The element is equal to the one at index \(first), and each may be there only once."
    case .missingMember(let name, because: nil): "The member \(quoted(name)) is missing."
    case .missingMember(let name, because: let other?):
      "The member \(quoted(name)) is missing, which must be there beside \(quoted(other))."
    case .unknownMember(let name, let known) where known.count > Self.maximumListedValues:
      "There is no member \(quoted(name)) here"
        + (suggestion(for: name, among: known) ?? "; the schema names \(known.count) others.")
    case .unknownMember(let name, let known):
      DocumentFault.Reason.unknownMember(name, known: known).sentence
    case .nothingAllowed: "Nothing may be here."
    case .name(let name, let reason):
      "The name \(quoted(name)) is not allowed. \(reason.sentence)"
    case .contained(let bound, let limit, let found):
      "Expected \(bound.wording) \(Counted.elements.wording(limit)) that 'contains' describes, "
        + "found \(found)."
    case .noneOf(let count): "The value meets none of the \(count) schemas in 'anyOf'."
    case .notOneOf(let count, found: 0):
      "The value meets none of the \(count) schemas in 'oneOf'."
    case .notOneOf(let count, let found):
      "The value meets \(found) of the \(count) schemas in 'oneOf', and must meet exactly one."
    case .excluded: "The value meets the schema in 'not', which it must not."
    case .tooMuchWork(.steps(let limit)):
      "Checking the value takes more than \(limit) steps; make it smaller, or its schema simpler."
    case .tooMuchWork(.depth(let limit)):
      "The value is nested too deeply: checking it takes more than \(limit) schemas inside each "
        + "other."
    }
  }

  private func notListed(_ values: [JSON], _ found: JSON) -> String {
    let names = values.compactMap { if case .string(let name) = $0 { name } else { nil } }
    let hint: String? =
      if case .string(let name) = found, names.count <= Self.maximumCompared {
        suggestion(for: name, among: names)
      } else {
        nil
      }
    let shown =
      values.count > Self.maximumListedValues
      ? "one of \(values.count) values" : list(values.map(\.literal), "or")
    let expected = values.isEmpty ? "nothing" : shown
    return "Expected \(expected), found \(found.shown)\(hint ?? ".")"
  }

  /// The maximum number of values among which a similar one is searched; a body has up to a hundred faults.
  private static let maximumCompared = 100

  /// The maximum number of values or names that a sentence lists.
  private static let maximumListedValues = 24
}

extension ValueTypeName {
  fileprivate var wording: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .object: "an object"
    case .array: "an array"
    case .number: "a number"
    case .integer: "an integer"
    case .string: "a string"
    }
  }
}

extension NumberBound {
  fileprivate var wording: String {
    switch self {
    case .minimum: "a number that is at least"
    case .maximum: "a number that is at most"
    case .exclusiveMinimum: "a number greater than"
    case .exclusiveMaximum: "a number less than"
    case .multipleOf: "a multiple of"
    }
  }
}

extension CountBound {
  fileprivate var wording: String {
    switch self {
    case .atLeast: "at least"
    case .atMost: "at most"
    }
  }
}

extension Counted {
  fileprivate func wording(_ count: Int) -> String {
    let noun =
      switch self {
      case .characters: "character"
      case .elements: "element"
      case .members: "member"
      }
    return "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension JSON {
  /// An expected value as a sentence shows it: arrays and objects as JSON.
  fileprivate var literal: String {
    switch self {
    case .null, .bool, .int, .double: "\(self)"
    case .string(let string): quoted(string)
    case .array, .object: quoted(text())
    }
  }
}
