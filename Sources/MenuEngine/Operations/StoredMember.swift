/// The name of an operation or of a member in a journal.
///
/// An encoder leaves an empty value out under such a key, as it does for properties. It tells these from the keys of
/// dictionaries by their size, and so this one is smaller than a string.
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

/// A journal has a value under the name of its member, and a rule that gives one under that name and `Rule`.
/// A value that is the default is left out.
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

  /// Reads the stored value.
  ///
  /// - Throws: `DecodingError` when it is missing or something else.
  func storedValue(_ container: StoredReading) throws -> Value {
    if let fallback, !container.contains(key) { return fallback }
    return try type.decode(container, key)
  }

  /// Reads the stored term.
  ///
  /// - Throws: `DecodingError` when it is missing or something else.
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
