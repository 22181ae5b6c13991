import JSONText
import Patterns

/// The keywords on values of any type, numbers and strings.
extension SchemaCompiler {
  mutating func types(_ schema: SchemaObject) -> Demand? {
    let names: [JSON]
    switch schema[.type] {
    case nil: return nil
    case .array(let elements)?: names = elements
    case let name?: names = [name]
    }
    var types: [ValueTypeName] = []
    for name in names {
      guard case .string(let text) = name,
        let type = ValueTypeName.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }),
        !types.contains(type)
      else { break }
      types.append(type)
    }
    guard !types.isEmpty, types.count == names.count else {
      refuse(schema, .type, expecting: .types)
      return nil
    }
    return .types(types)
  }

  func constant(_ schema: SchemaObject) -> Demand? {
    schema[.constant].map { .constant(SizedValue($0)) }
  }

  mutating func list(_ schema: SchemaObject) -> Demand? {
    guard case .array(let values) = schema[.list] else {
      refuse(schema, .list, expecting: .array)
      return nil
    }
    return .listed(ListedValues(values))
  }

  mutating func numbers(_ schema: SchemaObject) -> [Demand] {
    let bounds: [(KeywordName, NumberBound)] = [
      (.minimum, .minimum), (.maximum, .maximum), (.exclusiveMinimum, .exclusiveMinimum),
      (.exclusiveMaximum, .exclusiveMaximum), (.multipleOf, .multipleOf),
    ]
    return bounds.compactMap { keyword, bound in
      guard let json = schema[keyword] else { return nil }
      let isPositive = bound == .multipleOf
      guard let number = Number(json), !isPositive || Number.int(0) < number else {
        refuse(schema, keyword, expecting: isPositive ? .positiveNumber : .number)
        return nil
      }
      return .number(bound, json)
    }
  }

  mutating func counts(_ schema: SchemaObject) -> [Demand] {
    let bounds: [(KeywordName, CountBound, Counted)] = [
      (.minLength, .atLeast, .characters), (.maxLength, .atMost, .characters),
      (.minItems, .atLeast, .elements), (.maxItems, .atMost, .elements),
      (.minProperties, .atLeast, .members), (.maxProperties, .atMost, .members),
    ]
    return bounds.compactMap { keyword, bound, counted in
      count(schema, keyword).map { .count(bound, $0, of: counted) }
    }
  }

  /// Reads a keyword's integer, at least 0; one too large for `Int` becomes `Int.max`.
  mutating func count(_ schema: SchemaObject, _ keyword: KeywordName) -> Int? {
    switch schema[keyword] {
    case .int(let int)? where int >= 0: return Int(int)
    case .double(let double)? where double >= 0 && double == double.rounded():
      return Int(exactly: double) ?? .max
    case nil: return nil
    default:
      refuse(schema, keyword, expecting: .count)
      return nil
    }
  }

  mutating func pattern(_ schema: SchemaObject) -> Demand? {
    string(schema, .pattern).flatMap { source in
      pattern(source, at: schema.place(of: .pattern)).map(Demand.pattern)
    }
  }

  mutating func string(_ schema: SchemaObject, _ keyword: KeywordName) -> String? {
    guard case .string(let string) = schema[keyword] else {
      refuse(schema, keyword, expecting: .string)
      return nil
    }
    return string
  }

  /// Checks the keywords without effect on validation.
  mutating func checkAnnotations(of schema: SchemaObject) {
    let texts: [KeywordName] = [
      .comment, .title, .description, .format, .contentEncoding, .contentMediaType, .identifier,
    ]
    for keyword in texts { _ = string(schema, keyword) }
    for keyword in [KeywordName.deprecated, .readOnly, .writeOnly] {
      switch schema[keyword] {
      case .bool: break
      default: refuse(schema, keyword, expecting: .bool)
      }
    }
    switch schema[.examples] {
    case .array: break
    default: refuse(schema, .examples, expecting: .array)
    }
    switch schema[.dialect] {
    case .string(let dialect) where Self.dialects.contains(dialect): break
    default: refuse(schema, .dialect, expecting: .dialect)
    }
    if schema[.identifier] != nil, schema.pointer != .root {
      note(.innerIdentifier, at: schema.place(of: .identifier))
    }
  }

  private static let dialects = [
    "https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2020-12/schema#",
  ]
}
