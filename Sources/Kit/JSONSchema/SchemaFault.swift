public import JSONText

/// One mistake of a schema.
public struct SchemaFault: Error, Equatable, Sendable {
  /// The place in the schema.
  public let pointer: JSONPointer
  /// The mistake.
  public let reason: Reason

  init(_ reason: Reason, at pointer: JSONPointer) {
    self.pointer = pointer
    self.reason = reason
  }

  /// The mistakes that a schema can have.
  public enum Reason: Equatable, Sendable {
    /// The value of a keyword is of another kind than the one asked for.
    case expected(Expectation, found: JSON)
    /// A member that is no keyword, or one that is not supported, beside those that are.
    case unknownKeyword(String, known: [String])
    /// A pattern that RE2 does not compile, and why.
    case invalidPattern(String)
    /// A list that must not name anything twice does.
    case repeatedName(String)
    /// A reference to another document.
    case remoteReference(String)
    /// A reference that leads to no schema.
    case unresolvedReference(String)
    /// A reference that leads back to itself without looking into the value.
    case endlessReference(String)
    /// An identifier in a part of the schema, which would make it a document of its own.
    case innerIdentifier
    /// A second anchor of this name, and where the first one stands.
    case repeatedAnchor(String, other: JSONPointer)
    /// A field for a value that is not at a place of its own: not reached by properties alone.
    case misplacedField
    /// A field for a value that may be no text, number or truth value.
    case fieldOfOtherType
    /// A second field of this name, in whatever case, and where the first one stands.
    case repeatedField(String, other: JSONPointer)
    /// The schema holds more than this, in values and bytes of strings.
    case tooLarge(limit: Int)
    /// Arrays and objects stand deeper inside each other than this.
    case tooDeep(limit: Int)
    /// There are more schemas in the schema than this.
    case tooManySubschemas(limit: Int)
    /// The patterns take together too much to compile.
    case tooManyPatterns
  }

  /// The values of keywords that would have been accepted.
  public enum Expectation: Hashable, Sendable {
    case schema
    /// An array of schemas that is not empty.
    case schemas
    /// An object whose members are schemas.
    case schemasByName
    case string
    case bool
    case number
    /// A number greater than 0.
    case positiveNumber
    /// An integer from 0.
    case count
    case array
    case names
    /// An object whose members are lists of names.
    case namesByName
    /// The name of a type, or a list of different ones.
    case types
    /// A letter or underscore, and then also digits, dots and hyphens.
    case anchor
    /// The address of this version of JSON Schema.
    case dialect
    /// A token of HTTP, as names of fields are (RFC 9110).
    case fieldName
  }
}

/// All the mistakes of a schema, in the order in which they were found; never empty.
public struct SchemaFaults: Error, Equatable, Sendable {
  /// The mistakes.
  public let faults: [SchemaFault]

  init(_ faults: [SchemaFault]) { self.faults = faults }
}
