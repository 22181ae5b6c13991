import JSONText

/// The name of a value in a journal.
///
/// It is coded as a property, which is left out when it is empty. That takes a key smaller than a string,
/// as those of cases are.
struct StoredKey: CodingKey, Equatable {
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

  static func == (left: StoredKey, right: StoredKey) -> Bool {
    left.stringValue == right.stringValue
  }
}

typealias StoredContainer = KeyedEncodingContainer<StoredKey>
typealias StoredReading = KeyedDecodingContainer<StoredKey>

/// The place of an operation, and of the values of its members, in a journal.
///
/// It is written as a call: `undo.registerUndo(of^, target, _1, arguments)` is
/// `{"undo": {"_0": {"registerUndo": {"target": …, "_1": …, "arguments": …}}, "of": …}}`, as the compiler
/// wrote the cases of enumerations that operations were once. Each member of the operation has a label, in
/// order. A label that ends with `^` stands beside the outermost value, one that ends with `?` is null when
/// the member is left out. `-` is for a member that is left out, `=code` for one that has this value, and
/// neither is stored. A last part such as `|_1=key` is stored in any case.
struct StoredForm: Sendable, ExpressibleByStringLiteral {
  /// The label of one member.
  enum Label: Sendable {
    case key(StoredKey, writesNull: Bool)
    case outer(StoredKey)
    case absent
    case constant(String)
  }

  let path: [StoredKey]
  let labels: [Label]
  /// The mark that tells it from others at the same place.
  let mark: (key: StoredKey, value: String)?

  init(stringLiteral text: String) {
    let parts = text.split(separator: "|", maxSplits: 1)
    let call = parts[0].split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    path = Array(
      call[0].split(separator: ".").map { [StoredKey(String($0))] }
        .joined(separator: [StoredKey("_0")]))
    let list = call.count > 1 ? call[1].dropLast() : ""
    labels = list.split(separator: ",").map { Label(String($0.drop { $0 == " " })) }
    mark = parts.count < 2 ? nil : Self.mark(parts[1])
  }

  /// The form of an operation that was never an enumeration's case: under its name, by those of its members.
  init(_ name: String, _ members: [String]) {
    path = [StoredKey(name)]
    labels = members.map { .key(StoredKey($0), writesNull: false) }
    mark = nil
  }

  private static func mark(_ text: Substring) -> (StoredKey, String) {
    let sides = text.split(separator: "=").map(String.init)
    return (StoredKey(sides[0]), sides[1])
  }
}

extension StoredForm.Label {
  fileprivate init(_ text: String) {
    switch text.last {
    case "-": self = .absent
    case "^": self = .outer(StoredKey(String(text.dropLast())))
    case "?": self = .key(StoredKey(String(text.dropLast())), writesNull: true)
    default:
      self =
        text.first == "="
        ? .constant(String(text.dropFirst())) : .key(StoredKey(text), writesNull: false)
    }
  }
}

/// A writer of the values of one operation.
struct StoredWriting {
  var outer: StoredContainer
  var inner: StoredContainer

  /// Begins with an operation of a form.
  init(_ form: StoredForm, _ root: StoredContainer) {
    var container = root
    outer = root
    for (depth, key) in form.path.enumerated() {
      container = container.nestedContainer(keyedBy: StoredKey.self, forKey: key)
      if depth == 0 { outer = container }
    }
    inner = container
  }

  mutating func mark(_ form: StoredForm) throws {
    if let mark = form.mark { try inner.encode(mark.value, forKey: mark.key) }
  }
}

/// A reader of the values of one operation.
struct StoredValues {
  let path: [StoredKey]
  let outer: StoredReading
  let inner: StoredReading

