import JSONText

/// The annotation `x-mcp-header` of the Model Context Protocol (2026-07-28), which demands nothing of values.
extension SchemaCompiler {
  /// Looks at the fields that repeat properties: their names, their places and their types.
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
      // ASCII alone, so that comparing strings compares bytes.
      let other = known.updateValue(place, forKey: name.lowercased())
      if let other { note(.repeatedField(name, other: other), at: place) }
    }
  }
}

extension JSONPointer {
  /// True if it leads from a schema to a property by `properties` alone.
  fileprivate var leadsToProperty: Bool {
    guard !tokens.isEmpty, tokens.count.isMultiple(of: 2) else { return false }
    return stride(from: 0, to: tokens.count, by: 2).allSatisfy { index in
      tokens[index].utf8.elementsEqual(KeywordName.properties.rawValue.utf8)
    }
  }
}

extension SchemaObject {
  /// True if its values can be repeated by a field.
  fileprivate var hasMirroredType: Bool {
    guard case .string(let type) = self[.type] else { return false }
    return ["string", "integer", "number", "boolean"].contains { $0.utf8.elementsEqual(type.utf8) }
  }
}

extension String {
  /// True if it is a token of HTTP (RFC 9110, 5.6.2).
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
