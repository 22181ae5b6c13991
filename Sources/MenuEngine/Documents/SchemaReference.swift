package import JSONText

extension JSON {
  /// The member by which a file names its JSON Schema, for editors.
  package static let schemaReference = "$schema"

  /// The same value; of an object, without the name of its JSON Schema.
  package var withoutSchemaReference: JSON {
    guard case .object(var object) = self, case .string? = object[Self.schemaReference] else {
      return self
    }
    object[Self.schemaReference] = nil
    return .object(object)
  }
}
