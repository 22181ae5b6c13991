public import JSONText

/// A fault of a schema.
public struct SchemaFault: Error, Equatable, Sendable {
  /// The place in the schema.
  public let pointer: JSONPointer
  /// The reason.
  public let reason: Reason

  init(_ reason: Reason, at pointer: JSONPointer) {
    self.pointer = pointer
    self.reason = reason
  }

  /// The kinds of faults.
  public enum Reason: Equatable, Sendable {
    /// The value of a keyword is of another kind than expected.
    case expected(Expectation, found: JSON)
    /// The member is not a supported keyword.
    case unknownKeyword(String, known: [String])
    /// A pattern that RE2 does not compile, with the reason.
    case invalidPattern(String)
    /// A list of unique names repeats one.
    case repeatedName(String)
    /// A reference to another document.
    case remoteReference(String)
    /// A reference without a schema.
    case unresolvedReference(String)
    /// A reference that leads back to itself at the same value.
    case endlessReference(String)
    /// An identifier in a part of the schema, which would make it a separate document.
    case innerIdentifier
    /// A second anchor of this name; `other` is the first.
    case repeatedAnchor(String, other: JSONPointer)
    /// A field for a value without a fixed place: not reached through properties only.
    case misplacedField
    /// A field for a value that may not be a string, number or Boolean.
    case fieldOfOtherType
    /// A second field of this name, ignoring case; `other` is the first.
    case repeatedField(String, other: JSONPointer)
    /// The schema exceeds the limit of size, in values and bytes of strings.
    case tooLarge(limit: Int)
    /// Arrays and objects are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// The schema contains more schemas than the limit.
    case tooManySubschemas(limit: Int)
    /// Compiling the patterns takes more than the limit.
    case tooManyPatterns
  }

  /// The values that a keyword accepts.
  public enum Expectation: Hashable, Sendable {
    case schema
    /// A non-empty array of schemas.
    case schemas
    /// An object whose members are schemas.
    case schemasByName
    case string
    case bool
    case number
    /// A number greater than 0.
    case positiveNumber
    /// An integer, at least 0.
    case count
    case array
    case names
    /// An object whose members are lists of names.
    case namesByName
    /// The name of a type, or a list of different ones.
    case types
    /// A letter or underscore, followed by letters, digits, underscores, dots and hyphens.
    case anchor
    /// The URI of this version of JSON Schema.
    case dialect
    /// An HTTP token, as for field names (RFC 9110).
    case fieldName
  }
}

/// All faults of a schema, in order; never empty.
public struct SchemaFaults: Error, Equatable, Sendable {
  /// The faults.
  public let faults: [SchemaFault]

  init(_ faults: [SchemaFault]) { self.faults = faults }
}
