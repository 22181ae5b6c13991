/// The name of an operation or member in a journal.
///
/// The encoder omits an empty value under such a key, as for properties. It distinguishes these keys from
/// dictionary keys by their size, so this type must be smaller than a string.
struct StoredKey: CodingKey {
  private let name: Name
  var stringValue: String { name.text }
  var intValue: Int? { nil }

  private final class Name: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
  }

  init(_ name: String) { self.name = Name(name) }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

typealias StoredContainer = KeyedEncodingContainer<StoredKey>
typealias StoredReading = KeyedDecodingContainer<StoredKey>

/// The journal form: a value under the name of its member, or a rule under that name and `Rule`. Default values
/// are omitted.
extension Member {
  func store(_ value: Value, in container: inout StoredContainer) throws {
    if value == fallback { return }
    try type.encode(value, &container, key, false)
  }

  func store(_ term: Term<Value>, in container: inout StoredContainer) throws {
    switch term {
    case .absent: break
    case .value(let value): try type.encode(value, &container, key, false)
    case .rule(let rule): try container.encode(rule, forKey: ruleKey)
    }
  }

  /// Decodes the value.
  ///
  /// - Throws: `DecodingError` if it is missing or invalid.
  func storedValue(_ container: StoredReading) throws -> Value {
    if let fallback, !container.contains(key) { return fallback }
    return try type.decode(container, key)
  }

  /// Decodes the term.
  ///
  /// - Throws: `DecodingError` if it is missing or invalid.
  func storedTerm(_ container: StoredReading) throws -> Term<Value> {
    guard uses.contains(.effect) else { return .absent }
    if container.contains(ruleKey) {
      return .rule(try container.decode(Rule.self, forKey: ruleKey))
    }
    if !container.contains(key), isOptionalInEffect {
      if case .literal = type.inEffect, let fallback { return .value(fallback) }
      return .absent
    }
    return .value(try type.decode(container, key))
  }
}