  /// Finds the operation in what was stored.
  ///
  /// - Parameter ends: Returns true if an operation is stored at a place.
  init(_ root: StoredReading, endsAt ends: ([StoredKey]) -> Bool) throws {
    var path: [StoredKey] = []
    var container = root
    var outer = root
    while !ends(path) {
      let keys = container.allKeys
      guard let key = keys.count == 1 ? keys[0] : keys.first(where: { $0.stringValue == "_0" })
      else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: container.codingPath, debugDescription: "there is no such operation"))
      }
      container = try container.nestedContainer(keyedBy: StoredKey.self, forKey: key)
      if path.isEmpty { outer = container }
      path.append(key)
    }
    self.path = path
    self.outer = outer
    inner = container
  }

  /// True if it has what tells a form from others.
  func has(_ form: StoredForm) -> Bool {
    guard let mark = form.mark else { return true }
    return (try? inner.decode(String.self, forKey: mark.key)) == mark.value
  }
}

extension Member {
  /// True if a form can say its value.
  func fits(_ value: Value, as label: StoredForm.Label) -> Bool {
    switch label {
    case .key, .outer: true
    case .absent: value == fallback
    case .constant(let text): value == constant(text)
    }
  }

  /// True if a form can say its term.
  func fits(_ term: Term<Value>, as label: StoredForm.Label) -> Bool {
    switch label {
    case .key, .outer: true
    case .absent: term == .absent
    case .constant(let text): term == constant(text).map(Term.value)
    }
  }

  private func constant(_ text: String) -> Value? {
    let json: JSON = text == "true" || text == "false" ? .bool(text == "true") : .string(text)
    return type.read(json, .root, FaultLog(), nil)
  }

  func store(
    _ value: Value, as label: StoredForm.Label, in writing: inout StoredWriting
  ) throws {
    switch label {
    case .absent, .constant: break
    case .key(let key, writesNull: _): try type.encode(value, &writing.inner, key, false)
    case .outer(let key): try type.encode(value, &writing.outer, key, false)
    }
  }

  /// Reads the stored value.
  ///
  /// - Throws: `DecodingError` when it is missing or something else.
  func stored(as label: StoredForm.Label, in values: StoredValues) throws -> Value {
    switch label {
    case .absent: try fallback ?? missing(values)
    case .constant(let text): try constant(text) ?? missing(values)
    case .key(let key, writesNull: _): try stored(values.inner, key)
    case .outer(let key): try stored(values.outer, key)
    }
  }

  private func stored(_ container: StoredReading, _ key: StoredKey) throws -> Value {
    if let fallback, !container.contains(key) { return fallback }
    return try type.decode(container, key)
  }

  func storeTerm(
    _ term: Term<Value>, as label: StoredForm.Label, in writing: inout StoredWriting
  ) throws {
    guard case .key(let key, let writesNull) = label else { return }
    switch term {
    case .absent: if writesNull { try writing.inner.encodeNil(forKey: key) }
    case .value(let value): try type.encode(value, &writing.inner, key, false)
    case .rule(let rule):
      if case .valueOrRule = type.inEffect {
        // Beside values as they are written, a rule stands in an object.
        try writing.inner.encode(["rule": rule], forKey: key)
      } else {
        try writing.inner.encode(rule, forKey: key)
      }
    }
  }

  /// Reads the stored term.
  ///
  /// - Throws: `DecodingError` when it is missing or something else.
  func storedTerm(as label: StoredForm.Label, in values: StoredValues) throws -> Term<Value> {
    switch label {
    case .absent, .outer: return .absent
    case .constant(let text): return constant(text).map(Term.value) ?? .absent
    case .key(let key, writesNull: _):
      if case .literal = type.inEffect { return .value(try stored(values.inner, key)) }
      guard values.inner.contains(key), try !values.inner.decodeNil(forKey: key) else {
        guard fallback == nil, inEffect == nil else { return .absent }
        return try missing(values)
      }
      switch type.inEffect {
      case .literal, .rule: return .rule(try values.inner.decode(Rule.self, forKey: key))
      case .valueOrRule:
        if let rule = try? values.inner.decode([String: Rule].self, forKey: key)["rule"] {
          return .rule(rule)
        }
        return .value(try type.decode(values.inner, key))
      }
    }
  }

  private func missing<Result>(_ values: StoredValues) throws -> Result {
    throw DecodingError.keyNotFound(
      StoredKey(name),
      .init(codingPath: values.inner.codingPath, debugDescription: "\(name) is missing"))
  }
}
